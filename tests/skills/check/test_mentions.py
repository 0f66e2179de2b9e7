"""Files that nothing in the skill names."""

from pathlib import Path

import pytest

from metier.skills.check import check_skill

from .conftest import found, written

UNSEEN = [("resource.unmentioned", "note", None)]


@pytest.mark.parametrize(
    "body", ["Read references/a.md.", "Read a.md.", "All of references/ counts.", "See `references/*.md`."]
)
def test_named_files_are_fine(tmp_path: Path, body: str) -> None:
    """A file is named by its path, its name, its folder or a pattern for its folder."""
    assert found(written(tmp_path, body=body, files={"references/a.md": "x"})) == []


def test_unnamed_file_is_a_note(tmp_path: Path) -> None:
    """A file that nothing names is a note; what it says of itself does not count."""
    folder = written(tmp_path, body="Do it.", files={"references/a.md": "This is a.md."})
    assert found(folder) == UNSEEN
    assert "references/a.md" in check_skill(folder)[0].cause


def test_named_elsewhere_is_enough(tmp_path: Path) -> None:
    """A file that another page or an import names is named."""
    files = {"scripts/run.py": "from lib.sums import total\n", "scripts/lib/sums.py": "", "b.md": "c.txt", "c.txt": "x"}
    assert found(written(tmp_path, body="scripts/run.py, b.md", files=files)) == []


def test_check_and_schemas_are_named(tmp_path: Path) -> None:
    """What skill.toml names is named."""
    files = {"skill.toml": '[job]\ntakes = "in.json"\ncheck = "scripts/check.py"\n', "in.json": "{}"}
    assert found(written(tmp_path, files={**files, "scripts/check.py": "print(1)\n"})) == []


@pytest.mark.parametrize(
    "name", ["LICENSE.txt", "README.md", "evals/evals.json", "requirements.txt", "lib/__init__.py"]
)
def test_expected_files_are_fine(tmp_path: Path, name: str) -> None:
    """Files that stand for themselves need no name."""
    assert found(written(tmp_path, files={name: "x"})) == []


def test_other_case_is_the_reason(tmp_path: Path) -> None:
    """Where the skill names the file in another case, the note says so."""
    folder = written(tmp_path, body="Read FORMS.md.", files={"forms.md": "x"})
    assert found(folder) == UNSEEN
    assert "'FORMS.md'" in check_skill(folder)[0].cause


def test_whole_folder_is_one_note(tmp_path: Path) -> None:
    """Of a folder with many such files there is one note."""
    folder = written(tmp_path, files={f"fonts/f{number}.ttf": b"\0" for number in range(9)})
    assert found(folder) == UNSEEN
    assert check_skill(folder)[0].file == "demo/fonts"
