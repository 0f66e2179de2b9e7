"""The catalogue: what a name means, and what is told when it means too much or nothing."""

from pathlib import Path

import pytest

from metier.domain.near import near
from metier.domain.skill import SkillSpec
from metier.errors import SkillError, SkillMissing
from metier.skills.catalogue import Catalogue, discover
from metier.skills.sources import FolderSource


def put(root: Path, place: str, name: str, description: str = "d") -> None:
    """Make a skill with this name at a place."""
    folder = root / place
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n", encoding="utf-8")


def of(*ids: str) -> Catalogue:
    """A catalogue of skills with these ids."""
    parts = [one.rpartition(":") for one in ids]
    return Catalogue(tuple(SkillSpec(name, "d", source) for source, _, name in parts))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("notes", "own:notes"),
        ("own:notes", "own:notes"),
        ("NOTES", "own:notes"),
        ("Own:Notes", "own:notes"),
        ("pdf", "b:pdf"),
        ("PDF", "a:PDF"),
        ("gro\u0308ße", "größe"),
    ],
)
def test_names_are_found(asked: str, found: str) -> None:
    """An id or a bare name is found exactly first, then in any case, in any Unicode form (case 016)."""
    assert of("own:notes", "a:PDF", "b:pdf", "größe").find(asked).id == found


@pytest.mark.parametrize("asked", ["notes", "Notes", "pDf"])
def test_unclear_names_are_refused(asked: str) -> None:
    """A name that several skills have is an error that names their ids (case 026)."""
    catalogue = of("a:notes", "b:notes", "a:PDF", "b:pdf")
    with pytest.raises(SkillError, match=r"a:\w+, b:\w+") as raised:
        catalogue.find(asked)
    assert not isinstance(raised.value, SkillMissing)
    assert catalogue.find("b:notes").id == "b:notes"


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("note", "There is: notes."), ("own:note", "There is: own:notes."), ("zzz", "Run `metier list`")],
)
def test_missing_names_have_a_hint(asked: str, hint: str) -> None:
    """A name that no skill has is an error with what is near (case 045)."""
    with pytest.raises(SkillMissing) as raised:
        of("own:notes", "own:pdf").find(asked)
    assert raised.value.hint.startswith(hint)


def test_near_ignores_case() -> None:
    """Near names are found in any case, the likeliest first, and answered as they are."""
    assert near("EXPENSE-REPOT", ["notes", "Expense-Report", "expense-reports"]) == (
        "Expense-Report",
        "expense-reports",
    )
    assert near("x", []) == ()


def test_borrowed_names_never_win(tmp_path: Path) -> None:
    """A skill whose folder bears the name wins over one that only claims it, which is told (case 014)."""
    put(tmp_path, "a-lark-pro", "lark", "borrowed")
    put(tmp_path, "lark", "lark", "real")
    catalogue = discover([FolderSource(str(tmp_path), "own")])
    assert [skill.description for skill in catalogue.skills] == ["real"]
    assert [problem.code for problem in catalogue.problems] == ["name.directory", "name.clash"]


def test_lone_borrowed_name_is_kept(tmp_path: Path) -> None:
    """A claimed name that nobody else bears is kept with its warning (case 014)."""
    put(tmp_path, "lark-pro", "lark")
    catalogue = discover([FolderSource(str(tmp_path), "own")])
    assert catalogue.find("lark").guide is not None
    assert [problem.code for problem in catalogue.problems] == ["name.directory"]


def test_equal_names_keep_the_first(tmp_path: Path) -> None:
    """Two folders of one name in one source cannot be told apart: the first is kept and the other told."""
    put(tmp_path, "a/notes", "notes", "first")
    put(tmp_path, "b/notes", "notes", "second")
    catalogue = discover([FolderSource(str(tmp_path), "own")])
    assert [skill.description for skill in catalogue.skills] == ["first"]
    assert [(problem.code, problem.file) for problem in catalogue.problems] == [("name.clash", f"{tmp_path}/b/notes")]


def test_sources_share_names_openly(tmp_path: Path) -> None:
    """The same name in two sources keeps both, and the clash is shown (case 026)."""
    put(tmp_path, "user/notes", "notes")
    put(tmp_path, "project/notes", "notes")
    catalogue = discover([FolderSource(str(tmp_path / where), where) for where in ("project", "user")])
    assert [skill.id for skill in catalogue.skills] == ["project:notes", "user:notes"]
    assert [problem.code for problem in catalogue.problems] == ["name.clash"]


def test_problems_of_all_are_gathered(tmp_path: Path) -> None:
    """One bad skill or source stops no other, and every problem is there."""
    put(tmp_path, "one", "one")
    put(tmp_path, "two", "two: x")
    catalogue = discover([FolderSource(str(tmp_path / "none"), "a"), FolderSource(str(tmp_path), "b")])
    assert {skill.id for skill in catalogue.skills} == {"b:one", "b:two: x"}
    assert [problem.code for problem in catalogue.problems][:2] == ["source.missing", "frontmatter.repaired"]
