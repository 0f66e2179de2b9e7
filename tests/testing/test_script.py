"""A model's part, written down."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import pytest
from pydantic import BaseModel
from sqlalchemy import create_engine
from sqlalchemy.orm import Session
from workshop import Base, Repair

from metier import Metier
from metier.domain.message import Message, ModelMessage, Request, ToolCall, UserMessage
from metier.domain.money import Usage
from metier.testing import AgentScript, Says


class Members(TypedDict):
    """A TypedDict."""

    hours: float


class Model(BaseModel):
    """A pydantic model."""

    hours: float


class Plain:
    """An annotated class."""

    hours: float


@dataclass
class Value:
    """A dataclass."""

    hours: float


PLAIN = Plain()
PLAIN.hours = 1.5


def request(*answers: ModelMessage) -> Request:
    """A request that holds these answers already."""
    messages: list[Message] = [UserMessage("the task"), *answers]
    return Request("", messages, [], 100)


def test_steps_are_taken_in_order() -> None:
    """Each time it is asked the script is one step further, told by the answers that the request holds (O112)."""
    script = AgentScript.of(Says.text("one"), Says.text("two"))
    assert script.answer(request()).message.text == "one"
    assert script.answer(request(ModelMessage("one"))).message.text == "two"
    assert script.answer(request()).message.text == "one"


def test_calls_have_ids_of_their_own() -> None:
    """Every call of a script has its own id."""
    script = AgentScript.of(Says.many(Says.text("a"), Says.tool("look", {"q": 1}), Says.tool("find"), Says.text("b")))
    message = script.answer(request()).message
    assert message.text == "a b"
    assert message.calls == (ToolCall("s1.1", "look", {"q": 1}), ToolCall("s1.2", "find", {}))


def test_results_are_handed_back() -> None:
    """Handing back is a call of `hand_back`, and a text stands for arguments that are no JSON (O21)."""
    assert Says.hand_back({"n": 1}).calls == (("hand_back", {"n": 1}),)
    assert Says.tool("look", "{").calls == (("look", "{"),)


def test_tokens_are_as_written() -> None:
    """A step is reported to have used what it says."""
    assert AgentScript.of(Says.text("a").tokens(5, 6)).answer(request()).usage == Usage(5, 6)


def test_client_may_fail() -> None:
    """A step may be a failing client."""
    with pytest.raises(ConnectionError, match="no route"):
        AgentScript.of(Says.error("no route")).answer(request())


def test_script_has_an_end() -> None:
    """A script that is asked too often says so."""
    with pytest.raises(AssertionError, match="has 1 step and was asked for step 2, after ModelMessage 'a'"):
        AgentScript.of(Says.text("a")).answer(request(ModelMessage("a")))


def test_what_was_asked_too_often_is_kept() -> None:
    """A test can tell afterwards that its script was too short (O116)."""
    script = AgentScript.of()
    with pytest.raises(AssertionError) as failed:
        script.answer(request())
    assert script.asked_past == [str(failed.value)]


def test_steps_up_to_the_furthest_are_used() -> None:
    """A task that goes on from a later step has not left out what came before (O116)."""
    script = AgentScript.of(Says.text("one"), Says.text("two"), Says.tool("look", {"q": 1}))
    script.answer(object(), request(ModelMessage("one")))
    assert (script.taken, script.unused) == (2, ['step 3: look {"q":1}'])


@pytest.mark.parametrize(
    "result", [{"hours": 1.5}, '{"hours": 1.5}', Members(hours=1.5), Model(hours=1.5), PLAIN, Value(1.5)]
)
def test_result_is_written_as_data(result: object) -> None:
    """A result is given in any form that a job can have (O112)."""
    assert Says.hand_back(result).calls == (("hand_back", {"hours": 1.5}),)


def test_row_is_handed_back_by_its_id(tmp_path: Path) -> None:
    """It is written by the rows of the app that is open."""
    engine = create_engine(f"sqlite:///{tmp_path / 'shop.db'}")
    Base.metadata.create_all(engine)
    with Session(engine, expire_on_commit=False) as rows:
        rows.add(repair := Repair(ticket="T-7", fault="brake"))
        rows.commit()
    with Metier(project=tmp_path, record=False, rows=engine):
        assert Says.hand_back(repair).calls == (("hand_back", {"id": "1"}),)
    engine.dispose()


def test_result_is_an_object() -> None:
    """No job hands back a bare number, so a script that would is wrong."""
    with pytest.raises(TypeError, match="3 is no result"):
        Says.hand_back(3)
