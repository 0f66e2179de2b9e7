"""Which models does an app list, and may they be paid for?"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..domain.needs import ModelNeeds
from ..errors import SetupError
from .llm_model import LlmModel
from .router import Router, cheapest


@dataclass(slots=True)
class LlmSetup:
    """The models of an app (O59, O61, O64, O122).

    Raises:
        SetupError: two of them have the same name.
    """

    models: Sequence[LlmModel]
    router: Router = field(default=cheapest, kw_only=True)
    """Picks the model of a job from what it needs; the cheapest that fits, if none is given."""
    spending: bool = field(default=True, kw_only=True)
    """Whether models may be called. Set it to False, and no new call is made from that moment on (O64)."""

    def __post_init__(self) -> None:
        names = [model.name for model in self.models]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SetupError(f"Two models are called {twice!r}.", hint="Give each its own name.")

    def pick(self, needs: ModelNeeds) -> LlmModel:
        """The model of a job.

        Raises:
            ModelMissing: none meets what the job needs.
        """
        return self.router(self.models, needs)
