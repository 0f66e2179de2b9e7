"""Schemas without the references that can be resolved."""

import json
from typing import Any

import pytest

from metier.actions.references import LARGE, circle_in, resolved
from metier.actions.schema import check_for
from metier.errors import ActionError

TOOL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"$ref": "#/$defs/Kind", "description": "what it is"},
        "status": {"enum": ["open", "done"]},
        "status_filter": {"type": "array", "items": {"$ref": "#/properties/status"}},
    },
    "required": ["kind"],
    "$defs": {"Kind": {"type": "string", "enum": ["a", "b"]}},
}


def test_references_are_put_in_place() -> None:
    """What a reference leads to stands where it is used, wherever it lay, with what stood beside it (case 082)."""
    made = resolved(TOOL)
    assert "$ref" not in json.dumps(made)
    assert "$defs" not in made
    assert made["properties"]["kind"] == {"type": "string", "enum": ["a", "b"], "description": "what it is"}
    assert made["properties"]["status_filter"]["items"] == {"enum": ["open", "done"]}


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({"kind": "a"}, True),
        ({"kind": "c"}, False),
        ({"kind": "b", "status_filter": ["done"]}, True),
        ({"kind": "b", "status_filter": ["shut"]}, False),
    ],
)
def test_resolved_schema_judges_alike(arguments: Any, fits: bool) -> None:
    """The resolved schema accepts what the written one does (case 082)."""
    assert (check_for(TOOL)(arguments) == (), check_for(resolved(TOOL))(arguments) == ()) == (fits, fits)


def test_circles_keep_their_definition() -> None:
    """What refers to itself keeps one definition, and a root that is a reference becomes what it means (case 084)."""
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}
    made = resolved({"$ref": "#/$defs/T", "$defs": {"T": tree, "Unused": {}}})
    assert made == {**tree, "$defs": {"T": tree}}
    assert circle_in(made) == "T.kids"
    assert circle_in(resolved(TOOL)) == ""


def test_long_circles_are_found() -> None:
    """Two definitions that lead to each other are both kept, and so is a root that refers to itself."""
    a, b = ({"type": "object", "properties": {"it": {"$ref": f"#/$defs/{other}"}}} for other in "BA")
    made = resolved({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": a, "B": b}})
    assert sorted(made["$defs"]) == ["A", "B"]
    root = resolved({"type": "object", "properties": {"next": {"$ref": "#"}}})
    assert check_for(root)({"next": {"next": 1}}) != ()
    assert check_for(root)({"next": {"next": {}}}) == ()


def test_large_definitions_are_not_repeated() -> None:
    """A definition that is large and used more than once stays one; doubling never runs away."""
    big = {"enum": ["x" * LARGE]}
    made = resolved({"properties": {n: {"$ref": "#/$defs/Big"} for n in "ab"}, "$defs": {"Big": big}})
    assert made["$defs"] == {"Big": big}
    chain: dict[str, Any] = {
        f"D{n}": {"properties": {side: {"$ref": f"#/$defs/D{n + 1}"} for side in ("left", "right")}} for n in range(40)
    }
    made = resolved({"$ref": "#/$defs/D0", "$defs": {**chain, "D40": {"type": "string"}}})
    assert len(json.dumps(made)) < 20_000


def test_names_and_values_are_no_references() -> None:
    """A member that is called `$ref`, and a value that holds one, are left as they are."""
    schema = {"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "#/nowhere"}}
    assert resolved(schema) == schema


def test_what_stands_beside_may_bind() -> None:
    """A limit beside a reference binds together with the limit it leads to."""
    schema = {"$defs": {"n": {"minimum": 5}}, "properties": {"a": {"$ref": "#/$defs/n", "minimum": 1}}}
    assert check_for(resolved(schema))({"a": 3}) != ()
    assert check_for(resolved(schema))({"a": 6}) == ()


def test_escaped_and_counted_steps_lead_there() -> None:
    """A reference may lead through escaped names and places of a list."""
    schema = {"anyOf": [{"type": "null"}, {"type": "string"}], "$defs": {"a/b~c": {"type": "integer"}}}
    made = resolved({**schema, "properties": {"x": {"$ref": "#/$defs/a~1b~0c"}, "y": {"$ref": "#/anyOf/1"}}})
    assert made["properties"] == {"x": {"type": "integer"}, "y": {"type": "string"}}


@pytest.mark.parametrize("reference", ["a%20b", "a~1b", "a~0b", "Page[Item]", "Page%5BItem%5D", "%C3%BC"])
def test_odd_names_of_definitions_are_kept_safely(reference: str) -> None:
    """A definition of any name is found, and where it stays, as a tree does, its references still lead to it (case 082)."""
    name = {"a%20b": "a b", "a~1b": "a/b", "a~0b": "a~b", "%C3%BC": "ü"}.get(reference, "Page[Item]")
    schema = {"properties": {"a": {"$ref": f"#/$defs/{reference}"}}}
    tree = {"type": "object", "properties": {"x": {"$ref": f"#/$defs/{reference}"}}}
    assert resolved({**schema, "$defs": {name: {"type": "string"}}}) == {"properties": {"a": {"type": "string"}}}
    check = check_for(resolved({**schema, "$defs": {name: tree}}))
    assert (check({"a": {"x": {}}}), check({"a": {"x": {"x": 1}}})) == ((), ("a.x.x: expected object, got number 1",))


def test_older_drafts_read_as_they_meant() -> None:
    """In the older drafts nothing that stands beside a reference binds, and `dependencies` may hold references (case 082)."""
    schema: dict[str, Any] = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/A", "description": "what", "type": "integer"}},
        "dependencies": {"a": {"$ref": "#/definitions/B"}, "c": ["a"]},
        "definitions": {"A": {"type": "string"}, "B": {"required": ["b"]}},
    }
    made = resolved(schema)
    assert made["properties"] == {"a": {"type": "string", "description": "what"}}
    assert made["dependencies"] == {"a": {"required": ["b"]}, "c": ["a"]}
    for value in ({"a": "x", "b": 1}, {"a": "x"}, {"a": 1, "b": 1}, {"c": 1}):
        assert check_for(made)(value) == check_for(schema)(value)


def test_lost_references_are_errors() -> None:
    """A reference that leads to nothing is an error, one to somewhere else is left for the judge to refuse (case 082)."""
    with pytest.raises(ActionError, match="#/nowhere"):
        resolved({"items": {"$ref": "#/nowhere"}})
    elsewhere = {"items": {"$ref": "https://schemas.invalid/a.json"}}
    assert resolved(elsewhere) == elsewhere


def test_named_places_are_left_alone() -> None:
    """A schema that names places of its own is not taken apart."""
    schema = {"$defs": {"n": {"$anchor": "n", "type": "integer"}}, "items": {"$ref": "#n"}}
    assert resolved(schema) == schema
