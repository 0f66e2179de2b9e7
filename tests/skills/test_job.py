"""Typed jobs written as classes."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypedDict

import pytest

from metier import Actions, LlmModel, LlmPrice, LlmSetup, Metier, ModelNeeds, Skill, StopWhen, action
from metier.domain.message import Answer, Request
from metier.errors import ActionError, InputInvalid, SkillError, SkillInvalid
from metier.skills.job_spec import spec_of
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory


@dataclass
class Repair:
    """One bike in for repair."""

    ticket: str
    fault: str = "unknown"


@dataclass
class Estimate:
    """What an estimate says."""

    hours: Decimal
    summary: str = ""
    parts: list[str] = field(default_factory=list[str])


class Note(TypedDict):
    """A note."""

    text: str


@action("Look up the parts a fault needs", query=True)
def parts_for(fault: str) -> list[str]:
    """The parts."""
    return ["pads", "cable"] if "brake" in fault else []


class EstimateRepair(Skill[Repair, Estimate]):
    """Estimate one repair.

    More that nobody is told.
    """

    instructions = "Look up the parts first."
    tools = (Actions.of(parts_for),)
    budget = Decimal("0.05")
    stop = StopWhen(max_turns=6)

    def brief(self, given: Repair) -> str:
        """The ticket."""
        return f"Ticket {given.ticket}: {given.fault}."

    def check(self, result: Estimate) -> str | None:
        """Some time is taken."""
        return "An estimate takes some time." if result.hours <= 0 else None


class Rename(Skill[str, str]):
    """Say it in other words."""

    version = "7"


class Plain(Skill[Repair, Note]):
    """Write a note."""


def app(*steps: Says, seen: list[Request] | None = None, **how: Any) -> Metier:
    """An app whose model takes these steps."""
    script = AgentScript.of(*steps)

    def answer(request: Request) -> Answer:
        if seen is not None:
            seen.append(request)
        return script.answer(request)

    return Metier(model=ScriptedModel("test", answer), record=False, **how)


def test_class_declares_a_job() -> None:
    """Name, description, schemas, tools and bounds come from the class; nothing else is declared (O1-O15)."""
    spec = spec_of(EstimateRepair())
    assert (spec.name, spec.description, spec.source) == ("EstimateRepair", "Estimate one repair.", __name__)
    assert spec.job is not None
    assert spec.job.hands_back is not None
    assert list(spec.job.hands_back["properties"]) == ["hours", "summary", "parts"]
    assert spec.job.hands_back["properties"]["hours"] == {"type": "number"}
    assert spec.job.hands_back["required"] == ["hours"]
    assert ([tool.name for tool in spec.job.tools], spec.job.budget) == (["parts_for"], Decimal("0.05"))
    assert spec.job.stop.max_turns == 6


def test_result_is_sent_back_then_done() -> None:
    """What `check` refuses goes back with its reason word for word; the accepted result comes typed (O8, O24-O26, O33, O117)."""
    steps = Says.hand_back({"hours": 0}), Says.hand_back({"hours": 1.5, "parts": ["pads"]})
    with app(*steps) as one:
        outcome = one.do(EstimateRepair(), Repair("T-7", "rear brake"))
        assert outcome.done
        assert outcome.result == Estimate(Decimal("1.5"), parts=["pads"])
        assert "SentBack" in Trajectory.kinds(outcome.task)
        reasons = [entry.body for entry in Trajectory.entries(outcome.task) if entry.kind == "SentBack"]
        assert reasons == [{"reason": "An estimate takes some time."}]


def test_model_is_told_the_brief() -> None:
    """The model is told the job, how to do it, and of the input what `brief` says (O4, O5, O7)."""
    seen: list[Request] = []
    with app(Says.hand_back({"hours": 1}), seen=seen) as one:
        one.do(EstimateRepair(), Repair("T-7", "rear brake"))
    assert seen[0].messages[0].text == "Estimate one repair.\n\nLook up the parts first.\n\nTicket T-7: rear brake."
    assert [tool.name for tool in seen[0].tools] == ["parts_for", "hand_back"]


def test_without_a_brief_the_input_is_shown() -> None:
    """The default shows the input as JSON, and text as it is (O2, O14)."""
    seen: list[Request] = []
    with app(Says.hand_back({"text": "so"}), seen=seen) as one:
        assert one.do(Plain(), Repair("T-7")).result == {"text": "so"}
    assert seen[0].messages[0].text.endswith('Input: {"ticket":"T-7","fault":"unknown"}')


def test_words_in_words_out() -> None:
    """A job of text answers in words, without `hand_back` (O2, O3, O22)."""
    with app(Says.text("Other words.")) as one:
        outcome = one.do(Rename(), "these words")
    assert (outcome.result, outcome.receipt.skill.version) == ("Other words.", "7")


def test_version_follows_what_is_declared() -> None:
    """Without a version of its own a skill gets one that changes with all that is declared (O12, O14)."""

    class Other(EstimateRepair):
        """Estimate one repair."""

        instructions = "Guess."

    before, now = spec_of(EstimateRepair()).version, spec_of(Other()).version
    assert (before[:2], before == spec_of(EstimateRepair()).version, before != now) == ("1-", True, True)


def test_members_may_be_properties() -> None:
    """A member may be made anew for each instance (O13)."""

    class Made(Rename):
        """Made."""

        def __init__(self, budget: int) -> None:
            self.budget = Decimal(budget)

        @property
        def needs(self) -> ModelNeeds:  # type: ignore[override]  # a property in the place of an attribute
            """A strong one."""
            return ModelNeeds(strength="strong")

    job = spec_of(Made(3)).job
    assert job is not None
    assert (job.budget, job.needs.strength) == (Decimal(3), "strong")


def test_needs_reach_the_router() -> None:
    """The app's router decides from what the job needs (O10, O61)."""

    class Hard(Rename):
        """Think."""

        needs = ModelNeeds(strength="strong")

    def listed(name: str, price: int, **knows: Any) -> LlmModel:
        client = ScriptedModel(name, AgentScript.of(Says.text(name)).answer)
        return LlmModel(name, client, LlmPrice(Decimal(price), Decimal(price)), **knows)

    llm = LlmSetup([listed("big", 9, strength="strong"), listed("small", 1)])
    with Metier(llm=llm, record=False) as one:
        assert [one.do(skill, "x").result for skill in (Rename(), Hard())] == ["small", "big"]


def test_check_that_raises_is_the_apps_fault() -> None:
    """A check that breaks ends the job Failed; the model is told nothing of it (O36)."""

    class Broken(Plain):
        """Broken."""

        def check(self, result: Note) -> str | None:
            """Breaks."""
            raise KeyError(result["text"])

    with app(Says.hand_back({"text": "so"})) as one:
        outcome = one.do(Broken(), Repair("T-7"))
        assert (outcome.state, outcome.reason, outcome.result) == ("Failed", "fault", None)
        assert "Fault" in Trajectory.kinds(outcome.task)


def test_check_may_be_async() -> None:
    """A check may await."""

    class Slow(Plain):
        """Slow."""

        async def check(self, result: Note) -> str | None:
            """Says no to short notes."""
            return "Too short." if len(result["text"]) < 3 else None

    with app(Says.hand_back({"text": "so"}), Says.hand_back({"text": "so it is"})) as one:
        assert one.do(Slow(), Repair("T-7")).receipt.calls.sent_back == 1


def test_unlisted_tool_never_runs() -> None:
    """A tool that the job does not list is refused, told and recorded, and the job goes on (O45, O46, O117)."""
    with app(Says.tool("scrap_bike", {"repair": "1"}), Says.hand_back({"hours": 1})) as one:
        outcome = one.do(EstimateRepair(), Repair("T-7"))
        assert (outcome.done, Trajectory.called(outcome.task, "scrap_bike")) == (True, False)
        assert "Refused" in Trajectory.kinds(outcome.task)


def test_named_in_every_way() -> None:
    """A job that the app knows runs by its class's name, bare or with its module, as JSON (O15)."""
    with app(Says.hand_back({"hours": 1}), skills=[EstimateRepair()]) as one:
        for name in (
            "EstimateRepair",
            f"{__name__}:EstimateRepair",
            f"{__name__}.EstimateRepair",
            "test_job.EstimateRepair",
        ):
            assert one.run(name, input='{"ticket": "T-7"}').done


def test_two_of_one_name() -> None:
    """A bare name that several have is refused, and the message names them (O15)."""
    twin = type("EstimateRepair", (Rename,), {"__module__": "other", "__doc__": "Another."})
    with app(skills=[EstimateRepair(), twin()]) as one, pytest.raises(SkillError, match="other:EstimateRepair and"):
        one.run("EstimateRepair")


@pytest.mark.parametrize("given", [Note(text="x"), "no JSON", 3, Estimate(Decimal(1))], ids=str)
def test_wrong_input_is_told(given: Any) -> None:
    """An input that is not what the job takes is refused before any model call (O110)."""
    with app() as one, pytest.raises(InputInvalid):
        one.do(EstimateRepair(), given)


def test_what_is_no_job() -> None:
    """A class that does not say its types, or hands back no object, is told how to mend it."""
    untold: Any = type("Untold", (Skill,), {})
    with pytest.raises(SkillInvalid, match="does not say what it takes"):
        spec_of(untold())

    class Listed(Skill[str, list[str]]):
        """A list."""

    with pytest.raises(SkillInvalid, match="hands back what is no object"):
        spec_of(Listed())


def test_tools_have_names_of_their_own() -> None:
    """Two functions of one name cannot both be tools."""

    @action("Another", query=True)
    def parts_for(fault: str) -> list[str]:
        """The same name."""
        return [fault]

    class Twice(Skill[str, str]):
        """Twice."""

        tools = (*EstimateRepair.tools, Actions.of(parts_for))

    with pytest.raises(ActionError, match="Two actions are called 'parts_for'"):
        spec_of(Twice())
