"""`metier doctor`: its lines, its JSON, its exit code, and that it leaves nothing behind."""

from .conftest import Project

KEY = "sk-this-is-no-real-key"


def test_lines_tell_what_is_there(project: Project) -> None:
    """Each line has a level, what was looked at and what was found; a missing thing has its cure; it exits 0."""
    ran = project.run("doctor")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert {line.split()[0] for line in lines[:-1]} == {"ok", "missing"}
    assert all(" - " in line for line in lines[:-1] if line.startswith("missing"))
    assert lines[-1].startswith("0 wrong, ")
    assert any(line.split()[:2] == ["missing", "confinement"] and "none yet" in line for line in lines)


def test_wrong_exits_2(project: Project) -> None:
    """What is wrong is told with the line that mends it, and the command exits with 2."""
    (project.folder / "model.py").unlink()
    ran = project.run("doctor")
    assert (ran.code, ran.err) == (2, "")
    assert "wrong    model" in ran.out
    assert "1 wrong, " in ran.out


def test_wrong_settings_are_a_finding(empty: Project) -> None:
    """A metier.toml that cannot be read does not stop the doctor."""
    (empty.folder / "metier.toml").write_text("[modell]\n", encoding="utf-8")
    ran = empty.run("doctor")
    assert (ran.code, ran.err) == (2, "")
    assert "unknown table [modell]" in ran.out


def test_json_has_the_same(project: Project) -> None:
    """With --json the findings are data, and how many are wrong."""
    ran = project.run("doctor", "--json")
    assert (ran.code, ran.json["wrong"]) == (0, 0)
    assert set(ran.json["findings"][0]) == {"level", "what", "told", "cure"}
    assert len(ran.json["findings"]) == len(project.run("doctor").out.splitlines()) - 1


def test_nothing_is_made(project: Project) -> None:
    """No folder and no record is made, even where nothing may be written."""
    before = sorted(project.folder.rglob("*"))
    assert project.run("doctor").code == 0
    assert project.locked("doctor").code == 2
    assert sorted(path for path in project.folder.rglob("*") if "__pycache__" not in path.parts) == before


def test_keys_are_never_shown(project: Project) -> None:
    """A key is only seen, in words and in JSON."""
    env = {"OPENAI_API_KEY": KEY, "METIER_MODEL": "openai:gpt-5"}
    told = project.run("doctor", env=env).out + project.run("doctor", "--json", env=env).out
    assert "seen in OPENAI_API_KEY" in told
    assert KEY[:10] not in told


def test_me_is_in_order_on_a_terminal(project: Project) -> None:
    """The model `me` is wrong without a terminal and in order on one."""
    env = {"METIER_MODEL": "me"}
    assert project.run("doctor", env=env).code == 2
    screen = project.screen("doctor", env=env)
    screen.until("me can be asked")
    assert screen.end() == 0


def test_names_do_nothing_to_the_terminal(project: Project) -> None:
    """A setting with characters that act on the terminal is shown harmless, on one line."""
    ran = project.run("doctor", env={"METIER_MODEL": "evil\x1b[31m\nwrong"})
    assert "\x1b" not in ran.out
    assert "\nwrong\n" not in ran.out
