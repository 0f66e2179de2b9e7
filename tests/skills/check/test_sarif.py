"""A check as SARIF: its required members, its places, its rules."""

from pathlib import Path
from typing import Any

import pytest

from metier.skills.check import check_paths, sarif

from .conftest import written

LEVELS = {"none", "note", "warning", "error"}


@pytest.fixture
def log(tmp_path: Path) -> dict[str, Any]:
    """The log of a skill with findings in several files, seen from its root."""
    files = {"scripts/a b.py": "input()\n", "references/a.md": "[x](gone.md)"}
    written(tmp_path, "colour: red", body="references/a.md\n`scripts/none.py`", files=files)
    return sarif(check_paths([str(tmp_path)]), folder=str(tmp_path), version="1.2.3")


def test_required_members_are_there(log: dict[str, Any]) -> None:
    """Version, schema, and one run with a tool that has a name, a version and rules (SARIF 2.1.0, 3.13-3.19)."""
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    (run,) = log["runs"]
    assert run["tool"]["driver"]["name"] == "metier"
    assert run["tool"]["driver"]["version"] == "1.2.3"
    assert len(run["results"]) == 5


def test_rules_have_help(log: dict[str, Any]) -> None:
    """Each rule stands once, with what it is about and what mends it; each result points at its own (3.49)."""
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [one["ruleId"] for one in run["results"]]


def test_results_have_places(log: dict[str, Any]) -> None:
    """Each result has a level, a message and a relative place with a line from 1 (3.27-3.30)."""
    results = log["runs"][0]["results"]
    assert all(one["level"] in LEVELS and one["message"]["text"].endswith(".") for one in results)
    places = [one["locations"][0]["physicalLocation"] for one in results]
    assert all(place["region"]["startLine"] >= 1 for place in places)
    assert {place["artifactLocation"]["uri"] for place in places} == {
        "demo/SKILL.md",
        "demo/references/a.md",
        "demo/scripts/a%20b.py",
    }


def test_places_outside_are_absolute(tmp_path: Path) -> None:
    """What lies outside the folder has an absolute address, and a path's own problem has a place too."""
    written(tmp_path, "colour: red")
    other = tmp_path / "other"
    other.mkdir()
    log = sarif(check_paths([str(tmp_path / "demo"), str(other)]), folder=str(other), version="1")
    uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in log["runs"][0]["results"]]
    assert uris == [".", f"file://{tmp_path}/demo/SKILL.md"]


def test_clean_check_is_a_log_too(tmp_path: Path) -> None:
    """Without a finding there are no results and no rules."""
    written(tmp_path)
    (run,) = sarif(check_paths([str(tmp_path)]), folder=str(tmp_path), version="1")["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
