"""The JSON Schemas that editors use say what the readers accept."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from metier.skills.check import check_skill
from metier.skills.declared import read_declared
from metier.skills.fields import KNOWN

from .conftest import folder_of

FRONT = "frontmatter.schema.json"
TOML = "skill-toml.schema.json"


def schema(name: str) -> dict[str, Any]:
    """A schema as it is shipped."""
    data: dict[str, Any] = json.loads((files("metier") / "schemas" / name).read_text(encoding="utf-8"))
    return data


def fits(part: dict[str, Any], value: object) -> bool:
    """Whether a value fits a schema."""
    return jsonschema_rs.is_valid(part, value)


@pytest.mark.parametrize("name", [FRONT, TOML])
def test_schemas_are_valid(name: str) -> None:
    """Each is a JSON Schema of the draft that it names, and every member is described."""
    jsonschema_rs.meta.validate(schema(name))
    assert all(part["description"] for part in schema(name)["properties"].values())


def test_fields_are_the_same() -> None:
    """The frontmatter's schema has the six fields and takes others (M3-M8, M11)."""
    front = schema(FRONT)
    assert (set(front["properties"]), set(front["required"])) == (set(KNOWN), {"name", "description"})
    assert fits(front, {"name": "a", "description": "d", "colour": "red"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "a-1"), ("name", "A"), ("name", "a--b"), ("name", "-a"), ("name", "a" * 64), ("name", "a" * 65),
        ("name", "\u6280\u80fd"), ("name", "\u042f"), ("name", "a_b"), ("name", "a b"),
        ("description", "d" * 1024), ("description", "d" * 1025), ("description", " "),
        ("compatibility", "c" * 500), ("compatibility", "c" * 501), ("compatibility", ""),
        ("allowed-tools", "Bash(git:*) Read"), ("allowed-tools", "Bash(a, b) Read"), ("allowed-tools", "Read, Grep"),
        ("allowed-tools", ["Read"]), ("metadata", {"a": "b"}), ("metadata", {"a": ["b"]}), ("metadata", "x"),
        ("license", "MIT"), ("license", ["MIT"]),
    ],
)  # fmt: skip
def test_frontmatter_is_judged_alike(tmp_path: Path, key: str, value: object) -> None:
    """The schema refuses exactly what the check calls an error (M3-M8)."""
    name = value if key == "name" and isinstance(value, str) else "demo"
    fields: dict[str, object] = {"name": name, "description": "Sorts.", key: value}
    head = "".join(f"{one}: {json.dumps(it)}\n" for one, it in fields.items())
    found = check_skill(folder_of(tmp_path, f"---\n{head}---\nDo.\n", name=name))
    assert fits(schema(FRONT), fields) == ("error" not in {one.level for one in found}), found


@pytest.mark.parametrize("path", ["", "job", "job.stop"])
def test_keys_of_skill_toml_are_the_same(tmp_path: Path, path: str) -> None:
    """Each table's keys are those that the reader names when it meets another (O8-O11)."""
    table = schema(TOML)
    for part in path.split(".") if path else ():
        table = table["properties"][part]
    (tmp_path / "skill.toml").write_text(f"[{path}]\nnone = 1\n" if path else "none = 1\n", encoding="utf-8")
    (problem,) = read_declared(str(tmp_path)).problems
    assert set(re.findall(r"\w+", problem.cure.removeprefix("the keys here are"))) == set(table["properties"])
    assert table["additionalProperties"] is False


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('budget = "0.50"', "0.50"), ("budget = 1", 1), ("budget = 0.5", 0.5), ("budget = -1", -1),
        ("budget = true", True), ('budget = "much"', "much"), ('budget = "-1"', "-1"), ('budget = "1e2"', "1e2"),
        ("takes = 1", 1), ('takes = "text"', "text"), ("instructions = 1", 1), ("stop = 1", 1),
    ],
)  # fmt: skip
def test_job_is_judged_alike(tmp_path: Path, line: str, value: object) -> None:
    """A value fits the schema exactly if the reader takes it (O8-O12)."""
    (tmp_path / "skill.toml").write_text(f"[job]\n{line}\n", encoding="utf-8")
    assert fits(schema(TOML), {"job": {line.partition(" ")[0]: value}}) == (read_declared(str(tmp_path)).problems == ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_turns", 1),
        ("max_turns", 0),
        ("stuck_after", 2),
        ("same_call", -1),
        ("max_seconds", 0.5),
        ("max_seconds", 0),
    ],
)
def test_limits_are_judged_alike(tmp_path: Path, key: str, value: float) -> None:
    """A limit fits the schema exactly if the reader takes it (O11, O51)."""
    (tmp_path / "skill.toml").write_text(f"[job.stop]\n{key} = {value}\n", encoding="utf-8")
    assert fits(schema(TOML), {"job": {"stop": {key: value}}}) == (read_declared(str(tmp_path)).problems == ())
