"""Whose account is an agent's, and who is a person that the record names?

Accounts are stored rows where the app's people are. An agent's is made from its own declaration (O129), and holds the roles
that its class declares and nothing more (O66).
"""

from typing import Any

from ...domain.principal import Principal, principal_of
from ...errors import SetupError
from ...rows.unrowed import Unrowed
from .agent import Agent
from .setup import AgentsSetup


def account_of(agent: Agent, setup: AgentsSetup | None, rows: Unrowed) -> Principal:
    """An agent's account, made ready: the row is stored, with its roles.

    Raises:
        SetupError: what the agent gives as its principal is nobody.
    """
    declared: Any = agent.principal
    if declared is None:
        declared = agent.name
    if not rows.knows(type(declared)):
        try:
            return principal_of(declared)
        except TypeError as error:
            raise SetupError(f"The agent {agent.name} has no account: {error}.", hint="Set its `principal`.") from None
    from ...rows.people import account, hold_roles  # noqa: PLC0415 - SQLAlchemy: only for an app with stored rows

    stored = account(rows, declared)
    if setup is not None and setup.grants is not None:
        hold_roles(rows, setup.grants, stored, agent.roles)
    return principal_of(stored)


def person_of(name: str, setup: AgentsSetup | None, rows: Unrowed) -> Principal:
    """The person of a name on the record: a stored row where there is one, else the name alone."""
    kind = people_of(setup, rows)
    if kind is None:
        return Principal(name, "", name)
    from ...rows.people import find_person  # noqa: PLC0415 - as above

    found = find_person(rows, kind, name)
    return Principal(name, "", name) if found is None else principal_of(found)


def people_of(setup: AgentsSetup | None, rows: Unrowed) -> type[Any] | None:
    """The app's class of stored people, if it has one."""
    if setup is None:
        return None
    if setup.people is not None:
        return setup.people
    kinds = (type(one.principal) for one in setup.agents)
    return next((kind for kind in kinds if rows.knows(kind)), None)
