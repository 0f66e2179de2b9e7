"""How does a value become plain JSON text?"""

import json
import json.encoder
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any

from ..domain.exact import exact_text
from ..errors import RecordError


def _plain(value: object) -> object:
    if isinstance(value, Decimal) and value.is_finite():
        return str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict[str, Any](value)  # pyright: ignore[reportUnknownArgumentType]  a mapping of anything
    raise TypeError(f"{value!r} of type {type(value).__name__} is not plain JSON")


_Write = Callable[[object], str]


class _HoldsDecimalError(TypeError):
    """A decimal was met where it is to be a number."""


def _data(value: object) -> object:
    if isinstance(value, Decimal):
        raise _HoldsDecimalError(f"{value} is no number")
    return _plain(value)


def _encoder(default: Callable[[object], object], *, ascii_only: bool) -> _Write:
    # A circle is found by its depth, which costs nothing where there is none.
    whole = json.JSONEncoder(
        ensure_ascii=ascii_only, allow_nan=False, check_circular=False, separators=(",", ":"), default=default
    )
    # `whole.encode` makes this anew for each value, at half the cost of a small one.
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return whole.encode
    quote = json.encoder.encode_basestring_ascii if ascii_only else json.encoder.encode_basestring
    pieces: Callable[[object, int], Iterable[str]] = make(None, default, quote, None, ":", ",", False, False, False)
    return lambda value: "".join(pieces(value, 0))


_encode = _encoder(_plain, ascii_only=False)
_encode_ascii = _encoder(_plain, ascii_only=True)


_encode_data = _encoder(_data, ascii_only=False)
_encode_data_ascii = _encoder(_data, ascii_only=True)


def plain_text(value: object) -> str:
    """The compact JSON text of a value. Decimals and dates become texts. Raises RecordError for what is not JSON."""
    return _text(value, _encode, _encode_ascii)


def data_text(value: object) -> str:
    """The same for what models and people said, where a decimal is a number with all its digits (O34)."""
    return _text(value, _write_data, _write_data_ascii)


def _exactly(write: _Write) -> _Write:
    def exactly(value: object) -> str:
        try:
            return write(value)
        except _HoldsDecimalError:
            return exact_text(value, write)

    return exactly


_write_data = _exactly(_encode_data)
_write_data_ascii = _exactly(_encode_data_ascii)


def _text(value: object, write: _Write, write_ascii: _Write) -> str:
    try:
        text = write(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(
            f"A value cannot be written to the record: {str(error)[:300]}.",
            hint="Use texts, whole numbers, finite numbers, lists and mappings only.",
        ) from error
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half a character, as in a file name of another encoding: only the escaped form can be stored.
        return write_ascii(value)
    return text
