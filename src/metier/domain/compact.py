"""How is JSON data written compactly, and canonically?

The encoders are made once: `json.dumps` with any option makes a new one at each call.
"""

import json
from typing import Any


class _HoldsDecimalError(TypeError):
    """A decimal was met, which the quick encoder cannot write as a number."""


def _met(value: object) -> None:
    # No import of decimals at start-up: who has one has loaded them.
    if type(value).__name__ == "Decimal":
        raise _HoldsDecimalError
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_met).encode


def compact(value: Any) -> str:
    """The text of a JSON value without blanks, a decimal as a number with all its digits.

    Raises:
        TypeError: it is no JSON data.
        ValueError: it holds a number that is not finite.
    """
    try:
        return _encode(value)
    except _HoldsDecimalError:
        from .exact import exact_text  # noqa: PLC0415 - rare, and it loads decimals

        return exact_text(value, _encode)


canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str).encode
"""The same with sorted keys, so that equal values have equal texts."""
