"""What does the package offer, and what does it load to offer it?"""

import importlib
import re
import subprocess
import sys
from types import ModuleType

import pytest

from .source import Module, environment, modules, room

FRONT_DOOR_NAMES = 30
HEAVY = {"pydantic", "yaml", "sqlalchemy", "alembic", "rich", "click", "anyio", "jsonschema_rs", "http.client", "httpx"}
RECORD_AND_SCHEMA = {"sqlalchemy", "alembic", "pydantic"}

PACKAGES = [module for module in modules() if module.is_package]
LISTED = [module for module in modules() if "__all__" in module.text and module.name != "metier.__main__"]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_lists_what_it_offers(package: Module) -> None:
    """A package's `__all__` equals what can be imported from it, submodules aside."""
    loaded = importlib.import_module(package.name)
    assert sorted(getattr(loaded, "__all__", [])) == offered(loaded)


@pytest.mark.parametrize("module", LISTED, ids=lambda module: module.name)
def test_listed_names_are_there(module: Module) -> None:
    """Each name in an `__all__` can be imported, and is listed once."""
    loaded = importlib.import_module(module.name)
    assert [name for name in loaded.__all__ if not hasattr(loaded, name)] == []
    assert len(loaded.__all__) == len(set(loaded.__all__))


def test_front_door_is_small() -> None:
    """The package itself offers at most 30 names."""
    assert len(getattr(importlib.import_module("metier"), "__all__", [])) <= FRONT_DOOR_NAMES


def test_import_loads_nothing_heavy() -> None:
    """`import metier` loads no third-party package and no HTTP client (design, section 7)."""
    assert loaded_by("-c", "import metier") & HEAVY == set()


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_no_record(option: str) -> None:
    """`metier --help` and `metier --version` load neither SQLAlchemy nor pydantic."""
    if not room("__main__"):
        pytest.skip("the command line is not built yet")
    assert loaded_by("-m", "metier", option) & RECORD_AND_SCHEMA == set()


def test_what_was_loaded_is_seen() -> None:
    """The rules above would see a heavy import."""
    assert {"json", "http.client"} <= loaded_by("-c", "import json, http.client")


def offered(package: ModuleType) -> list[str]:
    """The public names of a package that are not modules, lazy ones too."""
    names = (name for name in dir(package) if name == "__version__" or not name.startswith("_"))
    return sorted(
        name for name in names if name != "TYPE_CHECKING" and not isinstance(getattr(package, name), ModuleType)
    )


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a Python process with these arguments loads; it must end well."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))
