"""How is a proposal stored, and how is it answered?"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, cast

from ..domain.exact import read_json
from ..domain.proposal import Proposal, ProposalState, Reply, StoredProposal
from ..errors import InputInvalid, TaskMissing, TaskOver
from .connections import Connections
from .fence import Row
from .plain import data_text
from .statements import (
    ANSWER,
    FIND_PROPOSAL,
    MATCH_PROPOSALS,
    NEWEST_PROPOSALS,
    PROPOSALS_IN_STATE,
    PROPOSALS_OF_TASK,
    WAKE_FOR_PERSON,
)

_NEAR = 1000
"""Proposals among which near ids are looked for."""

_STATES: dict[str, ProposalState] = {"yes": "Approved", "no": "Declined"}
ANSWERS: dict[str, Literal["yes", "no"]] = {"Approved": "yes", "Done": "yes", "Stale": "yes", "Declined": "no"}
"""The states that have an answer."""


def proposal_row(proposal: Proposal, *, made: int) -> Row:
    """The values of a new proposal that waits for its answer."""
    told = {
        "arguments": proposal.arguments,
        "effects": proposal.effects,
        "words": proposal.words,
        "subject": proposal.subject,
        "confinement": proposal.confinement,
        "kept": proposal.kept,
        "unknown": proposal.unknown,
        "parameters": proposal.parameters,
        "names": proposal.names,
        "version": proposal.version,
        "help": proposal.help,
    }
    return (proposal.id, proposal.task, proposal.call_id, proposal.action, made, "Pending", data_text(told))


def find_proposal(connections: Connections, proposal: str) -> StoredProposal | None:
    """A proposal by its whole id."""
    with connections.use() as connection:
        return _found(connection, proposal)


def match_proposal(connections: Connections, prefix: str) -> str:
    """The id of the one proposal whose id begins so, or of the only one of them that waits. Raises TaskMissing."""
    with connections.use() as connection:
        found = connection.execute(MATCH_PROPOSALS, (1, len(prefix), prefix, _NEAR)).fetchall()
    return one_proposal(prefix, [(str(name), str(state)) for name, state in found], lambda: _ids(connections))


def list_proposals(
    connections: Connections, *, task: str | None, state: ProposalState | None, limit: int
) -> list[StoredProposal]:
    """The newest proposals of a task, in a state, or all, in the order in which they were made."""
    with connections.use() as connection:
        if task is not None:
            found = (_stored(row) for row in connection.execute(PROPOSALS_OF_TASK, (task,)))
            rows = [one for one in found if state in (None, one.state)][:limit]
        elif state is not None:
            rows = [_stored(row) for row in connection.execute(PROPOSALS_IN_STATE, (state, limit))]
        else:
            rows = [_stored(row) for row in connection.execute(NEWEST_PROPOSALS, (limit,))]
    return rows[::-1]


def answer_proposal(connections: Connections, proposal: str, reply: Reply, *, at: int, seen: bool) -> bool:
    """Store an answer that survives a power cut, and wake the task; false when the proposal did not wait any more."""
    edited = None if reply.arguments is None else data_text(reply.arguments)
    values = (state_of(reply), at, reply.by, reply.reason, reply.covers, edited, int(seen), proposal)
    with connections.changing() as connection:
        if not connection.execute(ANSWER, values).rowcount:
            return False
        stored = _found(connection, proposal)
        if stored is not None:
            connection.execute(WAKE_FOR_PERSON, (stored.proposal.task,))
    return True


def state_of(reply: Reply) -> ProposalState:
    """The state that an answer brings. Raises InputInvalid for one that is neither yes nor no."""
    if reply.answer not in _STATES:
        raise InputInvalid(f"{reply.answer!r} is no answer to a proposal.", hint="Answer yes or no.")
    return _STATES[reply.answer]


def refuse_answered(stored: StoredProposal) -> TaskOver:
    """The error for a second answer: what the proposal is, and who answered."""
    by = f", answered by {stored.reply.by}" if stored.reply is not None else ""
    return TaskOver(
        f"The proposal {stored.proposal.id} waits no more: it is {stored.state}{by}.",
        hint=f"See its task: metier show {stored.proposal.task}",
    )


def one_proposal(prefix: str, found: Sequence[tuple[str, str]], ids: Callable[[], Iterable[str]]) -> str:
    """The one that is meant, of the ids and states that begin so. Raises TaskMissing, with the ids that are near."""
    names = [name for name, _ in found]
    waiting = [name for name, state in found if state == "Pending"]
    if prefix in names:
        return prefix
    if not prefix or not names:
        raise missing_proposal(prefix, ids())
    meant = names if len(names) == 1 else waiting
    if len(meant) != 1:
        raise TaskMissing(
            f"The ids of {len(names)} proposals begin with {prefix!r}.",
            hint=f"Write more of it: {', '.join((waiting or names)[:5])}",
        )
    return meant[0]


def missing_proposal(proposal: str, ids: Iterable[str]) -> TaskMissing:
    """The error for an id that no proposal has."""
    from difflib import get_close_matches  # noqa: PLC0415 - only an id that is missing needs it

    near = get_close_matches(proposal, list(ids), n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Run `metier proposals` to see those that wait."
    return TaskMissing(f"No proposal has the id {proposal!r}.", hint=hint)


def _ids(connections: Connections) -> list[str]:
    with connections.use() as connection:
        return [str(row[0]) for row in connection.execute(NEWEST_PROPOSALS, (_NEAR,))]


def _found(connection: sqlite3.Connection, proposal: str) -> StoredProposal | None:
    row = connection.execute(FIND_PROPOSAL, (proposal,)).fetchone()
    return None if row is None else _stored(row)


def _stored(row: Sequence[Any]) -> StoredProposal:
    name, task, call, action, made, state, told, answered, by, reason, covers, edited = row
    said: dict[str, Any] = read_json(told) if told else {"arguments": {}, "effects": (), "words": ""}  # erased
    said["effects"] = tuple(said["effects"])
    answer = ANSWERS.get(state)
    reply = None
    if answered is not None and answer is not None:
        reply = Reply(answer, by, reason, covers, None if edited is None else read_json(edited))
    return StoredProposal(
        Proposal(id=name, task=task, call_id=call, action=action, **said),
        cast("ProposalState", state),
        made,
        reply,
        answered,
    )
