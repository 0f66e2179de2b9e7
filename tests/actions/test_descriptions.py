"""What the code says of members and parameters."""

from collections.abc import Callable
from typing import Annotated, Any

import pydantic
import pytest
import typing_extensions

from metier.actions.descriptions import first_paragraph, of_members, of_parameters, told_by
from metier.actions.function import action, action_of

from .kinds import Crate, Estimate


def google(crate: str, most: int) -> None:
    """Look.

    Args:
        crate (str): the crate
            to look at: all of it
        most: how many

    Returns:
        nothing: at all
    """


def numpy(crate: str, most: int) -> None:
    """Is told of below: this house's own docstrings have another form."""


numpy.__doc__ = """Look.

Parameters
----------
crate : str
    the crate to look at: all of it
most
    how many

Returns
-------
nothing
    at all
"""


def sphinx(crate: str, most: int) -> None:
    """Look.

    :param str crate: the crate to look at: all of it
    :param most: how many
    :returns: nothing
    """


@pytest.mark.parametrize("function", [google, numpy, sphinx])
def test_docstrings_tell_of_parameters(function: Callable[..., Any]) -> None:
    """A docstring's list of parameters is read in each of the usual forms (O40)."""
    assert of_parameters(function, {}) == {"crate": "the crate to look at: all of it", "most": "how many"}


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[int, "how many"],
        Annotated[int, pydantic.Field(ge=1, description="how many")],
        Annotated[int, pydantic.Field(ge=1), "how many"],
        Annotated[int, typing_extensions.Doc("how many")],
    ],
)
def test_annotated_tells(hint: Any) -> None:
    """A text, a `Field` or a `Doc` in an annotation tells of what it annotates (O40)."""
    assert told_by(hint) == "how many"


def test_nearest_word_wins() -> None:
    """What the annotation says counts before the docstring, and both before what the type says of itself (O40)."""

    @action(query=True)
    def look(  # noqa: D417 - one is left out on purpose
        crate: Annotated[Estimate, "the crate's"], other: Estimate, third: Estimate
    ) -> None:
        """Look.

        Args:
            crate: something else
            other: another's
        """

    told = action_of(look).parameters["properties"]
    assert [told[name].get("description") for name in told] == ["the crate's", "another's", None]
    assert action_of(look).parameters["$defs"]["Estimate"]["description"] == "What an estimate says."


def test_members_inherit_their_words() -> None:
    """A class tells what its bases tell, unless it tells otherwise."""

    class Longer(Estimate):
        Summary: str = ""
        """In a few words."""

    assert of_members(Longer) == {"Hours": "How long it takes, in hours.", "Summary": "In a few words."}


def test_made_classes_tell_nothing() -> None:
    """A class without source or without words is simply not told of."""
    assert of_members(type("Made", (), {"__annotations__": {"n": int}})) == {}
    assert of_members(int) == {}
    assert of_members(Crate)["seen"] == "When it was seen."


def test_paragraph_is_one_line() -> None:
    """The first paragraph of a docstring is told as one line."""
    assert first_paragraph("What it\n    says.\n\n    More.") == "What it says."
    assert first_paragraph(None) == ""
