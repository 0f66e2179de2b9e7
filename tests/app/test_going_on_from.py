"""A task that goes on from one of its steps, as a new task with another model."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from metier import Actions, AgentSeat, Metier, Permits, Skill, action
from metier.app.going_on_from import copy_to
from metier.errors import InputInvalid, NotAllowed, SkillInvalid, TaskError
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

from .agents.shop import BOB, BOSS, MIA, Count, setup

PUT: list[str] = []
STEPS = (Says.tool("put", {"word": "four"}), Says.text("Done."))


@action("Put a word", changes=True)
def put(word: str) -> str:
    """Put it."""
    PUT.append(word)
    return "put"


class Putting(Skill[str, str]):
    """Put a word."""

    tools = (Actions.of(put),)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    """Opens apps over one record, each with a model of its own name."""
    PUT.clear()
    with ExitStack() as stack:

        def open_app(name: str, *steps: Says) -> Metier:
            model = ScriptedModel(name, AgentScript.of(*steps).answer)
            record, permits = tmp_path / "r.db", Permits.changes_alone()
            app = Metier(project=tmp_path, model=model, record=record, permits=permits, skills=[Putting()])
            return stack.enter_context(app)

        yield open_app


def test_nothing_before_the_step_is_done_again(opened: Any) -> None:
    """The new task holds it, is whole, and names where it came from."""
    old = opened("first", *STEPS).do(Putting(), "four")
    app = opened("second", Says.text("unheard"), Says.text("Otherwise."))
    new = app.replay_from(old.task, 2)
    assert (new.state, new.result, new.model, PUT) == ("Done", "Otherwise.", "second", ["four"])
    assert app.verify(new.id).ok
    assert Trajectory.entries(new)[0].facts["from"] == {"task": old.task, "step": 2}


def test_first_step_is_the_whole_task_anew(opened: Any) -> None:
    """Only what it was given and told is taken."""
    old = opened("first", *STEPS).do(Putting(), "four")
    new = opened("second", *STEPS).replay_from(old.task, 1)
    assert (new.state, new.model_calls, PUT) == ("Done", 2, ["four", "four"])


@pytest.mark.parametrize("step", [0, 3, 99])
def test_step_must_be_there(opened: Any, step: int) -> None:
    """Nothing is begun for one that is not."""
    app = opened("first", *STEPS)
    old = app.do(Putting(), "four")
    with pytest.raises(InputInvalid, match=f"has 2 steps, and no step {step}"):
        app.replay_from(old.task, step)
    assert len(app.tasks()) == 1


def test_erased_task_cannot_go_on(opened: Any) -> None:
    """There is nothing left to go on from."""
    app = opened("first", *STEPS)
    old = app.do(Putting(), "four")
    app.record.erase(old.task)
    with pytest.raises(TaskError, match="erased"):
        app.replay_from(old.task, 2)


def test_replay_of_what_went_on_is_alike(opened: Any) -> None:
    """Its requests can be made anew like any other's."""
    old = opened("first", *STEPS).do(Putting(), "four")
    app = opened("second", *STEPS)
    assert app.replay(app.replay_from(old.task, 2).id).difference is None


def test_what_was_paid_is_paid_once(opened: Any) -> None:
    """The new task costs what it did itself, and the sum of all tasks counts no call twice."""
    app = opened("first", *STEPS)
    old = app.do(Putting(), "four")
    calls = sum(use.calls for use in app.usage())
    app.replay_from(old.task, 2)
    assert sum(use.calls for use in app.usage()) == calls + 1


def test_changed_skill_is_told_first(opened: Any, tmp_path: Path) -> None:
    """Nothing is begun where the skill is not what it was."""
    page = tmp_path / "skills" / "greet" / "SKILL.md"
    page.parent.mkdir(parents=True)
    page.write_text("---\nname: greet\ndescription: Greets.\n---\nWave.\n", encoding="utf-8")
    app = opened("first", Says.text("Hello."))
    old = app.run(str(page.parent))
    page.write_text("---\nname: greet\ndescription: Greets.\n---\nNod.\n", encoding="utf-8")
    with pytest.raises(SkillInvalid, match="has changed"):
        app.replay_from(old.id, 1)
    assert len(app.tasks()) == 1


def test_agents_work_goes_on_for_whoever_may_give_it(tmp_path: Path) -> None:
    """Whoever is signed in gives the new task, if the app lets them; who may not begins nothing (O70)."""
    model = ScriptedModel("played", AgentScript.of(Says.hand_back({"value": 4})).answer)
    with Metier(project=tmp_path, model=model, agents=setup(audits_agents=lambda _: True)) as app:
        app.seat(AgentSeat("Counter", sponsor=BOSS))
        with app.as_(MIA):
            old = app.agent("Counter").do(Count(), "four")
        with app.as_(BOB), pytest.raises(NotAllowed):
            app.replay_from(old.task, 1)
        with app.as_(BOSS):
            new = app.replay_from(old.task, 1)
        assert (new.giver, new.agent, new.state, len(app.tasks())) == (BOSS, "Counter", "Done", 2)


def test_named_model_wins_over_the_apps_own(opened: Any, tmp_path: Path) -> None:
    """The model that is named for the new task answers, whatever the app would choose itself."""
    (tmp_path / "models.py").write_text(
        "from metier.testing import AgentScript, Says, ScriptedModel\n"
        "other = ScriptedModel('other', AgentScript.of(Says.text('a'), Says.text('By the other.')).answer)\n",
        encoding="utf-8",
    )
    app = opened("first", *STEPS)
    old = app.do(Putting(), "four")
    new = app.replay_from(old.task, 2, model="python:models.py:other")
    assert (new.model, new.result, PUT) == ("other", "By the other.", ["four"])
    assert app.replay_from(old.task, 2, model="first").model == "first"


def test_no_worker_is_quicker(opened: Any) -> None:
    """The new task is for whoever asked for it: no worker of the record takes it up."""
    app = opened("first", *STEPS)
    new = copy_to(app, app.do(Putting(), "four").task, 2, model="")
    assert app.record.ready() == []
    assert app.resume(new).done
