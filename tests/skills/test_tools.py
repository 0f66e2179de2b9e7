"""The actions over the skills of one task: which are offered, what they find, and what a read carries."""

import asyncio
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from metier.actions.schema import check_for
from metier.domain.action import Action, Miss, Narrowed, Returned
from metier.domain.call import Answered
from metier.skills.files import with_files
from metier.skills.reader import read_skill
from metier.skills.tools import LOAD_PARAMETERS, READ_PARAMETERS, RUN_PARAMETERS, SkillTools

SKILL = "---\nname: {name}\ndescription: Does {name}.\n---\nDo it.\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
FILES: Mapping[str, bytes] = {
    "references/a.md": b"# One\n1\n# Two\n2\n",
    "assets/p.png": PNG,
    "scripts/go.py": b"print(1)\n",
}


class Hands:
    """Hands that keep contents in memory."""

    call_id = "c1"
    key = "t1:c1"

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        raise NotImplementedError

    def keep(self, data: bytes) -> str:
        self.kept.append(data)
        return sha256(data).hexdigest()

    def keep_file(self, path: str) -> str:
        raise NotImplementedError


@pytest.fixture
def tools(tmp_path: Path) -> Callable[..., SkillTools]:
    """The actions over one skill for each given map of files."""

    def made(**skills: Mapping[str, bytes]) -> SkillTools:
        specs = []
        for name, files in skills.items():
            for file, data in {"SKILL.md": SKILL.format(name=name).encode(), **files}.items():
                path = tmp_path / name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            spec = read_skill(str(tmp_path / name)).skill
            assert spec is not None
            specs.append(with_files(spec))
        return SkillTools(specs, scratch=lambda: str(tmp_path))

    return made


def narrowed(tools: SkillTools, tool: str, **arguments: Any) -> Narrowed | Miss:
    """What a call of a tool really means."""
    action = next(one for one in tools.actions() if one.name == tool)
    assert not check_for(action.parameters)(arguments)
    assert action.narrow is not None
    return action.narrow(arguments)


def read(tools: SkillTools, hands: Hands, **arguments: Any) -> Returned:
    """The answer to one read."""

    async def carry_out(one: Narrowed) -> Any:
        return await one.action.body(one.arguments, hands)

    one = narrowed(tools, "read_skill_resource", skill_name="kit", **arguments)
    assert isinstance(one, Narrowed)
    answer = asyncio.run(carry_out(one))
    assert isinstance(answer, Returned)
    return answer


def test_names_are_promised() -> None:
    """The tools keep their required parameters, and their schemas stay closed."""
    schemas = (LOAD_PARAMETERS, READ_PARAMETERS, RUN_PARAMETERS)
    assert [schema["required"] for schema in schemas] == [
        ["skill_name"],
        ["skill_name", "resource_name"],
        ["skill_name", "script_name"],
    ]
    assert [schema["additionalProperties"] for schema in schemas] == [False] * 3
    assert list(READ_PARAMETERS["properties"]) == ["skill_name", "resource_name", "lines", "section"]


def test_schemas_are_made_once(tools: Callable[..., SkillTools]) -> None:
    """Every task offers the same schemas, so that what is made from them is kept."""
    first, second = (tools(kit=FILES).actions() for _ in range(2))
    assert [one.name for one in first] == ["load_skill", "read_skill_resource", "run_skill_script"]
    assert all(one.parameters is other.parameters for one, other in zip(first, second, strict=True))


def test_parts_are_read(tools: Callable[..., SkillTools]) -> None:
    """Lines and section reach the resource and stand in the call's arguments; null and nothing are not asked for."""
    kit, hands = tools(kit=FILES), Hands()
    assert read(kit, hands, resource_name="references/a.md").text == "# One\n1\n# Two\n2\n"
    assert read(kit, hands, resource_name="references/a.md", lines=None, section="").text == "# One\n1\n# Two\n2\n"
    assert (read(kit, hands, resource_name="./References/A.md", section="two").text or "").startswith("# Two\n2\n[")
    one = narrowed(kit, "read_skill_resource", skill_name="KIT", resource_name="references/a.md", lines="2-3")
    assert isinstance(one, Narrowed)
    assert (one.arguments, one.action.name) == ({"lines": "2-3"}, "kit/references/a.md")


def test_one_line_may_be_a_number(tools: Callable[..., SkillTools]) -> None:
    """Models write one line as a number."""
    answer = read(tools(kit=FILES), Hands(), resource_name="references/a.md", lines=2)
    assert (answer.text or "").startswith("1\n[")


@pytest.mark.parametrize("part", [{"lines": [1, 2]}, {"section": {}}, {"lines": True}, {"lines": 1.5}])
def test_parts_are_texts(tools: Callable[..., SkillTools], part: Mapping[str, Any]) -> None:
    """Anything else that is asked for as a part is told, with what it must be."""
    miss = narrowed(tools(kit=FILES), "read_skill_resource", skill_name="kit", resource_name="references/a.md", **part)
    assert isinstance(miss, Miss)
    assert miss.code == "resource.part"
    assert "must be a string, " in miss.reason


def test_pictures_are_kept_once(tools: Callable[..., SkillTools]) -> None:
    """A picture is kept as one content, which its digest names."""
    hands = Hands()
    answer = read(tools(kit=FILES), hands, resource_name="assets/p.png")
    assert (hands.kept, [picture.digest for picture in answer.pictures]) == ([PNG], [sha256(PNG).hexdigest()])


def test_file_that_went_is_told(tools: Callable[..., SkillTools], tmp_path: Path) -> None:
    """A resource that is gone by the time it is read is missing, not an error."""
    kit = tools(kit=FILES)
    (tmp_path / "kit" / "references" / "a.md").unlink()
    answer = read(kit, Hands(), resource_name="references/a.md")
    assert (answer.ok, answer.code) == (False, "resource.missing")


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "near"),
    [
        ("load_skill", {"skill_name": "kitt"}, "skill.missing", ("kit",)),
        ("load_skill", {"skill_name": ""}, "skill.missing", ()),
        ("read_skill_resource", {"skill_name": "kit", "resource_name": "a.md"}, "resource.missing", ()),
        (
            "run_skill_script",
            {"skill_name": "kit", "script_name": "scripts/g.py"},
            "script.missing",
            ("scripts/go.py",),
        ),
        ("run_skill_script", {"skill_name": "kit", "script_name": "assets/p.png"}, "script.missing", ()),
    ],
)
def test_missing_names_are_answered(
    tools: Callable[..., SkillTools], tool: str, arguments: Mapping[str, str], code: str, near: tuple[str, ...]
) -> None:
    """A name that is not listed is a miss with those that are near, and never a path (case 045)."""
    miss = narrowed(tools(kit=FILES), tool, **arguments)
    assert isinstance(miss, Miss)
    assert miss.code == code
    assert set(near) <= set(miss.near)
    assert "There is: " in miss.reason
