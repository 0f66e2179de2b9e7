"""Tasks whose requests are made anew."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metier import Metier
from metier.domain.action import Action, Hands
from metier.domain.skill import Job, SkillSpec
from metier.errors import TaskError
from metier.testing import AgentScript, Says, ScriptedModel

from .conftest import House

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
STEPS = AgentScript.of(Says.tool("look"), Says.text("words"), Says.hand_back({"n": 1}))


async def _look(_: Any, __: Hands) -> str:
    return "a result"


LOOK = Action("look", "Looks at it.", {"type": "object"}, _look, frozenset({"reads"}))
SPEC = SkillSpec(
    "looking", "Looks.", job=Job(hands_back=NUMBER, instructions="Look twice and hand back.", tools=[LOOK])
)


def app(path: Path, spec: SkillSpec) -> Metier:
    """An app that knows a skill as it is now."""
    return Metier(model=ScriptedModel("test", STEPS.answer), record=path / "r.sqlite", skills=[spec])


def changed(tmp_path: Path, spec: SkillSpec) -> Any:
    """What a replay finds once the skill is another one."""
    with app(tmp_path, SPEC) as before:
        assert before.run(SPEC).done
    with app(tmp_path, spec) as now:
        return now.replay("last")


def test_what_has_not_changed_is_made_alike(tmp_path: Path) -> None:
    """Every request is made as it was, with what came between: results, words sent back, the accepted result."""
    found = changed(tmp_path, SPEC)
    assert (found.requests, found.difference) == (3, None)


def test_first_word_that_differs_is_shown(tmp_path: Path) -> None:
    """Where the instructions have changed, the first request says so, with the words around."""
    assert SPEC.job is not None
    spec = replace(SPEC, job=Job(hands_back=NUMBER, instructions="Look once and hand back.", tools=[LOOK]))
    one = changed(tmp_path, spec).difference
    assert (one.step, one.place) == (1, "message 1")
    assert (one.before, one.now) == ("Looks. Look twice and hand back.", "Looks. Look once and hand back.")


def test_another_tool_is_a_difference(tmp_path: Path) -> None:
    """A tool that is described otherwise changes the request."""
    spec = replace(
        SPEC,
        job=Job(
            hands_back=NUMBER,
            instructions="Look twice and hand back.",
            tools=[replace(LOOK, description="Stares at it.")],
        ),
    )
    one = changed(tmp_path, spec).difference
    assert (one.step, one.place, "Stares" in one.now) == (1, "tools", True)


def test_a_changed_skill_is_what_it_is_for(house: House, skill: Callable[..., Path]) -> None:
    """A folder that has changed since is used as it is now, and nothing runs."""
    folder = skill(toml=None)
    house.run(Says.text("so"))
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    one = house.open(model=ScriptedModel("none", AgentScript.of().answer))
    assert one.replay("last").difference is None
    (folder / "SKILL.md").write_text(text.replace("description: ", "description: Newly "), encoding="utf-8")
    found = one.replay("last").difference
    assert found is not None
    assert "Newly" in found.now


def test_erased_contents_are_told(tmp_path: Path) -> None:
    """A task whose contents were erased cannot be made anew."""
    with app(tmp_path, SPEC) as one:
        task = one.run(SPEC).id
        one.record.erase(task)
        with pytest.raises(TaskError, match="has been erased"):
            one.replay(task)
