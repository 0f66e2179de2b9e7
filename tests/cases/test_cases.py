"""The cases: faults that others met, each as a folder with what must happen, held against this house.

Each case has an adapter in `adapters/`, named by its id, that turns the case's call into ours.
"""

import filecmp
import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from .adapters import (
    c001,
    c003,
    c005,
    c007,
    c009,
    c010,
    c011,
    c013,
    c014,
    c016,
    c017,
    c019,
    c021,
    c023,
    c035,
    c038,
    c040,
    c041,
    c043,
    c045,
    c046,
    c048,
    c051,
    c053,
    c054,
    c059,
    c061,
    c063,
    c065,
    c066,
    c068,
    c070,
    c072,
    c073,
    c074,
    c076,
    c077,
    c079,
    c081,
    c082,
    c084,
    c086,
    c107,
    c111,
)
from .case import HERE, KINDS, OUTCOMES, Adapter, Case, cases_in

ADAPTERS: Mapping[str, Adapter] = {
    "001": c001,
    "003": c003,
    "005": c005,
    "007": c007,
    "009": c009,
    "010": c010,
    "011": c011,
    "013": c013,
    "014": c014,
    "016": c016,
    "017": c017,
    "019": c019,
    "021": c021,
    "023": c023,
    "035": c035,
    "038": c038,
    "040": c040,
    "041": c041,
    "043": c043,
    "045": c045,
    "046": c046,
    "048": c048,
    "051": c051,
    "053": c053,
    "054": c054,
    "059": c059,
    "061": c061,
    "063": c063,
    "065": c065,
    "066": c066,
    "068": c068,
    "070": c070,
    "072": c072,
    "073": c073,
    "074": c074,
    "076": c076,
    "077": c077,
    "079": c079,
    "081": c081,
    "082": c082,
    "084": c084,
    "086": c086,
    "107": c107,
    "111": c111,
}
CASES = cases_in(HERE)
LISTED = tomllib.loads((HERE / "LEFT_OUT.toml").read_text("utf-8"))
LEFT_OUT = {one["id"]: one["reason"] for one in LISTED["left_out"]}
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


def test_open_parts_have_reasons() -> None:
    """A part of a case that is not held yet is a part of a case that is here, and says what it waits for."""
    assert {one["id"] for one in LISTED["open"]} <= ADAPTERS.keys()
    assert [one["id"] for one in LISTED["open"] if len(one["part"]) < 20 or len(one["reason"]) < 20] == []


@pytest.mark.parametrize("case", [case for case in CASES if case.sha256], ids=lambda case: case.id)
def test_bytes_are_as_told(case: Case) -> None:
    """Files whose bytes matter have the digest that their case tells: no checkout and no editor has changed them."""
    found = {name: hashlib.sha256((case.folder / name).read_bytes()).hexdigest() for name in case.sha256}
    assert found == case.sha256


def test_no_case_is_forgotten(all_cases: Path) -> None:
    """Every case of these kinds is copied here or listed as left out."""
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
