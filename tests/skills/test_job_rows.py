"""Jobs that take stored rows, and hand back what holds some."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import pytest
from sqlalchemy import Engine, inspect, select
from sqlalchemy.orm import Session

from metier import Actions, Metier, action
from metier.actions.rows import NO_ROWS
from metier.app.forms import input_fields_of
from metier.domain.action import Action
from metier.domain.message import Answer, Request
from metier.domain.principal import RIGHTS, Principal, Rights
from metier.domain.skill import Job
from metier.errors import ActionError, InputInvalid
from metier.rows import AppRows, session
from metier.skills.hand_on import HandOn
from metier.skills.job import Skill
from metier.skills.job_spec import spec_of
from metier.skills.job_types import input_json, result_of
from metier.testing import AgentScript, Says, ScriptedModel

from ..actions.hands import NoHands
from ..rows.shop import Repair, open_shop


@dataclass
class Plan:
    """Which repairs are done."""

    first: Repair
    then: list[Repair]


class Pair(TypedDict):
    """A repair and a word."""

    repair: Repair
    word: str


@action("Write a note on the repair", changes=True)
def note_repair(repair: Repair, note: str) -> str:
    """Note it."""
    repair.note = note
    return f"Noted on {repair.ticket}."


class EstimateRepair(Skill[Repair, Plan]):
    """Plan one repair."""

    tools = (Actions.of(note_repair),)
    handed_schema = HandOn.by_id("The repair to plan.")


class Told(EstimateRepair):
    """Plan one repair, with all hooks."""

    def brief(self, given: Repair) -> str:
        return f"Ticket {given.ticket}, id {given.id}"

    def version_of(self, given: Repair) -> str:
        return given.note or "new"

    def names(self, given: Repair, action: str, arguments: Mapping[str, Any]) -> str:
        return f"{action} {arguments['repair']} of {given.ticket}"

    def check(self, result: Plan) -> str | None:
        return None if result.first.ticket == "T-7" else f"{result.first.ticket} is not urgent."


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A workshop with two repairs."""
    made = open_shop(tmp_path)
    with Session(made) as own, own.begin():
        own.add(Repair(ticket="T-8", fault="bell"))
    yield made
    made.dispose()


@pytest.fixture
def rows(engine: Engine) -> AppRows:
    """Its rows, of which Mia may not read T-8."""
    return AppRows(engine, may_read=lambda who, row: who.id != "mia" or row.ticket != "T-8")


@pytest.fixture
def as_mia() -> Iterator[None]:
    """What runs here reads by Mia's rights."""
    mia = Principal("mia")
    token = RIGHTS.set(Rights(mia, (mia,)))
    yield
    RIGHTS.reset(token)


def stored(engine: Engine, ticket: str) -> Repair:
    """A repair as the app's code has it: committed, and left behind by its session."""
    with Session(engine) as own:
        row = own.scalars(select(Repair).where(Repair.ticket == ticket)).one()
        own.commit()
    return row


def job_of(skill: Skill[Any, Any], rows: AppRows) -> Job:
    """The job that a class declares, in an app with rows."""
    job = spec_of(skill, rows=rows).job
    assert job is not None
    return job


def test_row_is_given_by_its_id(rows: AppRows) -> None:
    """On the record a row is its id, and the schema says so (O2, O43, O105)."""
    skill = EstimateRepair()
    assert input_json(skill, stored(rows.engine, "T-7"), rows) == {"id": "1"}
    assert input_json(skill, {"id": "1"}, rows) == {"id": "1"}
    assert job_of(skill, rows).takes == {
        "type": "object",
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
        "additionalProperties": False,
    }
    with pytest.raises(ActionError, match="has no id yet"):
        input_json(skill, Repair(ticket="T-9", fault="tyre"), rows)


def test_version_is_the_same_with_rows(rows: AppRows) -> None:
    """A skill's version says nothing of the app that it is in (O14)."""
    assert spec_of(Told(), rows=rows).version == spec_of(Told(), rows=NO_ROWS).version


def test_row_is_told_by_its_columns(rows: AppRows) -> None:
    """Without a brief the model is shown a row's columns (O14)."""
    brief = job_of(EstimateRepair(), rows).brief
    assert brief is not None
    assert brief({"id": "1"}) == 'Input: {"id":1,"ticket":"T-7","fault":"brake","note":"","price":null}'


def test_hooks_are_given_the_row(rows: AppRows) -> None:
    """Whatever the class overrides is given the row itself, as it stands just then (O7, O18, O19)."""
    job = job_of(Told(), rows)
    assert job.brief is not None
    assert job.version_of is not None
    assert job.names is not None
    assert (job.brief({"id": "1"}), job.version_of({"id": "1"})) == ("Ticket T-7, id 1", "new")
    assert job.names({"id": "1"}, "note_repair", {"repair": "1"}) == "note_repair 1 of T-7"
    with Session(rows.engine) as own, own.begin():
        own.get_one(Repair, 1).note = "done"
    assert job.version_of({"id": "1"}) == "done"


@pytest.mark.usefixtures("as_mia")
def test_missing_and_forbidden_alike(rows: AppRows) -> None:
    """A row that is not there and one that may not be read are told alike, by their id (O44, O73, O101)."""
    job = job_of(Told(), rows)
    assert job.brief is not None
    assert job.take_handed is not None
    for call in (job.brief, job.take_handed):
        for row_id in ("2", "99"):
            with pytest.raises(InputInvalid, match=f'^The input does not fit: there is no Repair "{row_id}"\\.'):
                call({"id": row_id})


def test_handed_by_id(rows: AppRows) -> None:
    """A form or another agent hands the id of a row, under its label (O76, O104-O106)."""
    job = job_of(EstimateRepair(), rows)
    assert job.handed is not None
    assert job.handed["properties"] == {"id": {"type": "string", "description": "The repair to plan."}}
    assert job.take_handed is not None
    assert (job.take_handed({"id": "1"}), job.not_handed) == ({"id": "1"}, "")
    (field,) = input_fields_of(EstimateRepair())
    assert (field.name, field.label, field.kind, field.required) == ("id", "The repair to plan.", "text", True)


def test_row_that_cannot_be_found(rows: AppRows) -> None:
    """A job that does not say how its row is found cannot be handed it, and says so (O108)."""

    class Unsaid(Skill[Repair, str]):
        """Say nothing."""

    said = 'Repair is a stored row, and Unsaid does not say how to find it: set handed_schema = HandOn.by_id("…").'
    assert job_of(Unsaid(), rows).not_handed == said
    with pytest.raises(InputInvalid, match="does not say how to find it"):
        input_fields_of(Unsaid())


def test_row_found_by_the_job_itself(rows: AppRows) -> None:
    """A job may find its row by what it is handed, in a unit of work that only reads (O76, O104)."""

    class ByTicket(Skill[Repair, str]):
        """Find it by its ticket."""

        handed_schema = {"type": "object", "properties": {"ticket": {"type": "string"}}}  # noqa: RUF012 - an app's

        def handed(self, given: Any) -> Repair:
            return session().scalars(select(Repair).where(Repair.ticket == given["ticket"])).one()

    take = job_of(ByTicket(), rows).take_handed
    assert take is not None
    assert take({"ticket": "T-8"}) == {"id": "2"}


def test_rows_inside_of_what_is_taken(rows: AppRows) -> None:
    """What is taken may hold rows: they are ids on the record and rows for the job (O2, O35, O43)."""

    class Takes(Skill[Plan, str]):
        """Take a plan."""

        def brief(self, given: Plan) -> str:
            return " ".join(one.ticket for one in (given.first, *given.then))

    class TakesPair(Skill[Pair, str]):
        """Take a pair."""

    first, then = stored(rows.engine, "T-7"), stored(rows.engine, "T-8")
    assert input_json(Takes(), Plan(first, [then]), rows) == {"first": "1", "then": ["2"]}
    assert input_json(TakesPair(), Pair(repair=then, word="x"), rows) == {"repair": "2", "word": "x"}
    brief = job_of(Takes(), rows).brief
    assert brief is not None
    assert brief({"first": "1", "then": ["2"]}) == "T-7 T-8"


def test_rows_of_a_result(rows: AppRows) -> None:
    """A result's rows come loaded and on their own; one that is gone by then is told (O33)."""
    read = result_of(EstimateRepair(), {"first": "1", "then": ["2"]}, rows)
    assert [read.first.ticket, read.then[0].fault] == ["T-7", "bell"]
    assert inspect(read.first).detached
    with pytest.raises(InputInvalid, match="The result of EstimateRepair cannot be read any more: first: there is no"):
        result_of(EstimateRepair(), {"first": "99", "then": []}, rows)


@pytest.mark.usefixtures("as_mia")
def test_result_that_names_no_row(rows: AppRows) -> None:
    """A result with an id that is not there, or may not be read, has its reason (O24, O44)."""
    misfit = job_of(EstimateRepair(), rows).misfit
    assert misfit is not None
    assert misfit({"first": "1", "then": []}) == ()
    assert misfit({"first": "1", "then": ["2"]}) == ('then.0: there is no Repair "2"',)


def test_check_is_given_rows(rows: AppRows) -> None:
    """A check reads the rows of a result; what is gone since is its reason, and no fault of the app (O8, O25)."""
    check = job_of(Told(), rows).check
    assert isinstance(check, Action)

    def judged(first: str) -> Any:
        return asyncio.run(check.body({"result": {"first": first, "then": []}}, NoHands()))  # type: ignore[arg-type]  # awaited whole

    assert [judged(one) for one in ("1", "2", "9")] == [None, "T-8 is not urgent.", 'first: there is no Repair "9"']


def test_job_on_a_row_from_end_to_end(engine: Engine) -> None:
    """A job is given a row, its tool changes that row by its id, and its result holds the row (O2, O43, O49, O127)."""
    script = AgentScript.of(
        Says.tool("note_repair", {"repair": "1", "note": "pads"}),
        Says.hand_back({"first": "9", "then": []}),
        Says.hand_back({"first": "2", "then": []}),
        Says.hand_back({"first": "1", "then": ["2"]}),
    )
    seen: list[Request] = []

    def answer(request: Request) -> Answer:
        seen.append(request)
        return script.answer(request)

    with Metier(model=ScriptedModel("test", answer), record=False, rows=engine) as app:
        outcome = app.do(Told(), stored(engine, "T-7"), approver=lambda _: True)
    assert outcome.result is not None
    assert (outcome.done, outcome.result.first.note, outcome.receipt.calls.sent_back) == (True, "pads", 2)
    assert seen[0].messages[0].text.endswith("Ticket T-7, id 1")
    assert 'there is no Repair "9"' in str(seen[-1].messages)


def test_row_that_is_gone_costs_nothing(engine: Engine) -> None:
    """A job on a row that is not there ends before any model is asked, and says which (O110)."""

    def answer(_: Request) -> Answer:
        raise AssertionError("no model is asked")

    with Metier(model=ScriptedModel("test", answer), record=False, rows=engine) as app:
        gone: Any = {"id": "99"}  # as JSON data
        outcome = app.do(Told(), gone)
    assert (outcome.state, outcome.reason, outcome.result) == ("Failed", "fault", None)
    assert 'there is no Repair "99"' in outcome.receipt.text
