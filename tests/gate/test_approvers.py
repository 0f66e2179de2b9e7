"""Approvers that are no person."""

import asyncio

import pytest

from metier.domain.ports import Approver
from metier.domain.proposal import Proposal, Reply
from metier.gate.approvers import Asks, Nobody, Yes, approver_of

CALL = Proposal("t.p1", "t", "c1", "act", {}, ("changes",), "act may be called")
SCRIPT = Proposal("t.p1", "t", "c1", "act", {}, ("runs",), "act may be called", subject="scripts")


def say(approver: Approver, proposal: Proposal = CALL) -> Reply:
    """What an approver answers."""
    return asyncio.run(approver.answer(proposal))


def test_yes_is_said_beforehand() -> None:
    """A yes that was said beforehand covers all that is offered, in the name of who said it."""
    assert say(Yes("--yes")) == Reply("yes", "--yes")
    assert say(Yes("--yes"), SCRIPT) == Reply("yes", "--yes", covers="subject")


def test_nobody_tells_the_cure() -> None:
    """Nobody to ask is its own answer, with what was asked and what would serve."""
    said = say(Nobody("Use --yes."))
    assert (said.answer, said.reason) == ("nobody", "there is nobody to ask whether act may be called. Use --yes.")


@pytest.mark.parametrize("answer", [1, "yes", None, [True]])
def test_only_true_is_yes(answer: object) -> None:
    """Code says yes by True alone, never by something that passes for it."""
    assert say(Asks(lambda _: answer)).answer == "no"  # type: ignore[arg-type, return-value]  # what careless code answers


def test_code_answers_in_its_name() -> None:
    """A function's answer is recorded under its name, and covers what is offered."""

    def by_rule(proposal: Proposal) -> bool:
        return proposal.effects == ("runs",)

    assert say(Asks(by_rule)) == Reply("no", "by_rule")
    assert say(Asks(by_rule), SCRIPT) == Reply("yes", "by_rule", covers="subject")


def test_async_code_may_answer() -> None:
    """An async function is awaited, and a whole reply is taken as it is."""

    async def later(_: Proposal) -> bool:
        return True

    reply = Reply("no", "Ada", "not today")
    assert say(Asks(later)).answer == "yes"
    assert say(Asks(lambda _: reply)) is reply


def test_given_becomes_an_approver() -> None:
    """An approver stays itself, a function is asked, and none is nobody with the cure."""
    yes = Yes("Ada")
    assert approver_of(yes, cure="") is yes
    assert isinstance(approver_of(lambda _: True, cure=""), Asks)
    assert approver_of(None, cure="Come.") == Nobody("Come.")
