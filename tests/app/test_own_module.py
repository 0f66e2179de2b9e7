"""The name under which a file of yours is loaded."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.app.own_module import named_in_own, own_name
from metier.errors import SetupError


@pytest.fixture(autouse=True)
def imports() -> Iterator[None]:
    """What is importable is as before, after each test."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def _file(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_file_has_the_name_it_is_imported_by(tmp_path: Path) -> None:
    """A file in a package is a member of it, and imports its neighbours."""
    _file(tmp_path / "mine_a" / "__init__.py", "")
    _file(tmp_path / "mine_a" / "tables.py", "N = 7\n")
    path = _file(tmp_path / "mine_a" / "app.py", "from .tables import N\nclass One: n = N\n")
    assert own_name(path) == (str(tmp_path), "mine_a.app")
    one = named_in_own(path, "One")
    assert (one.__module__, getattr(one, "n", 0)) == ("mine_a.app", 7)


@pytest.mark.parametrize("file", ["json.py", "01-first.py"])
def test_taken_name_is_left_alone(tmp_path: Path, file: str) -> None:
    """A file that is called as something else is, or that cannot be imported, is loaded under a name of its own."""
    path = _file(tmp_path / file, "class One: pass\n")
    one = named_in_own(path, "One")
    assert one is not None
    assert one.__module__.startswith("_metier_code_")


def test_file_that_fails_is_told(tmp_path: Path) -> None:
    """The error names the file and what it raised."""
    path = _file(tmp_path / "mine_b.py", "raise ValueError('no')\n")
    with pytest.raises(SetupError, match=r"mine_b.py failed: ValueError: no"):
        named_in_own(path, "app")
