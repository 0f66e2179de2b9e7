"""Completion in a real zsh and a real fish: what each of them makes of the script, down to the line that a person sees."""

import shlex
from collections.abc import Callable

import pytest

from .conftest import Project
from .screen import Screen
from .test_completion import on_path

SHOW = "\x14"
"""Ctrl-T, which prints the line as it stands."""
ZSHRC = """\
autoload -Uz compinit && compinit -D -u
source <(metier completion zsh)
shown() { print -r -- "<$BUFFER>" }
zle -N shown
bindkey '^T' shown
PS1='ready> '
"""
MORE = '[skills]\nroots = ["skills", "more"]\n'
Zsh = Callable[[], Screen]


def fish(project: Project, line: str) -> dict[str, str]:
    """What fish offers for the end of a line, each with what it says beside it."""
    taught = f"metier completion fish | source; complete -C {shlex.quote(line)}"
    ran = on_path(project).shell(f"fish --no-config -c {shlex.quote(taught)}")
    assert (ran.code, ran.err) == (0, "")
    return {word: told for word, _, told in (one.partition("\t") for one in ran.out.splitlines())}


@pytest.fixture
def zsh(project: Project) -> Screen:
    """A terminal with a zsh that has read the completion and waits for a line."""
    (project.folder.parent / ".zshrc").write_text(ZSHRC, encoding="utf-8")
    command = on_path(project)
    screen = Screen(["zsh", "-d", "-i"], cwd=project.folder, env=command.env)
    project.stack.enter_context(screen)
    screen.until("ready> ")
    return screen


def completed(zsh: Screen, line: str) -> str:
    """The line that zsh makes of this one at Tab."""
    zsh.type(f"\x15{line}\t{SHOW}")
    zsh.until("<metier ")
    return "metier " + zsh.until(">").removesuffix(">")


def shared(project: Project) -> None:
    """Make `greet` a name that two sources have."""
    toml = project.folder / "metier.toml"
    toml.write_text(MORE, encoding="utf-8")
    (project.folder / "more").mkdir()
    (project.folder / "skills" / "greet").rename(project.folder / "more" / "greet")
    project.skill("greet")


@pytest.mark.needs("zsh")
def test_zsh_completes(project: Project, zsh: Screen) -> None:
    """In zsh a command, its option, a skill's name and a folder are completed at Tab."""
    (project.folder / "other").mkdir()
    assert completed(zsh, "metier ru") == "metier run "
    assert completed(zsh, "metier run --unp") == "metier run --unpriced "
    assert completed(zsh, "metier run gr") == "metier run greet "
    assert completed(zsh, "metier run ./ot") == "metier run ./other/"


@pytest.mark.needs("zsh")
def test_zsh_shows_what_is_told(project: Project, zsh: Screen) -> None:
    """Zsh shows several skills with what is told of each, a comma, a colon and all."""
    project.skill("count", description="Counts: lines, words, and `more`.")
    zsh.type("metier show \t")
    zsh.until("count")
    assert zsh.until("more`.").removeprefix(" ").lstrip().startswith("-- Counts: lines, words, and")


@pytest.mark.needs("zsh")
def test_zsh_keeps_a_shared_name(project: Project, zsh: Screen) -> None:
    """A name with its source before it is completed whole in zsh, colon and all."""
    shared(project)
    assert completed(zsh, "metier run mo") == "metier run more:greet "
    assert completed(zsh, "metier run more:gr") == "metier run more:greet "


@pytest.mark.needs("fish")
def test_fish_completes(project: Project) -> None:
    """In fish a command, its option, a skill's name and a folder are completed."""
    (project.folder / "other").mkdir()
    assert [*fish(project, "metier ru")] == ["run"]
    assert [*fish(project, "metier run --unp")] == ["--unpriced"]
    assert fish(project, "metier run gr") == {"greet": "Greets."}
    assert [*fish(project, "metier run ./ot")] == ["./other/"]


@pytest.mark.needs("fish")
def test_fish_shows_what_is_told(project: Project) -> None:
    """Fish shows what is told of a skill to its end, a comma, a colon and all."""
    project.skill("count", description="Counts: lines, words, and `more`.")
    assert fish(project, "metier show co") == {"count": "Counts: lines, words, and `more`."}


@pytest.mark.needs("fish")
def test_fish_keeps_a_shared_name(project: Project) -> None:
    """A name with its source before it is completed whole in fish."""
    shared(project)
    assert [*fish(project, "metier run mo")] == ["more:greet"]
    assert [*fish(project, "metier run more:gr")] == ["more:greet"]
