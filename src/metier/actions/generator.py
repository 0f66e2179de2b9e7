"""What JSON Schema is sent for a Python type?

pydantic's, with these differences: a decimal is a number, defaults are JSON values, members keep their names and order and
are told of by the code itself, unknown members are refused, there are no titles and no references that can be resolved
(O34, O35). Importing this module imports pydantic.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaMode, JsonSchemaValue, JsonSchemaWarningKind
from pydantic_core import PydanticSerializationError, core_schema

from ..domain.compact import compact
from .bridge import MIRROR_OF
from .descriptions import first_paragraph, of_members
from .references import Schema, mapped, resolved
from .written import number_of, written

_LIMITS = ("multiple_of", "le", "lt", "ge", "gt")
_FIRST = ("type", "$ref", "description")
_DROPPED = ("title", "discriminator")


class SentSchema(GenerateJsonSchema):
    """Makes the schema of one type."""

    def __init__(self, by_alias: bool = True, ref_template: str = "#/$defs/{model}", **more: Any) -> None:  # noqa: FBT001, FBT002 - as pydantic calls it
        super().__init__(by_alias=by_alias, ref_template=ref_template, **more)

    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The whole schema, tidied."""
        return tidied(super().generate(schema, mode))

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002 - pydantic's
        """Nothing is sorted: members stand as they were written."""
        return value

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """A default that JSON has no form for is left out, and the member stays optional."""

    def encode_default(self, dft: Any) -> Any:
        """A default as JSON data."""
        try:
            return written(dft, sets=True)
        except (TypeError, ValueError) as error:
            raise PydanticSerializationError(str(error)) from error

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A decimal is a number (O34)."""
        made: JsonSchemaValue = {"type": "number"}
        named = self.ValidationsMapping.numeric
        return {**made, **{named[key]: _limit(value) for key, value in schema.items() if key in _LIMITS}}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """A mapping. Its members are named by texts, also where they stand for the numbers of an enum."""
        made = super().dict_schema(schema)
        named = schema.get("keys_schema", {"type": "any"})
        keys = self.generate_inner(named)
        if "$ref" in keys:
            keys = self.get_schema_from_definitions(JsonRef(keys["$ref"])) or {}
        choices: list[Any] = keys.get("enum", [])
        if all(isinstance(one, str) for one in choices):
            return made
        if named["type"] == "literal" and self.mode == "validation":
            raise PydanticInvalidForJsonSchema("The members of a mapping are named by text, and never by a number")
        return {**made, "propertyNames": {"enum": [one if isinstance(one, str) else compact(one) for one in choices]}}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A dataclass, or the stand-in of a class that has only annotations."""
        return _told(super().dataclass_schema(schema), schema["cls"])

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A pydantic model."""
        return _told(super().model_schema(schema), schema["cls"])

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """A TypedDict, or its stand-in."""
        return _told(super().typed_dict_schema(schema), schema.get("cls"))


def _limit(value: Any) -> Any:
    return number_of(value) if isinstance(value, Decimal) else value


def _told(schema: JsonSchemaValue, kind: Any) -> JsonSchemaValue:
    """Close an object, and add what the code says of it and of its members."""
    members: dict[str, Any] | None = schema.get("properties")
    if schema.get("type") != "object":
        return schema
    schema.setdefault("properties", {})
    schema.setdefault("additionalProperties", False)
    if kind is None:
        return schema
    kind = vars(kind).get(MIRROR_OF, kind)
    if schema.get("description"):
        schema["description"] = first_paragraph(schema["description"])
    for name, text in of_members(kind).items():
        if members and name in members and isinstance(members[name], dict):
            members[name].setdefault("description", text)
    return schema


def tidied(schema: Mapping[str, Any]) -> Schema:
    """A schema without titles and resolvable references; what it is stands first, and definitions last."""
    made: Schema = _tidied(resolved(schema))
    definitions = made.pop("$defs", None)
    return {**made, "$defs": definitions} if definitions else made


def _tidied(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    kept = mapped(schema, _tidied)
    first = {key: kept[key] for key in _FIRST if key in kept}
    return {**first, **{key: value for key, value in kept.items() if key not in first and key not in _DROPPED}}
