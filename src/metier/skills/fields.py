"""What do the fields of a SKILL.md make of a skill, and what is wrong with them?

The tolerant reading: what can be read safely is read, and every fault is told. The rules are those of the specification,
sections 1.2 and 3.
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from ..domain.problem import Problem
from ..domain.skill import Frontmatter
from .yaml_lines import Value
from .yaml_loader import Loaded

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
LONGEST_COMPATIBILITY = 500
KNOWN = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})

Tell = Callable[[Problem], None]
Warn = Callable[[str, str, str, str], None]
"""Is told code, key, cause and cure of a fault that does not cost the skill."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TOOLS = ("allowed-tools", "allowed_tools", "allowedTools")
_NO_PARAGRAPH = re.compile(r"#|<!--|```|~~~|\||>|---|\*\*\*|!\[")
"""How a block begins that is no paragraph: a heading, a comment, code, a table, a quotation, a rule, a picture."""


def shown(name: str) -> str:
    """A file's name as it can be stored and sent; bytes that are not UTF-8 become U+FFFD."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "replace")


def one_name(name: str) -> str:
    """A name in the form in which names are compared and shown (specification 1.2: NFKC)."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def misspelt(keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each key that is a known field in another spelling, with the field that is meant (M9)."""
    for key in keys:
        meant = key.strip().lower().replace("_", "-").replace("allowedtools", "allowed-tools")
        if meant in KNOWN and key not in KNOWN:
            yield key, meant


def not_text(metadata: Value | None) -> Iterator[tuple[str, str]]:
    """Each key of metadata that holds no text, with what is wrong (M7, M12)."""
    for key, entry in metadata.items() if isinstance(metadata, dict) else ():
        if not isinstance(entry, str):
            yield key, f"metadata must hold texts, and {key!r} holds a {'list' if isinstance(entry, list) else 'map'}"


def frontmatter_of(
    loaded: Loaded | None, *, body: str, folder: str, file: str, head_line: int, tell: Tell
) -> Frontmatter | None:
    """Answer the frontmatter that fields and body make, or None when nothing says what the skill does.

    `folder` is the folder's bare name, `file` the file as problems name it. A skill without name or description is named
    after its folder and described by its first paragraph; that is told.
    """
    fields: Mapping[str, Value] = loaded.fields if loaded else {}
    lines: Mapping[str, int] = loaded.lines if loaded else {}

    def line_of(key: str) -> int | None:
        return lines[key] + head_line - 1 if key in lines else None

    def warn(code: str, key: str, cause: str, cure: str) -> None:
        tell(Problem(code, file, cause, line_of(key), cure, "warning"))

    description = _description(fields, body, warn) if loaded else first_paragraph(body)
    if not description:
        cause = "there is neither a description nor a paragraph of text that could stand for it"
        tell(Problem("description.missing", file, cause, line_of("description"), "write a description"))
        return None
    if loaded is None:
        cause = "there is no frontmatter; the folder's name and the first paragraph stand for it"
        tell(Problem("frontmatter.missing", file, cause, 1, "begin with `---`, name, description, `---`", "warning"))
        return Frontmatter(one_name(shown(folder)), description)
    return Frontmatter(
        _name(fields, one_name(shown(folder)), warn),
        description,
        _optional(fields, "license", warn),
        _compatibility(fields, warn),
        _tools(fields),
        _metadata(fields, warn),
        {key: value for key, value in fields.items() if key not in KNOWN},
    )


def _name(fields: Mapping[str, Value], folder: str, warn: Warn) -> str:
    value = fields.get("name")
    name = one_name(value.strip()) if isinstance(value, str) else ""
    if not name or not name.isprintable():
        warn("name.missing", "name", "there is no usable name; the folder's name stands for it", f"name: {folder}")
        return folder
    if len(name) > LONGEST_NAME:
        warn("name.length", "name", f"the name has {len(name)} characters; {LONGEST_NAME} are allowed", "shorten it")
    if not _NAME.fullmatch(name) and not _is_word(name):
        warn("name.form", "name", f"{name!r} is not made of lower case letters, digits and single hyphens", "rename it")
    if name != folder:
        cause = f"the skill calls itself {name!r} and its folder is {folder!r}"
        warn("name.directory", "name", cause, f"rename the folder, or write `name: {folder}`")
    return name


def _is_word(name: str) -> bool:
    """The specification's rule with letters of every script; plain ASCII has been tried before."""
    parts = name.split("-")
    return not name.isascii() and name == name.lower() and all(part.isalnum() for part in parts)


def _description(fields: Mapping[str, Value], body: str, warn: Warn) -> str:
    value = fields.get("description")
    text = value.strip() if isinstance(value, str) else ""
    if not text:
        text = first_paragraph(body)
        if text:
            cause = "there is no description; the first paragraph stands for it"
            warn("description.missing", "description", cause, "write what the skill does and when to use it")
    elif len(text) > LONGEST_DESCRIPTION:
        cause = f"the description has {len(text):,} characters; {LONGEST_DESCRIPTION:,} are allowed"
        warn("description.length", "description", cause, "shorten it")
    return text


def _text(value: Value) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _optional(fields: Mapping[str, Value], key: str, warn: Warn) -> str | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        warn("frontmatter.type", key, f"{key} must be text; it is kept as JSON", "quote it")
    return _text(value) or None


def _compatibility(fields: Mapping[str, Value], warn: Warn) -> str | None:
    text = _optional(fields, "compatibility", warn)
    if text and len(text) > LONGEST_COMPATIBILITY:
        cause = f"compatibility has {len(text)} characters; {LONGEST_COMPATIBILITY} are allowed"
        warn("compatibility.length", "compatibility", cause, "shorten it")
    return text


def _tools(fields: Mapping[str, Value]) -> str | None:
    """All spellings are read, and none grants anything."""
    for key in _TOOLS:
        value = fields.get(key)
        if isinstance(value, list):
            return " ".join(map(_text, value)) or None
        if value is not None:
            return _text(value) or None
    return None


def _metadata(fields: Mapping[str, Value], warn: Warn) -> Mapping[str, str]:
    value = fields.get("metadata")
    if not value:
        return {}
    if not isinstance(value, dict):
        warn("metadata.form", "metadata", "metadata is no map and was left out", "write `key: value` lines below it")
        return {}
    return {key: entry if isinstance(entry, str) else _text(entry) for key, entry in value.items()}


def first_paragraph(body: str) -> str:
    """The first paragraph of a Markdown text on one line, cut to a description's length; empty where there is none."""
    taken: list[str] = []
    until = ""
    for line in map(str.strip, body.split("\n")):
        prose = bool(line) and not _NO_PARAGRAPH.match(line)
        if until:
            until = "" if until in line else until
        elif prose:
            taken.append(line)
        elif taken:
            break
        else:
            until = _end_of(line)
    return " ".join(" ".join(taken).split())[:LONGEST_DESCRIPTION]


def _end_of(line: str) -> str:
    """What ends the code or the comment that a line begins; empty where it begins none that goes on."""
    if line.startswith(("```", "~~~")):
        return line[:3]
    return "-->" if line.startswith("<!--") and "-->" not in line else ""
