"""A whole task, from what it was given to its receipt."""

import contextlib
import json
import os
from collections.abc import AsyncIterator, Callable
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest

from metier.actions.function import action, action_of
from metier.actions.scripts.confinement import UNCONFINED
from metier.domain.bounds import StopWhen
from metier.domain.message import Answer, Request, TextPiece
from metier.domain.money import LlmPrice, Usage
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal, Reply
from metier.domain.skill import Job, SkillSpec
from metier.gate.approvers import Yes
from metier.models.llm_model import LlmModel
from metier.skills.digest import digest_of
from metier.testing import AgentScript, Says, ScriptedModel

from .conftest import GIVES, LOAD, READ, RUN, House, script

Skill = Callable[..., Path]
THREE = Says.hand_back({"lines": 3})
PRICE = LlmPrice(Decimal("0.1"), Decimal("0.4"))


def test_whole_job_has_a_whole_receipt(house: House, skill: Skill, data: Path) -> None:
    """A job that loads, reads, runs, is sent back once and then accepted is told whole on its receipt (O90)."""
    folder = skill()
    steps = [LOAD, READ, RUN, Says.hand_back({"lines": 4}), THREE]
    model = script(*(step.tokens(1000, 10) for step in steps), price=PRICE)
    receipt = house.run(model=model, files=[data], approver=Yes("Ada"))
    assert (receipt.state, receipt.reason, receipt.result) == ("Done", "handed_back", {"lines": 3})
    assert (receipt.model_calls, receipt.usage, receipt.cost) == (5, Usage(5000, 50), Decimal("0.00052"))
    assert (receipt.model, receipt.scripted, receipt.priced, receipt.giver) == ("test", True, True, "Ada")
    calls = receipt.calls
    assert (calls.done, calls.failed, calls.sent_back, calls.refused, calls.unknown) == (6, 0, 1, 0, 0)
    assert (calls.proposed, calls.approved, receipt.approvals[0]["by"]) == (1, 1, "Ada")
    assert (receipt.confinement, receipt.budget) == ((UNCONFINED,), Decimal("0.50"))
    assert [(used.name, used.digest) for used in receipt.skills] == [("count", digest_of(str(folder)))]
    assert [(file.name, file.digest, file.length) for file in receipt.files] == [
        ("data.csv", sha256(b"a\nb\nc\n").hexdigest(), 6)
    ]
    assert (receipt.entries, receipt.digest) == (len(house.entries(receipt.id)), house.entries(receipt.id)[-1].digest)


def test_entries_stand_in_order(house: House, skill: Skill, data: Path) -> None:
    """First what was given and told; each begin before its end, the yes before the begin; the end is last (O91)."""
    skill()
    receipt = house.run(RUN, THREE, files=[data], approver=Yes("Ada"))
    asked = ["ModelCalled", "ModelAnswered"]
    assert house.kinds(receipt.id) == [
        "Given",
        "Briefed",
        *asked,
        *("Proposed", "Approved", "ToolCalled", "ToolReturned"),
        *asked,
        *("ToolCalled", "ToolCalled", "ToolReturned", "ToolReturned", "HandedBack"),
        "Done",
    ]


def test_check_runs_inside_the_hand_back(house: House, skill: Skill, data: Path) -> None:
    """The check is a call of its own inside the call that handed back, asked for where no yes was given before."""
    skill()
    receipt = house.run(THREE, files=[data], approver=Yes("Ada"))
    begun = [entry.facts for entry in house.entries(receipt.id) if entry.kind == "ToolCalled"]
    assert [(one["target"], one["parent"]) for one in begun] == [
        ("hand_back", None),
        ("count/scripts/check.py", begun[0]["call"]),
    ]
    assert [one["action"] for one in receipt.approvals] == ["count/scripts/check.py"]


def test_naming_a_skill_is_the_yes_to_read_it(house: House, skill: Skill, data: Path) -> None:
    """The skill that was named is loaded and read unasked; running its scripts is asked for."""
    skill()
    asked: list[str] = []

    def approve(proposal: Proposal) -> bool:
        asked.append(proposal.words)
        return True

    house.run(LOAD, READ, RUN, RUN, THREE, files=[data], approver=approve)
    assert len(asked) == 1
    assert asked[0].endswith(":count may run with data.csv")


def test_nobody_to_ask_names_the_cure(house: House, skill: Skill, data: Path) -> None:
    """Without an approver the task ends Refused, and its text says what would serve."""
    skill()
    receipt = house.run(RUN, files=[data])
    assert (receipt.state, receipt.reason, receipt.calls.declined) == ("Refused", "nobody_to_ask", 1)
    assert "Give an approver" in receipt.text


def test_declined_check_ends_refused(house: House, skill: Skill, data: Path) -> None:
    """A no to the check ends the task: its result can never be accepted."""
    skill()
    receipt = house.run(THREE, files=[data], approver=lambda _: Reply("no", "Ada", "not today"))
    assert (receipt.state, receipt.reason) == ("Refused", "declined")
    assert "not today" in receipt.text


def test_no_to_a_script_is_told(house: House, skill: Skill, data: Path) -> None:
    """A no to a script is told to the model with its reason, and it goes on (O87)."""
    skill(toml=None)
    seen: list[Request] = []
    model = looking(seen, RUN, Says.text("I could not."))
    receipt = house.run(model=model, files=[data], approver=lambda _: Reply("no", "Ada", "wrong file"))
    assert (receipt.state, receipt.result) == ("Done", "I could not.")
    assert "Refused: Ada said no to count/scripts/count.py: wrong file" in [one.text for one in seen[1].messages]


def test_changed_script_is_not_run(house: House, skill: Skill, data: Path, tmp_path: Path) -> None:
    """A skill whose file changed between the yes and the run is not run; the task ends as changed (O83)."""
    folder = skill()

    def approve(_: Proposal) -> bool:
        mark = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
        (folder / "scripts" / "count.py").write_text(mark, encoding="utf-8")
        return True

    receipt = house.run(RUN, THREE, files=[data], approver=approve)
    assert (receipt.state, receipt.reason, (tmp_path / "ran").exists()) == ("Refused", "changed", False)
    assert [one.facts["code"] for one in house.entries(receipt.id) if "code" in one.facts] == ["skill.changed"]


def test_script_cannot_fool_the_check(house: House, skill: Skill, data: Path) -> None:
    """The check reads fresh copies: what a script did to its own copy is not there, and the original is untouched."""
    grow = "import os, sys\nos.chmod(sys.argv[1], 0o600)\nopen(sys.argv[1], 'a').write('d\\n')\n"
    skill(count=grow)
    receipt = house.run(RUN, Says.hand_back({"lines": 4}), THREE, files=[data], approver=Yes("Ada"))
    assert (receipt.state, receipt.result, receipt.calls.sent_back) == ("Done", {"lines": 3}, 1)
    assert data.read_text(encoding="utf-8") == "a\nb\nc\n"


def test_script_cannot_reach_the_kept_copy(house: House, skill: Skill, data: Path) -> None:
    """A script that alters the copy kept for the check is found out: the task ends as a fault, never Done."""
    reach = "import os\nos.chmod('../given/data.csv', 0o600)\nopen('../given/data.csv', 'a').write('d\\n')\n"
    skill(count=reach)
    receipt = house.run(RUN, Says.hand_back({"lines": 4}), *[THREE] * 5, files=[data], approver=Yes("Ada"))
    assert (receipt.state, receipt.reason, receipt.model_calls) == ("Failed", "fault", 2)


def test_second_reader_sees_the_answer_first(house: House) -> None:
    """Somebody else who reads the file sees the proposal while it is asked, and the yes and the begin while it runs (O84)."""
    seen: list[list[str]] = []

    @action(changes=True)
    def put() -> None:
        """Put."""
        seen.append(house.second_reader())

    def approve(_: Proposal) -> bool:
        seen.append(house.second_reader())
        return True

    spec = SkillSpec("putting", "Puts.", job=Job(tools=[action_of(put)]))
    house.run(Says.tool("put"), Says.text("so"), skill=spec, approver=approve)
    before = ["Given", "Briefed", "ModelCalled", "ModelAnswered", "Proposed"]
    assert seen == [before, [*before, "Approved", "ToolCalled"]]


def test_unlisted_tool_never_runs(house: House) -> None:
    """A function of the app that the job does not list is refused and told, and the work still ends Done (O45, O46)."""
    ran: list[str] = []

    @action(query=True)
    def secret() -> None:
        """Secret."""
        ran.append("secret")

    @action(query=True)
    def look() -> str:
        """Look."""
        return "found"

    spec = SkillSpec("looking", "Looks.", job=Job(tools=[action_of(look)]))
    receipt = house.run(Says.tool("secret"), Says.tool("look"), Says.text("so"), skill=spec)
    assert (receipt.state, ran, receipt.calls.refused, receipt.calls.done) == ("Done", [], 1, 1)
    assert "secret" not in [one.facts.get("target") for one in house.entries(receipt.id)]


def looking(seen: list[Request], *steps: Says) -> ScriptedModel:
    """A model that takes these steps and keeps what it was sent."""

    def answer(request: Request) -> Answer:
        seen.append(request)
        return AgentScript.of(*steps).answer(request)

    return ScriptedModel("test", answer)


@pytest.mark.parametrize(
    ("left_out", "tools"),
    [
        ({}, ["load_skill", "read_skill_resource", "run_skill_script"]),
        ({"policy": None}, ["load_skill", "run_skill_script"]),
        ({"count": None, "check": None}, ["load_skill", "read_skill_resource"]),
        ({"count": None, "check": None, "policy": None}, ["load_skill"]),
    ],
)
def test_tools_are_offered_when_needed(house: House, skill: Skill, left_out: dict[str, None], tools: list[str]) -> None:
    """Reading and running are offered only when the skill has something for them (M15-M17)."""
    skill(toml=None, takes=None, gives=None, **left_out)
    seen: list[Request] = []
    assert house.run(model=looking(seen, Says.text("so"))).state == "Done"
    assert [tool.name for tool in seen[0].tools] == tools


def test_free_task_sees_every_skill(house: House, skill: Skill) -> None:
    """A task in free words is offered all skills that are known, and answers in words (O22)."""
    skill()
    seen: list[Request] = []
    receipt = house.run(skill="Count the lines", model=looking(seen, Says.text("so")))
    assert (receipt.state, receipt.result, receipt.skill.name) == ("Done", "so", "task")
    assert "- count: " in seen[0].system
    assert "hand_back" not in [tool.name for tool in seen[0].tools]


def test_unpriced_model_is_refused(house: House) -> None:
    """A model whose price is not known is not called, unless that is allowed; the receipt tells (O63)."""
    client = script(Says.text("so"))
    spec = SkillSpec("words", "Say so.", job=Job())
    refused = house.run(model=LlmModel("dark", client), skill=spec)
    assert (refused.state, refused.reason, refused.model_calls) == ("Refused", "unpriced", 0)
    assert "metier.toml" in refused.text
    allowed = house.run(model=LlmModel("dark", client), skill=spec, unpriced=True)
    assert (allowed.state, allowed.priced, allowed.cost) == ("Done", False, Decimal(0))


def test_raising_check_leaves_a_fault(house: House) -> None:
    """A check that raises ends the task Failed with a Fault on the record, and nothing of it goes to the model (O36)."""

    @action(query=True)
    def check(result: dict[str, int], input: str | None) -> str | None:  # noqa: A002 - the word that checks are given
        """Check."""
        raise KeyError("the secret column")

    job = Job(hands_back=json.loads(GIVES), check=action_of(check))
    receipt = house.run(Says.hand_back({"lines": 3}), skill=SkillSpec("counting", "Counts.", job=job))
    assert (receipt.state, receipt.reason, receipt.result) == ("Failed", "fault", {"lines": 3})
    told = [one for one in house.entries(receipt.id) if one.kind in ("ModelCalled", "SentBack")]
    assert "secret" not in str(told)
    assert "Fault" in house.kinds(receipt.id)


def test_missing_check_is_a_fault(house: House, skill: Skill) -> None:
    """A job made in code whose check is no script of it ends as a fault before any model is called."""
    spec = SkillSpec("counting", "Counts.", job=Job(hands_back=json.loads(GIVES), check="scripts/none.py"))
    receipt = house.run(THREE, skill=spec)
    assert (receipt.state, receipt.reason, receipt.model_calls) == ("Failed", "fault", 0)
    assert house.kinds(receipt.id)[-2:] == ["Fault", "Failed"]


def test_every_limit_is_an_end(house: House) -> None:
    """Jobs that end at a limit end Failed, each with its own reason of the closed set (O33, O56)."""

    @action(query=True)
    def look(n: int) -> int:
        """Look."""
        return n

    def end(*steps: Says, budget: Decimal | None = None, **stop: float) -> str:
        job = Job(tools=[action_of(look)], stop=StopWhen(**stop), budget=budget)  # type: ignore[arg-type]  # whole numbers
        receipt = house.run(model=script(*steps, price=PRICE), skill=SkillSpec("looking", "Looks.", job=job))
        assert receipt.state == "Failed"
        return receipt.reason

    looks = [Says.tool("look", {"n": n}) for n in range(5)]
    assert end(*looks, max_turns=2) == "max_turns"
    assert end(*[looks[0]] * 5) == "repeats"
    assert end(*[Says.tool("none")] * 5) == "stuck"
    assert end(*looks, budget=Decimal("0.00000001")) == "budget"
    assert end(*looks, max_seconds=1e-9) == "seconds"
    assert end(Says.error("no route")) == "model"


def test_own_permits_bind(house: House) -> None:
    """Permits of the app decide what is asked for; what they never allow is refused though somebody would say yes (O79)."""
    ran: list[str] = []

    @action(changes=True)
    def put() -> None:
        """Put."""
        ran.append("put")

    spec = SkillSpec("putting", "Puts.", job=Job(tools=[action_of(put)]))
    steps = [Says.tool("put"), Says.text("so")]
    for permits, count in ((Permits.reads_only(), 0), (Permits.changes_alone(), 1)):
        receipt = house.run(*steps, skill=spec, permits=permits, approver=Yes("Ada"))
        assert (receipt.state, len(ran), receipt.calls.proposed) == ("Done", count, 0)


class Nonsense:
    """A client that answers what no client may."""

    async def whole(self, request: Request) -> Answer:
        return None  # type: ignore[return-value]  # that is the point

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        yield await self.whole(request)


def test_broken_client_still_ends_the_task(house: House) -> None:
    """Whatever goes wrong inside, the list of tasks never says that a task is running which is not (O33)."""
    app = house.open(model=LlmModel("odd", Nonsense(), PRICE))
    with contextlib.suppress(Exception):
        app.run(SkillSpec("words", "Say so.", job=Job()))
    assert [row.state for row in app.tasks()] == ["Failed"]


def test_big_file_names_are_kept(house: House, skill: Skill, tmp_path: Path) -> None:
    """A file is found by scripts under its own name, with blanks and letters of any script."""
    skill(check=None, toml=None)
    odd = tmp_path / "мои данные.csv"
    odd.write_text("a\n", encoding="utf-8")
    arguments = {"skill_name": "count", "script_name": "scripts/count.py", "args": [odd.name]}
    receipt = house.run(Says.tool("run_skill_script", arguments), Says.text("so"), files=[odd], approver=Yes("Ada"))
    assert (receipt.state, receipt.calls.done, receipt.files[0].name) == ("Done", 1, odd.name)
    assert os.listdir(tmp_path / "temporary") == []
