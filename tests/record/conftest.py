"""Records in files for the tests of this room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.record import Record, open_record


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where the test's record lies."""
    return str(tmp_path / "record.db")


@pytest.fixture
def record(path: str) -> Iterator[Record]:
    """A new record in a file."""
    with open_record(path) as opened:
        yield opened
