"""How does a number keep all its digits, from JSON text and back?

A JSON number may have more digits than a float keeps. Such a number is a decimal here, and is written as the number it is.
"""

import json
import math
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

_SURE = 16
"""The characters of a number, without an exponent, whose digits a float surely keeps: fifteen digits and a point."""


def number_in(text: str) -> float | Decimal:
    """The number that a JSON text writes: a float, or a decimal where a float would lose digits.

    Raises:
        ValueError: it is larger or closer to nothing than numbers of double precision get.
    """
    number = float(text)
    if len(text) <= _SURE and "e" not in text and "E" not in text:
        return number
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text} is no number that can be kept") from None
    if math.isfinite(number) and Decimal(repr(number)) == exact:
        return number
    if not math.isfinite(number) or number == 0:
        # Its digits alone could fill the memory, once somebody makes a whole number of it.
        raise ValueError(f"{text} is no number that can be kept")
    return exact


def _no_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


read_json: Callable[[str], Any] = json.JSONDecoder(parse_float=number_in, parse_constant=_no_json).decode
"""The value of a JSON text, its numbers exact. Raises ValueError for what is no JSON, `NaN` among it."""


def exact_text(value: Any, write: Callable[[Any], str]) -> str:
    """The compact JSON text of a value that holds decimals.

    Args:
        value: JSON data.
        write: writes whatever holds no decimal.

    Raises:
        ValueError: a decimal is not finite.
    """
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no number")
        return str(value)
    if isinstance(value, Mapping):
        members = (f"{write(str(name))}:{exact_text(one, write)}" for name, one in value.items())
        return f"{{{','.join(members)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(exact_text(one, write) for one in value)}]"
    return write(value)
