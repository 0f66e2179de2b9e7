"""Which model a job gets."""

from decimal import Decimal
from typing import Any

import pytest

from metier import LlmModel, LlmPrice, LlmSetup, ModelNeeds
from metier.errors import ModelMissing, SetupError
from metier.testing import AgentScript, ScriptedModel


def model(name: str, price: tuple[Any, Any] | None = (1, 5), **knows: Any) -> LlmModel:
    """A listed model that is never asked."""
    return LlmModel(name, ScriptedModel(name, AgentScript.of().answer), LlmPrice(*price) if price else None, **knows)


SMALL = model("small", (1, 2), context=8_000, fast=True)
SAME = model("same", (2, 1), context=8_000)
STRONG = model("strong", (3, 15), strength="strong", vision=True)
UNPRICED = model("unpriced", None, vision=True)
ALL = LlmSetup([STRONG, SMALL, SAME, UNPRICED])


@pytest.mark.parametrize(
    ("needs", "picked"),
    [
        (ModelNeeds(), "small"),
        (ModelNeeds(strength="strong"), "strong"),
        (ModelNeeds(vision=True), "strong"),
        (ModelNeeds(context=100_000), "strong"),
        (ModelNeeds(fast=True, tools=True), "small"),
        (ModelNeeds(name="unpriced"), "unpriced"),
        (ModelNeeds(max_price=Decimal(2)), "small"),
        (ModelNeeds(context=8_000), "small"),
    ],
    ids=str,
)
def test_cheapest_that_meets_every_need(needs: ModelNeeds, picked: str) -> None:
    """The cheapest listed model that meets every need; of equal ones the first listed; an unknown price comes last (O61)."""
    assert ALL.pick(needs).name == picked


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        (ModelNeeds(name="none"), "strong is not none"),
        (ModelNeeds(strength="strong", fast=True), "strong is not fast; small is not strong"),
        (ModelNeeds(max_price=Decimal(1)), "unpriced has no known price"),
        (ModelNeeds(max_price=Decimal(1)), r"small costs more than \$1 per million tokens"),
        (ModelNeeds(vision=True, context=10_000, name="small"), "small holds 8,000 tokens, not 10,000"),
        (ModelNeeds(vision=True, name="same"), "same sees no pictures"),
    ],
    ids=str,
)
def test_none_fits_and_each_says_why(needs: ModelNeeds, told: str) -> None:
    """Where none fits, nothing is spent, and of each model the need is named that it does not meet (O61)."""
    with pytest.raises(ModelMissing, match=told):
        ALL.pick(needs)


def test_a_model_without_tools() -> None:
    """What calls no tools is no model for a job that needs them."""
    with pytest.raises(ModelMissing, match="deaf calls no tools"):
        LlmSetup([model("deaf", tools=False)]).pick(ModelNeeds(tools=True))


def test_empty_list_is_told() -> None:
    """An app that lists no model is told so."""
    with pytest.raises(ModelMissing, match="the app lists no model"):
        LlmSetup([]).pick(ModelNeeds())


def test_router_of_the_app() -> None:
    """An app may bring its own router (O61)."""
    assert LlmSetup([SMALL, STRONG], router=lambda models, _: models[-1]).pick(ModelNeeds()) is STRONG


def test_names_are_unique() -> None:
    """Two models of one name are refused: a receipt could not tell them apart (O59)."""
    with pytest.raises(SetupError, match="Two models are called 'small'"):
        LlmSetup([SMALL, model("small")])
