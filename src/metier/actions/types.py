"""What is a Python type as JSON: its schema, how a value is read into it, and how it is written back?

The schema that is sent is the judge: what is read fits it first, so that nothing is converted in silence (O34, O35, case
061). Importing this module imports pydantic; import it where a type is turned into a schema, not at start-up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUndefinedAnnotation, PydanticUserError
from pydantic_core import PydanticSerializationError

from ..domain.compact import compact
from ..errors import ActionError
from .bridge import prepare
from .generator import SentSchema
from .misfit import Misfit, misfit_of
from .references import circle_in
from .rows import NO_ROWS, Rows
from .schema import Check, Faults, check_for
from .written import written

T = TypeVar("T")

MEMBERS = "Use a dataclass, a pydantic model, a TypedDict, an annotated class, or what these are made of."


@dataclass(frozen=True, slots=True, eq=False)
class JsonType(Generic[T]):
    """A Python type with its JSON side. Make one with `json_type` and keep it."""

    kind: Any
    """The type itself."""
    schema: Mapping[str, Any]
    """Its JSON Schema, as it is sent to a model."""
    has_rows: bool
    """Whether reading it looks stored rows up."""
    _adapter: TypeAdapter[Any]
    _check: Check

    @property
    def text(self) -> str:
        """The schema as compact text."""
        return compact(self.schema)

    def faults(self, value: Any) -> Faults:
        """The reasons why JSON data does not fit the schema."""
        return self._check(value)

    def read(self, value: Any, *, rows: Rows = NO_ROWS) -> T | Misfit:
        """An instance from JSON data, or the reasons why there is none.

        Args:
            value: JSON data, as `json.loads` gives it; a number may also be a Decimal, which is kept exactly.
            rows: looks stored rows up by their ids.
        """
        if faults := self._check(value):
            return Misfit(faults)
        try:
            return cast("T", self._adapter.validate_python(value, context={"rows": rows}))
        except ValidationError as error:
            return misfit_of(error, value)

    def write(self, instance: T, *, rows: Rows = NO_ROWS) -> Any:
        """The instance as JSON data, from which `read` makes an equal one.

        Raises:
            TypeError: it holds what its type does not, or what JSON has no form for.
            ValueError: it holds a number that no JSON number is equal to.
        """
        try:
            dumped = self._adapter.dump_python(instance, by_alias=True, warnings="error", exclude_computed_fields=True)
        except PydanticSerializationError:
            # Not quite what was promised, such as a whole number for a decimal; a set where none was promised is refused.
            dumped = self._adapter.dump_python(instance, by_alias=True, warnings=False)
            return written(dumped, rows=rows)
        return written(dumped, rows=rows, sets=True)


def json_type(kind: Any, *, rows: Rows = NO_ROWS, mode: Literal["validation", "serialization"] = "validation") -> Any:
    """The JSON side of a Python type: `JsonType[T]` for a type T.

    Args:
        kind: a dataclass, pydantic model, TypedDict, annotated class, row, or anything built of these and of plain types.
        rows: says which types are stored rows; they travel as the text of their ids.
        mode: `serialization` describes what is written, where members with a default are always there.

    Raises:
        ActionError: the type has no JSON Schema.
    """
    try:
        has_rows = prepare(kind, rows)
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        schema = adapter.json_schema(schema_generator=SentSchema, mode=mode)
    except (PydanticUserError, PydanticInvalidForJsonSchema, PydanticUndefinedAnnotation) as error:
        raise _no_schema(kind, _reason(error)) from error
    except (NameError, TypeError, ValueError, RecursionError) as error:
        raise _no_schema(kind, str(error)) from error
    return JsonType(kind, schema, has_rows, adapter, check_for(schema, formats=True))


def held_to(schema: Mapping[str, Any], *, references: bool, open_objects: bool) -> Mapping[str, Any]:
    """The schema, once it is sure that a model's provider takes it.

    Args:
        schema: a schema of `json_type`.
        references: whether the provider takes `$ref`.
        open_objects: whether it takes an object whose members are not listed.

    Raises:
        ActionError: it does not, with the place (cases 084, 086).
    """
    if not references and (place := circle_in(schema)):
        raise ActionError(
            f"schema.recursive: {place} refers to itself, and this model's provider takes no references.",
            hint="Use a type that ends, or another model.",
        )
    if not open_objects and (place := _open_in(schema, "the schema")):
        raise ActionError(
            f"schema.open: {place} is an object without listed members, and this model's provider takes none.",
            hint="Use a dataclass instead of a dict, or another model.",
        )
    return schema


def _open_in(schema: Any, place: str) -> str:
    if not isinstance(schema, Mapping):
        return ""
    if schema.get("type") == "object" and schema.get("additionalProperties", True) is not False:
        return place
    named = {**schema.get("properties", {}), **schema.get("$defs", {})}
    listed = [one for key in ("anyOf", "oneOf", "allOf", "prefixItems") for one in schema.get(key, ())]
    inside = [*named.items(), *((place, one) for one in (*listed, schema.get("items")))]
    return next((found for name, one in inside if (found := _open_in(one, name))), "")


def _no_schema(kind: Any, reason: str) -> ActionError:
    name = getattr(kind, "__qualname__", None) or str(kind)
    return ActionError(f"{name} has no JSON Schema: {reason.rstrip('.')}.", hint=MEMBERS)


def _reason(error: Exception) -> str:
    return str(error).split("\n", 1)[0].split(". Set `arbitrary_types_allowed", 1)[0]
