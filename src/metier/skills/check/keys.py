"""Which fields of a frontmatter does the specification not know, or want in another form?

Specification, sections 1.2 and 2. What the reader tells already is not told again here.
"""

import re
from collections.abc import Iterator

from ...domain.problem import Problem
from ..fields import KNOWN, misspelt, not_text
from ..frontmatter import starts_late
from ..yaml_lines import Value
from .document import Document
from .strict import quoted

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>")
_PAIR = re.compile(r"(\s*)([\w./-]+) *:[ \t]+(.*?)(?:[ \t]+#.*)?[ \t]*$")
_TYPED = re.compile(
    r"[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?|0[xo][\da-fA-F]+|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?|~|"
    r"(?i:true|false|yes|no|on|off|null)"
)
"""Plain values that a YAML reader takes for a number, a date, a truth value or nothing."""
_LONGEST_LINE = 500
"""Characters of a line that is looked at for plain values; longer ones are texts."""
_FLOW = re.compile(r"\[.*\]|\{.*\}")
_FILE = re.compile(
    r"(?<![\w/.:-])[\w./-]*\w\.(?:txt|md|rst|html?|pdf)\b|(?:^|\b(?:in|see|file) +)(LICEN[CS]E|COPYING)\b"
)


def key_problems(document: Document) -> Iterator[Problem]:
    """What is to say about the fields, one by one."""
    if document.parts.head is None:
        return
    late = starts_late(document.parts, document.file)
    if late:
        yield late
    if document.loaded is None:
        return
    fields = document.loaded.fields
    yield from _unknown(document)
    yield from _tools(document, fields.get("allowed-tools"))
    yield from _metadata(document, fields.get("metadata"))
    yield from _plain_values(document)
    yield from _description(document, fields.get("description"))
    yield from _license(document, fields.get("license"))
    if "compatibility" in fields and not str(fields["compatibility"]).strip():
        line = document.line("compatibility")
        yield Problem("compatibility.length", document.file, "compatibility is empty", line, "fill it, or remove it")


def mark_problems(document: Document) -> Iterator[Problem]:
    """A mark of byte order before the text (case 003)."""
    if document.marked:
        cause = "a mark of byte order stands before the text, and not every client drops it"
        yield Problem("encoding.bom", document.file, cause, 1, "save the file as UTF-8 without it", "note")


def _unknown(document: Document) -> Iterator[Problem]:
    fields = document.loaded.fields if document.loaded else {}
    spelt = dict(misspelt(fields))
    for key in fields:
        if key in KNOWN:
            continue
        meant = spelt.get(key)
        line = document.line(key)
        if meant:
            cause = f"{key!r} is not the field {meant!r}: names of fields are taken as they are spelt"
            yield Problem("frontmatter.spelling", document.file, cause, line, f"write {meant}", "warning")
            continue
        cause = f"{key!r} is no field of the specification; its reference library refuses it"
        yield Problem("frontmatter.unknown", document.file, cause, line, "put it under metadata", "note")


def _tools(document: Document, value: Value | None) -> Iterator[Problem]:
    if value is None:
        return
    line = document.line("allowed-tools")
    if isinstance(value, dict):
        cause = "allowed-tools must be names with spaces between them"
        yield Problem("tools.form", document.file, cause, line, "write `allowed-tools: Read Grep`")
        return
    words = [str(one).strip() for one in value] if isinstance(value, list) else tools_in(value)
    if isinstance(value, str) and not any("," in gap for gap in _gaps(value)):
        if value.count("(") != value.count(")"):
            cause = "allowed-tools has a parenthesis without its other half"
            yield Problem("tools.form", document.file, cause, line, "write a pattern as `Bash(git:*)`")
        return
    how = "a list" if isinstance(value, list) else "commas"
    cause = f"allowed-tools must be names with spaces between them, not {how}"
    yield Problem("tools.form", document.file, cause, line, f"write `allowed-tools: {' '.join(words)}`")


def _gaps(text: str) -> list[str]:
    """What stands outside parentheses."""
    return re.sub(r"\([^()]*\)", "()", text).split("()")


def tools_in(text: str) -> list[str]:
    """The tools that a text names, between spaces or commas outside parentheses."""
    return re.findall(r"(?:[^\s,()]|\([^()]*\))+", text)


def _metadata(document: Document, value: Value | None) -> Iterator[Problem]:
    """Entries that are no text: a list or a map (M7, M12)."""
    for key, cause in not_text(value):
        cure = "write it as one text in quotes"
        yield Problem("metadata.form", document.file, cause, _line_of(document, key), cure)


def _line_of(document: Document, key: str) -> int | None:
    start = document.line("metadata") or 0
    for number, line in document.head_lines:
        if number > start and line.strip().startswith(f"{key}:"):
            return number
    return start or None


def _plain_values(document: Document) -> Iterator[Problem]:
    """Values that other readers do not take as text, and lists and maps on one line."""
    section = ""
    for number, line in document.head_lines:
        if line[:1] not in ("", " ", "\t", "#"):
            section = line.partition(":")[0].strip()
        pair = _PAIR.match(line) if len(line) < _LONGEST_LINE else None
        if pair is None:
            continue
        top = not pair[1]
        counts = pair[2] in KNOWN if top else section == "metadata"
        if counts and _TYPED.fullmatch(pair[3]):
            cause = f"other readers do not take {pair[3]} as text"
            cure = f"quote it: {pair[2]}: {quoted(pair[3])}"
            yield Problem("frontmatter.plain", document.file, cause, number, cure, "note")
        elif top and _FLOW.fullmatch(pair[3]):
            cause = "the reference library reads no list or map on one line"
            yield Problem("frontmatter.flow", document.file, cause, number, "write one item a line below it", "note")


def _description(document: Document, value: Value | None) -> Iterator[Problem]:
    """A tag in the description could end the block that it is shown in (case 028)."""
    tag = _TAG.search(value) if isinstance(value, str) else None
    if tag:
        cause = f"the description holds the tag {tag[0]!r}, which clients may take for markup of their own"
        cure = "write it without angle brackets"
        yield Problem("description.markup", document.file, cause, document.line("description"), cure, "warning")


def _license(document: Document, value: Value | None) -> Iterator[Problem]:
    """A licence that names a file of the skill which is not there (M5)."""
    if not isinstance(value, str) or "://" in value:
        return
    names = {file.name for file in document.files}
    for match in _FILE.finditer(value):
        name = (match[1] or match[0]).removeprefix("./")
        if name not in names and not any(one.startswith(f"{name}.") for one in names):
            cause = f"the licence names {name!r}, and there is no such file"
            line = document.line("license")
            yield Problem("license.missing", document.file, cause, line, "add the file, or name the licence", "warning")
