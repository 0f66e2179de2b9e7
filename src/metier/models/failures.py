"""Which of our words fits what a provider, its client or the network says went wrong?

Whatever goes wrong becomes one `ModelFailed`. It says whether the same request may well be answered when it is sent again,
how long to wait first, and whether the provider may charge for what was cut off.
"""

from collections.abc import Mapping, Sequence

import httpx2
from pydantic_ai import exceptions as foreign

from ..errors import ModelFailed

AGAIN = frozenset({408, 409, 425, 429})
"""The statuses below 500 after which the same request may well be answered."""

MOST_TOLD = 400
"""The most characters of a provider's own words that are told on."""

TIMED_OUT = (foreign.ModelTimeoutError, foreign.ModelRequestTimeout, httpx2.TimeoutException, TimeoutError)
CUT = (foreign.ModelConnectionError, httpx2.TransportError, ConnectionError)
FOR_GOOD = (foreign.ModelQuotaExceededError, foreign.ModelRequestRejectedError, foreign.ContentFilterError)
"""What stays as it is, however often it is tried."""


def failed(error: Exception, *, begun: bool, keys: Sequence[str] = (), secret: str = "") -> ModelFailed:
    """What a client's exception comes to.

    Args:
        error: what was raised.
        begun: whether a part of the answer had come already.
        keys: the variables that the provider's key is read from, for the hint.
        secret: the key itself, which is taken out of whatever a provider says.
    """
    if isinstance(error, ModelFailed):
        return error
    said = _words(error)
    if secret:
        said = said.replace(secret, "(the key)")
    status = error.status_code if isinstance(error, foreign.ModelHTTPError) else None
    return ModelFailed(
        f"The model's answer was cut off: {said}" if begun else f"The model did not answer: {said}",
        hint=_hint(error, status, keys),
        again=_again(error, status, begun=begun),
        after=error.retry_after if isinstance(error, foreign.ModelAPIError) else None,
        may_cost=_may_cost(error, begun=begun),
    )


def _again(error: Exception, status: int | None, *, begun: bool) -> bool:
    if isinstance(error, FOR_GOOD):
        return False
    if status is not None:
        return status in AGAIN or status >= 500
    return begun or isinstance(error, (*TIMED_OUT, *CUT, foreign.ModelAPIError, foreign.UnexpectedModelBehavior))


def _may_cost(error: Exception, *, begun: bool) -> bool:
    """An answer had begun, or may have: a provider goes on with its answer when the one who asked is gone."""
    if begun or isinstance(error, foreign.UnexpectedModelBehavior):
        return True
    if _never_connected(error):
        return False
    return isinstance(error, (*TIMED_OUT, *CUT)) or type(error) is foreign.ModelAPIError


def _never_connected(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout | ConnectionRefusedError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _hint(error: Exception, status: int | None, keys: Sequence[str]) -> str:
    named = " or ".join(keys)
    # Google refuses a key with a 400, so the status alone does not say it.
    if named and (status in (401, 403) or isinstance(error, foreign.ModelAuthenticationError)):
        return f"Look at the key in {named}: the provider did not take it."
    if isinstance(error, foreign.ModelQuotaExceededError):
        return "The account with the provider has no money or quota left."
    if status == 404:
        return "Look at the model's name and address."
    if _never_connected(error):
        return "Look at the network, and at the address of the model."
    return ""


def _words(error: Exception) -> str:
    """The provider's own sentence where it sent one, with the status before it."""
    said = _sentence(getattr(error, "body", None)) or _from_cause(error)
    if isinstance(error, foreign.ModelHTTPError):
        said = f"{error.status_code} {said}"
    said = " ".join(said.split())
    return said if len(said) <= MOST_TOLD else said[: MOST_TOLD - 1] + "…"


def _sentence(body: object) -> str:
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error")
    said = body.get("message") or (inner.get("message") if isinstance(inner, Mapping) else inner)
    return said if isinstance(said, str) else ""


def _from_cause(error: Exception) -> str:
    """The words of an exception; those of what lies beneath it where they say more, as `Connection error.` does not."""
    said, cause = str(error), error.__cause__
    while cause is not None:
        if str(cause):
            said = str(cause)
        cause = cause.__cause__
    return said or type(error).__name__
