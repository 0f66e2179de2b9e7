"""What a model sees of a skill that it loads."""

import os
from pathlib import Path

import pytest

from metier.domain.skill import Frontmatter, Guide, SkillFile, SkillSpec
from metier.skills.loaded import loaded_text

TEXT = "---\nname: kit\ndescription: Does kit.\n---\nDo it.\n"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A skill folder."""
    (tmp_path / "SKILL.md").write_text(TEXT, encoding="utf-8")
    return str(tmp_path)


def skill(folder: str, *files: SkillFile) -> SkillSpec:
    """The skill of a folder."""
    return SkillSpec("kit", "Does kit.", guide=Guide(folder, Frontmatter("kit", "Does kit."), files))


def test_body_comes_with_names(folder: str) -> None:
    """The whole SKILL.md, then what can be read and what can be run, each with its description if it has one."""
    resource = SkillFile("references/a.md", "", "resource", 1)
    script = SkillFile('scripts/"go".py', "", "script", 1, "Goes <far>.")
    assert loaded_text(skill(folder, resource, script)) == (
        f"{TEXT}\n<available_resources>\n"
        '  <resource name="references/a.md"/>\n</available_resources>\n\n<available_scripts>\n'
        '  <script name="scripts/&quot;go&quot;.py" description="Goes &lt;far&gt;."/>\n</available_scripts>'
    )


def test_nothing_there_is_said(folder: str) -> None:
    """Where there is nothing to read or to run, that is said."""
    assert loaded_text(skill(folder)).endswith("Do it.\n\n<available_resources />\n\n<available_scripts />")


def test_body_is_read_each_time(folder: str) -> None:
    """What stands in the file now is loaded, and nothing that was kept."""
    kit = skill(folder)
    facts = os.stat(f"{folder}/SKILL.md")
    assert "Do it." in loaded_text(kit)
    Path(folder, "SKILL.md").write_text(TEXT.replace("Do it.", "Do no."), encoding="utf-8")
    os.utime(f"{folder}/SKILL.md", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert "Do no." in loaded_text(kit)
