"""Parents and children: what the ids tell, and what the record tells of a family."""

from decimal import Decimal

import pytest

from metier.errors import TaskMissing
from metier.record import Record, TaskWriter, open_record
from metier.record.family import ancestors_in, descendants, is_below, parent_in, tops
from metier.record.memory import KEPT

ROOT, CHILD, GRAND = "20261201-abc", "20261201-abc.c2.1", "20261201-abc.c2.1.c1.1"
OTHER = "20261201-abc-too"
"""It begins with the root's id and is no child of it; its id lies between the root's and the children's."""


def _begin(record: Record, task: str, *, agent: str = "") -> TaskWriter:
    return record.begin_task(task, skill="s", source="", giver="Ada", agent=agent)


def _pays(log: TaskWriter, cost: str) -> None:
    log.note("ModelCalled", {"turn": 1, "model": "m", "reserved": "9"})
    log.note("ModelAnswered", {"turn": 1, "ok": True, "cost": cost})


def _end(record: Record, task: str) -> None:
    record.end_task(task, state="Done", reason="answered")


@pytest.fixture
def family(kept: Record) -> Record:
    """A task with a child and a grandchild, and one beside them."""
    for task in (ROOT, OTHER, CHILD, GRAND):
        _begin(kept, task, agent="" if task == ROOT else "Estimator")
    return kept


def test_ids_tell_the_family() -> None:
    """A child's id begins with its parent's and a dot; a call's own dots make no generation (O76)."""
    low, high = descendants(ROOT)
    assert [low < task < high for task in (ROOT, OTHER, CHILD, GRAND, f"{ROOT}/")] == [False, False, True, True, False]
    assert [is_below(task, ROOT) for task in (ROOT, OTHER, CHILD)] == [False, False, True]
    known = {ROOT, CHILD, GRAND}
    assert [parent_in(task, known) for task in (ROOT, CHILD, GRAND, OTHER)] == ["", ROOT, CHILD, ""]
    assert list(ancestors_in(GRAND, known)) == [CHILD, ROOT]
    assert tops([GRAND, CHILD, OTHER]) == [CHILD, OTHER]


def test_children_are_all_below(family: Record) -> None:
    """A task's children are its descendants, with their agents, and nobody beside them."""
    assert [(row.id, row.agent) for row in family.children(ROOT)] == [(CHILD, "Estimator"), (GRAND, "Estimator")]
    assert [row.id for row in family.children(CHILD)] == [GRAND]
    assert family.children(GRAND) == family.children("none") == []


def test_roots_are_listed_alone(family: Record) -> None:
    """The list tells of all tasks, or of those that nobody handed on; a dot alone makes no child."""
    _begin(family, "report.2")
    assert {row.id for row in family.tasks()} == {ROOT, OTHER, CHILD, GRAND, "report.2"}
    assert {row.id for row in family.tasks(roots=True)} == {ROOT, OTHER, "report.2"}
    assert len(family.tasks(roots=True, limit=1)) == 1


@pytest.mark.parametrize(
    ("prefix", "meant"),
    [(ROOT, ROOT), ("20261201-abc.", CHILD), ("20261201-abc.c2", CHILD), (GRAND, GRAND), ("20261201-abc-", OTHER)],
)
def test_a_beginning_means_the_parent(family: Record, prefix: str, meant: str) -> None:
    """An exact id is meant before all that begin with it; a task and its descendants are one."""
    assert family.find_task(prefix) == meant


def test_two_families_are_ambiguous(family: Record) -> None:
    """Where two tasks begin so, neither is meant, and their descendants are not counted."""
    with pytest.raises(TaskMissing, match="of 2 tasks begin") as caught:
        family.find_task("2026")
    assert OTHER in caught.value.hint
    assert CHILD not in caught.value.hint


def test_a_family_is_one_match(kept: Record) -> None:
    """A beginning that only a task and its many descendants have means the task."""
    for task in (ROOT, *(f"{ROOT}.c{number}.1" for number in range(1, 1200))):
        _begin(kept, task)
    assert kept.find_task("2026") == ROOT


def test_a_family_spends_together(family: Record) -> None:
    """What a task spent is its own and its descendants' money; a call without an answer is its reservation (O76)."""
    for task, cost in ((ROOT, "0.10"), (CHILD, "0.02"), (OTHER, "5")):
        family.let_go(task)
        log = family.take_up(task)
        assert log is not None
        _pays(log, cost)
        if task == CHILD:
            log.note("ModelCalled", {"turn": 2, "model": "m", "reserved": "0.5"})
    assert family.spent(ROOT) == Decimal("0.62")
    assert (family.spent(CHILD), family.spent(GRAND), family.spent("none")) == (Decimal("0.52"), Decimal(0), Decimal(0))


def test_unrecorded_children_stay_counted() -> None:
    """Without a file, what many ended children cost still counts while their parent works."""
    with open_record(None) as record:
        _begin(record, "t")
        for number in range(KEPT + 20):
            _pays(_begin(record, f"t.c{number}"), "0.01")
            _end(record, f"t.c{number}")
        assert record.spent("t") == Decimal("1.20")
        _end(record, "t")
        for number in range(KEPT):
            _begin(record, f"u{number}")
            _end(record, f"u{number}")
        assert len(record.tasks(limit=1000)) <= KEPT + 21
