"""Listing a skill's files: names, kinds, and what is left out."""

import os
from pathlib import Path

from metier.domain.action import Miss
from metier.domain.skill import SkillFile
from metier.skills.files import list_files, read_resource, with_files
from metier.skills.reader import read_skill

SKILL = "---\nname: skill\ndescription: d\n---\n"


def lay_out(root: Path, files: dict[str, str]) -> str:
    """A skill folder with these files."""
    folder = root / "skill"
    for name, text in {"SKILL.md": SKILL, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder)


def kinds(folder: str) -> dict[str, str]:
    """Names and kinds as listed."""
    return {file.name: file.kind for file in list_files(folder).files}


def test_kinds_by_place_and_shebang(tmp_path: Path) -> None:
    """Scripts are told by folder and ending, shebang or execute bit; all else is a resource (M29)."""
    folder = lay_out(
        tmp_path,
        dict.fromkeys(("scripts/a.py", "scripts/b.xyz", "scripts/data.json", "scripts/NOTES", "tool.py", "run.md"), "x")
        | {"scripts/go": "#!/bin/sh\n", "bin/c.py": "#!/usr/bin/env python3\n", "bin/d.sh": "x"},
    )
    os.chmod(f"{folder}/bin/d.sh", 0o755)
    os.chmod(f"{folder}/run.md", 0o755)
    scripts = {name for name, kind in kinds(folder).items() if kind == "script"}
    assert scripts == {"scripts/a.py", "scripts/b.xyz", "scripts/go", "bin/c.py", "bin/d.sh"}


def test_order_size_and_place(tmp_path: Path) -> None:
    """Files come in the order of their names, with their size and where they lie."""
    folder = lay_out(tmp_path, {"b.txt": "12", "a/z.txt": "1", "a.txt": ""})
    assert list_files(folder).files == (
        SkillFile("a.txt", f"{folder}/a.txt", "resource", 0),
        SkillFile("a/z.txt", f"{folder}/a/z.txt", "resource", 1),
        SkillFile("b.txt", f"{folder}/b.txt", "resource", 2),
    )


def test_hidden_and_vendored_are_left_out(tmp_path: Path) -> None:
    """Dot files, dot folders, node_modules and __pycache__ are never listed."""
    hidden = (".env", ".git/config", "a/.x/y.txt", "node_modules/m.js", "scripts/__pycache__/a.pyc", "skill.toml")
    folder = lay_out(tmp_path, dict.fromkeys((*hidden, "a/seen.txt"), ""))
    assert kinds(folder) == {"a/seen.txt": "resource"}


def test_links_are_told(tmp_path: Path) -> None:
    """A link to a file or a folder is not listed, and told (case 021)."""
    folder = lay_out(tmp_path, {"references/ok.md": "ok"})
    os.symlink("/etc", f"{folder}/deep")
    os.symlink("/etc/passwd", f"{folder}/references/keys.md")
    listing = list_files(folder)
    assert [file.name for file in listing.files] == ["references/ok.md"]
    assert sorted((problem.code, problem.file, problem.level) for problem in listing.problems) == [
        ("resource.link", "skill/deep", "warning"),
        ("resource.link", "skill/references/keys.md", "warning"),
    ]


def test_odd_names_are_told(tmp_path: Path) -> None:
    """A name that cannot be asked for is left out and told."""
    folder = lay_out(tmp_path, {"a\nb.txt": ""})
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).touch()
    listing = list_files(folder)
    assert listing.files == ()
    assert [problem.code for problem in listing.problems] == ["resource.name", "resource.name"]


def test_with_files_lists_now(tmp_path: Path) -> None:
    """A skill's files are those that are there when it is used; schemas that it names are not among them."""
    schema = '{"type": "object"}'
    folder = lay_out(tmp_path, {"skill.toml": '[job]\nhands_back = "out.json"\n', "out.json": schema})
    skill = read_skill(folder).skill
    assert skill is not None
    assert skill.guide is not None
    assert skill.guide.files == ()
    lay_out(tmp_path, {"scripts/a.py": "", "note.md": ""})
    guide = with_files(skill).guide
    assert guide is not None
    assert [file.name for file in guide.resources] == ["note.md"]
    assert [file.name for file in guide.scripts] == ["scripts/a.py"]


def test_resources_are_read(tmp_path: Path) -> None:
    """A listed file is read; one that became a link in between is a miss."""
    folder = lay_out(tmp_path, {"a.txt": "text"})
    (file,) = list_files(folder).files
    assert read_resource(file, folder) == b"text"
    os.unlink(file.path)
    os.symlink("/etc/passwd", file.path)
    missed = read_resource(file, folder)
    assert isinstance(missed, Miss)
    assert missed.code == "resource.outside"
