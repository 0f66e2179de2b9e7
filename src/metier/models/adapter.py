"""How does a real model answer? The adapter from our two-member seam to the model classes of pydantic-ai.

It is imported only when a real model is chosen: pydantic-ai takes more than half a second to load. Nothing in it retries;
that is the loop's business, since a retry costs money.
"""

from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import contextmanager

from pydantic_ai import messages as foreign
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from ..domain.bound import message_at_most, offered_at_most
from ..domain.message import Answer, ModelMessage, Request, TextPiece, ToolSpec
from ..domain.money import Usage
from ..errors import ModelFailed
from .connection import TOTAL, Connections, Opening
from .conversation import Conversations, message_of
from .failures import failed


class AdapterClient:
    """A client over a model of pydantic-ai. It may serve many tasks at once.

    Args:
        model: a model whose connections are its maker's business; or what makes one over an http client of ours.
        keys: the variables that hold the provider's key, for the hint of an error.
        secret: the key, which is taken out of whatever an error says.
        marks_failed: whether the provider has a mark of its own for a call that failed; if not, the text says it all.
        caches: whether the provider must be asked to keep the conversation in its cache.
    """

    def __init__(
        self,
        model: Model | Opening,
        *,
        keys: Sequence[str] = (),
        secret: str = "",
        marks_failed: bool = False,
        caches: bool = False,
    ) -> None:
        self._model = model if isinstance(model, Model) else None
        self._connections = None if isinstance(model, Model) else Connections(model)
        self._keys = keys
        self._secret = secret
        self._caches = caches
        self._conversations = Conversations(marks_failed=marks_failed)
        self._tools: tuple[Sequence[ToolSpec], ModelRequestParameters] | None = None

    async def whole(self, request: Request) -> Answer:
        """Answer one request.

        Raises:
            ModelFailed: whatever went wrong.
        """
        with self._telling(begun=lambda: False):
            model, messages, parameters = await self._prepared(request)
            response = await model_request(
                model, messages, model_settings=self._settings(model, request), model_request_parameters=parameters
            )
        return _answer(response, request)

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        """Answer one request in pieces of text; the last item is the whole answer.

        Raises:
            ModelFailed: whatever went wrong. Nothing of an answer that was cut off is to be used.
        """
        begun = False
        with self._telling(begun=lambda: begun):
            model, messages, parameters = await self._prepared(request)
            async with model_request_stream(
                model, messages, model_settings=self._settings(model, request), model_request_parameters=parameters
            ) as stream:
                async for event in stream:
                    begun = True
                    if text := _text_of(event):
                        yield TextPiece(text)
                response = stream.get()
        if response.finish_reason is None and not _ending(response):
            raise ModelFailed("The model's answer was cut off: its end is missing.", again=True, may_cost=True)
        yield _answer(response, request)

    async def _prepared(self, request: Request) -> tuple[Model, list[foreign.ModelMessage], ModelRequestParameters]:
        model = self._model or await self._connected()
        messages = self._conversations.converted(request.system, request.messages)
        return model, messages, self._parameters(request.tools)

    async def _connected(self) -> Model:
        assert self._connections is not None, "a client has a model or makes one"
        return await self._connections.model()

    def _parameters(self, tools: Sequence[ToolSpec]) -> ModelRequestParameters:
        """The tools in their words; converted once, since a run offers the same ones at every turn."""
        if self._tools is None or self._tools[0] is not tools:
            self._tools = tools, ModelRequestParameters(function_tools=[_definition(tool) for tool in tools])
        return self._tools[1]

    def _settings(self, model: Model, request: Request) -> ModelSettings:
        settings = ModelSettings(max_tokens=request.max_output_tokens, timeout=TOTAL, request_timeout=TOTAL)
        if request.must_call is not None and _can_force(model):
            settings["tool_choice"] = [request.must_call]
        if self._caches:
            settings["cache"] = True
        return settings

    @contextmanager
    def _telling(self, *, begun: Callable[[], bool]) -> Generator[None]:
        """Turn whatever the client beneath raises into our one error."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - a client raises what it likes; all of it ends as one error of ours
            told = failed(error, begun=begun(), keys=self._keys, secret=self._secret)
            # A provider may repeat the key that it did not take; then its own words are not kept.
            raise told from (None if self._secret and self._secret in str(error) else error)


def _can_force(model: Model) -> bool:
    """Whether this very model takes the demand: some of a provider's models refuse it, and then words must do."""
    profile = model.profile
    if profile.get("thinking_always_enabled", False) and not profile.get(
        "supports_forced_tool_choice_with_thinking", True
    ):
        return False
    return profile.get("supports_forced_tool_choice", True)


def _definition(tool: ToolSpec) -> ToolDefinition:
    # Strict is asked for, never guessed: it would change the schema that the model sees.
    return ToolDefinition(
        name=tool.name, parameters_json_schema=dict(tool.parameters), description=tool.description, strict=False
    )


def _text_of(event: foreign.ModelResponseStreamEvent) -> str:
    if isinstance(event, foreign.PartStartEvent) and isinstance(event.part, foreign.TextPart):
        return event.part.content
    if isinstance(event, foreign.PartDeltaEvent) and isinstance(event.delta, foreign.TextPartDelta):
        return event.delta.content_delta
    return ""


def _answer(response: foreign.ModelResponse, request: Request) -> Answer:
    message = message_of(response)
    if not (message.text or message.calls):
        _check_ending(response)
    usage = _usage(response)
    return Answer(message, usage if usage is not None else _at_most(request, message))


def _check_ending(response: foreign.ModelResponse) -> None:
    """Tell an answer of nothing that something went wrong with from one that the model chose.

    Raises:
        ModelFailed: the answer was held back, or could not be made.
    """
    if response.finish_reason == "content_filter":
        raise ModelFailed("The provider's filter held the answer back.", may_cost=True)
    # Google ends so when a call came out malformed, among others; the next try is another throw of the dice.
    if response.finish_reason == "error" or (response.finish_reason is None and _ending(response)):
        said = _ending(response) or "it gave no reason"
        raise ModelFailed(f"The model ended without an answer: {said}.", again=True, may_cost=True)


def _ending(response: foreign.ModelResponse) -> str:
    """The provider's own word for why the answer ended; empty where it sent none."""
    said = (response.provider_details or {}).get("finish_reason")
    return said if isinstance(said, str) else ""


def _usage(response: foreign.ModelResponse) -> Usage | None:
    """The tokens in parts that do not overlap; None where the provider told none."""
    told = response.usage
    cached = told.cache_read_tokens + told.cache_write_tokens
    if told.unmeasured_requests or not told.input_tokens:
        return None
    # Tokens of reasoning are among those of the output already.
    return Usage(
        max(told.input_tokens - cached, 0), told.output_tokens, told.cache_read_tokens, told.cache_write_tokens
    )


def _at_most(request: Request, message: ModelMessage) -> Usage:
    """An upper bound, one token for each byte, where a provider tells no usage: never nothing."""
    sent = offered_at_most(request.system, request.tools) + sum(map(message_at_most, request.messages))
    return Usage(sent, min(message_at_most(message), request.max_output_tokens))
