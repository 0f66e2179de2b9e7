"""The firm's app, open, with everybody in their seats."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier import AgentSeat, LlmPrice, Metier
from metier.config import Settings
from metier.testing import AgentScript, Says, ScriptedModel

from .shop import BOSS, SENT, setup

Open = Callable[..., Metier]


@pytest.fixture
def firm(tmp_path: Path) -> Iterator[Open]:
    """Opens the firm's app over one record, with a script in the model's place."""
    with ExitStack() as stack:

        def opened(*steps: Says, answer: Any = None, seated: bool = True, **how: Any) -> Metier:
            agents = how.pop("agents", None) or setup(**how)
            model = ScriptedModel(
                "test",
                answer or AgentScript.of(*steps).answer,
                price=LlmPrice(Decimal(1), Decimal(1)),
                max_output_tokens=1000,
            )
            settings = Settings(project=str(tmp_path), giver="Ada")
            app = stack.enter_context(Metier(settings=settings, model=model, agents=agents, record=tmp_path / "r.db"))
            for agent in ("Counter", "Clerk", "Former") if seated else ():
                app.seat(AgentSeat(agent, sponsor=BOSS))
            return app

        yield opened
    SENT.clear()
