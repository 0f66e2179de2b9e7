"""The pytest plugin, in a pytest of its own: what passes, what fails, and what a failure shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = '''\
import pytest
from metier import Skill
from metier.domain.principal import SIGNED_IN
from metier.testing import AgentScript, Says, ScriptedAnswer, ScriptedModel

class Words(Skill[str, str]):
    """Say a word."""

def play(*steps):
    script = AgentScript.of(*steps)
    ScriptedAnswer.stub(lambda model, request: script.answer(model, request))

@pytest.fixture(scope="module", autouse=True)
def around():
    with ScriptedAnswer.stub(lambda model, request: AgentScript((Says.text("around"),)).answer(request)):
        yield AgentScript.of(Says.text("for whoever wants it"))

@pytest.fixture
def anyio_backend():
    return "asyncio"

def test_used_up(metier_app):
    play(Says.text("so"))
    assert metier_app.do(Words(), "say").result == "so"

def test_stub_around_stays(metier_app):
    assert metier_app.do(Words(), "say").result == "around"

def test_no_stub(metier_app):
    ScriptedAnswer.clear()
    assert "put a stub in place" in metier_app.do(Words(), "say").receipt.text

def test_left_over(metier_app):
    play(Says.text("so"), Says.tool("look", {"q": 1}))
    metier_app.do(Words(), "say")

def test_never_asked(metier_app):
    play(Says.text("so"))

def test_asked_for_late(request):
    request.getfixturevalue("metier_app")
    play(Says.text("so"))

def test_too_short(metier_app):
    play(Says.text(""))
    assert not metier_app.do(Words(), "say").done

@pytest.mark.xfail(strict=True)
def test_known_to_fail(metier_app):
    play(Says.text("so"))

def test_wrong(metier_app):
    play(Says.tool("look"), Says.text("so"))
    assert metier_app.do(Words(), "say").result == "otherwise"

def test_closed(metier_app):
    metier_app.close()
    raise ValueError

@pytest.fixture
def worked(metier_app):
    play(Says.text("at work"))
    metier_app.do(Words(), "say")
    raise ValueError

def test_broken_fixture(worked):
    pass

def test_signed_in(metier_app, as_):
    assert SIGNED_IN.get() is None
    with as_("noor"):
        assert SIGNED_IN.get().id == "noor"
    as_("mia")
    assert SIGNED_IN.get().id == "mia"

def test_signed_out_again():
    assert SIGNED_IN.get() is None

@pytest.mark.anyio
async def test_async(metier_app, as_):
    play(Says.text("so"))
    with as_("noor"):
        assert (await metier_app.arun(Words(), input="say")).giver == "noor"

@pytest.mark.anyio
async def test_async_until_the_end(metier_app, as_):
    as_("mia")

class TestOwnSetup:
    @pytest.fixture
    def metier_setup(self, tmp_path):
        script = AgentScript.of(Says.text("so"), Says.text("more"))
        return {"project": tmp_path, "model": ScriptedModel("own", script.answer), "record": "kept.sqlite"}

    def test_script_of_setup(self, metier_app):
        assert metier_app.do(Words(), "first").result == "so"

    def test_record_of_setup(self, metier_app):
        assert metier_app.do(Words(), "second").result == "otherwise"
'''


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the inner pytest printed."""
    folder = tmp_path_factory.mktemp("inner")
    (folder / "test_inner.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "--color=no", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120)
    return done.stdout


@pytest.mark.parametrize("name", ["used_up", "stub_around_stays", "no_stub", "signed_in", "signed_out_again", "async"])
def test_what_is_right_passes(ran: str, name: str) -> None:
    """Scripts that were used up, persons that are signed in until the end (O113, O115)."""
    assert f"PASSED test_inner.py::test_{name}" in ran


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("left_over", 'The script was not used up: step 2: look {"q":1}'),
        ("never_asked", "The script was not used up: step 1: 'so'"),
        ("asked_for_late", "The script was not used up: step 1: 'so'"),
        ("too_short", "The script has 1 step and was asked for step 2, after UserMessage 'Your answer was empty."),
        ("script_of_setup", "The script was not used up: step 2: 'more'"),
    ],
)
def test_script_must_fit(ran: str, name: str, told: str) -> None:
    """A step that is left, or one past the end, fails the test by name, and its tasks are shown (O116)."""
    assert re.search(rf"FAILED test_inner.py::\S*test_{name} - Failed: The script", ran)
    assert told in shown(ran, name)


def test_failure_may_be_expected(ran: str) -> None:
    """A step that is left over is a failure of the test itself, so it can be marked as one."""
    assert "XFAIL test_inner.py::test_known_to_fail" in ran


def test_failure_shows_the_tree(ran: str) -> None:
    """A failed test tells what its tasks did."""
    told = shown(ran, "wrong")
    assert "metier: task 20" in told
    assert "├─ turn 1: look {} ✗ refused (action.unknown)" in told
    assert "└─ Done (answered): so" in told


def test_only_its_own_tasks_are_shown(ran: str) -> None:
    """What the record held before is not the failed test's."""
    assert "given by" in shown(ran, "script_of_setup")
    assert re.findall(r"given by .*: (\w+)", shown(ran, "record_of_setup")) == ["second"]


def test_failed_fixture_shows_the_tree(ran: str) -> None:
    """Also what was done before the test itself began is shown."""
    assert "└─ Done (answered): at work" in shown(ran, "broken_fixture")


def test_closed_app_is_told(ran: str) -> None:
    """A test that closes the app fails like any other, and the run goes on."""
    assert "INTERNALERROR" not in ran
    assert "so its tasks cannot be shown" in shown(ran, "closed")


def test_async_test_signs_in_for_a_block(ran: str) -> None:
    """Who is signed in on a loop of its own is not signed out from here, so the test says how to write it."""
    assert "PASSED test_inner.py::test_async_until_the_end" in ran
    assert "with as_(person):" in shown(ran, "async_until_the_end")


def shown(ran: str, name: str) -> str:
    """What the report says of one test."""
    report = re.split(
        r"^_{3,} (?:ERROR at \w+ of )?(?:\w+\.)?test_(\w+) _{3,}$|^={3,} .* ={3,}$", ran, flags=re.MULTILINE
    )
    return report[report.index(name) + 1]


def test_plugin_costs_nothing_until_it_is_used(tmp_path: Path) -> None:
    """Loading it loads no app."""
    code = "import sys, metier.testing.plugin as p; print(any(m.startswith('metier.app') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
