"""What does the specification say of what the tolerant reader let pass?

The reader loads what it safely can and warns. Here the same findings are judged as the author must hear them: what breaks a
must is an error, and what was repaired is an error whose cure is the repaired line (cases 001, 009, 014, 017).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...domain.problem import Problem
from ..fields import LONGEST_NAME, one_name
from ..reader import SKILL_FILE
from ..seed_head import MUSTS
from ..yaml_loader import Fault, load_yaml
from .document import Document

_LINE = re.compile(r"(\s*(?:- +)?(?:[\w./-]+ *:[ \t]+)?)(.*)")
_NO_WORD = re.compile(r"[^a-z0-9]+")


def judged(problems: Iterable[Problem], document: Document | None) -> Iterator[Problem]:
    """The reader's problems by the levels of the specification."""
    seen: set[str] = set()
    for problem in problems:
        seen.add(problem.code)
        if problem.code == "frontmatter.repaired":
            yield _no_yaml(problem, document)
        elif problem.code in ("name.form", "name.length"):
            yield replace(problem, level="error", cure=_renamed(document) or problem.cure)
        else:
            yield replace(problem, level="error") if problem.code in MUSTS else problem
    if document is not None and document.stored != SKILL_FILE and "name.case" not in seen:
        # The disk makes no difference between cases; others do.
        yield Problem("name.case", document.file, f"the file is called {document.stored}", cure=f"call it {SKILL_FILE}")


def _no_yaml(problem: Problem, document: Document | None) -> Problem:
    line = problem.line or 1
    fault = load_yaml(document.parts.head or "") if document else None
    at = line - document.parts.head_line + 1 if document else 0
    why = f": {fault.cause}" if isinstance(fault, Fault) and fault.line == at else ""
    cure = f"quote the value: {_quoted_form(document, at)}" if document else "quote the value"
    return Problem("frontmatter.yaml", problem.file, f"this is no YAML{why}", line, cure)


def _quoted_form(document: Document, at: int) -> str:
    """The line as it should stand: the whole value of its key in quotes, or the line's own part of it."""
    loaded = document.loaded
    lines = loaded.lines if loaded else {}
    before = [key for key, line in lines.items() if line <= at]
    key = max(before, key=lambda one: lines[one], default="")
    value = loaded.fields.get(key) if loaded else None
    if isinstance(value, str):
        return f"{key}: {quoted(value)}"
    line = (document.parts.head or "").split("\n")[at - 1]
    match = _LINE.match(line)
    return f"{match[1].lstrip()}{quoted(match[2].strip())}" if match else quoted(line)


def quoted(text: str) -> str:
    """A text as a YAML scalar in quotes: double ones where nothing in it needs care, else single ones."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def _renamed(document: Document | None) -> str:
    """The name in the nearest form that is allowed."""
    value = document.loaded.fields.get("name") if document and document.loaded else None
    if not isinstance(value, str):
        return ""
    name = _NO_WORD.sub("-", one_name(value).lower())[:LONGEST_NAME].strip("-")
    return f"call it {name!r}, and its folder too" if name else ""
