"""Output on its way from a pipe into a file."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.actions.scripts.stream import Stream


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe whose reading end does not wait; the stream closes that end."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading, writing
    os.close(writing)


@pytest.fixture
def stream(pipe: tuple[int, int], tmp_path: Path) -> Iterator[Stream]:
    """A stream of at most ten bytes."""
    made = Stream(pipe[0], str(tmp_path / "out"), limit=10)
    made.open()
    yield made
    made.close()


def test_what_is_there_is_moved(stream: Stream, pipe: tuple[int, int]) -> None:
    """A pump moves what is in the pipe and does not wait for more."""
    os.write(pipe[1], b"hello")
    assert stream.pump()
    assert stream.pump()
    assert (Path(stream.path).read_bytes(), stream.length, stream.over) == (b"hello", 5, False)


def test_end_is_told(stream: Stream, pipe: tuple[int, int]) -> None:
    """A pump says when nobody writes any more."""
    os.dup2(stream.pipe, pipe[1])
    assert not stream.pump()


def test_limit_is_exact(stream: Stream, pipe: tuple[int, int]) -> None:
    """Bytes beyond the limit are dropped, and that is remembered."""
    os.write(pipe[1], b"0123456789")
    stream.drain()
    assert not stream.over
    os.write(pipe[1], b"a")
    stream.drain()
    assert (Path(stream.path).read_bytes(), stream.over) == (b"0123456789", True)


def test_output_is_private(stream: Stream) -> None:
    """Nobody else can read an output."""
    assert Path(stream.path).stat().st_mode & 0o777 == 0o600
