"""How does a person play the model?

The person sees what a model would be sent, whole at first and then what is new, answers in words or picks a tool, and
fills in its arguments one by one. So any skill can be tried without a key.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from ..domain.compact import compact
from ..domain.exact import read_json
from ..domain.message import Answer, Message, ModelMessage, Request, TextPiece, ToolCall, ToolMessage, ToolSpec
from ..domain.ports import Person


class PersonClient:
    """The client behind the model `me`."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._shown = 0
        self._calls = 0

    async def whole(self, request: Request) -> Answer:
        """Show what is new, and ask for an answer."""
        await self._show(request)
        while True:
            said = (await self._person.ask("Answer in words, or type a tool's number")).strip()
            if not said:
                continue
            if not said.isdecimal():
                return Answer(ModelMessage(said))
            place = int(said)
            if 1 <= place <= len(request.tools):
                tool = request.tools[place - 1]
                arguments = await self._fill(tool)
                self._calls += 1
                return Answer(ModelMessage("", (ToolCall(f"me{self._calls}", tool.name, arguments),)))
            await self._person.show(f"There is no tool {place}.")

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        """The whole answer: a person types it at once."""
        yield await self.whole(request)

    async def _show(self, request: Request) -> None:
        first = not self._shown
        if first:
            await self._person.show(f"--- system ---\n{request.system}")
        for message in request.messages[self._shown :]:
            await self._person.show(_in_words(message))
        self._shown = len(request.messages)
        lines = [line for place, tool in enumerate(request.tools, 1) for line in _tool(place, tool, whole=first)]
        await self._person.show("\n".join(["--- tools ---", *lines]) if lines else "--- no tools ---")

    async def _fill(self, tool: ToolSpec) -> Mapping[str, Any]:
        members = tool.parameters.get("properties") or {}
        required = tool.parameters.get("required") or ()
        arguments: dict[str, Any] = {}
        for name, schema in members.items():
            needed = name in required
            told = f" ({schema['description']})" if isinstance(schema, dict) and schema.get("description") else ""
            said = await self._person.ask(f"{name}{told}{'' if needed else ' [may be empty]'}")
            if said or needed:
                arguments[name] = _typed(said, schema if isinstance(schema, dict) else {})
        return arguments


def _typed(said: str, schema: Mapping[str, Any]) -> Any:
    """What was typed, as the schema wants it: a text stays a text, all else is read as JSON where it is JSON."""
    if schema.get("type") == "string":
        return said
    try:
        return read_json(said)
    except ValueError:
        return said


def _tool(place: int, tool: ToolSpec, *, whole: bool) -> list[str]:
    """A tool as the model is offered it; its schema the first time only, for it stays the same."""
    schema = [f"     {compact(tool.parameters)}"] if whole else []
    return [f"  {place}. {tool.name} - {tool.description}", *schema]


def _in_words(message: Message) -> str:
    if isinstance(message, ToolMessage):
        return f"--- answer of {message.name}{'' if message.ok else ' (failed)'} ---\n{message.text}"
    if isinstance(message, ModelMessage):
        calls = "".join(f"\n{call.name} {compact(call.arguments)}" for call in message.calls)
        return f"--- you ---\n{message.text}{calls}"
    return f"--- task ---\n{message.text}"
