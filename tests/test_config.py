"""Settings: where each value comes from, which one wins, and what is said of a wrong one."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier.config import ENVIRONMENT, Settings, find_file, load_settings
from metier.domain.money import LlmPrice
from metier.errors import SetupError

WHOLE = """\
[model]
name = "python:models.py:model"
price = { input = 0.1, output = "2.5" }
max_output_tokens = 500
[skills]
roots = ["skills", "/abroad"]
[record]
path = "kept/record.sqlite"
durability = "power"
[limits]
task_budget = 0.05
[task]
giver = "Ada"
"""


@pytest.fixture
def toml(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a `metier.toml` and answers its path."""

    def written(text: str) -> Path:
        path = tmp_path / "metier.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def settings(path: Path, **more: Any) -> Settings:
    """The settings of a folder, without this process's variables."""
    return load_settings(str(path), **{"environment": {}, **more})


def test_defaults_without_any_source(tmp_path: Path) -> None:
    """A folder without settings gives the defaults, and no value has an origin."""
    assert settings(tmp_path) == Settings(project=str(tmp_path))
    assert settings(tmp_path).record_path == str(tmp_path / ".metier" / "record.sqlite")


def test_file_sets_everything(toml: Callable[[str], Path], tmp_path: Path) -> None:
    """Every key of the file becomes its setting, dollars exactly, with the file as its origin."""
    file = toml(WHOLE)
    found = settings(tmp_path)
    assert found.price == LlmPrice(Decimal("0.1"), Decimal("2.5"))
    assert (found.model, found.max_output_tokens, found.durability) == ("python:models.py:model", 500, "power")
    assert (found.roots, found.task_budget, found.giver) == (("skills", "/abroad"), Decimal("0.05"), "Ada")
    assert (found.record_path, set(found.origins.values())) == (str(tmp_path / "kept/record.sqlite"), {str(file)})


def test_nearest_file_counts(toml: Callable[[str], Path], tmp_path: Path) -> None:
    """The file is looked for upwards, and its folder is where relative paths start."""
    file = toml('[task]\ngiver = "far"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert (settings(below).giver, settings(below).project) == ("far", str(tmp_path))
    assert find_file(str(below)) == str(file)
    (tmp_path / "a" / "metier.toml").write_text('[task]\ngiver = "near"\n', encoding="utf-8")
    assert settings(below).giver == "near"


def test_later_source_wins(toml: Callable[[str], Path], tmp_path: Path) -> None:
    """A flag beats a variable, which beats the file; the origin follows the winner."""
    file = toml('[task]\ngiver = "file"\n')
    steps = [
        (settings(tmp_path), "file", str(file)),
        (settings(tmp_path, environment={"METIER_GIVER": "variable"}), "variable", "METIER_GIVER"),
        (settings(tmp_path, environment={"METIER_GIVER": "variable"}, flags={"giver": "flag"}), "flag", "--giver"),
    ]
    assert [(found.giver, found.origins["giver"]) for found, *_ in steps] == [tuple(rest) for _, *rest in steps]


def test_unset_values_do_not_count(toml: Callable[[str], Path], tmp_path: Path) -> None:
    """An empty variable and a flag that is None leave what was set before."""
    toml('[task]\ngiver = "file"\n')
    assert settings(tmp_path, environment={"METIER_GIVER": ""}, flags={"giver": None}).giver == "file"


@pytest.mark.parametrize("variable", sorted(ENVIRONMENT))
def test_every_variable_is_read(tmp_path: Path, variable: str) -> None:
    """Each documented variable sets its own setting and no other."""
    value = {"METIER_DURABILITY": "power", "METIER_TASK_BUDGET": "0.25"}.get(variable, "x")
    found = settings(tmp_path, environment={variable: value})
    assert str(getattr(found, ENVIRONMENT[variable])) == value
    assert found.origins == {ENVIRONMENT[variable]: variable}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[modle]\n", "unknown table [modle]"),
        ("model = 1\n", "unknown table [model]"),
        ("[model]\nnam = 1\n", "unknown key model.nam"),
        ("[model]\nname = 1\n", "sets model to 1: it must be a text"),
        ("[model]\nmax_output_tokens = 0\n", "whole number of at least 1"),
        ("[model]\nmax_output_tokens = true\n", "whole number of at least 1"),
        ("[model]\nprice = 3\n", "a price is a table of input and output"),
        ("[model]\nprice = { input = 1 }\n", "a price is a table of input and output"),
        ("[model]\nprice = { input = 1, output = 1, tea = 1 }\n", "a price is a table of input and output"),
        ("[model]\nprice = { input = -1, output = 1 }\n", "an amount is 0 or more"),
        ('[skills]\nroots = "skills"\n', "it must be a list of folders"),
        ("[skills]\nroots = [1]\n", "it must be a list of folders"),
        ("[skills]\nroots = 1\n", "it must be a list of folders"),
        ('[record]\ndurability = "some"\n', "it must be ends or power"),
        ("[record]\npath = 1\n", "it must be a text"),
        ("[limits]\ntask_budget = true\n", "it must be an amount such as 0.05"),
        ("[limits]\ntask_budget = nan\n", "an amount is 0 or more"),
        ("[task]\ngiver = []\n", "it must be a text"),
        ("not toml", "is no TOML"),
    ],
)
def test_wrong_file_is_named(toml: Callable[[str], Path], tmp_path: Path, text: str, said: str) -> None:
    """Whatever is wrong in the file, the error names the file and says what is wrong."""
    file = toml(text)
    with pytest.raises(SetupError) as caught:
        settings(tmp_path)
    assert str(file) in caught.value.message
    assert said in caught.value.message
    assert caught.value.hint


def test_file_of_other_encoding_is_named(tmp_path: Path) -> None:
    """A file that is no UTF-8 is an error that names it, not a trace."""
    (tmp_path / "metier.toml").write_bytes(b'[task]\ngiver = "J\xfcrgen"\n')
    with pytest.raises(SetupError, match=r"metier\.toml is no TOML"):
        settings(tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("METIER_TASK_BUDGET", "five", "amount such as 0.05"),
        ("METIER_TASK_BUDGET", "-1", "0 or more"),
        ("METIER_DURABILITY", "never", "ends or power"),
    ],
)
def test_wrong_variable_is_named(tmp_path: Path, variable: str, value: str, said: str) -> None:
    """A wrong value of a variable is an error that names the variable."""
    with pytest.raises(SetupError, match=rf"^{variable} sets .*{said}"):
        settings(tmp_path, environment={variable: value})


def test_wrong_flag_is_named(tmp_path: Path) -> None:
    """A wrong value of a flag is an error that names the flag as it is typed."""
    with pytest.raises(SetupError, match=r"^--task-budget sets task_budget to 'x'"):
        settings(tmp_path, flags={"task_budget": "x"})


def test_paths_start_from_the_project(tmp_path: Path) -> None:
    """A relative path starts from the project, an absolute one stays, and `~` is the home folder."""
    found = settings(tmp_path)
    assert found.path("a/../b") == str(tmp_path / "b")
    assert found.path("/c") == "/c"
    assert found.path("~/d") == str(Path.home() / "d")
