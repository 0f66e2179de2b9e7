"""Scripts written with instances and actions, and stubs that answer for a model that has no script."""

from dataclasses import dataclass
from decimal import Decimal

import pytest

from metier import Actions, LlmModel, LlmPrice, LlmSetup, Metier, Skill, action
from metier.domain.message import ModelMessage
from metier.testing import AgentScript, Says, ScriptedAnswer, ScriptedModel, Trajectory


@dataclass
class Total:
    """A number."""

    value: Decimal


@action("Look", query=True)
def look(word: str) -> int:
    """Its length."""
    return len(word)


class Count(Skill[str, Total]):
    """Count."""

    tools = (Actions.of(look),)
    budget = Decimal("0.01")


def listed(**price: int) -> LlmSetup:
    """A list of one scripted model with a price."""
    cost = LlmPrice(Decimal(price.get("sent", 1)), Decimal(5))
    return LlmSetup([LlmModel("Everyday", ScriptedModel("Everyday"), cost, max_output_tokens=1000)])


def test_instance_and_action_are_written(tmp_path: object) -> None:
    """A result is given as what the job hands back, a tool as what `Actions.of` answers (O112)."""
    script = AgentScript.of(Says.tool(Actions.of(look), '{"word": "four"}'), Says.hand_back(Total(Decimal("1.5"))))
    with Metier(project=str(tmp_path), llm=listed(), record=False) as app, ScriptedAnswer.stub(script.answer):
        outcome = app.do(Count(), "four")
        assert Trajectory.called(outcome, Actions.of(look))
    assert outcome.result == Total(Decimal("1.5"))
    assert script.unused == []


def test_listed_scripted_model_has_a_price(tmp_path: object) -> None:
    """Budgets can be tested: what it is reported to use is paid for (O111)."""
    dear = AgentScript.of(Says.tool("look", {"word": "a"}).tokens(9_000, 0), Says.hand_back(Total(Decimal(1))))
    with Metier(project=str(tmp_path), llm=listed(), record=False) as app, ScriptedAnswer.stub(dear.answer):
        outcome = app.do(Count(), "four")
    assert (outcome.reason, outcome.cost) == ("budget", Decimal("0.009"))
    assert outcome.receipt.scripted


def test_last_stub_answers() -> None:
    """One in a block stands in for the one around it."""
    model = ScriptedModel("test")
    with ScriptedAnswer.stub(lambda *_: ModelMessage("outer")):
        with ScriptedAnswer.stub(lambda *_: ModelMessage("inner")):
            inner = model._said(None)  # type: ignore[arg-type]  # the stub looks at no request
        outer = model._said(None)  # type: ignore[arg-type]  # as above
    assert (inner, outer) == (ModelMessage("inner"), ModelMessage("outer"))


@pytest.mark.parametrize("text", ["no json", "[1]", '"word"', "{"])
def test_text_that_is_no_object_stays_text(text: str) -> None:
    """So a test can play a model that calls wrongly."""
    assert Says.tool("look", text).calls == (("look", text),)
