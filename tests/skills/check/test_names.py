"""Names that are allowed and still make trouble elsewhere."""

from pathlib import Path

import pytest

from .conftest import found, written


@pytest.mark.parametrize("name", ["my-claude-notes", "anthropic-style"])
def test_reserved_words_are_notes(tmp_path: Path, name: str) -> None:
    """A word that a hosted service keeps for itself is a note (M3)."""
    assert found(written(tmp_path, name=name)) == [("name.reserved", "note", 2)]


def test_unicode_name_is_a_note(tmp_path: Path) -> None:
    """Letters of every script are allowed, with a note that not every client takes them (M3)."""
    assert found(written(tmp_path, name="\u6280\u80fd")) == [("name.unicode", "note", 2)]


def test_plain_name_is_fine(tmp_path: Path) -> None:
    """A plain name is no finding (M3)."""
    assert found(written(tmp_path, name="a1-b2")) == []
