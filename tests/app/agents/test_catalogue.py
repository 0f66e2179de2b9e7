"""The agents' skills, listed and run from what a form asks."""

import json
import threading
from typing import Any

import pytest

from metier import Skills, input_fields_of, input_json_of, run_skill
from metier.errors import InputInvalid, MetierError, NotAllowed, SetupError, SkillMissing
from metier.testing import AgentScript, Says, Trajectory

from .conftest import Open
from .shop import BOB, MIA, Former, Repeat, Total

BACK = Says.hand_back(Total(4))
ORDER = json.dumps({"word": "four", "times": 2})


def test_catalogue_has_every_skill_of_every_agent(firm: Open) -> None:
    """One for each agent and skill, in their order (O95, O99)."""
    firm()
    names = [f"{one.agent}/{one.skill}" for one in Skills.catalog()]
    assert names == ["Counter/Count", "Counter/Careful", "Counter/Cheap", "Clerk/Ask", "Former/Repeat"]


def test_skill_is_told_from_its_declaration(firm: Open) -> None:
    """Names, labels, types and their schemas (O16, O97, O98)."""
    firm()
    found = Skills.find("Former", "Repeat")
    assert found is not None
    assert (found.label, found.description, found.takes, found.hands_back) == (
        "Repeat",
        "Count a word several times.",
        "Order",
        "Total",
    )
    assert '"times":{"type":"integer"}' in found.takes_schema
    assert '"value":{"type":"integer"}' in found.hands_back_schema


def test_tools_are_those_listed(firm: Open) -> None:
    """In their order, and `hand_back` is none of them (O23, O98)."""
    firm()
    found = Skills.find("Counter", "Count")
    assert found is not None
    assert [(one.action, one.reads_only, one.sends) for one in found.tools] == [
        ("look", True, False),
        ("post", False, True),
    ]


def test_words_have_no_schema(firm: Open) -> None:
    """A job of text says so by its type's name."""
    firm()
    found = Skills.find("Counter", "Count")
    assert found is not None
    assert (found.takes, found.takes_schema) == ("text", "")


@pytest.mark.parametrize(("agent", "skill"), [("Nobody", "Count"), ("Counter", "Nothing")])
def test_find_may_answer_nothing(firm: Open, agent: str, skill: str) -> None:
    """A miss is no error here (O96)."""
    firm()
    assert Skills.find(agent, skill) is None


def test_of_an_agent_that_is_not_listed(firm: Open) -> None:
    """Asking for its skills is a mistake."""
    firm()
    with pytest.raises(SetupError, match="no agent"):
        Skills.of("Nobody")
    assert [one.skill for one in Skills.of(Former)] == ["Repeat"]


def test_run_answers_the_id_at_once(firm: Open) -> None:
    """The id is the receipt's; the work goes on meanwhile (O100, O102)."""

    def when_looked_at(request: Any) -> Any:
        begun.wait(30)
        return script(request)

    begun = threading.Event()
    script = AgentScript.of(BACK).answer
    app = firm(answer=when_looked_at)
    with app.as_(MIA):
        task = run_skill("Former", "Repeat", ORDER)
        assert app.record.row(task).ended is None
        begun.set()
        receipt = app.wait_for(task)
    assert (receipt.id, receipt.done, receipt.agent, receipt.giver) == (task, True, "Former", MIA)


def test_what_is_not_done_is_left_on_the_record(firm: Open) -> None:
    """The app closes; the task goes on when it is resumed."""
    app = firm(BACK)
    with app.as_(MIA):
        task = run_skill("Former", "Repeat", ORDER)
    app.close()
    again = firm(BACK, seated=False)
    receipt = again.receipt(task)
    assert receipt.done or again.resume(task).done


@pytest.mark.parametrize(
    ("agent", "skill", "given", "error"),
    [
        ("Nobody", "Repeat", ORDER, SetupError),
        ("Former", "Nothing", ORDER, SkillMissing),
        ("Former", "Repeat", "{", InputInvalid),
        ("Former", "Repeat", '{"word": "a"}', InputInvalid),
        ("Former", "Repeat", '{"word": "a", "times": "two"}', InputInvalid),
        ("Former", "Repeat", '{"word": "a", "times": 2, "more": 1}', InputInvalid),
    ],
)
def test_each_mistake_has_its_error(firm: Open, agent: str, skill: str, given: str, error: type[MetierError]) -> None:
    """Before any model is called, and nothing is begun (O110)."""
    app = firm(BACK)
    with app.as_(MIA), pytest.raises(error):
        run_skill(agent, skill, given)
    assert app.tasks() == []


def test_run_is_for_those_who_give_work(firm: Open) -> None:
    """As `do` is (O103)."""
    app = firm(BACK)
    with app.as_(BOB), pytest.raises(NotAllowed):
        run_skill("Former", "Repeat", ORDER)


def test_form_fills_the_skill(firm: Open) -> None:
    """What was typed becomes the JSON that the skill is handed (O104-O107)."""
    app = firm(BACK)
    typed = input_json_of(input_fields_of(Repeat()), {"word": "four", "times": "2"})
    with app.as_(MIA):
        receipt = app.agent("Former").run("Repeat", input=typed)
    assert receipt.done
    assert json.loads(typed) == {"word": "four", "times": 2}
    assert Trajectory.entries(receipt)[0].facts["skill"]["name"] == "Repeat"


def test_text_is_handed_as_text_or_as_json(firm: Open) -> None:
    """A job of text takes a JSON string and a bare text alike."""
    app = firm(BACK)
    with app.as_(MIA):
        both = [app.agent("Counter").run("Count", input=given) for given in ("four", '"four"')]
    assert both[0].input_digest == both[1].input_digest
