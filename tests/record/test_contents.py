"""Contents by digest in a folder."""

from hashlib import sha256
from pathlib import Path

import pytest

from metier.errors import RecordBroken, RecordError
from metier.record.contents import Contents

DATA = b"one large thing"
DIGEST = sha256(DATA).hexdigest()


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    """An empty folder of contents, not yet made."""
    return Contents(str(tmp_path / "record.db.contents"))


def test_data_comes_back_by_digest(contents: Contents, tmp_path: Path) -> None:
    """A content lies under the first two letters of its digest."""
    assert contents.keep(DATA) == DIGEST
    assert contents.read(DIGEST) == DATA
    assert contents.path(DIGEST) == str(tmp_path / "record.db.contents" / DIGEST[:2] / DIGEST[2:])
    contents.sync()


def test_what_is_there_stays(contents: Contents) -> None:
    """A content is written once."""
    place = Path(contents.place(contents.keep(DATA)))
    before = place.stat().st_ino
    contents.keep(DATA)
    assert place.stat().st_ino == before


def test_a_torn_content_is_written_again(contents: Contents) -> None:
    """What a power cut left half written does not stand for the whole."""
    Path(contents.place(contents.keep(DATA))).write_bytes(b"")
    contents.keep(DATA)
    assert contents.read(DIGEST) == DATA


def test_a_file_is_kept_in_pieces(contents: Contents, tmp_path: Path) -> None:
    """A file larger than a piece has the digest of its whole; nothing is left beside it."""
    file = tmp_path / "large.bin"
    file.write_bytes(b"0123456789" * 250_000)
    digest = contents.keep_file(str(file))
    assert contents.keep_file(str(file)) == digest == sha256(file.read_bytes()).hexdigest()
    assert contents.read(digest) == file.read_bytes()
    assert [found.name for found in (tmp_path / "record.db.contents").iterdir()] == [digest[:2]]


def test_a_changed_content_is_broken(contents: Contents) -> None:
    """A content that is not what its digest says is never handed out."""
    Path(contents.place(contents.keep(DATA))).write_bytes(b"another thing")
    with pytest.raises(RecordBroken, match="was changed"):
        contents.read(DIGEST)
    assert contents.state(DIGEST) == "changed"


def test_a_missing_content_is_told(contents: Contents) -> None:
    """A digest that nothing was kept under."""
    with pytest.raises(RecordError, match="holds no content"):
        contents.path(DIGEST)
    assert contents.state(DIGEST) == "missing"


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "A" * 64, "0" * 63, f"{'0' * 60}/../"])
def test_a_digest_is_never_a_path(contents: Contents, digest: str) -> None:
    """Only a digest leads to a file."""
    with pytest.raises(RecordError, match="is no digest"):
        contents.place(digest)


def test_an_unreadable_file_is_told(contents: Contents, tmp_path: Path) -> None:
    """A file that is not there ends in our own error."""
    with pytest.raises(RecordError, match=r"none\.txt"):
        contents.keep_file(str(tmp_path / "none.txt"))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        Contents(str(tmp_path / "taken")).keep(DATA)
    assert caught.value.hint
