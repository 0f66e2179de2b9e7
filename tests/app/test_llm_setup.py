"""Apps that list several models."""

from decimal import Decimal
from typing import Any

import pytest

from metier import LlmModel, LlmPrice, LlmSetup, Metier, ModelNeeds
from metier.domain.message import Answer, ModelMessage, Request, ToolCall
from metier.domain.money import Usage
from metier.domain.skill import Job, SkillSpec
from metier.errors import ModelMissing, SetupError
from metier.testing import AgentScript, Says, ScriptedModel

WORDS = AgentScript.of(Says.text("so").tokens(1_000, 100))


def listed(name: str, price: tuple[Any, Any] | None = (1, 5), **knows: Any) -> LlmModel:
    """A listed model that answers in words."""
    client = ScriptedModel(name, WORDS.answer)
    return LlmModel(name, client, LlmPrice(*price) if price else None, 100, scripted=True, **knows)


def words(**needs: Any) -> SkillSpec:
    """A job in words, with needs."""
    return SkillSpec("words", "Say so.", job=Job(needs=ModelNeeds(**needs)))


def test_each_job_gets_its_model() -> None:
    """A job's needs decide; the receipt names the model and what it cost at that model's price (O59-O61, O122)."""
    llm = LlmSetup([listed("strong", (10, 50), strength="strong"), listed("small")])
    with Metier(llm=llm, record=False) as app:
        everyday, strong = app.run(words()), app.run(words(strength="strong"))
    assert [(one.model, one.cost) for one in (everyday, strong)] == [
        ("small", Decimal("0.0015")),
        ("strong", Decimal("0.015")),
    ]


def test_no_fitting_model_is_an_error() -> None:
    """Where no model fits, no task is begun, and the need is named (O61)."""
    with Metier(llm=LlmSetup([listed("small")]), record=False) as app:
        with pytest.raises(ModelMissing, match="small is not strong"):
            app.run(words(strength="strong"))
        assert app.tasks() == []


def test_unpriced_model_is_refused() -> None:
    """A listed model without a known price does nothing, unless the caller allows it (O63)."""
    with Metier(llm=LlmSetup([listed("dark", None)]), record=False) as app:
        assert (app.run(words()).reason, app.run(words(), unpriced=True).state) == ("unpriced", "Done")


def test_switch_stops_new_calls_at_once() -> None:
    """Once spending is off no model is called, in the middle of a task too; on again, tasks run (O64)."""

    def answer(request: Request) -> Answer:
        llm.spending = len(request.messages) > 1
        return Answer(ModelMessage("", (ToolCall("1", "none", {}),)), Usage(1, 1))

    llm = LlmSetup([LlmModel("test", ScriptedModel("test", answer), LlmPrice(Decimal(1), Decimal(5)), scripted=True)])
    with Metier(llm=llm, record=False) as app:
        receipt = app.run(words())
        assert (receipt.state, receipt.reason, receipt.model_calls) == ("Failed", "spend_off", 1)
        assert app.run(words()).model_calls == 0


def test_model_and_list_do_not_go_together() -> None:
    """An app is given one model or a list of them."""
    with pytest.raises(SetupError, match="a model and a list of models"):
        Metier(model=ScriptedModel("test", WORDS.answer), llm=LlmSetup([]))
