"""Tasks that another process goes on with: every way to give a skill, its text, its model and its permits."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metier.actions.function import action, action_of
from metier.app.how import permits_again, permits_told
from metier.config import Settings
from metier.domain.action import Action, Hands
from metier.domain.permits import Permits, Rule
from metier.domain.proposal import Reply
from metier.domain.skill import Job, SkillSpec
from metier.errors import MetierError, SkillInvalid, SkillMissing, TaskMissing, TaskOver
from metier.testing import Says

from .conftest import READ, RUN, House

Skill = Callable[..., Path]
STEPS = (READ, RUN, Says.hand_back({"lines": 3}))


def answer_all(house: House, task: str) -> None:
    """Say yes, from a process of its own, to what the task waits for."""
    desk = house.open()
    for stored in desk.proposals(task):
        desk.answer(stored.proposal.id, Reply("yes", "Ada", covers="subject"))


def go_on(house: House, task: str, *steps: Says, **how: Any) -> Any:
    """Go on with the task in new processes, each with nothing but the record, until it ends."""
    for _ in range(4):
        receipt = house.open(*steps, **how).resume(task)
        if receipt.ended is not None:
            return receipt
        answer_all(house, task)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("way", ["name", "source", "path"])
def test_skill_of_a_folder_is_found_again(house: House, skill: Skill, data: Path, way: str) -> None:
    """A skill that was named, named with its source, or given by its path is found by another process (O89)."""
    folder = skill()
    name = {"name": "count", "source": f"{house.project / 'skills'}:count", "path": str(folder)}[way]
    task = house.open(*STEPS).submit(name, files=[data])
    receipt = go_on(house, task, *STEPS)
    assert (receipt.state, receipt.result, house.open().verify(task).ok) == ("Done", {"lines": 3}, True)


def test_path_is_found_from_elsewhere(house: House, skill: Skill, data: Path, tmp_path: Path) -> None:
    """A skill that was given by its path is found by a process whose settings name no skills."""
    task = house.open(*STEPS).submit(str(skill()), files=[data])
    assert go_on(house, task, *STEPS, skills=[]).state == "Done"


def test_free_words_are_kept(house: House, skill: Skill) -> None:
    """A task in free words goes on with its words and with the skills that it was offered."""
    skill()
    task = house.open(Says.text("It is noon.")).submit("tell me the time")
    receipt = go_on(house, task, Says.text("It is noon."))
    assert (receipt.state, receipt.result) == ("Done", "It is noon.")
    (told,) = [one.body for one in house.entries(task) if one.kind == "Briefed"]
    assert told is not None
    assert (told["task"], "- count: " in told["system"]) == ("tell me the time", True)


@action(changes=True)
def put(n: int) -> str:
    """Put."""
    return f"put {n}"


def test_skill_of_code_is_brought_again(house: House) -> None:
    """A skill as a value goes on with an app that was given it; another one says what to do, and the task waits."""
    spec = SkillSpec("putting", "Puts.", job=Job(tools=[action_of(put)]))
    steps = (Says.tool("put", {"n": 1}), Says.text("done"))
    task = house.open(*steps).submit(spec)
    with pytest.raises(SkillMissing, match="declared in code"):
        house.open(*steps).resume(task)
    assert house.open().record.row(task).state == "Waiting"
    assert go_on(house, task, *steps, skills=[spec]).result == "done"


def test_changed_skill_is_refused(house: House, skill: Skill, data: Path) -> None:
    """Work that began under one text of a skill does not go on under another; put back, it goes on (M44)."""
    folder = skill()
    task = house.open(*STEPS).submit("count", files=[data])
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    (folder / "SKILL.md").write_text(f"{text}\nAnd pay.\n", encoding="utf-8")
    with pytest.raises(SkillInvalid, match="has changed since"):
        house.open(*STEPS).resume(task)
    row = house.open().record.row(task)
    assert (row.state, row.waits_for) == ("Waiting", "mending")
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    assert go_on(house, task, *STEPS).state == "Done"


def test_script_is_held_to_what_was_approved(house: House, skill: Skill, data: Path) -> None:
    """A script that was changed while somebody thought about it is not run, whatever they said (O84)."""
    folder = skill()
    task = house.open(*STEPS).submit("count", files=[data])
    assert house.open(*STEPS).resume(task).state == "Waiting"
    answer_all(house, task)
    (folder / "scripts" / "count.py").write_text("print('gone')\n", encoding="utf-8")
    with pytest.raises(SkillInvalid):
        house.open(*STEPS).resume(task)


def test_model_setting_is_the_task_s(house: House, tmp_path: Path) -> None:
    """A task goes on with the model that it was given with, though the settings name another one now."""
    for name, words in (("first", "one"), ("second", "two")):
        text = f"from metier.testing import *\nmodel = ScriptedModel('{name}', AgentScript.of(Says.text('{words}')).answer)\n"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")

    def named(name: str) -> Settings:
        return Settings(
            project=str(tmp_path), giver="Ada", model=f"python:{name}.py:model", origins={"model": "the caller"}
        )

    task = house.open(settings=named("first")).submit("say a word")
    receipt = go_on(house, task, settings=named("second"))
    assert (receipt.model, receipt.result) == ("first", "one")


@pytest.mark.parametrize(
    ("given", "own", "verdict"),
    [
        (Permits.changes_alone(), Permits.proposes(), "proposed"),
        (Permits.proposes(), Permits.changes_alone(), "proposed"),
        (Permits.changes_alone(), Permits.reads_only(), "never"),
        (Permits.changes_alone().never("put"), Permits.changes_alone().alone("put"), "never"),
        (Permits.changes_alone(), Permits.changes_alone(), "alone"),
    ],
)
def test_stricter_permits_count(given: Permits, own: Permits, verdict: str) -> None:
    """Of the permits that a task was given with and those of who goes on with it, the stricter count (O77)."""
    again = permits_again({"permits": permits_told(given)}, own)
    assert again.judge(action_of(put)).verdict == verdict


def test_permits_come_back_whole() -> None:
    """Permits as plain JSON say what they said, and a rule that is added later binds in both."""
    rules = Permits.proposes().alone("a").never("b").with_rule(Rule("alone", skill="d1", why="named"))
    again = permits_again({"permits": permits_told(rules)}, rules)
    assert (again.rules, again.within) == (rules.rules, rules)

    async def body(_: Mapping[str, Any], __: Hands) -> None:
        """Nothing."""

    more = again.with_rule(Rule("alone", action="c"))
    assert more.judge(Action("c", "", {}, body)).verdict == "alone"
    assert again.judge(Action("c", "", {}, body)).verdict == "proposed"


def test_older_record_says_so() -> None:
    """A task of a record that did not write down how it was given says so, and waits."""
    with pytest.raises(MetierError, match="older version"):
        permits_again({}, Permits.proposes())


def test_what_is_over_stays_over(house: House) -> None:
    """A task that has ended is not gone on with, and one that is not there is told from it."""
    app = house.open(Says.text("hello"))
    receipt = app.run("say hello")
    with pytest.raises(TaskOver):
        app.resume(receipt.id)
    with pytest.raises(TaskMissing):
        app.resume("none")


def test_files_are_there_again(house: House, skill: Skill, data: Path) -> None:
    """The files of a task are there for whoever goes on, though the person's own have changed since."""
    skill()
    task = house.open(*STEPS).submit("count", files=[data])
    data.write_text("a\n", encoding="utf-8")
    assert go_on(house, task, *STEPS).result == {"lines": 3}
    assert not Path(f"{house.record}.tasks", task).exists()


def test_edited_arguments_are_what_runs(house: House) -> None:
    """Arguments that a person edited are what is carried out, in whatever process; those that do not fit are refused (O86)."""
    spec = SkillSpec("putting", "Puts.", job=Job(tools=[replace(action_of(put), effects=frozenset({"sends"}))]))
    steps = (Says.tool("put", {"n": 1}), Says.text("done"))
    task = house.open(*steps, skills=[spec]).submit(spec)
    assert house.open(*steps, skills=[spec]).resume(task).state == "Waiting"
    desk = house.open()
    (stored,) = desk.proposals(task)
    with pytest.raises(MetierError, match="do not fit"):
        desk.answer(stored.proposal.id, Reply("yes", "Eve", arguments={"n": "x"}))
    desk.answer(stored.proposal.id, Reply("yes", "Eve", arguments={"n": 5}))
    assert go_on(house, task, *steps, skills=[spec]).state == "Done"
    begun = next(one for one in house.entries(task) if one.kind == "ToolCalled")
    ended = next(one for one in house.entries(task) if one.kind == "ToolReturned")
    assert (begun.body, (ended.body or {})["text"]) == ({"arguments": {"n": 5}}, "put 5")
