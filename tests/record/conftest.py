"""Records in files for the tests of this room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.record import Record, open_record


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where the test's record lies."""
    return str(tmp_path / "record.db")


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Record]:
    """A new record of each kind."""
    with open_record(str(tmp_path / "kept.db") if request.param == "file" else None) as opened:
        yield opened


@pytest.fixture
def record(path: str) -> Iterator[Record]:
    """A new record in a file."""
    with open_record(path) as opened:
        yield opened
