"""The check of arguments against a schema, and the words in which faults are told."""

from typing import Any

import pytest

from metier.actions.schema import MOST_COMPILED, MOST_FAULTS, check_for
from metier.errors import ActionError


def faults(schema: dict[str, Any], value: Any) -> tuple[str, ...]:
    """What is wrong with a value."""
    return check_for(schema)(value)


def member(**schema: Any) -> dict[str, Any]:
    """An object with one member `done`."""
    return {"type": "object", "properties": {"done": schema}}


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"type": "boolean"}, "yes", 'done: expected boolean, got string "yes"'),
        ({"type": "boolean"}, 1, "done: expected boolean, got number 1"),
        ({"type": "string"}, None, "done: expected string, got null"),
        ({"type": "string"}, True, "done: expected string, got boolean true"),
        ({"type": "string"}, [], "done: expected string, got array"),
        ({"type": "string"}, {}, "done: expected string, got object"),
        ({"type": ["string", "null"]}, 1.5, "done: expected null or string, got number 1.5"),
        ({"type": "integer"}, "x" * 60, f'done: expected integer, got string "{"x" * 37}..."'),
    ],
)
def test_wrong_type_is_told(schema: dict[str, Any], value: Any, said: str) -> None:
    """A value of the wrong type is told with its place, what was due and what came (O24, case 061)."""
    assert faults(member(**schema), {"done": value}) == (said,)


def test_what_fits_has_no_faults() -> None:
    """A value that fits gives nothing; a text is never taken for a number or a truth (case 061)."""
    assert faults(member(type="boolean"), {"done": True}) == ()
    assert faults(member(type="integer"), {"done": "1"}) != ()


def test_place_is_a_path() -> None:
    """The place of a fault within lists and objects is told step by step."""
    schema = {"properties": {"rows": {"items": {"properties": {"n": {"type": "number"}}}}}}
    assert faults(schema, {"rows": [{"n": 1}, {"n": "2"}]}) == ('rows.1.n: expected number, got string "2"',)


def test_missing_and_extra_are_named() -> None:
    """A missing member and one that is not known are told by name (O35, O48)."""
    schema = {**member(type="boolean"), "required": ["done"], "additionalProperties": False}
    said = " ".join(faults(schema, {"dune": True}))
    assert "done" in said
    assert "dune" in said


def test_faults_are_counted_out() -> None:
    """Of very many faults only the first few are told."""
    assert len(faults({"items": {"type": "string"}}, [1] * 100)) == MOST_FAULTS


def test_schema_is_compiled_once() -> None:
    """The same schema object gives the same check; an equal other object is judged alike."""
    schema = member(type="boolean")
    assert check_for(schema) is check_for(schema)
    assert check_for(dict(schema))({"done": 1}) == check_for(schema)({"done": 1})


def test_many_schemas_are_forgotten() -> None:
    """However many schemas come, each is judged by its own rules."""
    first = member(type="boolean")
    check_for(first)
    many: list[dict[str, Any]] = [{"const": number} for number in range(MOST_COMPILED + 2)]
    assert all(not check_for(one)(number) for number, one in enumerate(many))
    assert check_for(many[3])(4) != ()
    assert check_for(first)({"done": "yes"}) != ()


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"type": 1}, {"pattern": "["}])
def test_broken_schema_is_an_error(schema: dict[str, Any]) -> None:
    """A schema that is none is the app's error, said at once."""
    with pytest.raises(ActionError, match="no valid JSON Schema"):
        check_for(schema)


@pytest.mark.parametrize("place", ["https://schemas.invalid/a.json", "file:///etc/hostname"])
def test_nothing_is_fetched(place: str) -> None:
    """A schema that refers to somewhere else is refused; nothing is read or fetched."""
    with pytest.raises(ActionError):
        check_for({"$ref": place})({})


def test_references_inside_work() -> None:
    """A reference within the schema is followed."""
    schema = {"$defs": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    assert faults(schema, {"a": "x"}) == ('a: expected number, got string "x"',)


def test_format_path_is_a_hint() -> None:
    """`format` says what a member is for and judges nothing."""
    assert faults(member(type="string", format="path"), {"done": "any text"}) == ()
