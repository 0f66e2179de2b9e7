"""Which command-line arguments did the model mean?"""

import json
from typing import Any

from ...domain.action import Miss

_LONGEST = 131_071
"""Bytes of one argument that Linux still takes."""


def arguments_of(args: object) -> list[str] | Miss:
    """The arguments as a list of strings (case 038).

    None is the empty list, and a JSON text that holds a list of strings is decoded once, because some model servers
    send that. Nothing else is guessed.
    """
    if args is None:
        return []
    decoded = _decoded(args) if isinstance(args, str) else args
    if not isinstance(decoded, list):
        return _shape(f"not {_kind(args)}")
    items: list[Any] = decoded
    for number, item in enumerate(items, start=1):
        fault = _fault(item)
        if fault:
            return _shape(f"and item {number} is {fault}")
    return items


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _fault(item: object) -> str:
    """What keeps an item from being an argument, or nothing."""
    if not isinstance(item, str):
        return _kind(item)
    try:
        length = len(item.encode())
    except UnicodeEncodeError:
        return "not valid Unicode"
    if "\0" in item:
        return "a string with a NUL in it"
    return f"{length} bytes long, which is more than {_LONGEST}; pass it in a file" if length > _LONGEST else ""


def _shape(fault: str) -> Miss:
    return Miss("args.shape", f'args must be a list of strings, such as ["in.csv", "--out", "o.csv"], {fault}.')


def _kind(value: object) -> str:
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        str: "a string",
        bool: "true or false",
        type(None): "null",
    }
    return names.get(type(value), "a number")
