"""A small firm with two agents, whose people are texts: what the tests of agents give work to."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from metier import Actions, Agent, Agents, AgentsSetup, HandOn, Permits, Skill, StopWhen, action

BOSS, MIA, BOB = "noor", "mia", "bob"
SENT: list[str] = []
"""What the action of these tests has sent."""


@dataclass
class Total:
    """A number."""

    value: int


@action("Look a word up", query=True)
def look(word: str) -> int:
    """The length of a word."""
    return len(word)


@action("Send a letter", sends=True)
def post(letter: str) -> str:
    """Send it."""
    SENT.append(letter)
    return "sent"


class Count(Skill[str, Total]):
    """Count a word."""

    tools = (Actions.of(look), Actions.of(post))

    def check(self, result: Total) -> str | None:
        """No word is shorter than nothing."""
        return "too short" if result.value < 0 else None


class Careful(Count):
    """Count a word, and send nothing."""

    may = Permits.reads_only()


class Cheap(Count):
    """Count a word for little."""

    budget = Decimal("0.25")
    stop = StopWhen(stuck_after=1)


class Counter(Agent):
    """Counts."""

    purpose = "You count words for a firm."
    skills = (Count(), Careful(), Cheap())
    may = Permits.changes_and_sends_alone()


class Ask(Skill[str, Total]):
    """Have a word counted."""

    tools = (Agents.of("Counter").tool(Count()), Actions.of(post))


class Clerk(Agent):
    """Has words counted."""

    skills = (Ask(),)


class Unlisted(Skill[str, Total]):
    """A job that nobody lists."""


@dataclass
class Order:
    """What a form asks for."""

    word: str
    times: int


class Repeat(Skill[Order, Total]):
    """Count a word several times."""


class Former(Agent):
    """Fills forms."""

    skills = (Repeat(),)


BY_ID = HandOn.by_id("The one.")


def setup(**how: Any) -> AgentsSetup:
    """The firm's agents: Mia and the boss give work, the boss supervises, and `aud` audits."""
    answers: dict[str, Any] = {
        "task_budget": Decimal(1),
        "uses_agents": lambda who: who in (MIA, BOSS),
        "supervises_agents": lambda who: who == BOSS,
        "audits_agents": lambda who: who == "aud",
    }
    return AgentsSetup(agents=[Counter(), Clerk(), Former()], **answers | how)
