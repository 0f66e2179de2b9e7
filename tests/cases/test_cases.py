"""The cases: faults that others met, each as a folder with what must happen, held against this house.

Each case has an adapter in `adapters/`, named by its id, that turns the case's call into ours.
"""

import filecmp
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from .adapters import c038, c040, c041, c043, c045, c059, c061, c063, c073, c074
from .case import HERE, KINDS, OUTCOMES, Adapter, Case, cases_in

ADAPTERS: Mapping[str, Adapter] = {
    "038": c038,
    "040": c040,
    "041": c041,
    "043": c043,
    "045": c045,
    "059": c059,
    "061": c061,
    "063": c063,
    "073": c073,
    "074": c074,
}
CASES = cases_in(HERE)
LEFT_OUT = {one["id"]: one["reason"] for one in tomllib.loads((HERE / "LEFT_OUT.toml").read_text("utf-8"))["left_out"]}
ALL = HERE.parents[2] / "shared" / "cases"


@pytest.fixture
def all_cases() -> Path:
    """The folder of all cases, where it lies beside the checkout."""
    if not ALL.is_dir():
        pytest.skip("the collection of cases does not lie beside this checkout")
    return ALL


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.id}-{case.slug}")
def test_case(case: Case, tmp_path: Path) -> None:
    """What happens is the case's outcome, each of its values, and every fact that its adapter expects."""
    adapter = ADAPTERS[case.id]
    happened = adapter.happens(case, tmp_path)
    assert happened.outcome in OUTCOMES
    assert (happened.outcome, dict(happened.values)) == (case.outcome, case.values)
    assert adapter.EXPECTED
    assert dict(happened.facts) == adapter.EXPECTED


def test_every_adapter_has_its_case() -> None:
    """The folders here and the adapters are the same cases, each of a kind that is shown here."""
    assert [case.id for case in CASES] == sorted(ADAPTERS)
    assert {case.kind for case in CASES} == set(KINDS)
    assert {case.id: case.outcome for case in CASES if case.outcome not in OUTCOMES} == {}


def test_what_is_left_out_has_reasons() -> None:
    """A case is here or left out, never both, and each that is left out says why."""
    assert LEFT_OUT.keys() & ADAPTERS.keys() == set()
    assert [case for case, reason in LEFT_OUT.items() if len(reason) < 20] == []


def test_no_case_is_forgotten(all_cases: Path) -> None:
    """Every case of the three kinds is copied here or listed as left out."""
    known = [case.id for case in cases_in(all_cases) if case.kind in KINDS]
    assert known == sorted([*ADAPTERS, *LEFT_OUT])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_copies_are_as_they_were(case: Case, all_cases: Path) -> None:
    """A case's folder is the original, file by file."""
    original = all_cases / case.folder.name
    files = [
        sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        for folder in (original, case.folder)
    ]
    assert files[0] == files[1]
    assert filecmp.cmpfiles(original, case.folder, [str(name) for name in files[0]], shallow=False)[1:] == ([], [])
