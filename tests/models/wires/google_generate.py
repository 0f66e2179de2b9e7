"""Google's Gemini, as it is published: an address for each way of answering, and calls that come in one piece."""

import base64
import json
from collections.abc import Iterator
from typing import Any

from .server import Received, Reply
from .speech import Said, event, in_pieces

MODEL = "gemini-3.8-flash"
SEALED = base64.b64encode(b"signed by the provider").decode()
THOUGHT = {"text": "Let me see.", "thought": True}
CODES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
DETAIL = "type.googleapis.com/google.rpc."


class Generate:
    """The language of generateContent."""

    name = f"google:{MODEL}"
    path = f"/v1beta/models/{MODEL}:generateContent"
    grows = "contents"
    stays: tuple[str, ...] = ("systemInstruction", "tools")
    sealed = SEALED

    def address(self, url: str) -> str:
        return url

    def streamed(self, received: Received) -> bool:
        return received.path == f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse"

    def whole(self, said: Said) -> Any:
        return chunk([THOUGHT, *_parts(said)], told(15), finished="STOP")

    def stream(self, said: Said) -> list[str]:
        pieces = [{"text": piece} for piece in in_pieces(said.text)]
        coming = [THOUGHT, *pieces, *_parts(Said("", said.calls))]
        chunks = [chunk([part], told(min(place, 14))) for place, part in enumerate(coming)]
        return [event(one) for one in [*chunks, chunk([{"text": ""}], told(15), finished="STOP")]]

    def error_event(self) -> str:
        return event(self.error("overloaded", 503))

    def error(self, message: str, status: int) -> Any:
        return refusal(message, status)

    def busy(self, message: str, seconds: str) -> Reply:
        detail = {"@type": f"{DETAIL}RetryInfo", "retryDelay": f"{seconds}s"}
        return Reply.of_json(refusal(message, 429, detail), status=429)

    def tools(self, body: Any) -> list[tuple[str, str, Any]]:
        declared = [one for tool in body.get("tools", ()) for one in tool["functionDeclarations"]]
        # Its client sends this one name with underscores; the service reads both spellings.
        return [(one["name"], one["description"], one["parameters_json_schema"]) for one in declared]

    def results(self, body: Any) -> list[tuple[str, str]]:
        answers = [part["functionResponse"] for part in _told_parts(body) if "functionResponse" in part]
        return [(one["id"], "".join(one["response"].values())) for one in answers]

    def max_tokens(self, body: Any) -> int:
        most: int = body["generationConfig"]["maxOutputTokens"]
        return most

    def forced(self, body: Any) -> str | None:
        config = body["toolConfig"]["functionCallingConfig"]
        if config["mode"] != "ANY":
            return None
        (name,) = config["allowedFunctionNames"]
        return str(name)


def told(candidates: int) -> Any:
    """The tokens so far: what is cached is among those of the prompt, what is thought is beside those of the answer."""
    counts = {"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": candidates}
    return {**counts, "thoughtsTokenCount": 5, "totalTokenCount": 105 + candidates}


def chunk(parts: list[Any], usage: Any, *, finished: str = "", **more: Any) -> Any:
    """One answer, or one event of a stream, with these parts."""
    ending = {"finishReason": finished} if finished else {}
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, **ending, **more}
    frame = {"modelVersion": MODEL, "responseId": "r_1"}
    return {"candidates": [candidate], "usageMetadata": usage, **frame}


def refusal(message: str, status: int, *details: Any) -> Any:
    """The body of an error."""
    return {"error": {"code": status, "message": message, "status": CODES[status], "details": list(details)}}


def _parts(said: Said) -> list[Any]:
    words = [{"text": said.text}] if said.text else []
    calls: list[Any] = [
        {"functionCall": {"id": one, "name": name, "args": json.loads(arguments)}}
        for one, name, arguments in said.calls
    ]
    if calls:
        # Only the first call of an answer is signed.
        calls[0]["thoughtSignature"] = SEALED
    return [*words, *calls]


def _told_parts(body: Any) -> Iterator[Any]:
    return (part for content in body["contents"] for part in content["parts"])
