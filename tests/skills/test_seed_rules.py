"""The files of a skill in both readings: every one, or those that the document lists (M29 to M31)."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from metier.errors import SkillInvalid
from metier.skills.files import list_files, with_files
from metier.skills.reader import load_body, read_skill
from metier.skills.seed_rules import SeedRules

SEED = SeedRules()


def lay_out(root: Path, *names: str) -> str:
    """A skill folder with these files beside its SKILL.md."""
    folder = root / "skill"
    for name in ("SKILL.md", *names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("---\nname: skill\ndescription: d\n---\n", encoding="utf-8")
    return str(folder)


def kinds(folder: str, rules: SeedRules | None = SEED) -> dict[str, str]:
    """Names and kinds as listed."""
    return {file.name: file.kind for file in list_files(folder, rules=rules).files}


def test_files_lie_in_their_folders(tmp_path: Path) -> None:
    """M29: strictly resources lie in references and assets, scripts in scripts; tolerantly every file is one."""
    seen = {"assets/a.txt": "resource", "references/b.md": "resource", "scripts/c.py": "script"}
    other = {"d.md": "resource", "docs/e.md": "resource", "scripts/f.md": "resource", "references/g.py": "resource"}
    folder = lay_out(tmp_path, *seen, *other)
    assert kinds(folder) == seen
    assert kinds(folder, None) == seen | other


def test_names_end_as_listed(tmp_path: Path) -> None:
    """M30: seven endings are resources and one is a script, in any letters; tolerantly any ending is read or run."""
    endings = ("md", "json", "yaml", "yml", "csv", "xml", "txt")
    seen = {f"assets/a.{ending}": "resource" for ending in (*endings, "MD")} | {"scripts/b.PY": "script"}
    other = {"assets/c.pdf": "resource", "assets/d": "resource", "scripts/e.sh": "script"}
    folder = lay_out(tmp_path, *seen, *other)
    assert kinds(folder) == seen
    assert kinds(folder, None) == seen | other


def test_execute_bits_count_for_nothing(tmp_path: Path) -> None:
    """M29, M30: strictly place and ending decide; an execute bit makes a script only tolerantly."""
    folder = lay_out(tmp_path, "assets/a.txt", "assets/run")
    os.chmod(f"{folder}/assets/run", 0o755)
    assert kinds(folder) == {"assets/a.txt": "resource"}
    assert kinds(folder, None)["assets/run"] == "script"


@pytest.mark.parametrize(
    ("rules", "listed"),
    [
        (replace(SEED, resource_folders=("references", ".")), ["a.md", "references/b.md", "scripts/c.py"]),
        (replace(SEED, script_folders=(".",)), ["d.py", "references/b.md"]),
        (replace(SEED, resource_folders=("./docs/deep/",), search_depth=3), ["docs/deep/e.md", "scripts/c.py"]),
        (replace(SEED, resource_extensions=(".py",)), ["scripts/c.py"]),
        (replace(SEED, resource_extensions=(), script_extensions=(".py", ".SH")), ["scripts/c.py", "scripts/f.sh"]),
    ],
)
def test_host_chooses_what_is_listed(tmp_path: Path, rules: SeedRules, listed: list[str]) -> None:
    """M25, M29 to M31: folders and endings are the host's choice, and `.` is the skill's own folder, never SKILL.md."""
    folder = lay_out(tmp_path, "a.md", "references/b.md", "scripts/c.py", "d.py", "docs/deep/e.md", "scripts/f.sh")
    assert list(kinds(folder, rules)) == listed


@pytest.mark.parametrize(
    ("depth", "listed", "cut"),
    [
        (1, [], ["skill/references"]),
        (2, ["references/a.md"], ["skill/references/b"]),
        (4, ["references/a.md", "references/b/c/d.md"], []),
    ],
)
def test_search_has_a_depth(tmp_path: Path, depth: int, listed: list[str], cut: list[str]) -> None:
    """M25: strictly two levels of a skill are searched, its own folder the first of them, and what is cut is told."""
    folder = lay_out(tmp_path, "references/a.md", "references/b/c/d.md")
    listing = list_files(folder, rules=replace(SEED, search_depth=depth))
    assert [file.name for file in listing.files] == listed
    assert [(one.code, one.file, one.level) for one in listing.problems] == [
        ("resource.deep", file, "warning") for file in cut
    ]


def test_links_are_skipped(tmp_path: Path) -> None:
    """A link to a file or a folder is told and not listed; one where nothing is looked for is nobody's (M29, case 021)."""
    folder = lay_out(tmp_path, "references/a.md", "elsewhere/b.md")
    os.symlink("a.md", f"{folder}/references/again.md")
    os.symlink("elsewhere", f"{folder}/assets")
    os.symlink("elsewhere", f"{folder}/docs")
    listing = list_files(folder, rules=SEED)
    assert [file.name for file in listing.files] == ["references/a.md"]
    assert sorted(one.file for one in listing.problems) == ["skill/assets", "skill/references/again.md"]
    assert {one.code for one in listing.problems} == {"resource.link"}


def test_linked_skill_file_is_none(tmp_path: Path) -> None:
    """Strictly a SKILL.md that is a link is no skill, and one that became a link is not read (case 019)."""
    folder = lay_out(tmp_path)
    skill = read_skill(folder, rules=SEED).skill
    assert skill is not None
    os.rename(f"{folder}/SKILL.md", tmp_path / "real.md")
    os.symlink("../real.md", f"{folder}/SKILL.md")
    reading = read_skill(folder, rules=SEED)
    assert (reading.skill, [(one.code, one.level) for one in reading.problems]) == (None, [("resource.link", "error")])
    assert load_body(skill)
    with pytest.raises(SkillInvalid, match="links are not followed"):
        load_body(skill, rules=SEED)


def test_a_skill_gets_its_files(tmp_path: Path) -> None:
    """The files that a skill is given when it is used are those of the rules (M29)."""
    skill = read_skill(lay_out(tmp_path, "assets/a.txt", "b.txt"), rules=SEED).skill
    assert skill is not None
    guides = [with_files(skill, rules=rules).guide for rules in (SEED, None)]
    names = [[file.name for file in guide.files] for guide in guides if guide]
    assert names == [["assets/a.txt"], ["assets/a.txt", "b.txt"]]
