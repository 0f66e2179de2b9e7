"""Tasks with children: how they are listed and shown, and what agents spend."""

import json
import time

import pytest

from metier.cli.families import listed_below
from metier.domain.proposal import Reply
from metier.record import TaskRow, open_record

from .conftest import Project
from .family import ASKS, BUYER, DONE, FAILED, ROOT, made_family


@pytest.fixture
def family(empty: Project) -> Project:
    """A project whose record holds a task with three children and a grandchild."""
    made_family(empty.folder)
    return empty


def _row(task: str, started: int) -> TaskRow:
    return TaskRow(task, "s", "", "Ada", started, None, "Running", "")


def test_each_child_stands_below_its_parent() -> None:
    """The order is the family's; a call's dots make no generation, and a gap in it is stepped over."""
    rows = [_row("t.c1.1", 1), _row("t.c1.2", 2), _row("t.c1.1.c1.1", 3), _row("t.c9.1.c1.1", 4)]
    assert [(one.label, one.parent) for one in listed_below("t", rows)] == [
        ("  .c1.1", "t"),
        ("    .c1.1", "t.c1.1"),
        ("  .c1.2", "t"),
        ("  .c9.1.c1.1", "t"),
    ]


def test_children_are_listed_below(family: Project) -> None:
    """A child stands below its parent, set in, by what its id has more; the limit counts the parents (O76)."""
    ran = family.run("tasks", "--limit", "1")
    assert [line[:15].rstrip() for line in ran.out.splitlines()] == [
        ROOT[:15],
        "  .c2.1",
        "  .c2.2",
        "    .c1.1",
        "  .c4.1",
    ]
    assert "its child c4.1" in ran.out
    assert ran.out.count("close_week, by Estimator") == 4
    assert ran.err == "1 waits for an answer: metier proposals\n"


def test_lists_as_json_name_parents(family: Project) -> None:
    """As JSON each task has its whole id, its agent and its parent."""
    rows = family.run("tasks", "--json").json
    assert [(row["id"], row["parent"], row["agent"]) for row in rows] == [
        (ROOT, "", "Foreman"),
        (DONE, ROOT, "Estimator"),
        (FAILED, ROOT, "Estimator"),
        (BUYER, FAILED, "Estimator"),
        (ASKS, ROOT, "Estimator"),
    ]


def test_watching_tells_whole_ids(family: Project) -> None:
    """Each line of a watch stands alone."""
    watching = family.start("tasks", "--watch", "--json")
    assert watching.stdout is not None
    lines = [json.loads(watching.stdout.readline()) for _ in range(5)]
    assert [(line["id"], line["parent"]) for line in lines][:2] == [(ROOT, ""), (DONE, ROOT)]


def test_an_agents_task_is_shown(family: Project) -> None:
    """The receipt tells the agent, its account and sponsor, for whom, the tries and a yes that came too late (O90)."""
    told = " ".join(family.run("show", ROOT[:10]).out.replace("│", " ").split())
    for words in (
        "agent Foreman, with the account Foreman@shop",
        "sponsor Mara answered for the agent",
        "given by Ada on behalf of Bob",
        "cost $0.0300 for 1 model calls",
        "tries 2: tried again after stuck",
        "yes by Mara to send_bill; it came too late and was not carried out",
        "calls 2 done, 1 under way",
    ):
        assert words in told


def test_children_are_shown_with_their_cost(family: Project) -> None:
    """Each child has its state and what it cost with its own; below stands what all of them cost (O76)."""
    told = " ".join(family.run("show", ROOT).out.replace("│", " ").split())
    for words in (
        "child .c2.1 Done $0.0123 close_week, by Estimator",
        "child .c2.2 Failed (stuck) $0.0410 close_week, by Estimator",
        "child .c1.1 Failed (stuck) $0.0010",
        "child .c4.1 Waiting $0.0000",
        "in all $0.0833 of $1.00",
    ):
        assert words in told
    assert f"parent {ROOT} handed this work on" in " ".join(family.run("show", DONE).out.replace("│", " ").split())


def test_a_childs_question_is_the_next_step(family: Project) -> None:
    """What a child asks is told at its parent too, with the command that answers it."""
    told = family.run("show", ROOT).out
    assert "Waiting: it waits for its child c4.1" in told
    assert f"metier approve {ASKS}.p1" in told
    with open_record(str(family.folder / ".metier" / "record.sqlite")) as record:
        record.answer(f"{ASKS}.p1", Reply("yes", "Ada"))
    assert f"metier resume {ROOT}" in family.run("show", ROOT).out


def test_a_family_as_json(family: Project) -> None:
    """As JSON the receipt has all of it, and below it each child with its state and cost."""
    told = family.run("show", ROOT, "--json").json
    assert (told["agent"], told["principal"], told["sponsor"]) == ("Foreman", "Foreman@shop", "Mara")
    assert (told["on_behalf_of"], told["tries"], told["children"]) == ("Bob", 2, [DONE, FAILED])
    assert (told["children_cost"], told["spent"], told["proposals"]) == ("0.0533", "0.0833", [f"{ASKS}.p1"])
    assert [(child["id"], child["word"], child["cost"]) for child in told["below"]] == [
        (DONE, "Done", "0.0123"),
        (FAILED, "Failed", "0.0410"),
        (BUYER, "Failed", "0.0010"),
        (ASKS, "Waiting", "0"),
    ]


def test_spending_is_told_by_agent(family: Project) -> None:
    """What each agent spent, on each day; a day is told apart only where it is asked for."""
    by_agent = family.run("spend", "--by", "agent", "--json").json
    assert [(one["agent"], one["calls"], one["cost"]) for one in by_agent] == [
        ("Estimator", 3, "0.0533"),
        ("Foreman", 1, "0.0300"),
    ]
    assert {one["day"] for one in by_agent} == {"all"}
    day = time.strftime("%Y-%m-%d", time.gmtime())
    lines = family.run("spend").out.splitlines()
    assert [line.split()[1] for line in lines] == ["Estimator", "Foreman", "4"]
    assert lines[0].startswith(day)


def test_answer_for_a_child_names_its_root(family: Project) -> None:
    """What goes on after a child's proposal is the task that nobody handed on; its list has the child's proposals."""
    assert [one["task"] for one in family.proposals(ROOT)] == [ASKS]
    ran = family.run("approve", f"{ASKS}.p1")
    assert ran.code == 0, ran.err
    assert f"metier resume {ROOT}\n" in ran.out
    assert family.run("proposals", ROOT).out == "Nothing waits for an answer.\n"
