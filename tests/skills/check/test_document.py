"""What a check looks at."""

from pathlib import Path

from metier.skills.check.document import read_document, stored_name

from .conftest import folder_of, written


def test_texts_are_read_once(tmp_path: Path) -> None:
    """Other files are held as text with plain line ends; pictures and schemas are not."""
    files: dict[str, str | bytes] = {
        "a.md": b"x\r\ny\xef\xbb\xbf",
        "p.png": b"\x89\0",
        "in.json": "{}",
        "skill.toml": '[job]\ntakes = "in.json"',
    }
    document = read_document(written(tmp_path, files=files))
    assert document is not None
    assert document.texts == {"a.md": "x\ny\ufeff"}
    assert [file.name for file in document.files] == ["a.md", "p.png"]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """Fields and body know their lines in the whole file."""
    document = read_document(folder_of(tmp_path, "\ufeff\n---\nname: demo\n---\n\nDo.\n"))
    assert document is not None
    assert (document.marked, document.line("name"), document.line("license"), document.body_line) == (True, 3, None, 5)
    assert document.head_lines[0] == (3, "name: demo")


def test_no_file_is_no_document(tmp_path: Path) -> None:
    """Where there is nothing to read there is no document."""
    assert read_document(str(tmp_path)) is None
    assert stored_name(str(tmp_path / "none")) == ""


def test_large_files_are_not_looked_into(tmp_path: Path) -> None:
    """A file over a megabyte is listed and not looked into."""
    document = read_document(written(tmp_path, files={"big.md": b"x" * (1024 * 1024 + 1)}))
    assert document is not None
    assert (document.texts, len(document.files)) == ({}, 1)
