"""Which of the app's models does a job get?

The cheapest listed one that meets every need, the first listed of equal ones (O61). Nothing is spent to find out.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal

from ..domain.needs import ModelNeeds
from ..errors import ModelMissing
from .llm_model import LlmModel

Router = Callable[[Sequence[LlmModel], ModelNeeds], LlmModel]
"""Picks one of the listed models, or raises ModelMissing. An app may bring its own."""

DEAREST = Decimal("Infinity")
"""Where a model without a known price stands: after all others."""


def cheapest(models: Sequence[LlmModel], needs: ModelNeeds) -> LlmModel:
    """The cheapest model that meets every need.

    Raises:
        ModelMissing: none does; the message says of each which need it does not meet.
    """
    lacking = {model.name: _lacks(model, needs) for model in models}
    fitting = [model for model in models if not lacking[model.name]]
    if fitting:
        return min(fitting, key=_price)  # the first of equal ones
    told = "; ".join(f"{name} {lack}" for name, lack in lacking.items()) or "the app lists no model"
    raise ModelMissing(
        f"No listed model meets what the job needs: {told}.", hint="List such a model, or ask for less in `needs`."
    )


def _lacks(model: LlmModel, needs: ModelNeeds) -> str:
    """The first need that a model does not meet, in words; empty when it meets all."""
    too_dear = needs.max_price is not None and _dearest(model) > needs.max_price
    looked_at = (
        (needs.name not in ("", model.name), f"is not {needs.name}"),
        (needs.strength == "strong" != model.strength, "is not strong"),
        (_holds(model) < needs.context, f"holds {model.context or 0:,} tokens, not {needs.context:,}"),
        (too_dear and model.price is None, "has no known price"),
        (too_dear, f"costs more than ${needs.max_price} per million tokens"),
        (needs.vision and not model.vision, "sees no pictures"),
        (needs.tools and not model.tools, "calls no tools"),
        (needs.fast and not model.fast, "is not fast"),
    )
    return next((words for lacks, words in looked_at if lacks), "")


def _holds(model: LlmModel) -> float:
    return float("inf") if model.context is None else model.context


def _price(model: LlmModel) -> Decimal:
    return DEAREST if model.price is None else model.price.input + model.price.output


def _dearest(model: LlmModel) -> Decimal:
    price = model.price
    if price is None:
        return DEAREST
    return max(price.input, price.output, price.cache_read or price.input, price.cache_write or price.input)
