"""A task that goes on from one of its steps, as a new task with another model."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from metier import Actions, Metier, Permits, Skill, action
from metier.errors import InputInvalid, TaskError
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

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
