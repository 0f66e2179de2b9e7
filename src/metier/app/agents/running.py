"""How does a person run a skill on demand?"""

from ..current import current_app


def run_skill(agent: str, skill: str, input_json: str) -> str:
    """Give an agent of the current app one of its skills, for whoever is signed in, and answer the task's id at once.

    It is what `Agents.of(…).do` would do (O100-O103): the input is read as the agent and never past what the person may
    read, and what must be asked comes to them. The app works on it meanwhile; what is not done when it closes goes on with a
    worker, or when it is resumed.

    Args:
        agent: the agent's name.
        skill: the name of one of its skills.
        input_json: what a form or another agent would hand it, as JSON; see `input_json_of`.

    Raises:
        NotAllowed: nobody is signed in, they may not give work, or the agent has no seat or does not work.
        SetupError: there is no such agent, or no app is open here.
        SkillMissing: the agent does not list the skill.
        InputInvalid: the input is no JSON or does not fit, or the skill cannot be handed (O108, O110).
    """
    return current_app().run_skill(agent, skill, input_json)
