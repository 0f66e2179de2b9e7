"""Skills in folders, apps over scripted models, and a temporary folder that must be empty in the end."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.entry import Entry
from metier.domain.receipt import Receipt
from metier.domain.task import Reason
from metier.testing import AgentScript, Says, ScriptedModel

REASONS = frozenset(get_args(Reason))

SKILL = "---\nname: count\ndescription: Counts the lines of a file.\n---\nRun scripts/count.py on the file.\n"
TOML = '[job]\ntakes = "takes.json"\nhands_back = "gives.json"\ncheck = "scripts/check.py"\nbudget = "0.50"\n'
TAKES = '{"type": "object", "properties": {"file": {"type": "string", "format": "path"}}, "required": ["file"]}'
GIVES = '{"type": "object", "properties": {"lines": {"type": "integer"}}, "required": ["lines"]}'
COUNT = "import sys\nprint(len(open(sys.argv[1], encoding='utf-8').readlines()))\n"
CHECK = """\
import json
given = json.load(open("input.json", encoding="utf-8"))
result = json.load(open("result.json", encoding="utf-8"))
lines = len(open(given["file"], encoding="utf-8").readlines())
print(json.dumps({"accepted": lines == result["lines"], "reason": f"There are {lines} lines."}))
"""
FILES: Mapping[str, str] = {
    "SKILL.md": SKILL,
    "skill.toml": TOML,
    "takes.json": TAKES,
    "gives.json": GIVES,
    "scripts/count.py": COUNT,
    "scripts/check.py": CHECK,
    "references/policy.md": "Every line counts.\n",
}
LOAD = Says.tool("load_skill", {"skill_name": "count"})
READ = Says.tool("read_skill_resource", {"skill_name": "count", "resource_name": "references/policy.md"})
RUN = Says.tool("run_skill_script", {"skill_name": "count", "script_name": "scripts/count.py", "args": ["data.csv"]})


def script(*steps: Says, **how: Any) -> ScriptedModel:
    """A model that takes these steps."""
    return ScriptedModel("test", AgentScript.of(*steps).answer, **how)


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path) -> Iterator[Path]:
    """The folder for temporary files; whatever a test does, nothing is left in it."""
    folder, before = tmp_path / "temporary", tempfile.tempdir
    folder.mkdir()
    tempfile.tempdir = str(folder)
    yield folder
    tempfile.tempdir = before
    assert list(folder.iterdir()) == []


@pytest.fixture
def skill(tmp_path: Path) -> Callable[..., Path]:
    """Writes the skill `count`, with some of its files replaced or, by None, left out; answers its folder."""

    def written(**replaced: str | None) -> Path:
        folder = tmp_path / "skills" / "count"
        named = {"scripts/count.py": "count", "scripts/check.py": "check", "skill.toml": "toml", "SKILL.md": "text"}
        for name, text in FILES.items():
            new = replaced.get(named.get(name, Path(name).stem), text)
            if new is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(new, encoding="utf-8")
        return folder

    return written


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of three lines."""
    path = tmp_path / "data.csv"
    path.write_text("a\nb\nc\n", encoding="utf-8")
    return path


class House:
    """Makes apps in one project and closes them."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.record = project / "record.sqlite"
        self.apps: list[Metier] = []

    def open(self, *steps: Says, model: Any = None, **how: Any) -> Metier:
        """An open app over the project's skills, with a record in a file unless `record` says otherwise."""
        settings = how.pop("settings", Settings(project=str(self.project), giver="Ada"))
        how.setdefault("record", self.record)
        how.setdefault("skills", [self.project / "skills"])
        app = Metier(settings=settings, model=model or (script(*steps) if steps else None), **how)
        self.apps.append(app)
        return app.__enter__()

    def run(self, *steps: Says, skill: Any = "count", **how: Any) -> Receipt:
        """One task to its end, each with the whole record verified."""
        task = {name: how.pop(name) for name in ("input", "files", "approver", "unpriced", "watch") if name in how}
        app = self.open(*steps, **how)
        receipt = app.run(skill, **task)
        assert app.verify(receipt.id).ok
        assert receipt.reason in REASONS
        return receipt

    def entries(self, task: str) -> list[Entry]:
        """The entries of a task of the app that was opened last."""
        return list(self.apps[-1].record.entries(task, whole=True))

    def kinds(self, task: str) -> list[str]:
        """The kinds of those entries."""
        return [entry.kind for entry in self.entries(task)]

    def second_reader(self) -> list[str]:
        """The kinds of all entries that somebody else can read in the record's file now."""
        with closing(sqlite3.connect(f"file:{self.record}?mode=ro", uri=True)) as reader:
            return [kind for (kind,) in reader.execute("SELECT kind FROM entry ORDER BY task, number")]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A project of one test."""
    made = House(tmp_path)
    yield made
    for app in made.apps:
        app.close()
