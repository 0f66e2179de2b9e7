"""What a body is given beside its arguments, for bodies that do not use it."""

from collections.abc import Mapping
from typing import Any

from metier.domain.action import Action
from metier.domain.call import Answered


class NoHands:
    """Hands that must not be used."""

    call_id = "c1"
    key = "t:c1"

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        raise NotImplementedError

    def keep(self, data: bytes) -> str:
        raise NotImplementedError

    def keep_file(self, path: str) -> str:
        raise NotImplementedError
