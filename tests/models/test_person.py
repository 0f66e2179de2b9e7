"""A person who plays the model."""

import asyncio

import pytest

from metier.domain.compact import compact
from metier.domain.message import Answer, Message, ModelMessage, Request, ToolCall, ToolMessage, ToolSpec, UserMessage
from metier.models.person import PersonClient
from metier.testing import ScriptedPerson

LOOK = ToolSpec(
    "look",
    "Looks.",
    {
        "type": "object",
        "properties": {
            "q": {"type": "string", "description": "what for"},
            "most": {"type": "integer"},
            "tags": {"type": "array"},
        },
        "required": ["q"],
    },
)


def play(person: ScriptedPerson, *, tools: tuple[ToolSpec, ...] = (LOOK,)) -> Answer:
    """One request to the person."""
    return asyncio.run(PersonClient(person).whole(Request("be good", [UserMessage("the task")], tools, 100)))


def test_person_sees_what_a_model_would() -> None:
    """The system prompt, the task and the tools with their schemas are shown before anything is asked."""
    person = ScriptedPerson(["so"])
    assert play(person).message == ModelMessage("so")
    tools = f"--- tools ---\n  1. look - Looks.\n     {compact(LOOK.parameters)}"
    assert person.shown == ["--- system ---\nbe good", "--- task ---\nthe task", tools]


def test_tool_is_picked_and_filled() -> None:
    """A number picks a tool; its arguments are asked one by one and read as the schema says."""
    person = ScriptedPerson(["1", "7", "3", '["a"]'])
    assert play(person).message.calls == (ToolCall("me1", "look", {"q": "7", "most": 3, "tags": ["a"]}),)
    assert person.asked[1:] == ["q (what for)", "most [may be empty]", "tags [may be empty]"]


def test_empty_arguments_are_left_out() -> None:
    """What may be empty and is, is left out; what is needed is given as it was typed."""
    assert play(ScriptedPerson(["1", "", "", ""])).message.calls[0].arguments == {"q": ""}


def test_wrong_json_stays_text() -> None:
    """What is typed for a number and is none goes on as text: the schema answers it as it would a model."""
    assert play(ScriptedPerson(["1", "a", "many", ""])).message.calls[0].arguments == {"q": "a", "most": "many"}


def test_unknown_number_is_asked_again() -> None:
    """A number that is no tool, and an empty line, are asked again."""
    person = ScriptedPerson(["", "9", "0", "so"])
    assert play(person).message.text == "so"
    assert person.shown[-2:] == ["There is no tool 9.", "There is no tool 0."]


def test_only_what_is_new_is_shown() -> None:
    """At the second turn only the new messages are shown, answers to calls with how they came out."""
    person, messages = ScriptedPerson(["1", "a", "", "", "so"]), list[Message]([UserMessage("the task")])
    client = PersonClient(person)

    async def two_turns() -> None:
        answer = await client.whole(Request("be good", messages, (LOOK,), 100))
        person.shown.clear()
        messages.extend([answer.message, ToolMessage("me1", "look", "none", ok=False)])
        await client.whole(Request("be good", messages, (), 100))

    asyncio.run(two_turns())
    assert person.shown[-2:] == ["--- answer of look (failed) ---\nnone", "--- no tools ---"]
    assert not any("system" in text or "the task" in text for text in person.shown)


def test_person_who_leaves_ends_it() -> None:
    """When no more lines come the client fails, as a model's would."""
    with pytest.raises(EOFError):
        play(ScriptedPerson([]))


def test_stream_is_the_whole_answer() -> None:
    """A person's answer comes at once (O62)."""

    async def pieces() -> list[object]:
        client = PersonClient(ScriptedPerson(["so"]))
        return [piece async for piece in client.stream(Request("", [], (), 100))]

    assert asyncio.run(pieces()) == [Answer(ModelMessage("so"))]
