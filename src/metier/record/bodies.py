"""How is a body stored, and how is it read back?"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..domain.exact import read_json
from .plain import data_text

LARGE = 4096
"""The most bytes that a member of a body may have in its row. A larger one becomes a content."""

START = 200
"""The characters of a content that its reference shows."""

CONTENT = "$content"
"""The key of a reference: the digest of the content that holds the member."""

Keep = Callable[[bytes], str]
Read = Callable[[str], bytes]


def body_text(body: Mapping[str, Any], keep: Keep) -> str:
    """The JSON text of a body, its large members kept as contents and replaced by references."""
    text = data_text(body)
    if _length(text) <= LARGE and f'"{CONTENT}"' not in text:
        return text
    members = (f"{data_text(str(name))}:{_member_text(value, keep)}" for name, value in body.items())
    return f"{{{','.join(members)}}}"


def whole(body: Mapping[str, Any], read: Read) -> dict[str, Any]:
    """A body with its references replaced by what they stand for."""
    return {name: _value(member, read) if _is_reference(member) else member for name, member in body.items()}


def references(body: Mapping[str, Any]) -> Iterator[str]:
    """The digests of the contents that a stored body refers to."""
    return (str(member[CONTENT]) for member in body.values() if _is_reference(member))


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _is_reference(member: object) -> bool:
    return isinstance(member, Mapping) and CONTENT in member


def _member_text(value: object, keep: Keep) -> str:
    text = data_text(value)
    # A value that looks like a reference is kept as a content too, so what looks like one in a row always is one.
    if _length(text) <= LARGE and not _is_reference(value):
        return text
    form = "json"
    if isinstance(value, str) and _has_utf8(value):
        text, form = value, "text"
    data = text.encode()
    return data_text({CONTENT: keep(data), "length": len(data), "start": text[:START], "form": form})


def _has_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _value(reference: Mapping[str, Any], read: Read) -> object:
    text = read(str(reference[CONTENT])).decode()
    return text if reference.get("form") == "text" else read_json(text)
