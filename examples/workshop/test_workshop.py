"""The document's three tests, in Python. No model is asked: a script answers in its place."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from workshop import Estimate, EstimateRepair, Estimator, Person, Repair, note_repair, parts_for, scrap_bike, set_price

from metier import Actions, Agents, Skills
from metier.rows import count, single
from metier.testing import AgentScript, Says, ScriptedAnswer, Trajectory

SignIn = Callable[[object], object]


@pytest.fixture(autouse=True)
def signed_in(as_: SignIn) -> None:
    """Mia gives the work."""
    as_(single(Person, email="mia@workshop.example"))


def test_a_result_the_check_refuses_is_sent_back_with_the_reason() -> None:
    """The model is told why, and hands back another one."""
    repair = single(Repair, ticket="T-7")
    script = AgentScript.of(
        Says.hand_back(Estimate(hours=Decimal(0), summary="Quick.")),  # refused: "An estimate takes some time."
        Says.hand_back(Estimate(hours=Decimal(1), summary="New pads.")),
    )
    ScriptedAnswer.stub(script.answer)

    outcome = Agents.of(Estimator).do(EstimateRepair(), repair)

    assert outcome.done
    assert outcome.result is not None
    assert outcome.result.hours == 1
    assert "SentBack" in Trajectory.kinds(outcome.task)


def test_a_tool_the_skill_does_not_list_never_runs() -> None:
    """It is refused, on the record, and the work goes on."""
    repair = single(Repair, ticket="T-7")
    script = AgentScript.of(
        Says.tool(Actions.of(scrap_bike), f'{{"repair":"{repair.id}"}}'),
        Says.hand_back(Estimate(hours=Decimal(1), summary="Still here.")),
    )
    ScriptedAnswer.stub(script.answer)

    outcome = Agents.of(Estimator).do(EstimateRepair(), repair)

    assert outcome.done
    assert count(Repair, ticket="T-7") == 1
    assert not Trajectory.called(outcome.task, Actions.of(scrap_bike))


def test_the_catalogue_describes_a_skill_from_its_own_declaration() -> None:
    """Nothing is described twice."""
    skill = Skills.find("Estimator", "EstimateRepair")

    assert skill is not None
    assert skill.description == "Estimate one repair."
    assert skill.takes == "Repair"
    assert '"hours":{"type":"number"' in skill.hands_back_schema
    assert [tool.action for tool in skill.tools] == ["parts_for", "note_repair", "set_price"]
    assert skill.tools[0].reads_only
    assert skill.tools[1].changes
    assert [Actions.of(one).action for one in (parts_for, note_repair, set_price)] == [
        tool.action for tool in skill.tools
    ]
