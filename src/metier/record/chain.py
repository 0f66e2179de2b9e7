"""How is an entry bound to the one before it?"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ..errors import RecordError
from .plain import plain_text

BODY = "body"
"""The fact that holds the digest of the entry's body."""


def text_digest(text: str) -> str:
    """The SHA-256 of a text in UTF-8, in hexadecimal. Bytes that are no UTF-8 count as they were read."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def facts_text(facts: Mapping[str, Any], body: str | None) -> str:
    """The facts as they are stored and chained, with the digest of the body's text among them."""
    if BODY in facts:
        raise RecordError(
            f"An entry has a fact named {BODY!r}, which is kept for the digest of its body.",
            hint="Give the fact another name.",
        )
    text = plain_text(facts)
    if body is None:
        return text
    comma = "," if len(text) > len("{}") else ""
    return f'{text[:-1]}{comma}"{BODY}":"{text_digest(body)}"}}'


def link(previous: str, *, task: str, number: int, kind: str, at: int, facts: str) -> str:
    """The digest of an entry: over the digest before it and all of the entry but its body."""
    return text_digest(f"{previous}\n{task}\n{number}\n{kind}\n{at}\n{facts}")
