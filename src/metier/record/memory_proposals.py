"""Where do proposals wait when there is no file?"""

import threading
from collections.abc import Iterator
from dataclasses import replace

from ..domain.proposal import Proposal, ProposalState, Reply, StoredProposal
from .answers import Clock
from .proposals import ANSWERS, one_proposal, refuse_answered, state_of


class MemoryProposals:
    """The proposals of all tasks of this process. The first answer counts, from whatever thread it comes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: dict[str, StoredProposal] = {}
        self._unseen: set[str] = set()
        self._lock = threading.Lock()

    def add(self, proposal: Proposal) -> None:
        """Keep a proposal that waits."""
        self._kept[proposal.id] = StoredProposal(proposal, "Pending", self._clock())

    def of(self, task: str | None, state: ProposalState | None) -> list[StoredProposal]:
        """The proposals of a task or of all, in a state or in any, in the order in which they were made."""
        kept = list(self._kept.values())
        return [one for one in kept if task in (None, one.proposal.task) and state in (None, one.state)]

    def find(self, prefix: str) -> StoredProposal:
        """The one whose id begins so, or the only one of them that waits. Raises TaskMissing."""
        found = [(name, one.state) for name, one in self._kept.items() if name.startswith(prefix)]
        return self._kept[one_proposal(prefix, found, lambda: self._kept)]

    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Keep an answer. Raises TaskOver when the proposal does not wait any more."""
        found = self.find(proposal).proposal.id
        with self._lock:
            one = self._kept[found]
            if one.state != "Pending":
                raise refuse_answered(one)
            answered = replace(one, state=state_of(reply), reply=reply, answered=self._clock())
            self._kept[found] = answered
            self._unseen.add(found)
        return answered

    def first_answer(self, proposal: str, reply: Reply) -> Reply | None:
        """Keep an answer unless there is one, and give back the one that counts; none where nobody answered."""
        with self._lock:
            one = self._kept.get(proposal)
            if one is not None and one.state == "Pending" and reply.answer in ("yes", "no"):
                self._kept[proposal] = replace(one, state=state_of(reply), reply=reply, answered=self._clock())
        return self.see(proposal)

    def see(self, proposal: str) -> Reply | None:
        """The answer to a proposal, which its owner has read now."""
        one = self._kept.get(proposal)
        if one is None or one.state not in ANSWERS:
            return None
        self._unseen.discard(proposal)
        return one.reply

    def is_unseen(self, task: str) -> bool:
        """Whether a proposal of a task was answered, and its owner does not know."""
        return any(self._kept[name].proposal.task == task for name in self._unseen)

    def carry_out(self, proposal: str) -> None:
        """Keep that an approved call begins."""
        self._change(proposal, before="Approved", after="Done")

    def make_stale(self, proposal: str) -> None:
        """Keep that the yes to a proposal came too late."""
        self._change(proposal, before="Approved", after="Stale")

    def withdraw(self, task: str) -> None:
        """Withdraw what waits: the task has ended."""
        for name in list(self._of(task)):
            self._change(name, before="Pending", after="Withdrawn")

    def erase(self, task: str) -> None:
        """Let go of what the proposals of a task tell."""
        for name in list(self._of(task)):
            one = self._kept[name]
            bare = Proposal(one.proposal.id, task, one.proposal.call_id, one.proposal.action, {}, (), "")
            reply = one.reply and replace(one.reply, reason="", arguments=None)
            self._kept[name] = replace(one, proposal=bare, reply=reply)

    def forget(self, task: str) -> None:
        """Let go of the proposals of a task."""
        for name in list(self._of(task)):
            del self._kept[name]
            self._unseen.discard(name)

    def _of(self, task: str) -> Iterator[str]:
        return (name for name, one in self._kept.items() if one.proposal.task == task)

    def _change(self, proposal: str, *, before: ProposalState, after: ProposalState) -> None:
        with self._lock:
            one = self._kept.get(proposal)
            if one is not None and one.state == before:
                self._kept[proposal] = replace(one, state=after)
