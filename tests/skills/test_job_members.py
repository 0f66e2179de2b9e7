"""The members of a job's class, and what the house makes of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

import pytest

from metier.actions.function import action
from metier.actions.info import ActionInfo, Actions, Tool
from metier.actions.rows import NO_ROWS, Rows
from metier.domain.action import APP, Action, Hands
from metier.domain.bounds import StopWhen
from metier.domain.permits import Permits
from metier.domain.retry import Retry
from metier.domain.skill import Job
from metier.errors import InputInvalid, SkillInvalid
from metier.skills.hand_on import HandOn
from metier.skills.job import Skill
from metier.skills.job_spec import face_of, spec_of
from metier.skills.job_types import input_json, result_of


@dataclass
class Repair:
    """One bike in for repair."""

    ticket: str
    due: date | None = None


@dataclass
class Estimate:
    """What an estimate says."""

    hours: Decimal
    ready: date


class Order(TypedDict):
    """What is ordered."""

    part: str
    due: date


class EstimateRepair(Skill[Repair, Estimate]):
    """Estimate one repair."""


class Careful(EstimateRepair):
    """Estimate one repair."""

    label = "A careful estimate"
    may = Permits.reads_only()
    retry = Retry(times=2)
    stop = StopWhen(max_turns=3)
    budget = Decimal("0.05")

    def version_of(self, given: Repair) -> str:
        return f"{given.ticket} {given.due}"

    def names(self, given: Repair, action: str, arguments: Mapping[str, Any]) -> str:
        return f"{action} of {given.ticket}: {', '.join(arguments)}"


def job_of(skill: Skill[Any, Any]) -> Job:
    """The job that a class declares."""
    job = spec_of(skill).job
    assert job is not None
    return job


def test_name_is_the_class() -> None:
    """A skill is called as its class is, and is read in words, unless it says otherwise (O15, O16)."""
    assert EstimateRepair().name == spec_of(EstimateRepair()).name == "EstimateRepair"
    assert [spec_of(one).label for one in (EstimateRepair(), Careful())] == ["Estimate repair", "A careful estimate"]


def test_what_is_not_said_is_none() -> None:
    """A job that overrides nothing has no hooks, permits of its own or tries (O13, O17-O20)."""
    job = job_of(EstimateRepair())
    assert (job.may, job.version_of, job.names, job.retry, job.brief, job.check) == (
        None,
        None,
        None,
        Retry(),
        None,
        None,
    )


def test_hooks_are_given_the_input() -> None:
    """`version_of` and `names` are given what the job takes, made of the input on the record (O18, O19)."""
    job = job_of(Careful())
    given = {"ticket": "T-7", "due": "2026-03-31"}
    assert job.version_of is not None
    assert job.names is not None
    assert job.version_of(given) == "T-7 2026-03-31"
    assert job.names(given, "set_price", {"price": 3}) == "set_price of T-7: price"
    assert (job.may, job.retry.times) == (Permits.reads_only(), 2)


def test_version_leaves_bounds_out() -> None:
    """The version follows what the model is told, and not the job's bounds, permits or hooks (O14)."""
    assert spec_of(Careful()).version == spec_of(EstimateRepair()).version


def test_reasons_beyond_the_schema() -> None:
    """A result that fits the schema and is none all the same has its reasons (O24, O35)."""
    job = job_of(EstimateRepair())
    assert job.misfit is not None
    assert job.misfit({"hours": 1, "ready": "2026-03-31"}) == ()
    (reason,) = job.misfit({"hours": 1, "ready": "2026-02-30"})
    assert reason.startswith("ready: ")


def test_input_as_it_stands_on_the_record() -> None:
    """An instance becomes JSON data, and JSON data stays what it is (O35)."""
    skill = EstimateRepair()
    assert input_json(skill, Repair("T-7", date(2026, 3, 31))) == {"ticket": "T-7", "due": "2026-03-31"}
    assert input_json(skill, {"ticket": "T-7"}) == {"ticket": "T-7"}
    assert input_json(skill, None) is None
    with pytest.raises(InputInvalid, match="The input is no Repair"):
        input_json(skill, object())


def test_mapping_with_members_that_are_no_json() -> None:
    """A TypedDict with a date in it is no JSON data yet (O35)."""

    class Send(Skill[Order, str]):
        """Send an order."""

    order = Order(part="pads", due=date(2026, 3, 31))
    assert input_json(Send(), order) == {"part": "pads", "due": "2026-03-31"}
    assert input_json(Send(), {"part": "pads", "due": "2026-03-31"}) == {"part": "pads", "due": "2026-03-31"}


def test_result_is_typed() -> None:
    """A result becomes an instance of what the job hands back; none stays none (O33)."""
    skill = EstimateRepair()
    read = result_of(skill, {"hours": 1.5, "ready": "2026-03-31"})
    assert (read, result_of(skill, None)) == (Estimate(Decimal("1.5"), date(2026, 3, 31)), None)


def test_handed_by_a_schema_of_its_own() -> None:
    """A job can be handed something else than it takes, and makes its input of that (O76, O104)."""
    schema = {"type": "object", "properties": {"ticket": {"type": "string"}}, "required": ["ticket"]}

    class Handed(EstimateRepair):
        """Estimate one repair."""

        handed_schema = schema

        def handed(self, given: Any) -> Repair:
            return Repair(given["ticket"].upper(), date(2026, 1, 1))

    job = job_of(Handed())
    assert job.take_handed is not None
    assert (job.handed, job.not_handed) == (schema, "")
    assert job.take_handed({"ticket": "t-7"}) == {"ticket": "T-7", "due": "2026-01-01"}


def test_handed_what_is_none() -> None:
    """What fits the schema and is none all the same is told before anything is spent (O110)."""
    take = job_of(EstimateRepair()).take_handed
    assert take is not None
    assert take({"ticket": "T-7"}) == {"ticket": "T-7"}
    with pytest.raises(InputInvalid, match="The input does not fit: due: "):
        take({"ticket": "T-7", "due": "2026-02-30"})


def test_handed_by_half() -> None:
    """A schema without what to make of it, or an id where no row is taken, is told."""

    class Half(EstimateRepair):
        """Half."""

        handed_schema = {"type": "object"}  # noqa: RUF012 - as an app writes it

    class NoRow(EstimateRepair):
        """No row."""

        handed_schema = HandOn.by_id("The repair.")

    for skill, said in ((Half(), "not what to make of it"), (NoRow(), "handed by the id of a row, and takes none")):
        with pytest.raises(SkillInvalid, match=said):
            spec_of(skill)


@action("Look up the parts", query=True)
def parts_for(fault: str) -> list[str]:
    """The parts."""
    return [fault]


class Asks:
    """A tool that is no function of the app: it asks another skill's face what it takes."""

    action, label, description = "ask_other", "Ask", "Asks another."
    parameters_schema, place = "{}", "the tool ask_other"
    reads_only, changes, sends = True, False, False

    def __init__(self) -> None:
        self.asked: list[Rows] = []

    def made(self, rows: Rows) -> Action:
        """The action; it knows the skill that lists it, as two agents may that hand work to each other."""
        self.asked.append(rows)
        return Action("ask_other", face_of(Both(self)).description, {"type": "object"}, self._body, origin=APP)

    async def _body(self, arguments: Mapping[str, Any], hands: Hands) -> Any:
        raise NotImplementedError


class Both(Skill[str, str]):
    """Has tools of two kinds."""

    def __init__(self, tool: Tool) -> None:
        self.tools = [Actions.of(parts_for), tool]


def test_other_things_are_tools() -> None:
    """Whatever can be made an action is a tool, and two skills may be each other's (O6, O76)."""
    tool = Asks()
    job = job_of(Both(tool))
    assert [one.name for one in job.tools] == ["parts_for", "ask_other"]
    assert job.tools[1].description == "Has tools of two kinds."
    assert tool.asked == [NO_ROWS]
    face = face_of(Both(tool))
    assert face.job is not None
    assert list(face.job.tools) == []
    tools: list[Tool] = [ActionInfo(Actions.of(parts_for).declared), tool]
    assert list(Actions.by_name(tools)) == ["parts_for", "ask_other"]
