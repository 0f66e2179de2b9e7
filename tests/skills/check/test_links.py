"""Links and paths that lead nowhere, or out of the folder."""

from pathlib import Path

import pytest

from metier.skills.check import check_skill

from .conftest import cures, found, written

POLICY = {"references/policy.md": "The policy."}


@pytest.mark.parametrize(
    "body", ["[p](references/policy.md)", "[p](./references/policy.md#a)", "`references/policy.md`"]
)
def test_good_links_are_fine(tmp_path: Path, body: str) -> None:
    """A link or a path to a file that is there is no finding (M1)."""
    assert found(written(tmp_path, body=body, files=POLICY)) == []


def test_dead_link_has_near_names(tmp_path: Path) -> None:
    """A link to a file that is not there is a warning at its line, and the cure names what is near."""
    folder = written(tmp_path, body="references/\n\n[p](policy.md)", files=POLICY)
    assert found(folder) == [("link.missing", "warning", 8)]
    assert cures(folder) == ["there is references/policy.md"]


def test_dead_path_is_told_once(tmp_path: Path) -> None:
    """A path in code to a file that the skill does not have is told at its first place."""
    folder = written(tmp_path, body="`references/polcy.md`\n`references/polcy.md` references/", files=POLICY)
    assert found(folder) == [("path.missing", "warning", 6)]
    assert cures(folder) == ["there is references/policy.md"]


@pytest.mark.parametrize("target", ["../other/SKILL.md", "/etc/passwd.txt", "a/../../b.md", "%2e%2e/x.md"])
def test_links_out_of_the_folder_are_told(tmp_path: Path, target: str) -> None:
    """A link that leaves the folder is a warning, whether or not there is something (M1)."""
    assert found(written(tmp_path, body=f"[x]({target})")) == [("link.outside", "warning", 6)]


def test_references_are_followed(tmp_path: Path) -> None:
    """A page's links count from the skill's folder and from its own; a dead one is told in the page."""
    page = "[own](b.md) [root](references/b.md)\n[gone](c.md)\n[up](../SKILL.md) [out](../../x.md)"
    files = {"references/a.md": page, "references/b.md": "b"}
    folder = written(tmp_path, body="references/a.md references/b.md", files=files)
    assert [(one.code, one.file, one.line) for one in check_skill(folder)] == [
        ("link.missing", "demo/references/a.md", 2),
        ("link.outside", "demo/references/a.md", 3),
    ]


def test_references_are_one_level_deep(tmp_path: Path) -> None:
    """A page that only another page names is a note."""
    files = {"references/a.md": "See [b](b.md).", "references/b.md": "b"}
    folder = written(tmp_path, body="Read references/a.md.", files=files)
    (problem,) = check_skill(folder)
    assert (problem.code, problem.level, problem.file) == ("link.chain", "note", "demo/references/a.md")
    assert "references/b.md" in problem.cause


def test_templates_are_not_followed(tmp_path: Path) -> None:
    """The links of a template, of a skill inside the skill and of a README are not the skill's."""
    files = dict.fromkeys(("assets/t.md", "README.md", "references/in/b.md"), "[x](gone.md)")
    inner = {"references/in/SKILL.md": "[x](gone.md)"}
    assert found(written(tmp_path, body="assets/ README.md references/", files={**files, **inner})) == []
