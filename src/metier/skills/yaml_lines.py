"""Which heads of a SKILL.md can be read line by line, without a YAML parser?

Only what is surely plain is read here; for everything else the answer is None and libyaml decides. Whatever is read here,
libyaml reads alike. A YAML parser takes ten times as long, and nearly all heads are plain.
"""

import re

Value = str | list["Value"] | dict[str, "Value"]
"""A value of a frontmatter. Every scalar is the text as it was written: `1.10`, `no` and dates survive."""

_NOT_FIRST = frozenset("-?:,[]{}#&*!|>'\"%@`")
_ITEM = re.compile(r"[^\W_][\w ./+-]*", re.ASCII)
"""An item of a one-line list that needs no thought."""
_LINES = re.compile(
    r"^( *)([A-Za-z_][A-Za-z0-9_-]{0,99}+):(?: ++("
    r"[^ \n\-?:,\[\]{}#&*!|>'\"%@`][^:#\n]*+(?:(?::(?=[^ \n])|(?<! )#)[^:#\n]*+)*+"
    r"|\"[^\"\\\n]*+\" *+|'[^'\n]*+' *+)?+)?+\n",
    re.MULTILINE,
).findall
"""Indent, key and value of lines that need no thought. Nothing is tried twice, so the time is linear."""
_QUOTES = ("'", '"')
_WORD = str.maketrans("-./", "___")
_LONGEST_KEY = 100
_BLOCKS = ("|", "|-", ">", ">-")


def read_lines(head: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Answer the fields of a head and the line of each (the head's first is 1), or None when it is not surely plain."""
    if not head.replace("\n", " ").isprintable():
        return None
    found = _LINES(head)
    if len(found) == head.count("\n"):
        return _simple(found)
    lines = head.split("\n")
    fields: dict[str, Value] = {}
    numbers: dict[str, int] = {}
    at, end = 0, len(lines)
    while at < end:
        line = lines[at]
        at += 1
        if not line or line[0] == "#" or line.isspace():
            continue
        key, _, rest = line.partition(":")
        number = at
        taken = _value(lines, at, rest.strip(" ")) if key not in fields and _has_key(line, key, rest) else None
        if taken is None:
            return None
        fields[key], at = taken
        numbers[key] = number
    return fields, numbers


def _simple(found: list[tuple[str, str, str]]) -> tuple[dict[str, Value], dict[str, int]] | None:
    """The fields of a head of which every line is `key: text`, some of them indented below a key without a value."""
    fields: dict[str, Value] = {}
    numbers: dict[str, int] = {}
    into: dict[str, Value] | None = None
    level = last = ""
    for number, (indent, key, raw) in enumerate(found, 1):
        if not indent:
            if key in fields:
                return None
            fields[key] = _bare(raw)
            numbers[key] = number
            last, level, into = "" if raw else key, indent, None
            continue
        if into is None and last:
            # The first pair below a key opens its map; all others must stand as far in.
            level, into = indent, {}
            fields[last] = into
        if into is None or indent != level or key in into:
            return None
        into[key] = _bare(raw)
    return fields, numbers


def _bare(raw: str) -> str:
    text = raw.rstrip(" ")
    return text[1:-1] if text[:1] in _QUOTES else text


def _has_key(line: str, key: str, rest: str) -> bool:
    return len(key) < len(line) and _is_key(key) and (not rest or rest[0] == " ")


def _is_key(key: str) -> bool:
    return key.translate(_WORD).isidentifier() and key[0] not in "-./" and len(key) < _LONGEST_KEY


def _value(lines: list[str], at: int, text: str) -> tuple[Value, int] | None:
    """One value that begins with `text`; `at` is the line after its key. Answers the value and the line after it."""
    if not text:
        return _nested(lines, at)
    if text in _BLOCKS:
        return _block(lines, at, text)
    if text[0] == "[":
        items = _flow(text)
        return None if items is None else (items, at)
    return _scalar_at(lines, at, text)


def _scalar_at(lines: list[str], at: int, text: str) -> tuple[Value, int] | None:
    """A scalar on one line, or an unquoted one that goes on in the indented lines below."""
    more = at
    while more < len(lines) and lines[more][:1] == " " and not lines[more].isspace():
        more += 1
    if more == at:
        scalar = _scalar(text)
        return None if scalar is None else (scalar, at)
    parts = [_plain(part.strip(" ")) for part in (text, *lines[at:more])]
    known = [part for part in parts if part is not None]
    return (" ".join(known), more) if len(known) == len(parts) else None


def _scalar(text: str) -> str | None:
    first = text[0]
    if first not in _NOT_FIRST:
        return _plain(text)
    if first not in "'\"" or len(text) < len("''") or text[-1] != first:
        return None
    inner = text[1:-1]
    if first == '"':
        return None if '"' in inner or "\\" in inner else inner
    return None if "'" in inner.replace("''", "") else inner.replace("''", "'")


def _plain(text: str) -> str | None:
    """An unquoted scalar on one line, or None where a colon or a hash could mean something."""
    if text[0] in _NOT_FIRST or ": " in text or " #" in text or text[-1] == ":":
        return None
    return text


def _flow(text: str) -> list[Value] | None:
    """A list on one line, such as `[Read, Bash]`."""
    if text == "[]":
        return []
    if text[-1] != "]":
        return None
    items = [item.strip(" ") for item in text[1:-1].split(",")]
    return list(items) if all(map(_ITEM.fullmatch, items)) else None


def _nested(lines: list[str], at: int) -> tuple[Value, int] | None:
    """What stands below a key without a value: a list, a map of one level, or nothing."""
    while at < len(lines) and (not lines[at] or lines[at].isspace()):
        at += 1
    line = lines[at] if at < len(lines) else ""
    bare = line.lstrip(" ")
    if bare[:2] == "- ":
        return _items(lines, at, len(line) - len(bare))
    if len(bare) == len(line):
        return "", at
    return _pairs(lines, at, len(line) - len(bare))


def _items(lines: list[str], at: int, indent: int) -> tuple[Value, int] | None:
    items: list[Value] = []
    start = " " * indent + "- "
    while at < len(lines) and lines[at].startswith(start):
        text = lines[at][indent + 2 :].strip(" ")
        item = _scalar(text) if text else None
        if item is None:
            return None
        items.append(item)
        at += 1
    return _ended(lines, at, items)


def _pairs(lines: list[str], at: int, indent: int) -> tuple[Value, int] | None:
    pairs: dict[str, Value] = {}
    start = " " * indent
    while at < len(lines) and lines[at].startswith(start) and not lines[at].isspace():
        line = lines[at][indent:]
        key, _, rest = line.partition(":")
        text = rest.strip(" ")
        value = _scalar(text) if text else ""
        if value is None or key in pairs or not _has_key(line, key, rest):
            return None
        pairs[key] = value
        at += 1
    return _ended(lines, at, pairs)


def _ended(lines: list[str], at: int, value: Value) -> tuple[Value, int] | None:
    """The value, if what follows is surely not part of it."""
    goes_on = at < len(lines) and lines[at][:1] in (" ", "-", "#")
    return None if goes_on else (value, at)


def _block(lines: list[str], at: int, style: str) -> tuple[Value, int] | None:
    """A block scalar: `|` keeps the line ends, `>` folds them; a dash drops the last one."""
    first = lines[at] if at < len(lines) else ""
    indent = len(first) - len(first.lstrip(" "))
    if not indent or first.isspace():
        return None
    folds = style[0] == ">"
    taken: list[str] = []
    while at < len(lines) and lines[at][:1] in ("", " "):
        line = _block_line(lines[at], indent, folds=folds)
        if line is None:
            return None
        taken.append(line)
        at += 1
    text = (_folded if folds else "\n".join)(_without_end(taken))
    return (text if style[-1] == "-" else text + "\n"), at


def _without_end(lines: list[str]) -> list[str]:
    while not lines[-1]:
        lines.pop()
    return lines


def _block_line(line: str, indent: int, *, folds: bool) -> str | None:
    """A line of a block scalar without its indent; None where blanks or a deeper indent could mean something."""
    blank = not line or line.isspace()
    if len(line) <= indent:
        return "" if blank else None
    if blank or line[:indent].strip(" ") or (folds and line[indent] == " "):
        return None
    return line[indent:]


def _folded(lines: list[str]) -> str:
    parts = [lines[0]]
    blank = 0
    for line in lines[1:]:
        if not line:
            blank += 1
            continue
        parts.append("\n" * blank if blank else " ")
        parts.append(line)
        blank = 0
    return "".join(parts)
