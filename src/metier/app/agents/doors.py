"""May whoever is signed in come through this door?

The app answers five questions about a person (O70); what it does not answer is no (O71). Where nobody is signed in, the
app's own code is at work: it sets up seats and reads, but work is always somebody's.
"""

from collections.abc import Callable

from ...domain.principal import SIGNED_IN, Principal
from ...errors import NotAllowed
from .setup import AgentsSetup, Policy, Question

WORDS: dict[Question, str] = {
    "uses_agents": "give agents work",
    "supervises_agents": "name sponsors, or pause and stop agents",
    "audits_agents": "read the work of others",
    "reads_model_usage": "read what models cost",
    "manages_model_spend": "switch spending off and on",
}


class Doors:
    """Asks the app's policies.

    Args:
        setup: the agents with the app's answers; none: the app has no agents, and no doors.
        answers: answers one policy for one person, among the app's rows.
    """

    def __init__(self, setup: AgentsSetup | None, answers: Callable[[Policy, Principal], bool]) -> None:
        self._setup = setup
        self._answers = answers

    def may(self, who: Principal, question: Question) -> bool:
        """What the app answers."""
        policy: Policy | None = getattr(self._setup, question, None)
        return policy is not None and self._answers(policy, who)

    def pass_(self, question: Question) -> None:
        """Let whoever is signed in through, and the app's own code where nobody is.

        Raises:
            NotAllowed: the app answers no.
        """
        who = SIGNED_IN.get()
        if who is not None and self._setup is not None and not self.may(who, question):
            raise refused(who, question)

    def somebody(self) -> Principal:
        """Who gives work here.

        Raises:
            NotAllowed: nobody is signed in, or the app does not let them give work.
        """
        who = SIGNED_IN.get()
        if who is None:
            raise NotAllowed("Nobody is signed in, and work is always somebody's.", hint="with app.as_(person): …")
        if not self.may(who, "uses_agents"):
            raise refused(who, "uses_agents")
        return who


def refused(who: Principal, question: Question) -> NotAllowed:
    """What is raised at a door that stays closed."""
    return NotAllowed(
        f"{who} may not {WORDS[question]}.", hint=f"The app's policy `{question}` of AgentsSetup says who may."
    )
