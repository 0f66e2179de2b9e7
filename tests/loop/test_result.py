"""The name of a result."""

import hashlib

from metier.loop.result import digest_of


def test_digest_is_of_the_canonical_form() -> None:
    """The digest is SHA-256 over sorted keys without blanks in UTF-8, so others can compute it (O90)."""
    assert digest_of({"b": "ü", "a": [1, None]}) == hashlib.sha256('{"a":[1,null],"b":"ü"}'.encode()).hexdigest()


def test_order_of_members_is_nothing() -> None:
    """Equal values have one digest, different ones have two."""
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert digest_of({"a": 1}) != digest_of({"a": "1"})
    assert digest_of(None) != digest_of("None")
