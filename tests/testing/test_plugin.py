"""The pytest plugin, in a pytest of its own: what passes, what fails, and what a failure shows."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = '''\
import pytest
from metier import Skill
from metier.domain.principal import SIGNED_IN
from metier.testing import AgentScript, Says, ScriptedAnswer

class Words(Skill[str, str]):
    """Say a word."""

def play(*steps):
    script = AgentScript.of(*steps)
    ScriptedAnswer.stub(lambda model, request: script.answer(model, request))

def test_used_up(metier_app):
    play(Says.text("so"))
    assert metier_app.do(Words(), "say").result == "so"

def test_left_over(metier_app):
    play(Says.text("so"), Says.tool("look", {"q": 1}))
    metier_app.do(Words(), "say")

def test_never_asked(metier_app):
    play(Says.text("so"))

def test_too_short(metier_app):
    play()
    assert metier_app.do(Words(), "say").receipt.text == ""

def test_wrong(metier_app):
    play(Says.tool("look"), Says.text("so"))
    assert metier_app.do(Words(), "say").result == "otherwise"

def test_closed(metier_app):
    metier_app.close()
    assert metier_app.is_open

def test_no_stub(metier_app):
    assert "put a stub in place" in metier_app.do(Words(), "say").receipt.text

def test_signed_in(metier_app, as_):
    assert SIGNED_IN.get() is None
    with as_("noor"):
        assert SIGNED_IN.get().id == "noor"
    as_("mia")
    assert SIGNED_IN.get().id == "mia"

def test_signed_out_again():
    assert SIGNED_IN.get() is None
'''


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the inner pytest printed."""
    folder = tmp_path_factory.mktemp("inner")
    (folder / "test_inner.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "--color=no", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120)
    return done.stdout


@pytest.mark.parametrize("name", ["used_up", "no_stub", "signed_in", "signed_out_again"])
def test_what_is_right_passes(ran: str, name: str) -> None:
    """Scripts that were used up, persons that are signed in until the end (O113, O115)."""
    assert f"PASSED test_inner.py::test_{name}" in ran


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("left_over", 'The script was not used up: step 2: look {"q":1}'),
        ("never_asked", "The script was not used up: step 1: 'so'"),
        ("too_short", "the script has 0 steps and was asked for step 1"),
    ],
)
def test_script_must_fit(ran: str, name: str, told: str) -> None:
    """A step that is left, or one past the end, fails the test by name (O116)."""
    assert f"test_inner.py::test_{name}" in ran.partition("short test summary")[2]
    assert told in ran


def test_failure_shows_the_tree(ran: str) -> None:
    """A failed test tells what its tasks did."""
    shown = ran.partition("test_wrong")[2]
    assert "metier: task 20" in shown
    assert "✗ look was refused (action.unknown)" in shown
    assert "└─ Done (answered): so" in shown


def test_test_that_closes_its_app_fails_alone(ran: str) -> None:
    """There is nothing to show of it, and the others run on."""
    assert "FAILED test_inner.py::test_closed" in ran
    assert "INTERNALERROR" not in ran


def test_plugin_costs_nothing_until_it_is_used(tmp_path: Path) -> None:
    """Loading it loads no app."""
    code = "import sys, metier.testing.plugin as p; print(any(m.startswith('metier.app') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
