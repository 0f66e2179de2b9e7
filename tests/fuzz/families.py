"""Which texts make a careless reader slow, and at which length?"""

from collections.abc import Callable, Mapping

Family = Callable[[int], str]
"""A text of about so many characters."""


def _head(unit: Callable[[int], str]) -> Family:
    return lambda size: f"---\nname: a\ndescription: b\n{unit(size)}\n---\nbody\n"


def _value(text: Callable[[int], str]) -> Family:
    return lambda size: f"---\nname: a\ndescription: {text(size)}\n---\nbody\n"


def _body(text: Callable[[int], str]) -> Family:
    return lambda size: f"---\nname: a\ndescription: b\n---\n{text(size)}\n"


def _times(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


def _deep(size: int) -> str:
    """Maps inside maps, each one blank further in."""
    depth = int((2 * size) ** 0.5)
    return "\n".join(" " * level + "k:" for level in range(depth))


def _numbered(form: str) -> Callable[[int], str]:
    return lambda size: "\n".join(form.format(number) for number in range(size // len(form)))


HEADS: Mapping[str, Family] = {
    "open brackets": _value(_times("[")),
    "closed brackets": _value(lambda size: "[" * (size // 2) + "]" * (size // 2)),
    "open braces": _value(_times("{a: ")),
    "colons": _value(_times("a: ")),
    "bare colons": _value(_times(":")),
    "hashes": _value(_times("a #")),
    "quotes": _value(_times("'")),
    "open quote": _value(lambda size: '"' + "a " * (size // 2)),
    "escapes": _value(_times("\\")),
    "one long line": _value(_times("word ")),
    "one long word": _value(_times("w")),
    "blanks": _value(lambda size: "a" + " " * size + "b"),
    "dashes": _head(_times("--- a\n")),
    "long dashes": _head(_times("----\n")),
    "items": _head(lambda size: "list:\n" + "- a\n" * (size // 4)),
    "items in items": _head(_times("- ")),
    "deep indents": _head(_deep),
    "broken values": _head(_numbered("k{}: a: b")),
    "stray blanks": _head(_times("  \n")),
    "one key twice": _head(_times("k: v\n")),
    "folded": _head(lambda size: "k: >\n" + "  a\n\n" * (size // 5)),
    "questions": _head(_times("? ")),
    "anchors": _head(_times("&a ")),
    "tabs": _head(_times("\t")),
}
"""Frontmatters."""

BODIES: Mapping[str, Family] = {
    "fences": _body(_times("---\n")),
    "never ends": lambda size: "---\n" + "k: v\n" * (size // 5),
    "blank lines first": lambda size: "\n" * size + "---\nname: a\n---\n",
    "blanks first": lambda size: " " * size + "\n---\nname: a\n---\n",
    "returns": _body(_times("\r")),
    "comments": _body(_times("<!-- ")),
    "code": _body(_times("```\n")),
    "ticks": _body(_times("`")),
    "links": _body(_times("[a](")),
    "images": _body(_times("![")),
    "brackets": _body(_times("[")),
    "paths": _body(_times("references/")),
    "dots": _body(_times("../")),
    "tags": _body(_times("\U000e0041")),
    "turns": _body(_times("\u202e ")),
    "selectors": _body(_times("\ufe00")),
    "joiners": _body(_times("\u200d")),
    "angles": _body(_times("<a ")),
    "pipes": _body(_times("|a")),
    "stars": _body(_times("*")),
}
"""Whole files."""
