"""What somebody reads of the work, and who answers what is asked."""

import pytest

from metier import Agents, LlmModel, LlmSetup, Metier, Outcome
from metier.domain.proposal import Reply
from metier.errors import NotAllowed, SetupError, TaskMissing
from metier.testing import Says, ScriptedModel

from .conftest import Open
from .shop import BOB, BOSS, MIA, Count, Counter, Total, setup

BACK = Says.hand_back(Total(4))
AUD = "aud"


def done(app: Metier) -> Outcome[Total]:
    """Work of Mia's."""
    with app.as_(MIA):
        return Agents.of(Counter).do(Count(), "four")


def test_giver_reads_the_own_work(firm: Open) -> None:
    """All of it (O93)."""
    app = firm(BACK)
    task = done(app).task
    with app.as_(MIA):
        assert app.receipt(task).result == {"value": 4}
        assert [row.id for row in app.tasks()] == [task]


def test_supervisor_reads_that_it_happened(firm: Open) -> None:
    """No content (O70, O93)."""
    app = firm(BACK)
    task = done(app).task
    with app.as_(BOSS):
        receipt = app.receipt(task)
        assert (receipt.state, receipt.result, receipt.text) == ("Done", None, "")
        with pytest.raises(TaskMissing):
            app.replay(task)


def test_auditor_reads_everything(firm: Open) -> None:
    """Content included (O70, O93)."""
    app = firm(BACK)
    task = done(app).task
    with app.as_(AUD):
        assert app.receipt(task).result == {"value": 4}
        assert app.verify(task).ok


def test_others_are_told_that_there_is_nothing(firm: Open) -> None:
    """What may not be read and what is not there answer alike (O93)."""
    app = firm(BACK)
    task = done(app).task
    with app.as_(BOB):
        assert app.tasks() == []
        with pytest.raises(TaskMissing, match=f"There is no task '{task}'"):
            app.receipt(task)


def test_agent_reads_nothing_of_it(firm: Open) -> None:
    """Its own account is nobody's reader (O93)."""
    app = firm(BACK)
    task = done(app).task
    with app.as_("Counter"), pytest.raises(TaskMissing):
        app.receipt(task)


@pytest.mark.parametrize("who", [MIA, BOSS])
def test_giver_and_sponsor_answer(firm: Open, who: str) -> None:
    """Nobody else does (O82)."""
    app = firm(*[Says.hand_back(Total(-1))] * 3)
    proposal = done(app).proposals[0].proposal.id
    for other in (BOB, "Counter"):
        with app.as_(other), pytest.raises(NotAllowed, match=f"{other} may not answer"):
            app.answer(proposal, Reply("yes", "", "four"))
    with app.as_(who):
        assert app.answer(proposal, Reply("yes", "", "four")).reply == Reply("yes", who, "four")


def test_questions_come_to_the_person(firm: Open) -> None:
    """Work for somebody else asks them (O75, O82)."""
    app = firm(*[Says.hand_back(Total(-1))] * 3)
    with app.as_(MIA):
        Agents.of(Counter).for_(BOB).do(Count(), "four")
    with app.as_(BOB):
        assert len(app.proposals()) == 1
    with app.as_("somebody"):
        assert app.proposals() == []


def test_costs_are_read_by_leave(firm: Open) -> None:
    """The policy `reads_model_usage` (O70)."""
    app = firm(BACK, reads_model_usage=lambda who: who == AUD)
    done(app)
    with app.as_(AUD):
        assert [use.agent for use in app.usage()] == ["Counter"]
    with app.as_(MIA), pytest.raises(NotAllowed, match="may not read what models cost"):
        app.usage()


def test_spending_is_switched_by_leave(firm: Open, tmp_path: object) -> None:
    """The policy `manages_model_spend`; what is switched off ends at its next call (O64, O70)."""
    listed = LlmSetup([LlmModel("m", ScriptedModel("m", lambda _: pytest.fail("asked")))])
    agents = setup(manages_model_spend=lambda who: who == BOSS)
    with Metier(llm=listed, agents=agents, record=False, project=str(tmp_path)) as app:
        with app.as_(MIA), pytest.raises(NotAllowed):
            app.switch_spending(on=False)
        with app.as_(BOSS):
            app.switch_spending(on=False)
        outcome = app.do(Count(), "four", approver=lambda _: True, unpriced=True)
    assert (outcome.state, outcome.reason) == ("Failed", "spend_off")


def test_no_list_of_models_has_no_switch(firm: Open) -> None:
    """The error says what is missing."""
    app = firm(BACK)
    with pytest.raises(SetupError, match="lists no models"):
        app.switch_spending(on=False)


def test_two_apps_do_not_mix(firm: Open, tmp_path: object) -> None:
    """Who is signed in and which app is meant are the block's."""
    app = firm(BACK)
    with Metier(agents=setup(), record=False, project=str(tmp_path)) as other:
        assert other.agent("Counter").seat is None
        assert Agents.of(Counter).seat is None
        assert app.agent("Counter").seat is not None
    assert Agents.of(Counter).seat is not None


def test_nobody_is_signed_in_by_nothing(firm: Open) -> None:
    """A person has a name."""
    app = firm(BACK)
    with pytest.raises(SetupError, match="Nobody can be signed in"), app.as_(7):
        pytest.fail("signed in")
