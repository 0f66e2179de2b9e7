"""OpenAI's chat completions, as they are published."""

from typing import Any

from .server import Received, Reply
from .speech import Said, event, in_pieces

TOLD = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 5},
}
FRAME = {"id": "chatcmpl-1", "created": 1, "model": "m"}


class Chat:
    """The language of chat completions."""

    name = "openai:m"
    path = "/v1/chat/completions"
    grows = "messages"
    stays: tuple[str, ...] = ("tools",)
    sealed = ""

    def address(self, url: str) -> str:
        return f"{url}/v1"

    def whole(self, said: Said) -> Any:
        calls = [
            {"id": one, "type": "function", "function": {"name": name, "arguments": arguments}}
            for one, name, arguments in said.calls
        ]
        message = {"role": "assistant", "content": said.text or None, **({"tool_calls": calls} if calls else {})}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
        return {**FRAME, "object": "chat.completion", "choices": [choice], "usage": TOLD}

    def stream(self, said: Said) -> list[str]:
        events = [_delta({"role": "assistant", "content": ""})]
        events += [_delta({"content": piece}) for piece in in_pieces(said.text)]
        for place, (one, name, arguments) in enumerate(said.calls):
            function = {"name": name, "arguments": ""}
            events.append(
                _delta({"tool_calls": [{"index": place, "id": one, "type": "function", "function": function}]})
            )
            for piece in in_pieces(arguments):
                events.append(_delta({"tool_calls": [{"index": place, "function": {"arguments": piece}}]}))
        events.append(_delta({}, "tool_calls" if said.calls else "stop"))
        events.append(event({**FRAME, "object": "chat.completion.chunk", "choices": [], "usage": TOLD}))
        return [*events, "data: [DONE]\n\n"]

    def streamed(self, received: Received) -> bool:
        return received.body.get("stream") is True

    def error_event(self) -> str:
        return event({"error": {"message": "overloaded", "type": "server_error", "code": "server_error"}})

    def error(self, message: str, status: int) -> Any:
        return {"error": {"message": message, "type": "some_error", "code": None, "param": None}}

    def busy(self, message: str, seconds: str) -> Reply:
        return Reply.of_json(self.error(message, 429), status=429, Retry_After=seconds)

    def tools(self, body: Any) -> list[tuple[str, str, Any]]:
        functions = [tool["function"] for tool in body.get("tools", ())]
        assert not any(function.get("strict") for function in functions)
        return [(one["name"], one["description"], one["parameters"]) for one in functions]

    def results(self, body: Any) -> list[tuple[str, str]]:
        return [(one["tool_call_id"], one["content"]) for one in body["messages"] if one["role"] == "tool"]

    def max_tokens(self, body: Any) -> int:
        most: int = body["max_tokens"]
        return most

    def forced(self, body: Any) -> str | None:
        choice = body.get("tool_choice")
        return choice["function"]["name"] if isinstance(choice, dict) else None


def _delta(delta: Any, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({**FRAME, "object": "chat.completion.chunk", "choices": [choice]})
