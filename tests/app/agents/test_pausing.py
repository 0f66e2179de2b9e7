"""An agent is paused, stopped, and works again."""

import pytest

from metier import Agents, AgentSeat, Metier
from metier.domain.message import Answer, Request
from metier.errors import NotAllowed, SetupError
from metier.testing import AgentScript, Says, Trajectory

from .conftest import Open
from .shop import BOSS, MIA, Clerk, Count, Counter, Total

BACK = Says.hand_back(Total(4))
LOOK = Says.tool("look", {"word": "four"})
STEPS = AgentScript.of(LOOK, LOOK, BACK)


def test_paused_agent_gets_no_new_work(firm: Open) -> None:
    """It says who paused it (O72)."""
    app = firm(BACK)
    with app.as_(BOSS):
        assert Agents.of(Counter).pause().state == "paused"
    with app.as_(MIA), pytest.raises(NotAllowed, match="Counter is paused, by noor"):
        Agents.of(Counter).do(Count(), "four")


def test_running_work_waits_at_the_next_step(firm: Open) -> None:
    """It goes on where it was when its agent works again (O72)."""
    app: Metier = firm(answer=lambda request: _pausing(app, request, "pause"))
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Count(), "four")
    row = app.record.row(outcome.task)
    assert (outcome.state, row.waits_for) == ("Waiting", "agent:Counter")
    assert "was paused by Ada" in outcome.receipt.text
    Agents.of(Counter).resume()
    assert app.record.row(outcome.task).state == "Ready"
    assert app.resume(outcome.task).done
    assert Trajectory.kinds(outcome).count("ToolCalled") == 4  # two looks, the result, and its check


def _pausing(app: Metier, request: Request, how: str) -> Answer:
    """Pauses or stops the agent while its model answers for the first time."""
    seat = app.record.seat("Counter")
    if seat is not None and seat.state == "works" and len(request.messages) == 1:
        app.record.put_seat(type(seat)("Counter", BOSS, "paused" if how == "pause" else "stopped", "Ada"))
    return STEPS.answer(request)


def test_stopped_agent_ends_its_work(firm: Open) -> None:
    """What runs ends Stopped at its next step (O72)."""
    app: Metier = firm(answer=lambda request: _pausing(app, request, "stop"))
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Count(), "four")
    assert (outcome.state, outcome.reason) == ("Stopped", "cancelled")
    assert Trajectory.kinds(outcome)[-1] == "Stopped"


def test_stop_withdraws_what_was_asked(firm: Open) -> None:
    """A task that waits for an answer ends too, and its question is gone (O72)."""
    app = firm(*[Says.hand_back(Total(-1))] * 3)
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Count(), "four")
    assert outcome.state == "Waiting"
    with app.as_(BOSS):
        Agents.of(Counter).stop()
    assert app.receipt(outcome.task).state == "Stopped"
    assert app.proposals() == []


@pytest.mark.parametrize("how", ["pause", "stop", "resume"])
def test_only_supervisors_pause_and_stop(firm: Open, how: str) -> None:
    """Whoever gives work does not thereby supervise (O70)."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(NotAllowed, match="mia may not name sponsors, or pause and stop agents"):
        getattr(Agents.of(Counter), how)()


def test_only_supervisors_name_sponsors(firm: Open) -> None:
    """A seat is taken by leave of the app's policy (O68, O70)."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(NotAllowed):
        app.seat(AgentSeat("Counter", sponsor=MIA))


def test_seat_outlives_the_app(firm: Open) -> None:
    """It is stored, and names its agent by text (O126)."""
    firm(BACK)
    again = firm(BACK, seated=False)
    seat = again.agent("Counter").seat
    assert seat is not None
    assert (seat.agent, seat.sponsor) == ("Counter", BOSS)


def test_new_sponsor_keeps_the_pause(firm: Open) -> None:
    """Who answers for an agent and whether it works are two things."""
    app = firm(BACK)
    Agents.of(Counter).pause()
    assert app.seat(AgentSeat(Counter, sponsor=MIA)).state == "paused"


def test_agent_without_seat_is_not_paused(firm: Open) -> None:
    """The error says what to do."""
    firm(BACK, seated=False)
    with pytest.raises(SetupError, match="no seat"):
        Agents.of(Clerk).pause()


def test_seat_of_nobody_is_refused(firm: Open) -> None:
    """A sponsor is somebody, and an agent is listed."""
    app = firm(BACK)
    with pytest.raises(SetupError, match="is nobody"):
        app.seat(AgentSeat("Counter", sponsor=7))
    with pytest.raises(SetupError, match="lists no agent"):
        app.seat(AgentSeat("Nobody", sponsor=BOSS))
