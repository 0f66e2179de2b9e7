"""`metier check`: what is wrong with skills, for their authors."""

import json
import os

import click

from ..app.version import __version__
from ..domain.problem import Problem
from ..skills.check import Checked, check_paths, sarif
from .as_json import plain, print_json
from .clean import clean
from .exits import CHECKED_WITH_ERRORS, DONE
from .say import say


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True), metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0, which code hosts show at the lines.")
def command(paths: tuple[str, ...], strict: bool, as_json: bool, as_sarif: bool) -> int:
    """Hold skills to the specification: a skill's folder, its SKILL.md, or a folder of skills; here if none is named."""
    if as_json and as_sarif:
        raise click.UsageError("--json and --sarif ask for two forms; give one of them.")
    checked = check_paths(paths or (".",))
    if as_json:
        print_json(_facts(checked))
    elif as_sarif:
        # Escaped, so that no character of a skill's text can do anything to who looks at the log.
        say(json.dumps(sarif(checked, folder=".", version=__version__), indent=2))
    else:
        _print(checked)
    fails = checked.count("error") + (checked.count("warning") if strict else 0)
    return CHECKED_WITH_ERRORS if fails else DONE


def _facts(checked: Checked) -> dict[str, object]:
    skills = [
        {"folder": one.folder, "problems": [_placed(it, one.path(it)) for it in one.problems]} for one in checked.skills
    ]
    counts = {f"{level}s": checked.count(level) for level in ("error", "warning", "note")}
    return {"skills": skills, "problems": [_placed(it, it.file) for it in checked.problems], **counts}


def _placed(problem: Problem, path: str) -> dict[str, object]:
    facts: dict[str, object] = plain(problem)
    return facts | {"file": _near(path)}


def _print(checked: Checked) -> None:
    for problem in checked.problems:
        _print_one(problem, problem.file)
    for skill in checked.skills:
        for problem in skill.problems:
            _print_one(problem, _near(skill.path(problem)))
    say(_summary(checked))


def _print_one(problem: Problem, path: str) -> None:
    place = f"{path}:{problem.line}" if problem.line else path
    say(_line(f"{place}: {problem.level} {problem.code}: {problem.cause}"))
    if problem.cure:
        say(f"    {_line(problem.cure)}")


def _line(text: str) -> str:
    """A text of others on one line, with nothing in it that acts on the terminal."""
    return " ".join(clean(text).split())


def _near(path: str) -> str:
    """A path as it is typed from here; as it is where it lies elsewhere."""
    inside = os.path.relpath(path)
    return os.path.abspath(path) if inside.startswith("..") else inside


def _summary(checked: Checked) -> str:
    counts = [_count(len(checked.skills), "skill"), _count(checked.count("error"), "error")]
    counts += [_count(checked.count("warning"), "warning")]
    notes = checked.count("note")
    return ", ".join([*counts, _count(notes, "note")] if notes else counts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
