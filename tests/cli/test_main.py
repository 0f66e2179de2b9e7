"""The door of the command line: help, wrong commands, errors, and where it looks for its settings."""

import pytest

from metier.cli.main import COMMANDS as KNOWN

from .conftest import Project

COMMANDS = list(KNOWN)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(empty: Project, command: str) -> None:
    """Every command tells its usage and each of its options in words."""
    ran = empty.run(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: metier {command}")
    told = [line for line in ran.out.splitlines() if line.strip().startswith("--")]
    assert all(len(line.split()) > 2 for line in told)
    assert "--json" in ran.out or command == "completion"


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_commands(empty: Project, flag: str) -> None:
    """The help of the program lists every command with what it does."""
    ran = empty.run(flag)
    assert ran.code == 0
    listed = [line.split()[0] for line in ran.out.split("Commands:")[1].splitlines() if line.strip()]
    assert listed == COMMANDS


def test_version_is_told(empty: Project) -> None:
    """`--version` prints the name and the version."""
    ran = empty.run("--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("metier 0.")


def test_near_command_is_suggested(empty: Project) -> None:
    """A command that is not there exits 2 and suggests the near one."""
    ran = empty.run("lst")
    assert ran.code == 2
    assert "There is no command 'lst'. Did you mean 'list'?" in ran.err
    assert "Did you mean" not in empty.run("xyzzy").err


def test_unknown_option_is_usage(empty: Project) -> None:
    """An unknown option exits 2 and suggests the near one."""
    ran = empty.run("run", "greet", "--jsn")
    assert ran.code == 2
    assert "--json" in ran.err
    assert "Traceback" not in ran.err


def test_error_has_code_and_hint(empty: Project) -> None:
    """An error is two lines: what happened with its code, and what to do."""
    lines = empty.run("show", "nothing").err.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["error", "hint"]
    assert lines[0].endswith("[M201]")


def test_debug_shows_where(empty: Project) -> None:
    """With --debug, or METIER_DEBUG, an error shows where it came from."""
    assert "Traceback" in empty.run("--debug", "show", "nothing").err
    assert "Traceback" in empty.run("show", "nothing", env={"METIER_DEBUG": "1"}).err


def test_wrong_settings_say_where(empty: Project) -> None:
    """A wrong metier.toml exits 2, names the file and lists what is known."""
    (empty.folder / "metier.toml").write_text("[modell]\nname = 'me'\n", encoding="utf-8")
    ran = empty.run("list")
    assert ran.code == 2
    assert "metier.toml has an unknown table [modell]" in ran.err
    assert "Known tables: model, skills" in ran.err
    (empty.folder / "metier.toml").write_text("[model\n", encoding="utf-8")
    assert "is no TOML" in empty.run("list").err


def test_project_is_looked_from(project: Project, empty: Project) -> None:
    """`--project` looks for the settings from another folder, and paths start from there."""
    elsewhere = project.folder.parent
    ran = Project(elsewhere, project.env).run("--project", "project", "run", "greet", "--yes")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "I greeted.")
    assert (project.folder / ".metier" / "record.sqlite").exists()
    assert not (elsewhere / ".metier").exists()


def test_project_must_be_there(project: Project) -> None:
    """A folder of `--project` that is not there is an error, and no other project is taken instead."""
    ran = project.run("--project", "nothing", "list")
    assert (ran.code, ran.out) == (2, "")
    assert "nothing" in ran.err


def test_full_disk_is_told(project: Project) -> None:
    """Output that cannot be written is an error in words."""
    ran = project.shell("$METIER list --json > /dev/full")
    assert ran.code != 0
    assert "Traceback" not in ran.err
    assert "No space left" in ran.err


def test_settings_are_found_upwards(project: Project) -> None:
    """From a folder inside, the project's metier.toml is found."""
    inside = project.folder / "deep" / "down"
    inside.mkdir(parents=True)
    assert Project(inside, project.env).run("list", "--json").json["skills"][0]["name"] == "greet"


def test_closed_pipe_is_quiet(project: Project) -> None:
    """A reader that goes away early is no error and causes no traceback."""
    for place in range(40):
        project.skill(f"skill-{place}", description="long " * 200)
    for line in ("$METIER list --json | head -1", "$METIER --help | head -1", "$METIER show greet | true"):
        assert project.shell(line).err == ""
