"""Work that failed is tried again, and a yes that came too late is not carried out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from metier import Actions, Metier, Permits, Retry, Skill, StopWhen, action
from metier.config import Settings
from metier.domain.message import Answer, ModelMessage, Request
from metier.domain.proposal import Reply
from metier.gate.approvers import Later as Wait
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

from .shop import Total

BAD = Says.hand_back(Total(-1))
BACK = Says.hand_back(Total(4))
WORLD = {"version": "1", "put": ""}


@action("Put a word", changes=True)
def put(word: str) -> str:
    """Put it."""
    WORLD["put"] = word
    return "put"


class Once(Skill[str, Total]):
    """Count, and try again once."""

    tools = (Actions.of(put),)
    stop = StopWhen(stuck_after=1)
    retry = Retry(times=1)

    def check(self, result: Total) -> str | None:
        """No word is shorter than nothing."""
        return "too short" if result.value < 0 else None

    def version_of(self, given: str) -> str:
        """What the world is."""
        del given
        return WORLD["version"]

    def names(self, given: str, action: str, arguments: Mapping[str, Any]) -> str:
        """What is touched."""
        del given
        return f"{action}: the word {arguments['word']}"


class Asking(Once):
    """Count, and ask before a word is put."""

    stop = StopWhen()


class Later(Once):
    """Count, and try again in an hour."""

    retry = Retry(times=1, wait=3600)


def in_turn(*scripts: AgentScript) -> Callable[[Request], Answer]:
    """Plays one script for each try: a request that holds no answer of the model begins the next."""
    left = list(scripts)

    def answer(request: Request) -> Answer:
        if not any(isinstance(message, ModelMessage) for message in request.messages):
            left.append(left.pop(0))
        return left[-1].answer(request)

    return answer


@pytest.fixture
def app(tmp_path: Path) -> Callable[..., Metier]:
    """Makes apps over one record."""

    def made(answer: Any, **how: Any) -> Metier:
        settings = Settings(project=str(tmp_path), giver="Ada")
        return Metier(settings=settings, model=ScriptedModel("test", answer), record=tmp_path / "r.db", **how)

    return made


def test_failed_work_is_tried_again(app: Callable[..., Metier]) -> None:
    """It is the same task, from the first message on, with every try on the record (O20)."""
    with app(in_turn(AgentScript.of(BAD), AgentScript.of(BACK))) as one:
        outcome = one.do(Once(), "four")
        kinds = Trajectory.kinds(outcome)
        assert one.verify(outcome.task).ok
        requests = Trajectory.requests(outcome)
    assert (outcome.state, outcome.receipt.tries, outcome.receipt.model_calls) == ("Done", 2, 2)
    assert (kinds.count("Given"), kinds.count("Briefed"), kinds.count("Retried")) == (1, 1, 1)
    assert requests[0].messages == requests[1].messages


def test_tries_come_to_an_end(app: Callable[..., Metier]) -> None:
    """The last one's reason is the task's."""
    with app(in_turn(AgentScript.of(BAD), AgentScript.of(BAD))) as one:
        outcome = one.do(Once(), "four")
    assert (outcome.state, outcome.reason, outcome.receipt.tries) == ("Failed", "stuck", 2)


@pytest.mark.parametrize("when", [lambda reason: reason == "model", {"model"}, frozenset[str]()])
def test_only_for_these_reasons(app: Callable[..., Metier], when: Any) -> None:
    """A reason that is not named ends it (O20)."""

    class Picky(Once):
        retry = Retry(times=3, when=when)

    with app(in_turn(AgentScript.of(BAD))) as one:
        assert one.do(Picky(), "four").receipt.tries == 1


def test_try_that_waits_is_a_row_of_the_record(app: Callable[..., Metier]) -> None:
    """The task waits for its moment, and another process goes on before, if it is told to."""
    with app(in_turn(AgentScript.of(BAD))) as one:
        outcome = one.do(Later(), "four")
        row = one.record.row(outcome.task)
        assert (outcome.state, row.waits_for, outcome.receipt.tries) == ("Waiting", "time", 2)
        assert row.wake_at is not None
    with app(in_turn(AgentScript.of(BACK)), skills=[Later()]) as other:
        assert other.resume(outcome.task).done
        assert [call.id for call in Trajectory.calls(outcome)] == ["c1.1", "c1.1.1", "r2.c1.1", "r2.c1.1.1"]


@pytest.mark.parametrize("wrong", [{"times": -1}, {"times": 1.5}, {"wait": -1}])
def test_retry_is_judged_where_it_is_written(wrong: dict[str, Any]) -> None:
    """A number that means nothing is refused at once."""
    with pytest.raises(ValueError, match="must be"):
        Retry(**wrong)


ASKS = AgentScript.of(Says.tool("put", {"word": "four"}), BACK)


def test_proposal_tells_names_and_version(app: Callable[..., Metier]) -> None:
    """What is touched in plain words, and the state that a yes is for (O18, O19, O81)."""
    with app(ASKS.answer) as one:
        outcome = one.do(Asking(), "four", approver=Wait())
        proposal = outcome.proposals[0].proposal
    assert (proposal.names, proposal.version) == ("put: the word four", "1")


def test_yes_for_a_state_that_moved_is_stale(app: Callable[..., Metier]) -> None:
    """It is not carried out, the model is told, and the job goes on (O18, O83)."""
    WORLD.update(version="1", put="")
    with app(ASKS.answer, skills=[Asking()]) as one:
        outcome = one.do(Asking(), "four", approver=Wait())
        one.answer(outcome.proposals[0].proposal.id, Reply("yes", "Ada"))
        WORLD["version"] = "2"
        assert one.resume(outcome.task).done
        stored = one.record.proposals(task=outcome.task, state=None)
        kinds = Trajectory.kinds(outcome)
    assert WORLD["put"] == ""
    assert stored[0].state == "Stale"
    assert "Stale" in kinds
    WORLD["version"] = "1"


def test_yes_for_the_same_state_is_carried_out(app: Callable[..., Metier]) -> None:
    """Nothing moved (O83)."""
    WORLD.update(version="1", put="")
    with app(ASKS.answer) as one:
        assert one.do(Asking(), "four", approver=lambda _: True).done
    assert WORLD["put"] == "four"


def test_permits_of_a_job_narrow_the_apps(app: Callable[..., Metier]) -> None:
    """A job that may only read changes nothing, whatever the app allows (O17)."""

    class Reads(Asking):
        may = Permits.reads_only()

    WORLD.update(put="")
    with app(ASKS.answer, permits=Permits.changes_alone()) as one:
        outcome = one.do(Reads(), "four", approver=lambda _: True)
    assert WORLD["put"] == ""
    assert outcome.receipt.calls.refused == 1
