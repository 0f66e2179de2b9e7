"""Does anything run on a budget without a price?

differs = "a model whose price is not known is refused with or without a budget; `--unpriced` lets it run, and the receipt says
that its cost counts for nothing"
"""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.domain.message import Answer, ModelMessage, Request
from metier.domain.money import LlmPrice, Usage
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec
from metier.models.llm_model import LlmModel
from metier.testing import ScriptedModel

from ..case import Case, Happened

JOB = SkillSpec("job", "Say so.", job=Job(budget=Decimal(1)))
EXPECTED = {
    "without a price": ("Refused", "unpriced", 0, False),
    "asked": 0,
    "allowed": ("Done", "answered", 1, False),
    "free-small": ("Done", "answered", 1, True),
    "paid-large": ("Done", "answered", 1, True),
    "paid-large with a long text": ("Failed", "budget", 0, True),
    "models": ["acme-9", "acme-9", "free-small", "paid-large", "paid-large"],
}


def happens(case: Case, folder: Path) -> Happened:
    """The model without a price, then those whose prices are given, one of them with more to send than is paid for."""
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        asked.append(request)
        return Answer(ModelMessage("done"), Usage(1, 1))

    prices = {
        name: LlmPrice(Decimal(one["fresh"]), Decimal(one["output"])) for name, one in case.read("prices.toml").items()
    }

    def plays(name: str, **how: Any) -> Receipt:
        model = LlmModel(name, ScriptedModel(name, answer).client, prices.get(name))

        async def go() -> Receipt:
            async with Metier(project=folder, record=False, model=model) as app:
                return await app.arun(JOB, **how)

        return asyncio.run(go())

    first = plays("acme-9")
    facts: dict[str, Any] = {"without a price": _facts(first), "asked": len(asked)}
    # 120,000 bytes may be as many tokens, and those would cost $1.20 before one is answered.
    others = [
        plays("acme-9", unpriced=True),
        plays("free-small"),
        plays("paid-large"),
        plays("paid-large", input="x" * 120_000),
    ]
    facts |= dict(zip(("allowed", *prices, "paid-large with a long text"), map(_facts, others), strict=True))
    facts["models"] = [one.model for one in (first, *others)]
    return Happened("ok" if first.done else "error", facts=facts)


def _facts(receipt: Receipt) -> tuple[str, str, int, bool]:
    return receipt.state, receipt.reason, receipt.model_calls, receipt.priced
