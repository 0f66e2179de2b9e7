"""How does a schema stand without references, as far as it can?

What is not recursive is put where it is used; what is, or is large and used often, stays in `$defs` (case 082).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from ..domain.compact import compact
from ..errors import ActionError

Schema = dict[str, Any]

LARGE = 400
"""Bytes of a definition that is used more than once, past which it is not repeated."""

_MAPS = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONES = (
    "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema",
)  # fmt: skip
_NAMED = ("$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef")
_BESIDE = frozenset({"description", "default", "title", "examples", "deprecated", "readOnly", "writeOnly", "$comment"})
"""What may stand beside a reference and only tells something."""
_ALONE = re.compile(r"https?://json-schema\.org/draft-0[3-7]/schema#?")
"""Drafts in which whatever else stands beside a reference counts for nothing."""
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")
"""What a reference cannot hold as it is."""


def mapped(schema: Mapping[str, Any], change: Callable[[Any], Any]) -> Schema:
    """A copy with `change` made to each schema directly inside. Names of members and values are never looked at."""
    return {key: _changed(key, value, change) for key, value in schema.items()}


def _changed(key: str, value: Any, change: Callable[[Any], Any]) -> Any:
    if key in _MAPS and isinstance(value, Mapping):
        return {name: change(one) for name, one in value.items()}
    if key in _LISTS or key in _ONES:
        return [change(one) for one in value] if isinstance(value, list) else change(value)
    return value


def resolved(schema: Mapping[str, Any]) -> Schema:
    """The schema with its inner references resolved. A root that is a reference becomes what it refers to.

    Raises:
        ActionError: a reference leads to nothing.
    """
    if any(key in part for part in _parts(schema) for key in _NAMED):
        return dict(schema)  # it has places of its own, which a copy would lose
    return _Resolving(schema).whole()


def circle_in(schema: Mapping[str, Any]) -> str:
    """The first place of a resolved schema that refers to what it is in, such as `Folder.parts`; empty if none."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    for name in definitions:
        if name in _reached(definitions, name):
            member = next(
                (key for key, one in definitions[name].get("properties", {}).items() if list(_references(one))), ""
            )
            return f"{name}.{member}" if member else name
    return ""


def _reached(definitions: Mapping[str, Any], name: str) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for reference in _references(definitions.get(waiting.pop(), {})):
            one = reference.rpartition("/")[2]
            if one not in reached:
                reached.add(one)
                waiting.append(one)
    return reached


def _parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema and every schema inside of it."""
    if isinstance(schema, Mapping):
        inside: list[Any] = []
        mapped(schema, inside.append)
        yield schema
        for one in inside:
            yield from _parts(one)


def _references(schema: Any) -> Iterator[str]:
    for part in _parts(schema):
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            yield reference


class _Resolving:
    """One schema on its way."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._alone = _ALONE.fullmatch(str(root.get("$schema", ""))) is not None
        self._uses: dict[str, int] = {}
        self._names: dict[str, str] = {}
        for reference in _references(root):
            self._uses[reference] = self._uses.get(reference, 0) + 1
        for reference in self._uses:
            if self._is_circle(reference):
                self._name(reference)

    def whole(self) -> Schema:
        root = {key: value for key, value in self._root.items() if key not in {"$defs", "definitions"}}
        reference = root.get("$ref")
        if isinstance(reference, str) and reference in self._names:
            del root["$ref"]
            root = {**self._at(reference), **root}
        made: Schema = self._inside(root)
        definitions = self._definitions()
        used = {one.rpartition("/")[2] for part in (made, *definitions.values()) for one in _references(part)}
        kept = {name: one for name, one in definitions.items() if name in used}
        return {**made, "$defs": kept} if kept else made

    def _definitions(self) -> Schema:
        """What is kept, which may grow while it is made."""
        definitions: Schema = {}
        while len(definitions) < len(self._names):
            missing = {name: reference for reference, name in self._names.items() if name not in definitions}
            definitions |= {name: self._inside(self._at(reference)) for name, reference in missing.items()}
        return definitions

    def _inside(self, schema: Any) -> Any:
        if not isinstance(schema, Mapping):
            return schema
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return mapped(schema, self._inside)
        counts = _BESIDE if self._alone else schema.keys() - {"$ref"}
        beside = self._inside({key: value for key, value in schema.items() if key in counts})
        if reference not in self._names:
            target = self._inside(self._at(reference))
            if self._uses[reference] == 1 or len(compact(target)) <= LARGE:
                return _together(target, beside)
        return {"$ref": f"#/$defs/{self._name(reference)}", **beside}

    def _is_circle(self, reference: str) -> bool:
        seen: set[str] = set()
        waiting = [reference]
        while waiting:
            for one in _references(self._at(waiting.pop())):
                if one == reference:
                    return True
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return False

    def _name(self, reference: str) -> str:
        if reference not in self._names:
            last = unquote(reference).rpartition("/")[2].lstrip("#")
            wanted = _NO_NAME.sub("_", last.replace("~1", "/").replace("~0", "~")) or "Root"
            taken = set(self._names.values())
            name, number = wanted, 2
            while name in taken:
                name, number = f"{wanted}{number}", number + 1
            self._names[reference] = name
        return self._names[reference]

    def _at(self, reference: str) -> Any:
        found: Any = self._root
        try:
            for step in unquote(reference).lstrip("#").split("/")[1:]:
                key = step.replace("~1", "/").replace("~0", "~")
                found = found[int(key)] if isinstance(found, list) else found[key]
        except (KeyError, IndexError, ValueError, TypeError):
            raise ActionError(f"A schema refers to {reference}, which it does not hold.", hint="Mend it.") from None
        return found


def _together(target: Any, beside: Schema) -> Any:
    """What a reference led to, with what stood beside the reference."""
    if not isinstance(target, dict):
        return target
    return {**target, **beside} if set(target) & set(beside) <= _BESIDE else {"allOf": [target], **beside}
