"""The app: opened, used and closed, alone and beside others."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier.actions.function import action, action_of
from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request
from metier.domain.money import LlmPrice
from metier.domain.permits import Permits
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec
from metier.errors import InputInvalid, ModelMissing, SetupError, SkillMissing, TaskMissing
from metier.testing import AgentScript, Says, ScriptedModel

from .conftest import House, script

Skill = Callable[..., Path]
WORDS = SkillSpec("words", "Say so.", job=Job())


def test_receipt_is_in_the_record(house: House) -> None:
    """The receipt that a run answers is the one that the record tells, by its id or the beginning of it (O89)."""
    receipt = house.run(Says.text("so"), skill=WORDS)
    app = house.apps[-1]
    assert app.receipt(receipt.id[:-1]) == receipt
    assert [(row.id, row.state, row.reason, row.giver) for row in app.tasks()] == [
        (receipt.id, "Done", "answered", "Ada")
    ]
    verified = app.verify(receipt.id)
    assert (verified.ok, verified.head, verified.entries) == (True, receipt.digest, receipt.entries)


def test_without_a_record_nothing_is_written(house: House) -> None:
    """With `record=False` the receipt is whole but for its digest, and no file is made."""
    receipt = house.run(Says.text("so"), skill=WORDS, record=False)
    assert (receipt.state, receipt.model_calls, receipt.digest) == ("Done", 1, "")
    assert not house.record.exists()


def test_default_record_lies_in_the_project(house: House) -> None:
    """Where nothing is set the record lies in the project's `.metier`."""
    house.run(Says.text("so"), skill=WORDS, record=None)
    assert (house.project / ".metier" / "record.sqlite").is_file()


def test_ids_and_times_may_be_given(house: House) -> None:
    """The clock and the maker of ids can be given; an id made by the house begins with the day."""
    receipt = house.run(Says.text("so"), skill=WORDS, clock=lambda: 10**18, new_id=lambda: "job-1")
    assert (receipt.id, receipt.started, receipt.ended) == ("job-1", 10**18, 10**18)
    assert house.run(Says.text("so"), skill=WORDS, clock=lambda: 10**18).id.startswith("20010909-")


def test_run_inside_a_loop_is_refused(house: House) -> None:
    """The sync form says what to write instead where a loop runs already."""

    async def wrong() -> None:
        with pytest.raises(SetupError, match="where a loop runs already") as caught:
            house.open(Says.text("so")).run(WORDS)
        assert "await app.arun" in caught.value.hint

    asyncio.run(wrong())


def test_closed_app_says_so(tmp_path: Path) -> None:
    """An app that is not open refuses to run, and opens no loop that nobody would close."""
    app = Metier(settings=Settings(project=str(tmp_path)), model=script(Says.text("so")))
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(SetupError, match="not open"):
        app.run(WORDS)
    held = len(os.listdir("/proc/self/fd"))
    app.close()
    assert held <= before


def test_app_may_be_opened_again(house: House) -> None:
    """An app that was closed can be opened again and finds its record."""
    receipt = house.run(Says.text("so"), skill=WORDS)
    app = house.apps[-1]
    app.close()
    app.close()
    with app:
        assert app.receipt(receipt.id) == receipt


def test_async_form_is_a_context_too(house: House) -> None:
    """The async form opens, runs and closes within a loop."""

    async def go() -> Receipt:
        settings = Settings(project=str(house.project), giver="Ada")
        async with Metier(settings=settings, model=script(Says.text("so")), record=house.record) as app:
            return await app.arun(WORDS)

    assert asyncio.run(go()).state == "Done"


def test_faults_of_the_caller_raise_and_leave_nothing(house: House, skill: Skill) -> None:
    """A wrong skill, input or model is raised before anything begins: no task is on the record."""
    skill()
    app = house.open(Says.text("so"))
    with pytest.raises(SkillMissing):
        app.run("none")
    with pytest.raises(InputInvalid):
        app.run("count", input={"file": 1})
    with pytest.raises(TaskMissing):
        app.receipt("none")
    without = house.open()
    with pytest.raises(ModelMissing):
        without.run(WORDS)
    assert (app.tasks(), without.tasks()) == ([], [])


def test_watcher_sees_every_entry(house: House) -> None:
    """A watcher is told of each entry in its order, as it is written."""
    seen: list[Entry] = []
    receipt = house.run(Says.text("so"), skill=WORDS, watch=seen.append)
    assert [(one.number, one.kind) for one in seen] == [(one.number, one.kind) for one in house.entries(receipt.id)]


def test_own_budget_replaces_the_app_s(house: House) -> None:
    """A job's own budget replaces the app's; without one the app's counts (O57)."""
    settings = Settings(project=str(house.project), giver="Ada", task_budget=Decimal("0.00000001"))
    model = script(Says.text("so"), price=LlmPrice(Decimal(1), Decimal(1)))
    own = SkillSpec("words", "Say so.", job=Job(budget=Decimal(1)))
    assert house.run(model=model, skill=own, settings=settings).budget == Decimal(1)
    receipt = house.run(model=model, skill=WORDS, settings=settings)
    assert (receipt.reason, receipt.budget) == ("budget", Decimal("0.00000001"))


def test_skill_s_own_list_of_skills(house: House, skill: Skill) -> None:
    """The catalogue and a skill can be looked at without running anything (O99)."""
    skill()
    app = house.open()
    assert [one.name for one in app.catalogue().skills] == ["count"]
    found = app.find("count")
    assert found.job is not None
    assert (found.job.budget, found.job.check) == (Decimal("0.50"), "scripts/check.py")


def saying(name: str, both: threading.Barrier) -> ScriptedModel:
    """A model that says its name once another one is asked too."""

    def answer(request: Request) -> Answer:
        both.wait()
        return AgentScript.of(Says.text(name)).answer(request)

    return ScriptedModel(name, answer)


def test_two_apps_do_not_mix(tmp_path: Path) -> None:
    """Two apps at once in two threads keep their own models, records and givers."""
    both = threading.Barrier(2, timeout=5)

    def work(name: str) -> tuple[object, ...]:
        settings = Settings(project=str(tmp_path), giver=name)
        with Metier(settings=settings, model=saying(name, both), record=tmp_path / f"{name}.sqlite") as app:
            receipt = app.run(WORDS)
            return receipt.result, receipt.model, receipt.giver, len(app.tasks())

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(work, ["Ada", "Bob"])) == [(name, name, name, 1) for name in ("Ada", "Bob")]


def test_two_apps_may_share_a_record(house: House) -> None:
    """Two apps over one file both find what either did."""
    one, two = house.open(Says.text("one")), house.open(Says.text("two"))
    ids = {one.run(WORDS).id, two.run(WORDS).id}
    assert {row.id for row in one.tasks()} == {row.id for row in two.tasks()} == ids
    assert all(two.verify(task).ok for task in ids)


def putting(seen: list[int]) -> SkillSpec:
    """A job that puts a number."""

    @action(changes=True)
    async def put(n: int) -> int:
        """Put."""
        await asyncio.sleep(0)
        seen.append(n)
        return n

    return SkillSpec("putting", "Puts.", job=Job(tools=[action_of(put)]))


def put_what_is_told(request: Request) -> Answer:
    """Put the number that the task's input is, and say it."""
    n = int(request.messages[0].text.rpartition("Input: ")[2])
    return AgentScript.of(Says.tool("put", {"n": n}), Says.text(str(n))).answer(request)


def test_two_hundred_tasks_at_once(house: House) -> None:
    """Two hundred tasks at once on one record, with changes, all end Done, keep apart and verify."""
    seen: list[int] = []
    spec = putting(seen)
    app = house.open(model=ScriptedModel("test", put_what_is_told), permits=Permits.changes_alone())

    async def all_at_once() -> list[Receipt]:
        return await asyncio.gather(*(app.arun(spec, input=str(n)) for n in range(200)))

    receipts = asyncio.run(all_at_once())
    assert [(one.state, one.result) for one in receipts] == [("Done", str(n)) for n in range(200)]
    assert sorted(seen) == list(range(200))
    assert all(app.verify(one.id).ok for one in receipts)
    assert len({one.digest for one in receipts}) == len(app.tasks(limit=500)) == 200


def test_names_of_things_are_taken(tmp_path: Path, skill: Skill) -> None:
    """Folders may be given as paths or texts, and a skill by its own folder."""
    folder = skill(toml=None)
    given: dict[str, Any] = {"project": tmp_path, "skills": [str(folder.parent)], "record": str(tmp_path / "r.sqlite")}
    with Metier(model=script(Says.text("so")), **given) as app:
        assert app.run(str(folder)).skill.name == "count"
        assert app.run("count").state == "Done"


def test_offered_skills_are_those_given(tmp_path: Path) -> None:
    """The skills that the model is told of can be chosen, for a task in free words as for a skill."""
    for name in ("alpha", "beta"):
        (tmp_path / name).mkdir()
        head = f"---\nname: {name}\ndescription: Does {name}.\n---\n\nDo it.\n"
        (tmp_path / name / "SKILL.md").write_text(head, encoding="utf-8")
    told: list[str] = []

    def answer(request: Request) -> Answer:
        told.append(request.system)
        return AgentScript.of(Says.text("so")).answer(request)

    model = ScriptedModel("test", answer)
    with Metier(model=model, record=False, settings=Settings(str(tmp_path), roots=(".",))) as app:
        app.run("do it", offered=[app.find("beta")])
    assert ("alpha" in told[0], "beta" in told[0]) == (False, True)
