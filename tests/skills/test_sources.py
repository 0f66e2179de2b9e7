"""Finding skill folders below a root: depth, links, what is never entered, and that nothing is silent."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from metier.skills.seed_rules import SeedRules
from metier.skills.sources import MOST_FOLDERS, FolderSource, FolderWalk, Place


def put(root: Path, *places: str) -> None:
    """Make a skill at each place, named after its folder."""
    for place in places:
        folder = root / place
        folder.mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {folder.name}\ndescription: At {place}.\n---\n"
        (folder / "SKILL.md").write_text(text, encoding="utf-8")


def found(root: Path, rules: SeedRules | None = None) -> tuple[list[str], list[str]]:
    """The names that are found below a root, in their order, and the codes that are told."""
    readings = FolderSource(str(root), "own", rules=rules).readings()
    names = [reading.skill.name for reading in readings if reading.skill]
    return names, [problem.code for reading in readings for problem in reading.problems]


def test_skills_are_found_in_order(tmp_path: Path) -> None:
    """Skills are found down to the fourth level, in the order of their paths (M28)."""
    put(tmp_path, "b", "a/x", "a/b/c/deep", "a/b/c/d/deeper", ".agents/hidden")
    assert found(tmp_path) == (["deep", "x", "b"], [])


def test_skills_end_the_descent(tmp_path: Path) -> None:
    """What lies in a skill is the skill's, and vendored copies are never skills (case 024)."""
    put(tmp_path, "tool", "tool/inner", "tool/node_modules/dep", "node_modules/dep", ".cache/old", "vendor/v", "dist/d")
    assert found(tmp_path) == (["tool"], [])


def test_root_may_be_a_skill(tmp_path: Path) -> None:
    """A root that holds SKILL.md is itself the skill, and a root may begin with a dot."""
    put(tmp_path, "tool", ".agents/skills/one", "build")
    assert found(tmp_path / "tool") == (["tool"], [])
    assert found(tmp_path / ".agents" / "skills") == (["one"], [])
    assert found(tmp_path / "build") == (["build"], [])


@pytest.mark.parametrize("name", ["none", "file"])
def test_missing_root_is_told(tmp_path: Path, name: str) -> None:
    """A root that is no folder is an error, never silence."""
    (tmp_path / "file").touch()
    assert found(tmp_path / name) == ([], ["source.missing"])


def test_links_out_of_a_package_are_errors(tmp_path: Path) -> None:
    """In somebody else's source a link to a folder or a SKILL.md must stay in it; one that does is followed (case 019)."""
    put(tmp_path, "outside/one", "root/.kept/two", "root/.kept/three")
    os.symlink("../outside/one", tmp_path / "root" / "one")
    os.symlink(".kept/two", tmp_path / "root" / "two")
    for name, target in (("three", "../.kept/three"), ("four", "../../outside/one")):
        (tmp_path / "root" / name).mkdir()
        os.symlink(f"{target}/SKILL.md", tmp_path / "root" / name / "SKILL.md")
    readings = FolderSource(str(tmp_path / "root"), "theirs", "package").readings()
    assert [reading.skill.name for reading in readings if reading.skill] == ["three", "two"]
    told = [(one.code, one.level) for reading in readings for one in reading.problems]
    assert told == [("link.outside", "error"), *[("source.link", "note")] * 2, ("link.outside", "error")]


def test_linked_skills_are_read(tmp_path: Path) -> None:
    """Links to skills are followed and noted; the name under the root counts; links to files are nothing (case 019)."""
    put(tmp_path, "shared/one", "root/two")
    os.symlink("../shared/one", tmp_path / "root" / "one")
    os.symlink("../shared/one/SKILL.md", tmp_path / "root" / "file")
    os.symlink("nowhere", tmp_path / "root" / "broken")
    assert found(tmp_path / "root") == (["two", "one"], ["source.link"])


def test_link_circles_end(tmp_path: Path) -> None:
    """Each real folder is read once, whatever links lead to it (case 023)."""
    put(tmp_path, "skills/once")
    os.symlink(".", tmp_path / "skills" / "group")
    os.symlink("once", tmp_path / "skills" / "again")
    assert found(tmp_path / "skills") == (["once"], ["link.cycle"])


def test_links_between_folders_end(tmp_path: Path) -> None:
    """Two folders that link to each other are walked once each."""
    put(tmp_path, "a/one", "b/two")
    os.symlink("../b", tmp_path / "a" / "to-b")
    os.symlink("../a", tmp_path / "b" / "to-a")
    assert found(tmp_path / "a") == (["one", "two"], ["source.link"])


def test_bad_skills_do_not_stop(tmp_path: Path) -> None:
    """A skill that cannot be read is told, and the others are found."""
    put(tmp_path, "a", "b", "c")
    (tmp_path / "b" / "SKILL.md").write_bytes(b"\xff\xfe")
    assert found(tmp_path) == (["a", "c"], ["encoding.not_utf8"])


def test_search_is_bounded(tmp_path: Path) -> None:
    """A tree without end is cut, and that is told."""
    for number in range(MOST_FOLDERS + 1):
        (tmp_path / f"f{number:05}").mkdir()
    put(tmp_path, "zz-last")
    assert found(tmp_path) == ([], ["source.many"])


def test_strict_search_is_two_levels_deep(tmp_path: Path) -> None:
    """M28: strictly every folder with a SKILL.md down to the second level is a skill; the host may say how deep."""
    put(tmp_path, "a", "b/c", "b/d/e", "vendor/v", ".agents/hidden")
    assert found(tmp_path, SeedRules()) == (["a", "c", "v"], [])
    assert found(tmp_path, replace(SeedRules(), skill_depth=3)) == (["a", "c", "e", "v"], [])
    assert found(tmp_path) == (["a", "c", "e"], [])


def test_strict_search_follows_no_link(tmp_path: Path) -> None:
    """M28: strictly a link to a folder of skills is told and not followed; the root itself may be one (case 019)."""
    put(tmp_path, "shared/one", "root/two")
    os.symlink("../shared", tmp_path / "root" / "more")
    os.symlink("root", tmp_path / "link")
    assert found(tmp_path / "link", SeedRules()) == (["two"], ["resource.link"])


def test_strict_search_passes_other_spellings(tmp_path: Path) -> None:
    """M28: strictly a skill.md makes no skill, which is told, and hides none of the skills below it (case 017)."""
    put(tmp_path, "group/one")
    (tmp_path / "skill.md").write_text("---\nname: x\ndescription: d\n---\n", encoding="utf-8")
    assert found(tmp_path, SeedRules()) == (["one"], ["name.case"])


def test_strict_search_goes_on(tmp_path: Path) -> None:
    """M10, M28: a skill that is against the document is told, and the others are found."""
    put(tmp_path, "a", "b")
    (tmp_path / "a" / "SKILL.md").write_text("Only a paragraph.\n", encoding="utf-8")
    assert found(tmp_path, SeedRules()) == (["b"], ["frontmatter.missing"])


def test_walk_asks_what_a_folder_is(tmp_path: Path) -> None:
    """Whoever walks says what a folder is; nothing is looked for in what was found (M28)."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c").mkdir()

    def look(place: Place) -> str | None:
        return os.path.basename(place.path) if place.depth else None

    walk = FolderWalk(str(tmp_path), look)
    assert ([*walk.found()], walk.problems) == (["a", "c"], [])
