"""Stopping a task on which nobody works: what was never begun is answered, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metier import Actions, Metier, Retry, Skill, StopWhen, action
from metier.config import Settings
from metier.gate.approvers import Later
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

BAD = Says.hand_back({"n": -1})


@action("Put a word", changes=True)
def put(word: str) -> str:
    """Put it."""
    return word


class Waiting(Skill[str, dict[str, int]]):
    """Count, and try again in an hour."""

    tools = (Actions.of(put),)
    stop = StopWhen(stuck_after=1)
    retry = Retry(times=1, wait=3600)

    def check(self, result: dict[str, int]) -> str | None:
        """No number is below nothing."""
        return "too small" if result["n"] < 0 else None


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Metier]:
    """An app whose model puts a word, or hands back what is no result, as the task asks."""
    scripts = {"put": AgentScript.of(Says.tool("put", {"word": "a"})), "bad": AgentScript.of(BAD)}
    model = ScriptedModel("test", lambda request: scripts[request.messages[0].text.rsplit(" ", 1)[-1]].answer(request))
    with Metier(settings=Settings(project=str(tmp_path)), model=model, record=tmp_path / "r.db") as opened:
        yield opened


def test_call_that_waits_is_answered(app: Metier) -> None:
    """A call that nobody has said yes to never began, and says so."""
    outcome = app.do(Waiting(), "put", approver=Later())
    assert app.stop(outcome.task).state == "Stopped"
    assert [one.facts["call"] for one in Trajectory.entries(outcome) if one.kind == "Refused"] == ["c1.1"]
    assert Trajectory.kinds(outcome)[-2:] == ["Refused", "Stopped"]


def test_try_that_did_not_begin_has_no_calls(app: Metier) -> None:
    """The calls of the try before came out with it; the next one was asked nothing yet (O20)."""
    outcome = app.do(Waiting(), "bad")
    assert (outcome.state, app.record.row(outcome.task).waits_for) == ("Waiting", "time")
    assert app.stop(outcome.task).state == "Stopped"
    kinds = Trajectory.kinds(outcome)
    assert ("Refused" in kinds, kinds[-3:]) == (False, ["Retried", "Paused", "Stopped"])
