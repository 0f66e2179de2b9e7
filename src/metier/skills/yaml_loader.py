"""What does a YAML head say, every scalar as the text that was written?

libyaml reads it; the values are built here from its events. So nothing is turned into a number, a date or a truth value,
no tag makes an object, no alias grows, and no depth of nesting can exhaust the stack.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .yaml_lines import Value

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

DEEPEST = 16
"""How many lists and maps may lie inside each other."""


@dataclass(frozen=True, slots=True)
class Twice:
    """A key that was given twice in one map.

    At the top level the first value was kept; below it, the first that is text, if one is (M12).
    """

    key: str
    first: int
    again: int
    """Both lines count from the head's first line, which is 1."""
    top: bool
    """Whether it stands at the top level."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The fields of a head, with the line of each; the head's first line is 1."""

    fields: dict[str, Value]
    lines: dict[str, int]
    twice: tuple[Twice, ...] = ()
    repaired: tuple[int, ...] = ()
    """Lines that are no YAML and were read as text."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a head is no YAML map, and at which of its lines."""

    line: int
    cause: str


class _Refused(Exception):
    def __init__(self, event: "Event", cause: str) -> None:
        super().__init__(cause)
        self.fault = Fault(_line(event), cause)


def load_yaml(head: str) -> Loaded | Fault:
    """Read a head as YAML. Anchors, aliases and tags are a fault: a guide has no use for them."""
    import yaml  # noqa: PLC0415 - 10 ms that a catalogue of plain heads never spends

    # The wheel of PyYAML holds libyaml; a build from source may lack it, and is slower.
    loader = yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader
    try:
        return _Builder(iter(yaml.parse(head, Loader=loader))).document()
    except _Refused as refused:
        return refused.fault
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Fault(mark.line + 1 if mark else 1, error.problem or "this is no YAML")
    except yaml.YAMLError as error:
        position = getattr(error, "position", 0)
        before = head.encode()[:position].count(b"\n") if isinstance(position, int) else 0
        return Fault(before + 1, str(getattr(error, "reason", "this is no YAML")))


@dataclass(slots=True)
class _Builder:
    events: "Iterator[Event]"
    lines: dict[str, int] = field(default_factory=dict[str, int])
    twice: list[Twice] = field(default_factory=list[Twice])

    def document(self) -> Loaded:
        fields: dict[str, Value] | None = None
        for event in self.events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent" and fields is not None:
                raise _Refused(event, "a second document begins here")
            if kind == "MappingStartEvent":
                fields = self._map(event, 1)
            elif kind in ("ScalarEvent", "SequenceStartEvent", "AliasEvent"):
                raise _Refused(event, "the frontmatter is no map of `key: value` lines")
        return Loaded(fields or {}, self.lines, tuple(self.twice))

    def _map(self, start: "Event", depth: int) -> dict[str, Value]:
        _check(start, depth)
        pairs: dict[str, Value] = {}
        lines = self.lines if depth == 1 else {}
        while type(event := next(self.events)).__name__ != "MappingEndEvent":
            if type(event).__name__ != "ScalarEvent":
                raise _Refused(event, "a key must be text")
            key = _text(event)
            value = self._value(next(self.events), depth + 1)
            if key in pairs:
                self.twice.append(Twice(key, lines[key], _line(event), depth == 1))
                if depth > 1 and isinstance(value, str) and not isinstance(pairs[key], str):
                    pairs[key] = value
                continue
            pairs[key] = value
            lines[key] = _line(event)
        return pairs

    def _list(self, start: "Event", depth: int) -> list[Value]:
        _check(start, depth)
        items: list[Value] = []
        while type(event := next(self.events)).__name__ != "SequenceEndEvent":
            items.append(self._value(event, depth + 1))
        return items

    def _value(self, event: "Event", depth: int) -> Value:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            return _text(event)
        if kind == "SequenceStartEvent":
            return self._list(event, depth)
        if kind == "MappingStartEvent":
            return self._map(event, depth)
        raise _Refused(event, "an alias is not read here")


def _check(event: "Event", depth: int) -> None:
    if depth > DEEPEST:
        raise _Refused(event, f"lists and maps lie more than {DEEPEST} deep")
    if getattr(event, "anchor", None) or getattr(event, "tag", None):
        raise _Refused(event, "an anchor or a tag is not read here")


def _text(event: "Event") -> str:
    scalar: ScalarEvent = event  # type: ignore[assignment] # the caller has looked at its kind
    if scalar.anchor or scalar.tag:
        raise _Refused(event, "an anchor or a tag is not read here")
    return scalar.value


def _line(event: "Event") -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
