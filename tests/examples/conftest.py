"""How do the tests of the example call its scripts?

In process for speed, through the scripts' own `main`; as processes where the process itself is the subject.
"""

import contextlib
import csv
import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SKILL = EXAMPLES / "expense-report"


def loaded(path: Path) -> Iterator[ModuleType]:
    """A script as a module, gone again afterwards."""
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="session")
def skill() -> Path:
    """The folder of the example's skill."""
    return SKILL


@pytest.fixture(scope="session")
def validator() -> Iterator[ModuleType]:
    """The module of `scripts/validate.py`."""
    limit = csv.field_size_limit()
    yield from loaded(SKILL / "scripts" / "validate.py")
    csv.field_size_limit(limit)


@pytest.fixture(scope="session")
def checker() -> Iterator[ModuleType]:
    """The module of `scripts/check.py`."""
    yield from loaded(SKILL / "scripts" / "check.py")


@pytest.fixture(scope="session")
def demo() -> Iterator[ModuleType]:
    """The module of `demo_model.py`."""
    yield from loaded(EXAMPLES / "demo_model.py")


@pytest.fixture
def page_of(validator: ModuleType) -> Callable[..., dict[str, Any]]:
    """`page_of(file, *options)`: what the validator prints, in process."""

    def page_of(file: Path, *options: str) -> dict[str, Any]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exit_code = validator.main([str(file), *options])
        page: dict[str, Any] = json.loads(printed.getvalue())
        assert exit_code == (1 if page["refused"] else 0)
        assert len(printed.getvalue()) <= 12_000
        return page

    return page_of


@pytest.fixture
def report_of(page_of: Callable[..., dict[str, Any]]) -> Callable[[Path], dict[str, Any]]:
    """`report_of(file)`: the report that all pages of the validator make together."""

    def report_of(file: Path) -> dict[str, Any]:
        page = page_of(file, "--page-size", "20")
        rows = list(page["wrong_rows"])
        for number in range(2, page["pages"] + 1):
            page = page_of(file, "--page-size", "20", "--page", str(number))
            rows += page["wrong_rows"]
        del page["page"], page["pages"]
        return {**page, "wrong_rows": rows}

    return report_of


@pytest.fixture
def reason_of(checker: ModuleType, skill: Path) -> Callable[[Path, Any], str]:
    """`reason_of(file, report)`: why the check does not accept the report; empty where it does."""
    rules = checker.rules_of((skill / "references" / "policy.md").read_text(encoding="utf-8"))

    def reason_of(file: Path, report: Any) -> str:
        reason: str = checker.reason_to_refuse(checker.expected_report(file.read_bytes(), rules), report)
        return reason

    return reason_of


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run(folder, script, *arguments)`: a script of the skill as a process in a folder."""

    def run(folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(SKILL / script), *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)

    return run
