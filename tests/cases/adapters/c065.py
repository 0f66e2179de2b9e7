"""Is an answer that is not what a tool promises taken for a success?

differs = "There is no serving over MCP yet: the tools are actions of the app, and who reads their answers is a model"
"""

from decimal import Decimal
from pathlib import Path
from typing import Any, TypedDict

from metier.actions.function import action, action_of
from metier.domain.action import Action
from metier.domain.bounds import StopWhen
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, with_tools

EXPECTED = {
    "a": ("output.schema", 'a did not answer what it promises: "total" is a required property'),
    "b": ("output.schema", "b did not answer what it promises: a set has no order; hand back a list"),
    "c": ("output.not_json", "the answer is no JSON: NaN is no number"),
    "ok": ("result", '{"total":3}'),
    "printed": [],
}
SAYS: dict[str, Any] = {
    "{'count': 'three'}": {"count": "three"},
    "{'x', 'y'}": {"x", "y"},
    "{'total': 3}": {"total": 3},
}
SAYS["Decimal('NaN')"] = Decimal("NaN")


class Total(TypedDict):
    """What `a` and `ok` promise."""

    total: int


PROMISED: dict[str, Any] = {"a": Total, "b": list[str], "c": str, "ok": Total}


def happens(case: Case, folder: Path) -> Happened:
    """Call every tool once, and look at how each came out."""
    told = case.read("tools.toml")["tool"]
    tools = [_tool(one["name"], SAYS[one["returns_python"]]) for one in told]
    calls = [Says.tool(one["name"]) for one in told]
    job = with_tools(*tools, stop=StopWhen(stuck_after=10))
    played = Player(folder).play([*calls, Says.text("done")], job=job)
    ends = [
        (str(entry.facts["code"]) or "result", str((entry.body or {})["text"])) for entry in played.of("ToolReturned")
    ]
    facts: dict[str, Any] = dict(zip([one["name"] for one in told], ends, strict=True))
    facts["printed"] = [text for text in (one.text for one in played.answers) if "{'" in text or "Decimal(" in text]
    wanted = [one["gives"] for one in told]
    return Happened("error" if [code for code, _ in ends] == wanted else "ok", facts=facts)


def _tool(name: str, value: Any) -> Action:
    def give() -> Any:
        return value

    give.__name__ = name
    give.__annotations__["return"] = PROMISED[name]
    return action_of(action("Gives it.", query=True)(give))
