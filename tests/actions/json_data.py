"""JSON data that fits a schema, and JSON data of any kind, for hypothesis."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

NAMES = st.text("abcxyz", min_size=1, max_size=3)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-9, 9) | st.text(max_size=4) | st.just("2026-03-31"),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=6,
)
"""JSON data of any kind."""
_FORMATS = {
    "date": st.dates().map(str),
    "time": st.times().map(lambda one: one.isoformat()),
    "date-time": st.datetimes().map(lambda one: one.isoformat() + "Z"),
    "uuid": st.uuids().map(str),
    "duration": st.integers(0, 99).map(lambda hours: f"PT{hours}H30S"),
}
_DEPTH = 3


def fitting(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None, depth: int = 0) -> st.SearchStrategy[Any]:
    """JSON data that fits a schema, as far as the schemas of our types go."""
    root = schema if root is None else root
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth + 1)
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    if "anyOf" in schema or "oneOf" in schema:
        ways = [one for one in schema.get("anyOf", schema.get("oneOf")) if depth < _DEPTH or "$ref" not in one]
        return st.one_of([fitting(one, root, depth) for one in ways])
    made = _BY_TYPE.get(schema.get("type", ""))
    return ANY if made is None else made(schema, root, depth)


def _objects(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> st.SearchStrategy[Any]:
    required = schema.get("required", ())
    told = schema.get("properties", {}).items()
    members = {name: fitting(one, root, depth) for name, one in told if name in required or _ends(one, depth)}
    must = {name: members[name] for name in required}
    listed = st.fixed_dictionaries(must, optional={name: one for name, one in members.items() if name not in must})
    more = schema.get("additionalProperties", True)
    if more is False:
        return listed
    inside = ANY if more is True else fitting(more, root, depth)
    names = fitting({"type": "string", **schema["propertyNames"]}) if "propertyNames" in schema else NAMES
    rest = st.dictionaries(names, inside, max_size=2 if _ends(more, depth) else 0)
    return st.builds(lambda some, rest: {**rest, **some}, listed, rest)


def _ends(schema: Any, depth: int) -> bool:
    return depth < _DEPTH or "$ref" not in str(schema)


def _arrays(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*(fitting(one, root, depth) for one in schema["prefixItems"])).map(list)
    items = schema.get("items", {})
    unique = bool(schema.get("uniqueItems"))
    least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
    return st.lists(
        fitting(items, root, depth), min_size=least, max_size=most if _ends(items, depth) else least, unique=unique
    )


def _texts(schema: Mapping[str, Any], _root: Mapping[str, Any], _depth: int) -> st.SearchStrategy[Any]:
    text = st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 9))
    return _FORMATS.get(schema.get("format", ""), text)


def _numbers(schema: Mapping[str, Any], _root: Mapping[str, Any], _depth: int) -> st.SearchStrategy[Any]:
    low, high = schema.get("minimum", -1000), schema.get("maximum", 1000)
    low = schema.get("exclusiveMinimum", low - 1) + 1
    high = schema.get("exclusiveMaximum", high + 1) - 1
    step = schema.get("multipleOf", 1)
    if step != 1:
        steps = st.integers(int(low / step) + 1, int(high / step) - 1)
        return steps.map(lambda n: float(Decimal(str(step)) * n) if isinstance(step, float) else n * step)
    integers = st.integers(int(low), int(high))
    return integers | integers.map(float) if schema["type"] == "integer" else integers | st.floats(low, high)


_BY_TYPE: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], int], st.SearchStrategy[Any]]] = {
    "object": _objects,
    "array": _arrays,
    "integer": _numbers,
    "number": _numbers,
    "string": _texts,
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
}
