"""A number of many digits, from a model's JSON to a decimal of the app, on the record and off it again."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier.actions.function import action, action_of
from metier.app.metier import Metier
from metier.domain.message import ModelMessage, Request, ToolCall
from metier.domain.proposal import Reply
from metier.domain.skill import Job, SkillSpec
from metier.gate.approvers import Later, Yes
from metier.models.conversation import arguments_of
from metier.testing import ScriptedModel

LONG = "0.12345678901234567890123"
RESULT: Mapping[str, Any] = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}


class Shop:
    """A job whose model puts a number, and hands it back, in the JSON that a provider sends."""

    def __init__(self) -> None:
        self.put: list[Decimal] = []

        @action(changes=True)
        def put(n: Decimal) -> None:
            """Put."""
            self.put.append(n)

        self.skill = SkillSpec("job", "Puts.", job=Job(hands_back=RESULT, tools=[action_of(put)]))
        self.model = ScriptedModel("m", self.answer)

    def answer(self, request: Request) -> ModelMessage:
        """The next call."""
        name = "put" if len(request.messages) == 1 else "hand_back"
        arguments = arguments_of(f'{{"n": {LONG}}}')
        return ModelMessage("", (ToolCall("c", name, arguments),))


@pytest.mark.parametrize("waits", [False, True], ids=["at once", "answered later"])
def test_digits_reach_the_app_and_the_record(waits: bool, tmp_path: Path) -> None:
    """Every digit reaches the parameter, the result and the record, also where the call waited there for its yes (O34)."""
    shop = Shop()
    how: Any = {"project": tmp_path, "record": tmp_path / "r.db", "model": shop.model, "skills": [shop.skill]}
    with Metier(**how) as app:
        task = app.run(shop.skill, approver=Later() if waits else Yes("Ada")).id
        stored = app.proposals(task)
        assert [one.proposal.arguments for one in stored] == [{"n": Decimal(LONG)}] * len(stored)
        for one in stored if waits else ():
            app.answer(one.proposal.id, Reply("yes", "Ada"))
    with Metier(**how) as app:
        receipt = app.resume(task) if waits else app.receipt(task)
        assert (receipt.state, receipt.text, shop.put, receipt.result) == (
            "Done",
            "",
            [Decimal(LONG)],
            {"n": Decimal(LONG)},
        )
        called = [one.body for one in app.record.entries(task, whole=True) if one.kind == "ToolCalled"]
        assert called == [{"arguments": {"n": Decimal(LONG)}}] * 2
        assert app.verify(task).ok
