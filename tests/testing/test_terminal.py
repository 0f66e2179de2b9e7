"""A person, written down."""

import asyncio

import pytest

from metier.testing import ScriptedPerson


def test_lines_come_in_order_and_end() -> None:
    """Each question gets the next line, until there are none; what was shown and asked is kept."""

    async def talk() -> ScriptedPerson:
        person = ScriptedPerson(["a", "b"])
        await person.show("hello")
        assert [await person.ask("1?"), await person.ask("2?")] == ["a", "b"]
        with pytest.raises(EOFError):
            await person.ask("3?")
        return person

    person = asyncio.run(talk())
    assert (person.shown, person.asked) == (["hello"], ["1?", "2?", "3?"])
