"""`metier run AGENT/SKILL`: an app in code, its agents, and who may load it."""

import subprocess
import sys

import pytest

from .conftest import NAMED, Project

APP = '''\
from dataclasses import dataclass
from metier import Agent, AgentsSetup, AgentSeat, Metier, Skill
from metier.testing import AgentScript, Says, ScriptedModel

@dataclass
class Order:
    word: str
    times: int

@dataclass
class Total:
    value: int

class Repeat(Skill[Order, Total]):
    """Count a word several times."""

class Counter(Agent):
    """Counts."""
    skills = (Repeat(),)

def app(settings):
    model = ScriptedModel("played", AgentScript.of(Says.hand_back({"value": 8})).answer)
    agents = AgentsSetup(agents=[Counter()], uses_agents=lambda who: who == "mia")
    return Metier(settings=settings, model=model, agents=agents)

def seats(settings):
    made = app(settings)
    with made:
        made.seat(AgentSeat("Counter", sponsor="noor"))
    return app(settings)

ready = Metier(agents=AgentsSetup(agents=[Counter()], uses_agents=lambda who: True), model=ScriptedModel("played"))
def bare(): return ready
nothing = 7
def other(settings): return 7
def broken(settings): raise RuntimeError("no")
'''
GIVE = """\
from shop import AgentSeat, app
with app(None) as made:
    made.seat(AgentSeat("Counter", sponsor="noor"))
    with made.as_("mia"):
        made.agent("Counter").submit("Repeat", input='{"word": "four", "times": 2}')
"""
RUN = ("run", "Counter/Repeat", "--field", "word=four", "--field", "times=2")
MIA = {"METIER_GIVER": "mia"}


@pytest.fixture
def shop(empty: Project) -> Project:
    """A project whose app is made by code."""
    (empty.folder / "shop.py").write_text(APP, encoding="utf-8")
    return empty


def test_agent_does_its_skill(shop: Project) -> None:
    """The person who runs it gives the work, by a form's fields (O109)."""
    ran = shop.run("--app", "shop.py:seats", *RUN, env=MIA)
    assert ran.code == 0, ran.err
    receipt = shop.receipt()
    assert (receipt["agent"], receipt["giver"], receipt["result"]) == ("Counter", "mia", {"value": 8})


def test_whoever_may_not_is_refused(shop: Project) -> None:
    """The app's policy is asked at this door too (O70, O103)."""
    ran = shop.run("--app", "shop.py:seats", *RUN, env={"METIER_GIVER": "bob"})
    assert ran.code == 5
    assert "bob may not give agents work" in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "Countr/Repeat"), "no agent 'Countr'"),
        (("run", "Counter/Repat", "--input", "{}"), "does not list the skill 'Repat'"),
        (("run", "Counter/Repeat", "--input", "{"), "is no JSON"),
        (("run", "Counter/Repeat", "--input", '{"word": "a", "times": "x"}'), "does not fit"),
        (("run", "Counter/Repeat", "--field", "word=a"), "times"),
    ],
)
def test_each_mistake_has_its_error(shop: Project, words: tuple[str, ...], told: str) -> None:
    """Nothing is begun for any of them (O110)."""
    ran = shop.run("--app", "shop.py:seats", *words, env=MIA)
    assert ran.code in (2, 3, 4)
    assert told in ran.err
    assert shop.run("tasks", "--json").json == []


@pytest.mark.parametrize(
    ("app", "told"),
    [
        ("shop.py", "names no app"),
        ("gone.py:app", "There is no file"),
        ("shop.py:nothing", "holds no function 'nothing'"),
        ("shop.py:other", "made a int, and no Metier"),
        ("shop.py:broken", "RuntimeError: no"),
    ],
)
def test_app_that_is_none_is_told(shop: Project, app: str, told: str) -> None:
    """The error names the file and what is wrong."""
    ran = shop.run("--app", app, *RUN)
    assert ran.code == 2
    assert told in ran.err


def test_projects_own_code_needs_a_yes(shop: Project) -> None:
    """What a project's file names is not loaded unasked; the yes is kept for the file as it stands."""
    (shop.folder / "metier.toml").write_text('[app]\ncode = "shop.py:seats"\n', encoding="utf-8")
    refused = shop.run(*RUN, env=MIA)
    assert refused.code == 5
    assert "metier --app shop.py:seats" in refused.err
    assert shop.run(*RUN, "--yes", env=MIA).code == 0


def test_yes_at_the_terminal_is_kept(shop: Project) -> None:
    """It is asked once for a file, and again when the file has changed."""
    (shop.folder / "metier.toml").write_text('[app]\ncode = "shop.py:seats"\n', encoding="utf-8")
    screen = shop.screen(*RUN, env=MIA)
    screen.until("may be loaded into metier?")
    screen.type("y\n")
    assert screen.end() == 0
    assert shop.run(*RUN, env=MIA).code == 0
    (shop.folder / "shop.py").write_text(f"{APP}\n", encoding="utf-8")
    assert shop.run(*RUN, env=MIA).code == 5


def test_work_begins_in_the_background(shop: Project) -> None:
    """The task's id is printed, and a process of its own works on it."""
    ran = shop.run("--app", "shop.py:seats", *RUN, "--detach", env=MIA)
    assert ran.code == 0, ran.err
    shop.until("Done")


@pytest.mark.parametrize("name", ["ready", "bare"])
def test_app_may_be_a_value(shop: Project, name: str) -> None:
    """A Metier that is not open, or a function without a parameter, serves too; the settings in force are its own."""
    ran = shop.run("--app", f"shop.py:{name}", *RUN, env=MIA | {"METIER_RECORD": "other.sqlite"})
    assert (ran.code, "Nobody answers for the agent Counter" in ran.err) == (5, True)
    assert (shop.folder / "other.sqlite").exists()


def test_flag_names_the_model(shop: Project) -> None:
    """A model that is named with --model answers, and not the one that the app's code brings."""
    shop.model("Says.hand_back({'value': 9})")
    ran = shop.run("--app", "shop.py:seats", *RUN, "--model", NAMED, env=MIA)
    assert ran.code == 0, ran.err
    assert shop.receipt()["result"] == {"value": 9}


def test_program_and_command_share_tasks(shop: Project) -> None:
    """What a program of yours gave goes on from the command line: both know the agent by the same module."""
    (shop.folder / "give.py").write_text(GIVE, encoding="utf-8")
    subprocess.run([sys.executable, "give.py"], cwd=shop.folder, env=shop.env, check=True)
    ran = shop.run("--app", "shop.py:app", "resume", "last", env=MIA)
    assert ran.code == 0, ran.err
    assert shop.receipt()["result"] == {"value": 8}
