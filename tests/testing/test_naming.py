"""By which name a test means an action."""

import pytest

from metier import Actions, action
from metier.domain.action import Action, Hands, Returned
from metier.testing import Says, Trajectory
from metier.testing.naming import name_of


@action("Look", query=True)
def look(word: str) -> int:
    """Its length."""
    return len(word)


async def _body(_: object, __: Hands) -> Returned:
    return Returned(text="")


LOOK = Action("look", "Looks.", {"type": "object"}, _body, frozenset({"reads"}))


@pytest.mark.parametrize("named", ["look", Actions.of(look), LOOK])
def test_action_has_a_name(named: object) -> None:
    """It is a text, what `Actions.of` answers, or an action itself (O112, O114)."""
    assert name_of(named) == "look"


def test_function_is_refused() -> None:
    """A test that asks for a function itself would hold whatever was called."""
    with pytest.raises(TypeError, match=r"give its name, or Actions\.of"):
        Trajectory.called("last", look)
    with pytest.raises(TypeError, match="names no action"):
        Says.tool(look)  # type: ignore[arg-type]  # what is refused
