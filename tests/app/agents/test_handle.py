"""Giving an agent work: who may, what binds it, and what its receipt tells."""

import asyncio
import enum
from decimal import Decimal

import pytest

from metier import Agents, Outcome, Permits
from metier.domain.entry import Entry
from metier.domain.message import Answer
from metier.errors import InputInvalid, NotAllowed, SetupError, SkillMissing
from metier.testing import Says, Trajectory

from .conftest import Open
from .shop import BOB, BOSS, MIA, SENT, Careful, Cheap, Count, Counter, Total, Unlisted

BACK = Says.hand_back(Total(4))
SEND = Says.tool("post", {"letter": "hi"})


def test_job_is_done_for_whoever_is_signed_in(firm: Open) -> None:
    """The receipt names the agent, its account, who gave the work and who answers for it (O33, O74, O75, O90)."""
    app = firm(Says.tool("look", {"word": "four"}), BACK)
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Count(), "four")
    told = outcome.receipt
    assert (outcome.state, outcome.result) == ("Done", Total(4))
    assert (told.agent, told.principal, told.giver, told.sponsor) == ("Counter", "Counter", MIA, BOSS)
    assert (told.on_behalf_of, told.parent, told.budget) == ("", "", Decimal(1))


def test_model_is_told_what_the_agent_is_for(firm: Open) -> None:
    """The purpose stands in what the model is told first (O65)."""
    app = firm(BACK)
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Count(), "four")
    assert "You count words for a firm." in Trajectory.requests(outcome.task)[0].system


def test_nobody_signed_in_gives_no_work(firm: Open) -> None:
    """Work is always somebody's."""
    firm(BACK)
    with pytest.raises(NotAllowed, match="Nobody is signed in"):
        Agents.of(Counter).do(Count(), "four")


def test_policy_says_who_gives_work(firm: Open) -> None:
    """Whoever the app does not name is refused before anything is spent (O70)."""
    app = firm(BACK)
    with app.as_(BOB), pytest.raises(NotAllowed, match="bob may not give agents work"):
        Agents.of(Counter).do(Count(), "four")
    assert app.tasks() == []


def test_unanswered_question_is_no(firm: Open) -> None:
    """A policy that the app does not set lets nobody through (O71)."""
    app = firm(BACK, uses_agents=None)
    with app.as_(MIA), pytest.raises(NotAllowed):
        Agents.of(Counter).do(Count(), "four")


def test_agent_without_seat_gets_no_work(firm: Open) -> None:
    """Somebody must answer for it (O69)."""
    app = firm(BACK, seated=False)
    with app.as_(MIA), pytest.raises(NotAllowed, match="Nobody answers for the agent Counter"):
        Agents.of(Counter).do(Count(), "four")


def test_unlisted_skill_is_refused(firm: Open) -> None:
    """An agent does what it lists, and nothing else."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(SkillMissing, match="does not list the skill 'Unlisted'"):
        Agents.of(Counter).do(Unlisted(), "four")


def test_unlisted_agent_is_refused(firm: Open) -> None:
    """Only the agents of the setup can be named (O67)."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(SetupError, match=r"no agent 'Countr'.*Counter"):
        Agents.of("Countr").do(Count(), "four")


def test_skill_narrows_its_agent(firm: Open) -> None:
    """An agent that sends alone does not, on a job that may not (O17)."""
    app = firm(SEND, BACK)
    with app.as_(MIA):
        outcome = Agents.of(Counter).do(Careful(), "four")
    assert outcome.done
    assert SENT == []
    assert "Refused" in Trajectory.kinds(outcome)


def test_agent_acts_by_its_permits(firm: Open) -> None:
    """What it may do alone is done (O65, O78)."""
    app = firm(SEND, BACK)
    with app.as_(MIA):
        assert Agents.of(Counter).do(Count(), "four").done
    assert SENT == ["hi"]


def test_app_permits_bind_its_agents(firm: Open) -> None:
    """Permits that were given to the app are never widened by an agent."""
    app = firm(SEND, BACK)
    app.house.own_permits = Permits.changes_and_sends_alone().never("post")
    with app.as_(MIA):
        assert Agents.of(Counter).do(Count(), "four").done
    assert SENT == []


def test_budget_is_the_skills_the_apps_or_the_ceiling(firm: Open) -> None:
    """A skill's own budget replaces the app's, and neither passes the ceiling (O57)."""
    app = firm(BACK, ceiling=Decimal("0.5"))
    with app.as_(MIA):
        mine, own = Agents.of(Counter).do(Count(), "four"), Agents.of(Counter).do(Cheap(), "four")
    assert (mine.receipt.budget, own.receipt.budget) == (Decimal("0.5"), Decimal("0.25"))


def test_stuck_after_is_the_apps_unless_the_skill_says(firm: Open) -> None:
    """So many failures in a row ask for help (O27, O29, O31)."""
    app = firm(*[Says.hand_back(Total(-1))] * 5, stuck_after=2)
    with app.as_(MIA):
        mine, own = Agents.of(Counter).do(Count(), "four"), Agents.of(Counter).do(Cheap(), "four")
    assert [mine.state, own.state] == ["Waiting", "Waiting"]
    assert [Trajectory.kinds(one).count("SentBack") for one in (mine, own)] == [2, 1]
    assert mine.proposals[0].proposal.help


def test_work_for_another_person(firm: Open) -> None:
    """It stands on the receipt for whom it was done, and they may read it (O75)."""
    app = firm(BACK)
    with app.as_(MIA):
        outcome = Agents.of(Counter).for_(BOB).do(Count(), "four")
    assert (outcome.receipt.giver, outcome.receipt.on_behalf_of) == (MIA, BOB)
    with app.as_(BOB):
        assert app.receipt(outcome.task).result == {"value": 4}


def test_ask_answers_in_words(firm: Open) -> None:
    """There is no job and no hand_back (O75)."""
    app = firm(Says.text("Four letters."))
    with app.as_(MIA):
        outcome = Agents.of(Counter).ask("How long is four?")
    assert outcome.result == "Four letters."
    assert [tool.name for tool in Trajectory.requests(outcome)[0].tools] == []


def test_decide_answers_one_of_the_options(firm: Open) -> None:
    """What is none of them is sent back (O75)."""
    colour = enum.Enum("colour", ["RED", "BLUE"])
    app = firm(Says.hand_back({"choice": "GREEN"}), Says.hand_back({"choice": "BLUE"}))
    with app.as_(MIA):
        outcome = Agents.of(Counter).decide("Which colour?", list(colour))
    assert outcome.result is colour.BLUE
    assert "SentBack" in Trajectory.kinds(outcome)


@pytest.mark.parametrize("options", [["a"], ["a", "a"], []])
def test_one_option_is_no_decision(firm: Open, options: list[str]) -> None:
    """There must be two that differ."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(InputInvalid):
        Agents.of(Counter).decide("Which?", options)


def test_stream_ends_with_the_outcome(firm: Open) -> None:
    """Entries and text come as they happen (O75)."""
    app = firm(Says.many(Says.text("I look."), Says.tool("look", {"word": "a"})), BACK)
    with app.as_(MIA):
        seen = list(Agents.of(Counter).stream(Count(), "four"))
    assert isinstance(seen[-1], Outcome)
    assert seen[-1].done
    assert [one.kind for one in seen if isinstance(one, Entry)][:2] == ["Given", "Briefed"]
    assert "".join(one for one in seen if isinstance(one, str)).startswith("I look.")


def test_stream_that_is_left_stops_the_work(firm: Open) -> None:
    """Whoever leaves it early wants no more of it."""

    async def never(_: object) -> Answer:
        await asyncio.sleep(60)
        raise AssertionError

    app = firm(answer=never)
    with app.as_(MIA):
        steps = iter(Agents.of(Counter).stream(Count(), "four"))
        first = next(steps)
        del steps
    assert isinstance(first, Entry)
    assert app.record.tasks()[0].state == "Stopped"
