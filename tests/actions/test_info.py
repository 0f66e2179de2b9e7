"""What is told of an action."""

import json
from collections.abc import Callable
from decimal import Decimal

import pytest

from metier.actions.declared import in_words
from metier.actions.function import action, action_of
from metier.actions.info import Actions
from metier.errors import ActionError


@action("Look up the parts a fault needs", query=True)
def PartsFor(fault: str) -> list[str]:
    """The parts a fault needs."""
    return ["brake pads"] if "brake" in fault else []


@action("Set the price")
def set_price(repair: str, price: Decimal) -> str:  # noqa: D417 - what is plain is not told
    """Set what the customer is charged.

    Args:
        repair: the repair that it is for
    """
    return f"{repair} costs {price}."


@action(query=True, loads=True, label="Fetch a page")
def fetch_url(url: str) -> str:
    """Fetch a page.

    It may be long.
    """
    return url


def test_info_is_the_functions_own() -> None:
    """Name, label, description, schema and effects are told, each from the function alone (O38, O39, O40, O41, O50)."""
    parts, price, fetch = (Actions.of(one) for one in (PartsFor, set_price, fetch_url))
    assert [one.action for one in (parts, price, fetch)] == ["PartsFor", "set_price", "fetch_url"]
    assert [one.label for one in (parts, price, fetch)] == ["Parts for", "Set price", "Fetch a page"]
    assert (parts.description, fetch.description) == ("Look up the parts a fault needs", "Fetch a page.")
    assert [one.reads_only for one in (parts, price, fetch)] == [True, False, False]
    assert [one.changes for one in (parts, price, fetch)] == [False, True, False]
    assert [one.sends for one in (parts, price, fetch)] == [False, True, False]


def test_schema_is_compact_text() -> None:
    """The schema of the parameters is compact JSON text, with a decimal as a number and each described (O34, O50)."""
    text = Actions.of(set_price).parameters_schema
    assert '"price":{"type":"number"}' in text
    assert json.loads(text) == action_of(set_price).parameters
    assert json.loads(text)["properties"]["repair"]["description"] == "the repair that it is for"


def test_info_is_equal_to_itself() -> None:
    """Two looks at one function are equal, and name it when shown."""
    assert Actions.of(PartsFor) == Actions.of(PartsFor) != Actions.of(set_price)
    assert len({Actions.of(PartsFor), Actions.of(PartsFor)}) == 1
    assert repr(Actions.of(PartsFor)) == "<query PartsFor: Look up the parts a fault needs>"


def test_undecorated_function_is_told() -> None:
    """A function that is no action is an error that names it and says what to do (O39)."""
    with pytest.raises(ActionError, match=r"test_schema_is_compact_text is no action") as told:
        Actions.of(test_schema_is_compact_text)
    assert "@action" in told.value.hint


def test_two_of_one_name_are_told() -> None:
    """Two functions of one name cannot be listed together; one that is listed twice counts once (O39)."""
    listed = [Actions.of(PartsFor), Actions.of(set_price), Actions.of(PartsFor)]
    assert list(Actions.by_name(listed)) == ["PartsFor", "set_price"]
    with pytest.raises(
        ActionError, match=r"Two actions are called 'set_price': .*\.set_price and .*<locals>\.set_price"
    ):
        Actions.by_name([*listed, Actions.of(_other())])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parts_for", "Parts for"),
        ("PartsFor", "Parts for"),
        ("readURL", "Read URL"),
        ("XMLFile2Text", "XML file2 text"),
        ("a", "A"),
    ],
)
def test_names_are_told_in_words(name: str, words: str) -> None:
    """People read a name as words (O50)."""
    assert in_words(name) == words


def _other() -> Callable[[], None]:
    @action(query=True)
    def set_price() -> None:
        """Another."""

    return set_price
