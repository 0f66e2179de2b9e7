"""OpenAI's responses, as they are published."""

from typing import Any

from .server import Received, Reply
from .speech import Said, event, in_pieces

TOLD = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 60},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 5},
    "total_tokens": 120,
}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed by the provider"}


class Responses:
    """The language of responses."""

    name = "openai-responses:gpt-5"
    path = "/v1/responses"
    grows = "input"
    stays: tuple[str, ...] = ("tools",)
    sealed = "sealed by the provider"

    def address(self, url: str) -> str:
        return f"{url}/v1"

    def whole(self, said: Said) -> Any:
        return _response([THOUGHT, *_items(said)], "completed")

    def stream(self, said: Said) -> list[str]:
        events: list[Any] = [{"type": "response.created", "response": _response([], "in_progress")}]
        for place, item in enumerate([THOUGHT, *_items(said)]):
            events += _coming(item, place)
        events.append({"type": "response.completed", "response": _response([THOUGHT, *_items(said)], "completed")})
        return [event({**one, "sequence_number": number}, named=True) for number, one in enumerate(events)]

    def streamed(self, received: Received) -> bool:
        return received.body.get("stream") is True

    def error_event(self) -> str:
        data = {"type": "error", "code": "server_error", "message": "overloaded", "param": None, "sequence_number": 9}
        return event(data, named=True)

    def error(self, message: str, status: int) -> Any:
        return {"error": {"message": message, "type": "some_error", "code": None, "param": None}}

    def busy(self, message: str, seconds: str) -> Reply:
        return Reply.of_json(self.error(message, 429), status=429, Retry_After=seconds)

    def tools(self, body: Any) -> list[tuple[str, str, Any]]:
        assert not any(tool.get("strict") for tool in body.get("tools", ()))
        return [(one["name"], one["description"], one["parameters"]) for one in body.get("tools", ())]

    def results(self, body: Any) -> list[tuple[str, str]]:
        return [(one["call_id"], one["output"]) for one in body["input"] if one.get("type") == "function_call_output"]

    def max_tokens(self, body: Any) -> int:
        most: int = body["max_output_tokens"]
        return most

    def forced(self, body: Any) -> str | None:
        choice = body.get("tool_choice")
        return choice["name"] if isinstance(choice, dict) else None


def _items(said: Said) -> list[Any]:
    content = [{"type": "output_text", "text": said.text, "annotations": []}]
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{one}",
            "call_id": one,
            "name": name,
            "arguments": arguments,
            "status": "completed",
        }
        for one, name, arguments in said.calls
    ]
    return [*([message] if said.text else []), *calls]


def _response(output: list[Any], status: str) -> Any:
    told = {"usage": TOLD} if status == "completed" else {}
    frame = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5", "status": status}
    return {**frame, "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], **told}


def _coming(item: Any, place: int) -> list[Any]:
    """The events by which one item comes."""
    at = {"output_index": place, "item_id": item["id"]}
    events: list[Any] = []
    begun = dict(item)
    if item["type"] == "message":
        text, part = item["content"][0]["text"], {"type": "output_text", "text": "", "annotations": []}
        begun |= {"content": [], "status": "in_progress"}
        at["content_index"] = 0
        events.append({"type": "response.content_part.added", **at, "part": part})
        events += [
            {"type": "response.output_text.delta", **at, "delta": one, "logprobs": []} for one in in_pieces(text)
        ]
        events.append({"type": "response.output_text.done", **at, "text": text, "logprobs": []})
        events.append({"type": "response.content_part.done", **at, "part": item["content"][0]})
    if item["type"] == "function_call":
        begun |= {"arguments": "", "status": "in_progress"}
        deltas = in_pieces(item["arguments"])
        events += [{"type": "response.function_call_arguments.delta", **at, "delta": one} for one in deltas]
        done = {"name": item["name"], "arguments": item["arguments"]}
        events.append({"type": "response.function_call_arguments.done", **at, **done})
    return [
        {"type": "response.output_item.added", "output_index": place, "item": begun},
        *events,
        {"type": "response.output_item.done", "output_index": place, "item": item},
    ]
