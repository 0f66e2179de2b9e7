"""Are open mappings described, and parameters that no model can fill refused where they are written?

differs = "What cannot be declared raises metier's own ActionError, with a hint, in the place of a TypeError"
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from metier.actions.function import action, action_of
from metier.actions.types import held_to, json_type
from metier.errors import ActionError
from metier.testing import Says

from ..case import Case, Happened
from ..declaring import module_of
from ..playing import Player, with_tools

OPEN = {"type": "object", "additionalProperties": True}
NAMED = "Give each parameter a name and a type; a `dict` or a `list` takes what is open."
EXPECTED = {
    "f": ("f takes **options, which a model cannot fill.", NAMED),
    "g": ("g takes *items, which a model cannot fill.", NAMED),
    "m": ("m does not say what type 'x' is of.", "Annotate it, as in `name: str`."),
    "h": OPEN,
    "payload": OPEN,
    "h, where objects are closed": "schema.open: data is an object without listed members, and this model's provider takes none.",
    "payload, where objects are closed": (
        "schema.open: payload is an object without listed members, and this model's provider takes none."
    ),
    "called": ["h done", "k done"],
}


@dataclass
class Message:
    """The output type of the case."""

    payload: dict  # type: ignore[type-arg]  # as the case writes it


def happens(case: Case, folder: Path) -> Happened:
    """Declare each function, hold what is open to a provider with closed schemas only, and call the two that work."""
    tools = module_of(case, "tools.py")
    h, payload = action_of(_declared(tools.h)).parameters, json_type(Message).schema
    facts: dict[str, Any] = {
        **{name: _refused(partial(_declared, getattr(tools, name))) for name in "fgm"},
        "h": h["properties"]["data"],
        "payload": payload["properties"]["payload"],
        "h, where objects are closed": _refused(lambda: held_to(h, references=True, open_objects=False))[0],
        "payload, where objects are closed": _refused(lambda: held_to(payload, references=True, open_objects=False))[0],
        "called": _called(tools, folder),
    }
    return Happened("error" if all(facts[name] for name in "fgm") else "ok", facts=facts)


def _declared(function: Any) -> Any:
    return action("Does it.", query=True)(function)


def _refused(work: Callable[[], Any]) -> tuple[str, str]:
    try:
        work()
    except ActionError as error:
        return error.message, error.hint
    return "", ""


def _called(tools: ModuleType, folder: Path) -> list[str]:
    job = with_tools(action_of(_declared(tools.h)), action_of(_declared(tools.k)))
    calls = [Says.tool("h", {"data": {"any": [1, {"thing": None}]}}), Says.tool("k", {"a": 1})]
    played = Player(folder).play([*calls, Says.text("done")], job=job)
    names = [entry.facts["action"] for entry in played.of("ToolCalled")]
    ends = [entry.facts["outcome"] for entry in played.of("ToolReturned")]
    return [f"{name} {outcome}" for name, outcome in zip(names, ends, strict=True)]
