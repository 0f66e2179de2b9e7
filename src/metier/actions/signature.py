"""How do the arguments of a call become those of a function, and its answer JSON data?

Importing this module imports pydantic.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Required, TypeVar, Union, get_args, get_origin, get_type_hints

from ..domain.action import Returned
from ..errors import ActionError
from .bridge import typed_dict
from .declared import Declared
from .descriptions import of_parameters
from .misfit import Misfit
from .references import Schema
from .rows import Rows
from .types import JsonType, json_type
from .written import written

_PLAIN = frozenset({str, bool, list, dict, Any, object, None, NoneType})
"""Types that JSON data has already. A number is none of them: JSON does not tell 1.0 from 1."""

_WRITTEN = frozenset({str, bool, int, NoneType})
"""Types whose values are JSON data, whatever they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """The JSON side of one function."""

    function: Callable[..., Any]
    schema: Schema
    readers: Mapping[str, JsonType[Any]]
    """For each parameter that does not take JSON data as it comes."""
    answers: JsonType[Any] | None
    """What the function promises to answer; none: anything that JSON has a form for."""
    by_place: tuple[inspect.Parameter, ...]
    """Parameters that can only be given by their place."""
    rows: Rows

    @property
    def judges(self) -> bool:
        """Whether reading may find more than the schema does, before anything is looked up."""
        return any(not one.has_rows and one.kind is not int for one in self.readers.values())

    def misfit(self, arguments: Mapping[str, Any]) -> Misfit | None:
        """What is wrong with arguments that fit the schema; rows are not looked up for it."""
        faults: list[str] = []
        for name, reader in self.readers.items():
            if name in arguments and not reader.has_rows:
                read = reader.read(arguments[name])
                if isinstance(read, Misfit):
                    faults += read.within(name).faults
        return Misfit(tuple(faults)) if faults else None

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """What the function answers to these arguments, which for an async function is to be awaited; or a `Misfit`."""
        filled = dict(arguments)
        for name, reader in self.readers.items():
            if name in filled and type(filled[name]) is not reader.kind:
                read = reader.read(filled[name], rows=self.rows)
                if isinstance(read, Misfit):
                    return read.within(name) if read.code == "schema" else read
                filled[name] = read
        places = [filled.pop(one.name, one.default) for one in self.by_place]
        return self.function(*places, **filled)

    def answered(self, value: Any) -> Any:
        """The answer as JSON data, or what is wrong with it (case 065)."""
        if isinstance(value, Returned):
            return value
        if isinstance(value, Misfit):
            return Returned(
                text=value.text, ok=False, code="row.missing" if value.code == "row" else "arguments.schema"
            )
        if self.answers is None:
            return self._written(value)
        as_it_is = type(value) is self.answers.kind and type(value) in _WRITTEN
        return value if as_it_is else self._as_promised(value, self.answers)

    def _written(self, value: Any) -> Any:
        try:
            return written(value, rows=self.rows)
        except (TypeError, ValueError) as error:
            return Returned(text=f"the answer is no JSON: {error}", ok=False, code="output.not_json")

    def _as_promised(self, value: Any, promised: JsonType[Any]) -> Any:
        try:
            made = promised.write(value, rows=self.rows)
        except ValueError as error:
            return Returned(text=f"the answer is no JSON: {error}", ok=False, code="output.not_json")
        except (TypeError, AttributeError) as error:
            return self._broken((str(error),))
        faults = promised.faults(made)
        return self._broken(faults) if faults else made

    def _broken(self, faults: Iterable[str]) -> Returned:
        text = f"{self.function.__name__} did not answer what it promises: {'; '.join(faults)}"
        return Returned(text=text, ok=False, code="output.schema")


def signature_of(declared: Declared, rows: Rows) -> Signature:
    """The JSON side of a declared function.

    Raises:
        ActionError: a parameter, or the answer, is of a type that JSON has no schema for.
    """
    hints = _hints_of(declared)
    promised = hints.pop("return", Any)
    readers = {
        name: _described(declared, f"parameter {name!r}", hint, rows)
        for name, hint in hints.items()
        if not _is_plain(hint)
    }
    answers = None
    if not _is_open(promised):
        answers = _described(declared, "the answer", promised, rows, mode="serialization")
    places = tuple(one for one in declared.parameters.values() if one.kind is one.POSITIONAL_ONLY)
    return Signature(declared.function, _schema_of(declared, hints, rows), readers, answers, places, rows)


def _hints_of(declared: Declared) -> dict[str, Any]:
    try:
        hints = get_type_hints(declared.function, localns=dict(declared.names), include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        raise ActionError(
            f"The annotations of {declared.place} cannot be read: {error}.",
            hint="Name types that can be imported where the function stands.",
        ) from error
    return {name: hints[name] for name in (*declared.parameters, "return") if name in hints}


def _described(
    declared: Declared, what: str, hint: Any, rows: Rows, mode: Literal["validation", "serialization"] = "validation"
) -> JsonType[Any]:
    try:
        made: JsonType[Any] = json_type(hint, rows=rows, mode=mode)
    except ActionError as error:
        raise ActionError(f"{declared.place} cannot be an action: {what}: {error.message}", hint=error.hint) from error
    return made


def _schema_of(declared: Declared, hints: Mapping[str, Any], rows: Rows) -> Schema:
    """The schema of all parameters together."""
    members = {
        name: Required[hints[name]] if one.default is one.empty else NotRequired[hints[name]]
        for name, one in declared.parameters.items()
    }
    together = typed_dict(declared.name, members)
    schema: Schema = _described(declared, "its parameters", together, rows).schema  # type: ignore[assignment]  # made just now
    properties = schema["properties"]
    for name, text in of_parameters(declared.function, hints).items():
        if name in properties:
            properties[name] = {**properties[name], "description": text}
    for name, one in declared.parameters.items():
        if one.default is not one.empty:
            properties[name] = {**properties[name], **_default(one.default)}
    return {"type": "object", **schema}


def _default(value: Any) -> Schema:
    try:
        return {"default": written(value, sets=True)}
    except (TypeError, ValueError, ActionError):
        return {}  # the parameter stays optional; JSON has no form for what it then is


def _is_plain(hint: Any) -> bool:
    """Whether JSON data that fits the schema is what the function takes."""
    origin = get_origin(hint)
    if origin is None:
        return not isinstance(hint, TypeVar) and hint in _PLAIN
    arguments = get_args(hint)
    if origin is Literal:
        return all(isinstance(one, str) for one in arguments)
    if origin is Annotated:
        return all(isinstance(one, str) for one in arguments[1:]) and _is_plain(arguments[0])
    return origin in {list, dict, Union, UnionType} and all(_is_plain(one) for one in arguments)


def _is_open(hint: Any) -> bool:
    """Whether nothing is promised of an answer."""
    if hint in (Any, object) or (isinstance(hint, type) and issubclass(hint, Returned)):
        return True
    return any(_is_open(one) for one in get_args(hint)) if get_origin(hint) in {Union, UnionType} else False
