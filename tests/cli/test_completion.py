"""Completion: what a shell is taught, and what it then offers; asked of a real bash where there is one."""

import re
import shlex
import sys

import pytest

from .conftest import NAMED, Project, Ran
from .test_of_agent import APP

HEAVY = ("sqlalchemy", "pydantic", "alembic", "rich")
ASK = 'COMP_WORDS=({words}); COMP_CWORD={place}; _metier_completion metier; printf "%s\\n" "${{COMPREPLY[@]}}"'


def on_path(project: Project) -> Project:
    """The project, with the command `metier` on its PATH."""
    folder = project.folder.parent / "bin"
    folder.mkdir(exist_ok=True)
    program = folder / "metier"
    # Run as a module it would be called by another name, and asked by another variable.
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.argv[0] = 'metier'\nfrom metier.cli.main import main\nmain()\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    env = {"PATH": f"{folder}:{project.env['PATH']}"}
    return Project(project.folder, project.env | env, project.stack)


def bash(project: Project, line: str) -> Ran:
    """A line of bash that knows the command `metier` and has read its completion."""
    taught = f"source <(metier completion bash) && {line}"
    return on_path(project).shell(f"bash --norc -c {shlex.quote(taught)}")


def offered(project: Project, *words: str) -> list[str]:
    """What bash offers for the last of these words behind `metier`."""
    line = ASK.format(words=shlex.join(["metier", *words]), place=len(words))
    ran = bash(project, line)
    assert ran.err == ""
    return ran.out.split()


@pytest.mark.needs("bash")
def test_bash_is_taught(project: Project) -> None:
    """The script for bash binds a function to the command."""
    ran = bash(project, "complete -p metier")
    assert (ran.code, ran.err) == (0, "")
    assert "-F _metier_completion metier" in ran.out


@pytest.mark.needs("bash")
def test_commands_and_options_are_offered(project: Project) -> None:
    """Commands complete, and behind one of them its options."""
    assert offered(project, "ver") == ["verify"]
    assert "--json" in offered(project, "list", "--")
    assert offered(project, "completion", "") == ["bash", "zsh", "fish"]


@pytest.mark.needs("bash")
@pytest.mark.parametrize("command", ["run", "show"])
def test_skills_are_offered(project: Project, command: str) -> None:
    """Names of skills complete."""
    project.skill("count")
    assert offered(project, command, "g") == ["greet"]
    assert {"greet", "count"} <= set(offered(project, command, ""))


@pytest.mark.needs("bash")
@pytest.mark.parametrize("command", ["show", "verify"])
def test_tasks_are_offered(project: Project, command: str) -> None:
    """Ids of tasks complete, and `last` with them."""
    assert offered(project, "verify", "") == []
    assert not (project.folder / ".metier").exists()
    project.run("run", "greet", "--yes")
    task = project.task()
    assert offered(project, command, task[:8]) == [task]
    assert "last" in offered(project, command, "")


@pytest.mark.needs("bash")
def test_what_can_go_on_is_offered(project: Project) -> None:
    """Behind `resume` and `stop` stand the tasks that they serve, behind `approve` and `decline` what waits."""
    project.run("run", "greet", "--yes")
    done = project.task()
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    waits = project.task()
    assert [offered(project, command, waits[:8]) for command in ("resume", "stop")] == [[waits], [waits]]
    assert [offered(project, command, "") for command in ("approve", "decline")] == [[f"{waits}.p1"], [f"{waits}.p1"]]
    project.run("stop", waits)
    assert (offered(project, "resume", ""), offered(project, "stop", "")) == ([waits], [])
    assert {done, waits, "last"} == set(offered(project, "proposals", ""))


@pytest.mark.needs("bash")
def test_a_project_elsewhere_is_looked_at(project: Project) -> None:
    """Behind `--project` the skills of that project complete."""
    elsewhere = Project(project.folder.parent, project.env)
    assert offered(elsewhere, "--project", "project", "run", "") == ["greet"]


@pytest.mark.needs("bash")
def test_a_name_shared_is_offered_in_full(project: Project) -> None:
    """A name that two sources have completes in full; a broken metier.toml offers nothing and says nothing."""
    toml = project.folder / "metier.toml"
    toml.write_text('[skills]\nroots = ["skills", "more"]\n', encoding="utf-8")
    (project.folder / "more").mkdir()
    (project.folder / "skills" / "greet").rename(project.folder / "more" / "greet")
    project.skill("greet")
    assert sorted(offered(project, "run", "")) == ["more:greet", "skills:greet"]
    toml.write_text("[modell]\n", encoding="utf-8")
    assert offered(project, "run", "") == []


@pytest.mark.needs("bash")
def test_names_that_a_shell_would_read_are_left_out(project: Project) -> None:
    """A name with blanks or signs of the shell's is not offered, and does nothing."""
    project.skill("a b *")
    assert set(offered(project, "run", "")) == {"greet"}


def asked(project: Project, words: str) -> Ran:
    """What the program itself answers a shell that completes the last of these words, and what it loads for that."""
    code = "import sys; sys.argv[0] = 'metier'; from metier.cli.main import cli; cli.main(prog_name='metier')"
    env = f"_METIER_COMPLETE=bash_complete COMP_WORDS={shlex.quote(words)} COMP_CWORD={words.count(' ')}"
    return project.shell(f"{env} {sys.executable} -X importtime -c {shlex.quote(code)}")


def test_completing_a_skill_is_light(project: Project) -> None:
    """To complete a skill's name neither the record's database nor pydantic nor rich is loaded."""
    ran = asked(project, "metier run gr")
    assert ran.out == "plain,greet\n"
    loaded = set(re.findall(r"^import time:.*\| +(\S+)$", ran.err, re.MULTILINE))
    assert "metier.cli.completion" in loaded
    assert loaded & set(HEAVY) == set()


def test_a_path_is_left_to_the_shell(project: Project) -> None:
    """Where a path was begun, the shell is told to complete folders."""
    assert asked(project, "metier run ./sk").out == "dir,./sk\n"


@pytest.mark.parametrize(("shell", "word"), [("zsh", "compdef"), ("fish", "complete --no-files")])
def test_other_shells_have_scripts(empty: Project, shell: str, word: str) -> None:
    """Zsh and fish have scripts of their own; another shell is a usage error."""
    ran = empty.run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert word in ran.out
    assert "_METIER_COMPLETE" in ran.out
    assert empty.run("completion", "tcsh").code == 2


@pytest.mark.needs("bash")
def test_agents_skills_are_offered(project: Project) -> None:
    """Skills of the app's agents complete where a person names the app; a project's code is not loaded by a key."""
    (project.folder / "shop.py").write_text(APP, encoding="utf-8")
    assert offered(project, "--app", "shop.py:app", "run", "Cou") == ["Counter/Repeat"]
    assert offered(project, "--app", "shop.py:app", "run", "Counter/R") == ["Counter/Repeat"]
    (project.folder / "metier.toml").write_text('[app]\ncode = "shop.py:app"\n', encoding="utf-8")
    assert offered(project, "run", "Cou") == []
