"""`metier test-from`: a task becomes a test."""

import os
import shutil

import click

from ..errors import TaskError
from .as_json import print_json
from .completion import tasks
from .opened import opened
from .say import say


@click.command("test-from")
@click.argument("task", metavar="TASK", shell_complete=tasks)
@click.option("--to", "folder", metavar="DIR", default="tests", show_default=True, help="The folder to write to.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, task: str, folder: str, as_json: bool) -> int:
    """Write a pytest file that plays what the model said in a task, and holds the task to its end.

    TASK is a task's id, the beginning of it, or `last`. The files that it was given are put beside the test. What is there already is left alone.
    """
    with opened(ctx) as app:
        made = app.test_from(task)
    path = os.path.join(folder, made.name)
    beside = f"{path.removesuffix('.py')}_files"
    if os.path.lexists(path) or (made.files and os.path.lexists(beside)):
        raise TaskError(f"{path!r} is there already.", hint="Move it, or name another folder with --to.")
    os.makedirs(folder, exist_ok=True)
    for name, content in made.files.items():
        os.makedirs(beside, exist_ok=True)
        shutil.copyfile(content, os.path.join(beside, name))
    with open(path, "w", encoding="utf-8") as file:
        file.write(made.text)
    if as_json:
        print_json({"test": path, "files": sorted(made.files)})
    else:
        say(f"Written: {path}. Run it with: pytest {path}")
    return 0
