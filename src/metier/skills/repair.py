"""How is a frontmatter read that is no YAML?

Each top-level key with the lines that belong to it is read alone. A part that still is no YAML is taken as the text that
was written, as if its author had quoted it. Where it is unclear to which key a line belongs, nothing is repaired.
"""

import re
from dataclasses import dataclass, field, replace

from .yaml_lines import Value
from .yaml_loader import Fault, Loaded, Twice, load_yaml

MOST_KEYS = 1_000
"""A head with more top-level keys is not repaired: each key costs a parse."""

_KEY = re.compile(r"[\w.-]+ *:(?=[ \t]|$)")
_BELONGS = re.compile(r"[ \t#]|-(?=[ \t]|$)|$")
"""How a line begins that belongs to the key above it: blank, indented, a comment or a list item."""
_PAIR = re.compile(r"([\w./-]+) *:(?:[ \t]+(.*))?$")
_BLOCK_SIGN = re.compile(r"[|>][+-]?(?=\s|$)")
_PAIR_OF_QUOTES = 2


@dataclass(slots=True)
class _Repaired:
    fields: dict[str, Value] = field(default_factory=dict[str, Value])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    twice: list[Twice] = field(default_factory=list[Twice])
    repaired: list[int] = field(default_factory=list[int])

    def take(self, part: list[str], line: int) -> None:
        """Read one key with its lines; `line` is the line of the key."""
        loaded = load_yaml("\n".join(part) + "\n")
        if isinstance(loaded, Loaded) and len(loaded.fields) == 1:
            key, value = next(iter(loaded.fields.items()))
            self.twice += [replace(one, first=one.first + line - 1, again=one.again + line - 1) for one in loaded.twice]
        else:
            fault = loaded.line if isinstance(loaded, Fault) else 1
            self.repaired.append(line + min(fault, len(part)) - 1)
            key, value = _as_written(part)
        if key in self.fields:
            self.twice.append(Twice(key, self.lines[key], line, top=True))
            return
        self.fields[key] = value
        self.lines[key] = line


def repair(head: str, fault: Fault) -> Loaded | Fault:
    """Read a head that libyaml refused with `fault`; answer a fault where a line's place is not clear."""
    lines = head.split("\n")
    starts: list[int] = []
    for at, line in enumerate(lines):
        if _KEY.match(line):
            starts.append(at)
        elif not _BELONGS.match(line) or (not starts and line.strip() and line[0] != "#"):
            return Fault(at + 1, "this line is neither `key: value` nor part of a value")
    if not starts or len(starts) > MOST_KEYS:
        return fault
    found = _Repaired()
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        found.take(lines[start:end], start + 1)
    return Loaded(found.fields, found.lines, tuple(found.twice), tuple(found.repaired))


def _as_written(part: list[str]) -> tuple[str, Value]:
    key, _, rest = part[0].partition(":")
    first = rest.strip()
    more = [line for line in part[1:] if line.strip() and line[0] != "#"]
    below = _below(more) if more and not first else None
    if below is not None:
        return key.strip(), below
    sign = _BLOCK_SIGN.match(first)
    words = [first[sign.end() :] if sign else first, *more]
    return key.strip(), _unquoted(" ".join(" ".join(words).split()))


def _below(lines: list[str]) -> Value | None:
    """The list or the map that some lines of one indent look like, if they do."""
    bare = [line.strip() for line in lines]
    if all(line.startswith("- ") for line in bare):
        return [_unquoted(line[2:]) for line in bare]
    pairs: dict[str, Value] = {}
    for line in bare:
        pair = _PAIR.match(line)
        if pair is None:
            return None
        pairs[pair[1]] = _unquoted(pair[2] or "")
    indents = {len(line) - len(line.lstrip()) for line in lines}
    return pairs if len(indents) == 1 else None


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) >= _PAIR_OF_QUOTES and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
