"""Skills that are run from what was typed into a form."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from metier import Metier, Skill, input_fields_of, input_json_of
from metier.domain.skill import Job, SkillSpec
from metier.errors import InputInvalid
from metier.testing import AgentScript, Says, ScriptedModel


@dataclass
class Order:
    """An order."""

    item: str
    """What is ordered."""
    count: int = 1
    gift: bool = False


class Pack(Skill[Order, str]):
    """Pack it."""


class Say(Skill[str, str]):
    """Say it."""


def test_one_field_for_each_member() -> None:
    """Each member is a field with its label, its kind and whether it is required; a job of text asks for one line (O105, O106)."""
    fields = input_fields_of(Pack())
    assert [(one.name, one.number, one.yes_no, one.required) for one in fields] == [
        ("item", False, False, True),
        ("count", True, False, False),
        ("gift", False, True, False),
    ]
    assert [one.name for one in input_fields_of(Say())] == ["text"]


def test_what_was_typed_becomes_the_input() -> None:
    """What was typed is read as each field says, and the job is given it (O107)."""
    typed = input_json_of(input_fields_of(Pack()), {"item": "tea", "count": "3", "gift": "yes"})
    assert typed == '{"item":"tea","count":3,"gift":true}'
    with Metier(model=ScriptedModel("test", AgentScript.of(Says.text("packed")).answer), record=False) as app:
        assert app.run(Pack(), input=typed).done
        assert app.input_from(Pack(), {"item": "tea"}) == '{"item":"tea"}'


def test_all_that_is_wrong_is_told_at_once() -> None:
    """What is missing, is no number or is no field is said together (O107, O110)."""
    with pytest.raises(InputInvalid) as caught:
        input_json_of(input_fields_of(Pack()), {"count": "many", "colour": "red"})
    said = caught.value.message
    assert all(word in said for word in ("item is missing", "'many' is no whole number", "no field 'colour'"))


def test_files_fill_their_members() -> None:
    """A member that a given file fills is not asked for."""
    takes = {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "path"}, "page": {"type": "integer"}},
        "required": ["file"],
    }
    fields = input_fields_of(SkillSpec("reading", "Reads.", job=Job(takes=takes)))
    assert [one.name for one in fields] == ["page"]


TICKET: Mapping[str, Any] = {"type": "object", "properties": {"ticket": {"type": "string"}}, "required": ["ticket"]}


@dataclass
class Asked:
    """What is asked."""

    ticket: str


class ByTicket(Skill[Asked, str]):
    """Say the ticket."""

    handed_schema = TICKET

    def handed(self, given: Any) -> Asked:
        """The ticket, twice as long."""
        return Asked(given["ticket"] * 2)


def test_form_of_another_schema_fills_the_input(tmp_path: Path) -> None:
    """What is handed becomes what the skill takes, for the app itself too (O104, O107)."""
    model = ScriptedModel("test", AgentScript.of(Says.text("so")).answer)
    with Metier(project=tmp_path, model=model, record=False, skills=[ByTicket()]) as app:
        given = app.input_from("ByTicket", {"ticket": "T-7"})
        receipt = app.run("ByTicket", input=given)
    assert (given, receipt.done) == ('{"ticket":"T-7T-7"}', True)
