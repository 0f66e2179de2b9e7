"""The demo's scripted model, driven through the whole job with the skill's real files and scripts."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest

from metier.domain.message import Message, ModelMessage, Request, ToolCall, ToolMessage, UserMessage

Drive = Callable[[str], list[Message]]


@pytest.fixture
def drive(
    demo: ModuleType,
    skill: Path,
    tmp_path: Path,
    run: Callable[..., subprocess.CompletedProcess[str]],
    reason_of: Callable[[Path, Any], str],
) -> Drive:
    """`drive(text of the file)`: the conversation until the report is accepted or the model gives up."""
    file = tmp_path / "given.csv"

    def act(call: ToolCall) -> ToolMessage:
        given = call.arguments
        assert not isinstance(given, str)
        if call.name == "hand_back":
            reason = reason_of(file, given)
            return ToolMessage(call.id, call.name, reason or "Accepted.", ok=not reason)
        if call.name == "run_skill_script":
            ran = run(tmp_path, given["script_name"], *given["args"])
            text = f"{ran.stdout}[exit code {ran.returncode}]" if ran.returncode else ran.stdout
            return ToolMessage(call.id, call.name, text, ok=ran.returncode == 0)
        name = given.get("resource_name", "SKILL.md")
        return ToolMessage(call.id, call.name, (skill / name).read_text(encoding="utf-8"))

    def drive(text: str) -> list[Message]:
        file.write_text(text, encoding="utf-8")
        messages: list[Message] = [UserMessage('Use the skill expense-report.\n\nInput: {"file":"given.csv"}\n')]
        for _ in range(40):
            said: ModelMessage = demo.answer(Request("", messages, (), 1000))
            answers = [act(call) for call in said.calls]
            messages += [said, *answers]
            if not said.calls or (answers[-1].name == "hand_back" and answers[-1].ok):
                break
        return messages

    return drive


def calls_of(messages: list[Message]) -> list[ToolCall]:
    """Every call of the model, in order."""
    return [call for message in messages if isinstance(message, ModelMessage) for call in message.calls]


def test_demo_comes_to_its_report(drive: Drive, skill: Path) -> None:
    """It reads first, hands back too early once, is sent back, reads on, and its report is accepted (O8)."""
    messages = drive((skill.parent / "expenses.csv").read_text(encoding="utf-8"))
    walk = ["load_skill", "read_skill_resource", "run_skill_script", "hand_back", "run_skill_script", "hand_back"]
    assert [call.name for call in calls_of(messages)] == walk
    answers = [message for message in messages if isinstance(message, ToolMessage) and message.name == "hand_back"]
    assert [answer.ok for answer in answers] == [False, True]
    assert answers[0].text.endswith("read every page of the validator.")


def test_each_hand_back_fits_the_schema(drive: Drive, skill: Path) -> None:
    """Even the early report fits the schema, so that it is the check that sends it back."""
    schema = json.loads((skill / "schemas" / "report.json").read_text(encoding="utf-8"))
    for call in calls_of(drive((skill.parent / "expenses.csv").read_text(encoding="utf-8"))):
        if call.name == "hand_back":
            jsonschema_rs.validate(schema, call.arguments)


def test_ids_are_never_used_twice(drive: Drive) -> None:
    """Each call has an id of its own, over many pages too."""
    wrong = "2026-01-05,Ann,meals,x,\n" * 700
    messages = drive(f"date,employee,category,amount,receipt\n{wrong}")
    ids = [call.id for call in calls_of(messages)]
    assert len(set(ids)) == len(ids)
    assert messages[-1] == ToolMessage(ids[-1], "hand_back", "Accepted.")


@pytest.mark.parametrize(
    "text", ["name,amount\n", "date,employee,category,amount,receipt\n2026-01-05,Ann,meals,9.50,\n"]
)
def test_one_page_is_handed_back(drive: Drive, text: str) -> None:
    """A refused file and a file without wrong rows are reported at once, since nothing is left to read."""
    messages = drive(text)
    assert [call.name for call in calls_of(messages)][-2:] == ["run_skill_script", "hand_back"]
    assert isinstance(messages[-1], ToolMessage)
    assert messages[-1].ok


def test_failed_script_ends_in_words(drive: Drive, demo: ModuleType) -> None:
    """When the validator printed no report the model says so and invents none."""
    made = ToolCall("call-1", "run_skill_script", {})
    asked = ModelMessage(
        "", [ToolCall(f"{n}", name, {}) for n, name in enumerate(("load_skill", "read_skill_resource"))]
    )
    failed = ToolMessage("call-1", "run_skill_script", "error: {no file")
    said = demo.answer(Request("", (asked, ModelMessage("", [made]), failed), (), 1000))
    assert (said.calls, "nothing" in said.text) == ((), True)


def test_model_is_named_and_priced(demo: ModuleType) -> None:
    """The receipt can name the demo's model and count its cost (O60)."""
    assert (demo.model.name, demo.model.scripted, demo.model.price is None) == ("demo", True, False)


def test_job_is_declared_whole(skill: Path) -> None:
    """The input's schema takes one path and refuses anything beside it."""
    takes = jsonschema_rs.validator_for(json.loads((skill / "schemas" / "takes.json").read_text(encoding="utf-8")))
    assert [takes.is_valid(given) for given in ({"file": "a.csv"}, {}, {"file": "a.csv", "more": 1})] == [
        True,
        False,
        False,
    ]
