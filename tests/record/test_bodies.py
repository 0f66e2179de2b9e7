"""Bodies and the contents of their large members."""

import json
from hashlib import sha256
from typing import Any

import pytest

from metier.record.bodies import LARGE, body_text, references, whole


class Kept(dict[str, bytes]):
    """Contents in memory."""

    def keep(self, data: bytes) -> str:
        digest = sha256(data).hexdigest()
        self[digest] = data
        return digest


def test_a_small_body_stays_in_its_row() -> None:
    """Nothing is moved that fits."""
    kept = Kept()
    assert body_text({"text": "short"}, kept.keep) == '{"text":"short"}'
    assert not kept


def test_a_large_text_becomes_a_content() -> None:
    """The content is the text itself, as a person would want the file."""
    kept = Kept()
    text = "line\n" * LARGE
    body = json.loads(body_text({"text": text, "code": 1}, kept.keep))
    digest = sha256(text.encode()).hexdigest()
    assert body == {
        "text": {"$content": digest, "length": len(text), "start": text[:200], "form": "text"},
        "code": 1,
    }
    assert kept[digest] == text.encode()


LARGE_VALUES: list[Any] = [
    "x" * LARGE,
    "é" * (LARGE // 2),
    "\udcff" * LARGE,
    [{"n": i} for i in range(LARGE)],
    {"$content": "../../secret", "form": "text"},
    {"$content": "0" * 64, "length": 1, "start": "", "form": "json"},
]


@pytest.mark.parametrize("value", LARGE_VALUES)
def test_large_and_odd_members_come_back(value: object) -> None:
    """Whatever a member is, it is read back equal; one that looks like a reference is never followed."""
    kept = Kept()
    body = {"value": value, "small": [1]}
    stored = json.loads(body_text(body, kept.keep))
    assert list(references(stored)) == list(kept)
    assert whole(stored, kept.__getitem__) == body


def test_many_small_members_stay() -> None:
    """A body is large by its members, not by their number."""
    kept = Kept()
    body = {f"m{i}": "x" * 100 for i in range(100)}
    assert json.loads(body_text(body, kept.keep)) == body
    assert not kept
