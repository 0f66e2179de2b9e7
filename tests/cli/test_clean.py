"""Texts of others on the terminal: what could move the cursor, hide or reverse text is shown as its escape."""

from .conftest import QUESTION, Project, runs_go

EVIL = "\x1b[2J\x1b]0;owned\x07\u202eevil\x9b1m"
CODES = {"\x1b]", "\x1b[2J", "\x07", "\u202e", "\x9b"}


def harmless(text: str) -> bool:
    """Whether none of the planted characters came through."""
    return not any(code in text for code in CODES)


def test_output_of_scripts_is_shown_harmless(project: Project) -> None:
    """A model that repeats what a script printed writes escapes, not commands, on the terminal."""
    project.skill("evil", script=f"print({EVIL!r})\n")
    project.model(runs_go("evil", EVIL), f"Says.text({EVIL!r})")
    screen = project.screen("run", "evil", "--yes")
    assert screen.end() == 0
    assert harmless(screen.raw)
    assert "\\x1b[2J" in screen.text
    ran = project.run("run", "evil", "--yes")
    assert "\x1b" not in ran.out + ran.err
    assert harmless(ran.out + ran.err)


def test_question_is_harmless(project: Project) -> None:
    """What is asked shows a script's arguments as escapes, so that they cannot rewrite the question."""
    project.model(runs_go("greet", EVIL), "Says.text('done')")
    screen = project.screen("run", "greet")
    screen.answer(QUESTION, "y")
    asked = screen.answer(QUESTION, "n")
    assert screen.end() == 0
    assert harmless(screen.raw)
    assert "\\x1b[2J" in asked


def test_question_stands_on_its_own_lines(project: Project) -> None:
    """A line break in an argument cannot make a line that looks like the question's own."""
    project.model(runs_go("greet", "a\n  it reads\nYes? [y/N]: y"), "Says.text('done')")
    screen = project.screen("run", "greet")
    screen.answer(QUESTION, "y")
    asked = screen.until("It runs code")
    assert "\n  it reads" not in asked
    assert "\nYes?" not in asked


def test_skill_is_listed_harmless(project: Project) -> None:
    """Names and descriptions are listed and shown as escapes."""
    project.skill("evil", description=f"Does {EVIL}")
    for words in (["list"], ["show", "evil"], ["show", "skills/evil"]):
        ran = project.run(*words)
        assert harmless(ran.out + ran.err)
        assert "\x1b" not in ran.out + ran.err


def test_json_is_harmless_and_whole(project: Project) -> None:
    """JSON for other programs holds escapes too, and reads back as what it was."""
    project.skill("evil", description=f"Does {EVIL}")
    ran = project.run("list", "--json")
    assert harmless(ran.out)
    project.model(f"Says.text({EVIL!r})")
    project.run("run", "evil", "--yes")
    ran = project.run("show", project.task(), "--json")
    assert harmless(ran.out)
    assert ran.json["result"] == EVIL


def test_typed_result_reads_back(project: Project) -> None:
    """A typed result is printed harmless, and is still the JSON that it was."""
    folder = project.skill("typed")
    (folder / "skill.toml").write_text('[job]\nhands_back = "out.json"\n', encoding="utf-8")
    (folder / "out.json").write_text('{"type": "object"}', encoding="utf-8")
    result = {"said": f"{EVIL} \U000e0041 Zoë"}
    project.model(f"Says.hand_back({result!r})")
    assert project.run("run", "typed", "--yes").code == 0
    ran = project.run("show", project.task(), "--result")
    assert harmless(ran.out)
    assert ran.json == result
    assert "Zoë" in ran.out


def test_long_argument_is_cut_openly(project: Project) -> None:
    """What does not fit into a question is not just left away: the person sees that there is more, or sees it whole."""
    project.model(runs_go("greet", "x" * 2000 + "END"), "Says.text('done')")
    screen = project.screen("run", "greet")
    screen.answer(QUESTION, "y")
    asked = screen.until("It runs code")
    shown = asked.partition("  args: ")[2]
    assert ("xxx" in shown, "... (1507 more characters)" in " ".join(shown.split())) == (True, True)


def test_model_me_is_shown_harmless(project: Project) -> None:
    """The person who plays the model sees escapes too."""
    project.skill("evil", description=f"Does {EVIL}")
    screen = project.screen("run", "evil", "--model", "me")
    screen.until("Answer in words")
    assert harmless(screen.raw)


def test_script_error_is_harmless(project: Project) -> None:
    """What a failing script wrote on standard error reaches the tree as escapes."""
    project.skill("evil", script=f"import sys\nsys.stderr.write({EVIL!r})\nsys.exit(3)\n")
    project.model(runs_go("evil"), "Says.text('done')")
    ran = project.run("run", "evil", "--yes")
    assert harmless(ran.out + ran.err)
    assert "exit code 3" in ran.err
