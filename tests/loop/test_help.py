"""Help for a job that is stuck."""

from collections.abc import Callable

import pytest

from metier.domain.bounds import StopWhen
from metier.domain.proposal import Proposal, Reply
from metier.gate.approvers import Asks, Nobody, Yes
from metier.testing import Says

from .conftest import Job

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
WRONG = Says.hand_back({"n": "many"})
RIGHT = Says.hand_back({"n": 3})


def job(said: Callable[[Proposal], Reply]) -> Job:
    """A typed job that is stuck after two failures, with somebody to ask."""
    return Job(result=NUMBER, stop=StopWhen(stuck_after=2), approver=Asks(said))


def test_help_is_asked_for_once() -> None:
    """After so many failures somebody is asked, told what is wrong, and their words go to the model (O27, O31)."""
    asked: list[Proposal] = []

    def said(proposal: Proposal) -> Reply:
        asked.append(proposal)
        return Reply("yes", "Ada", "n is a number: count them")

    one = job(said)
    assert one.go(WRONG, WRONG, RIGHT).state == "Done"
    assert [(each.help, each.call_id) for each in asked] == [(True, "help")]
    assert asked[0].words.startswith("this job may go on with your help: it is stuck: ")
    assert one.notices == ["the task", "n is a number: count them"]
    assert [kind for kind in one.kinds if "Help" in kind] == ["AskedForHelp", "Helped"]


def test_second_time_there_is_no_asking() -> None:
    """Failures are counted anew after help; stuck again it ends Failed, with all the reasons (O28, O31)."""
    one = job(lambda _: Reply("yes", "Ada", "count them"))
    ended = one.go(*[Says.hand_back({"n": f"many{n}"}) for n in range(4)])
    assert (ended.state, ended.reason, one.kinds.count("AskedForHelp")) == ("Failed", "stuck", 1)
    assert all(f"many{n}" in ended.text for n in range(4))


@pytest.mark.parametrize(
    "said", [Reply("no", "Ada"), Reply("yes", "Ada"), Reply("yes", "Ada", "  ")], ids=["no", "yes", "blank"]
)
def test_no_help_ends_the_job(said: Reply) -> None:
    """A no, or a yes without a word of help, ends the job as stuck."""
    one = job(lambda _: said)
    assert (one.go(WRONG, WRONG).reason, one.kinds[-1]) == ("stuck", "Declined")


@pytest.mark.parametrize("approver", [Nobody("Bring somebody."), Yes("--yes")], ids=["nobody", "yes"])
def test_where_nobody_can_help(approver: Nobody | Yes) -> None:
    """Nobody is asked where nobody is there; who said yes to everything beforehand is no help."""
    one = Job(result=NUMBER, stop=StopWhen(stuck_after=2), approver=approver)
    assert (one.go(WRONG, WRONG).reason, "Helped" in one.kinds) == ("stuck", False)
