"""What carries a permitted call out."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from metier.domain.action import Action, Hands, Returned
from metier.domain.call import Answered, Call
from metier.gate.permit import Permit, carry_out


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


def carried(answer: Any) -> Returned:
    """What comes of a body that answers so."""

    async def body(arguments: Mapping[str, Any], hands: Hands) -> Any:
        assert (arguments, hands.call_id) == ({"n": 1}, "c1")
        return answer

    permit = Permit(Call("c1", "act", {"n": 2}, 1), Action("act", "", {}, body), {"n": 1}, "alone")
    return asyncio.run(carry_out(permit, NoHands()))


def test_stored_arguments_are_what_runs() -> None:
    """What runs is what the permit holds, whatever the call said (O83)."""
    assert carried(None) == Returned(None)


@pytest.mark.parametrize("answer", [0, "", [], {"a": 1}])
def test_plain_answers_are_wrapped(answer: Any) -> None:
    """A bare value is a success with that value; a whole answer stays itself."""
    assert carried(answer) == Returned(answer)
    whole = Returned(text="no", ok=False)
    assert carried(whole) is whole
