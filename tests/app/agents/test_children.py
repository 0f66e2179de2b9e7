"""One agent hands work to another: a task of its own, from the same money."""

from decimal import Decimal

import pytest

from metier import Agents
from metier.domain.message import Answer, Request, ToolMessage
from metier.domain.proposal import Reply
from metier.testing import AgentScript, Says, Trajectory

from .conftest import Open
from .shop import BOB, BOSS, MIA, SENT, Ask, Clerk, Total

HAND = Says.tool("Counter_Count", {"task": "four"})
BACK = Says.hand_back(Total(4))


def clerk_and_counter(clerk: AgentScript, counter: AgentScript) -> object:
    """Answers for both: each is told by its own system prompt."""

    def answer(request: Request) -> Answer:
        return (counter if "You count words" in request.system else clerk).answer(request)

    return answer


def test_work_is_handed_on_as_a_task_of_its_own(firm: Open) -> None:
    """It has its own receipt, below the call that made it, and the same person (O76)."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(BACK)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    child = app.receipt(f"{outcome.task}.c1.1")
    assert outcome.done
    assert outcome.receipt.children == (child.id,)
    assert (child.agent, child.giver, child.parent, child.state) == ("Counter", MIA, outcome.task, "Done")


def test_model_is_told_what_the_other_agent_handed_back(firm: Open) -> None:
    """The child's result is the call's answer."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(BACK)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    told = [one.text for one in Trajectory.requests(outcome)[1].messages if isinstance(one, ToolMessage)]
    assert told == ['{"value":4}']


def test_child_spends_its_parents_money(firm: Open) -> None:
    """Its budget is what the parent has left, and both count against one limit (O76; case 066)."""
    dear = BACK.tokens(600_000, 0)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(dear)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    assert outcome.receipt.children_cost == Decimal("0.6")
    assert app.record.spent(outcome.task) == outcome.cost + Decimal("0.6")


def test_parent_cannot_spend_what_its_child_did(firm: Open) -> None:
    """The next call of the parent does not fit any more."""
    dear = BACK.tokens(999_000, 0)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(dear)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    assert (outcome.state, outcome.reason) == ("Failed", "budget")


def test_failed_child_is_told(firm: Open) -> None:
    """The parent's model learns how it ended, and goes on."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(Says.error("down"))))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    assert outcome.state == "Done"
    assert "ToolReturned" in Trajectory.kinds(outcome)
    assert app.receipt(f"{outcome.task}.c1.1").state == "Failed"


def test_parent_waits_for_a_child_that_waits(firm: Open) -> None:
    """The question is the person's; once it is answered, the parent goes on and the child is not begun anew (O32, O76)."""
    stuck = AgentScript.of(*[Says.hand_back(Total(-1))] * 3, BACK)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), stuck))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        child = f"{outcome.task}.c1.1"
        assert (outcome.state, app.record.row(outcome.task).waits_for) == ("Waiting", f"child:{child}")
        app.answer(app.proposals(child)[0].proposal.id, Reply("yes", "", "say four"))
        ended = app.resume(outcome.task)
    assert ended.done
    assert app.receipt(child).done, Trajectory.tree(child)
    assert Trajectory.kinds(child).count("Given") == 1


def test_child_that_goes_on_by_itself_wakes_its_parent(firm: Open) -> None:
    """Its money is still the family's, though the parent's process is not there."""
    stuck = AgentScript.of(*[Says.hand_back(Total(-1)).tokens(100_000, 0)] * 3, BACK)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), stuck))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        child = f"{outcome.task}.c1.1"
        app.answer(app.proposals(child)[0].proposal.id, Reply("yes", "", "say four"))
        again = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), stuck), seated=False)
        assert again.resume(child).done
    assert app.record.row(outcome.task).state == "Ready"
    assert app.resume(outcome.task).done


def test_stop_reaches_the_children(firm: Open) -> None:
    """A child that waits ends with its parent, and its question is withdrawn."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND), AgentScript.of(*[Says.hand_back(Total(-1))] * 3)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        assert app.stop(outcome.task).state == "Stopped"
    assert app.receipt(f"{outcome.task}.c1.1").state == "Stopped"
    assert app.record.proposals() == []


def test_child_acts_by_its_own_agents_permits(firm: Open) -> None:
    """The clerk would have to ask; the counter sends alone."""
    send = Says.tool("post", {"letter": "hi"})
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(send, BACK)))
    with app.as_(MIA):
        assert Agents.of(Clerk).do(Ask(), "count four").done
    assert SENT == ["hi"]


def test_child_keeps_the_person(firm: Open) -> None:
    """Work for somebody else is for them all the way down (O76)."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(BACK)))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).for_(BOB).do(Ask(), "count four")
    assert app.receipt(f"{outcome.task}.c1.1").on_behalf_of == BOB


def test_child_of_a_paused_agent_is_refused(firm: Open) -> None:
    """The call fails, and the parent's model is told."""
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), AgentScript.of(BACK)))
    with app.as_(BOSS):
        Agents.of("Counter").pause()
        outcome = Agents.of(Clerk).do(Ask(), "count four")
    assert app.record.children(outcome.task) == []
    assert "failed" in [one.facts.get("outcome") for one in Trajectory.entries(outcome)]


@pytest.mark.parametrize("member", ["label", "description", "parameters_schema", "place"])
def test_tool_tells_of_itself(member: str) -> None:
    """It is described from the other agent's skill (O40, O76)."""
    tool = Agents.of("Counter").tool(Ask())
    assert getattr(tool, member)
    assert (tool.action, tool.reads_only, tool.changes, tool.sends) == ("Counter_Ask", True, False, False)


def test_child_that_ended_elsewhere_is_paid_for(firm: Open) -> None:
    """What it cost counts when its parent goes on, in whatever process (O58, O76)."""
    stuck = AgentScript.of(*[Says.hand_back(Total(-1)).tokens(100_000, 0)] * 3, BACK.tokens(600_000, 0))
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK.tokens(200_000, 0)), stuck))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        child = f"{outcome.task}.c1.1"
        app.answer(app.proposals(child)[0].proposal.id, Reply("yes", "", "say four"))
        assert app.resume(child).done
        ended = app.resume(outcome.task)
    assert ended.children_cost == Decimal("0.9")
    assert app.record.spent(outcome.task) == ended.cost + Decimal("0.9")


def test_child_that_was_stopped_stays_so(firm: Open) -> None:
    """Its parent's model is told, and goes on without it (O72, O76)."""
    stuck = AgentScript.of(*[Says.hand_back(Total(-1))] * 3, BACK)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), stuck))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        child = f"{outcome.task}.c1.1"
        app.stop(child)
        assert app.resume(outcome.task).done
    assert app.receipt(child).state == "Stopped"
    told = [one.text for one in Trajectory.requests(outcome)[1].messages if isinstance(one, ToolMessage)]
    assert "Counter did not finish: Stopped" in told[0]


def test_child_that_was_stopped_with_its_parent_goes_on(firm: Open) -> None:
    """Whoever resumes the parent resumes the family."""
    stuck = AgentScript.of(*[Says.hand_back(Total(-1))] * 3, BACK)
    app = firm(answer=clerk_and_counter(AgentScript.of(HAND, BACK), stuck))
    with app.as_(MIA):
        outcome = Agents.of(Clerk).do(Ask(), "count four")
        child = f"{outcome.task}.c1.1"
        app.stop(outcome.task)
        assert app.resume(outcome.task).state == "Waiting"
        app.answer(app.proposals(child)[0].proposal.id, Reply("yes", "", "say four"))
        assert app.resume(outcome.task).done
    assert app.receipt(child).done
