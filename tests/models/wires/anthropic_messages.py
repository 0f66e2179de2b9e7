"""Anthropic's messages, as they are published."""

import json
from typing import Any

from .server import Received, Reply
from .speech import Said, event, in_pieces

TOLD = {"input_tokens": 40, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 0, "output_tokens": 20}
THOUGHT = {"type": "thinking", "thinking": "Let me see.", "signature": "signed by the provider"}
FRAME = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-5-5"}


class Messages:
    """The language of messages."""

    name = "anthropic:claude-haiku-5-5"
    path = "/v1/messages"
    grows = "messages"
    stays: tuple[str, ...] = ("system", "tools")
    sealed = "signed by the provider"

    def address(self, url: str) -> str:
        return url

    def whole(self, said: Said) -> Any:
        stopped = {"stop_reason": "tool_use" if said.calls else "end_turn", "stop_sequence": None}
        return {**FRAME, "content": [THOUGHT, *_blocks(said)], **stopped, "usage": TOLD}

    def stream(self, said: Said) -> list[str]:
        begun: dict[str, Any] = {**FRAME, "content": [], "stop_reason": None, "stop_sequence": None}
        events: list[Any] = [{"type": "message_start", "message": {**begun, "usage": {**TOLD, "output_tokens": 1}}}]
        for place, block in enumerate([THOUGHT, *_blocks(said)]):
            events += _coming(block, place)
        stopped = {"stop_reason": "tool_use" if said.calls else "end_turn", "stop_sequence": None}
        events.append({"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 20}})
        return [event(one, named=True) for one in [*events, {"type": "message_stop"}]]

    def streamed(self, received: Received) -> bool:
        return received.body.get("stream") is True

    def error_event(self) -> str:
        return event({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}, named=True)

    def error(self, message: str, status: int) -> Any:
        return {"type": "error", "error": {"type": "some_error", "message": message}}

    def busy(self, message: str, seconds: str) -> Reply:
        return Reply.of_json(self.error(message, 429), status=429, Retry_After=seconds)

    def tools(self, body: Any) -> list[tuple[str, str, Any]]:
        assert not any(tool.get("strict") for tool in body.get("tools", ()))
        return [(one["name"], one["description"], one["input_schema"]) for one in body.get("tools", ())]

    def results(self, body: Any) -> list[tuple[str, str]]:
        blocks = [block for message in body["messages"] for block in message["content"]]
        return [
            (block["tool_use_id"], "".join(part["text"] for part in block["content"]))
            if isinstance(block["content"], list)
            else (block["tool_use_id"], block["content"])
            for block in blocks
            if block["type"] == "tool_result"
        ]

    def max_tokens(self, body: Any) -> int:
        most: int = body["max_tokens"]
        return most

    def forced(self, body: Any) -> str | None:
        choice = body.get("tool_choice") or {}
        return choice.get("name")


def _blocks(said: Said) -> list[Any]:
    words = [{"type": "text", "text": said.text}] if said.text else []
    calls = [
        {"type": "tool_use", "id": one, "name": name, "input": json.loads(arguments)}
        for one, name, arguments in said.calls
    ]
    return [*words, *calls]


def _coming(block: Any, place: int) -> list[Any]:
    """The events by which one block comes."""
    begun: dict[str, Any] = dict(block)
    deltas: list[Any]
    if block["type"] == "text":
        begun["text"] = ""
        deltas = [{"type": "text_delta", "text": piece} for piece in in_pieces(block["text"])]
    elif block["type"] == "thinking":
        begun |= {"thinking": "", "signature": ""}
        deltas = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    else:
        begun["input"] = {}
        pieces = in_pieces(json.dumps(block["input"]))
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return [
        {"type": "content_block_start", "index": place, "content_block": begun},
        *[{"type": "content_block_delta", "index": place, "delta": delta} for delta in deltas],
        {"type": "content_block_stop", "index": place},
    ]
