"""What does a check look like as SARIF 2.1.0, the form in which code hosts take findings?"""

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from ...domain.problem import Problem
from .paths import Checked
from .rules import TOLD

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(checked: Checked, *, folder: str, version: str) -> dict[str, Any]:
    """A check as the data of a SARIF log; places are relative to `folder`, and absolute where they lie outside it."""
    found = [*_found(checked, os.path.abspath(folder))]
    codes = sorted({problem.code for _, problem in found})
    driver = {"name": "metier", "version": version, "rules": [_rule(code) for code in codes]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(uri, problem, codes.index(problem.code)) for uri, problem in found],
            }
        ],
    }


def _found(checked: Checked, folder: str) -> Iterator[tuple[str, Problem]]:
    for problem in checked.problems:
        yield _uri(os.path.abspath(problem.file), folder), problem
    for skill in checked.skills:
        for problem in skill.problems:
            yield _uri(skill.path(problem), folder), problem


def _uri(path: str, folder: str) -> str:
    inside = os.path.relpath(path, folder)
    outside = inside.startswith("..")
    return f"file://{quote(path)}" if outside else quote(inside)


def _rule(code: str) -> dict[str, Any]:
    told = TOLD.get(code)
    wrong, cure = told or ("a problem of the skill", "see the result")
    return {"id": code, "shortDescription": {"text": _sentence(wrong)}, "help": {"text": _sentence(cure)}}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _result(uri: str, problem: Problem, rule: int) -> dict[str, Any]:
    cure = f" Cure: {problem.cure}." if problem.cure else ""
    # Code hosts show a finding at a line; what is about a whole file is shown at its first.
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": problem.line or 1}}
    return {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.level,
        "message": {"text": f"{_sentence(problem.cause)}{cure}"},
        "locations": [{"physicalLocation": place}],
    }
