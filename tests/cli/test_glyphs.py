"""Locales that carry no more than ASCII."""

import json

import pytest

from .conftest import QUESTION, Project

PLAIN = [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}]
DEMO = ("run", "expense-report", "--file", "examples/expenses.csv")


@pytest.mark.parametrize("env", PLAIN, ids=lambda env: " ".join(f"{key}={value}" for key, value in env.items()))
def test_ascii_where_the_locale_needs_it(demo: Project, env: dict[str, str]) -> None:
    """Result, receipt, tree and errors are ASCII, with names of others as escapes."""
    ran = demo.run(*DEMO, "--yes", env=env)
    assert ran.code == 0
    assert ran.out.isascii()
    assert ran.err.isascii()
    assert "|  |- ok run_skill_script" in ran.err
    result, _ = json.JSONDecoder().raw_decode(ran.out)
    assert result["wrong_rows"][4]["employee"] == "Tomás Ferreira"


def test_ascii_on_a_terminal(demo: Project) -> None:
    """On a terminal too, questions among it."""
    screen = demo.screen(*DEMO, env={"LC_ALL": "C"})
    screen.answer(QUESTION, "y")
    screen.answer(QUESTION, "y")
    assert screen.end() == 0
    assert screen.raw.isascii()


def test_other_commands_are_ascii(empty: Project) -> None:
    """Listing and showing a skill with other letters is ASCII, and so is JSON, which reads back the same."""
    empty.skill("gruss", description="Grüßt Zoë.")
    (empty.folder / "metier.toml").write_text('[skills]\nroots = ["skills"]\n', encoding="utf-8")
    for words in (["list"], ["show", "gruss"], ["list", "--json"], ["show", "gruss", "--json"]):
        ran = empty.run(*words, env={"LC_ALL": "C"})
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.isascii()
    assert empty.run("list", "--json", env={"LC_ALL": "C"}).json["skills"][0]["description"] == "Grüßt Zoë."


def test_error_is_ascii(empty: Project) -> None:
    """An error that names what a person typed is ASCII."""
    ran = empty.run("show", "zoë", env={"LC_ALL": "C"})
    assert (ran.code, ran.err.isascii()) == (3, True)
