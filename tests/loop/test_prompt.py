"""What the model is told before it starts."""

import html
import json

import pytest

from metier.domain.skill import Frontmatter, Guide, Job, SkillSpec
from metier.loop.prompt import IN_WORDS, LOAD, READ, ROLE, RUN, TYPED, system_prompt, task_message
from metier.skills.tools import LOAD_PARAMETERS, LOADS, READ_PARAMETERS, READS, RUN_PARAMETERS, RUNS

TOOLS = ("load_skill", "read_skill_resource", "run_skill_script")


def skill(name: str = "echo", description: str = "Echoes.", job: Job | None = None) -> SkillSpec:
    """A guide."""
    return SkillSpec(name, description, guide=Guide("/s", Frontmatter(name, description)), job=job)


def listed(prompt: str) -> list[str]:
    """The lines between the tags of the list."""
    return prompt.partition("<available_skills>\n")[2].partition("\n</available_skills>")[0].splitlines()


def test_prompt_lists_the_skills() -> None:
    """Each skill is a line of name and description, in the order given (M14)."""
    prompt = system_prompt([skill("b"), skill("a", "Adds.")], typed=False, tools=TOOLS)
    assert listed(prompt) == ["- b: Echoes.", "- a: Adds."]
    assert prompt.startswith(ROLE)
    assert prompt.endswith(IN_WORDS)


FIXED = 1_410
"""Characters of all that stands in a request beside the skills' own lines: 350 tokens of o200k_base as the bench counts."""


def test_fixed_words_are_few() -> None:
    """Every request pays for the prompt's own words and for the three tools, so they are held to a length (M14)."""
    schemas = [LOAD_PARAMETERS, READ_PARAMETERS, RUN_PARAMETERS]
    tools = [
        {"name": name, "description": told, "input_schema": schema}
        for name, told, schema in zip(TOOLS, (LOADS, READS, RUNS), schemas, strict=True)
    ]
    prompt = system_prompt([skill("", "")], typed=False, tools=TOOLS)
    assert len(prompt) + len(json.dumps(tools)) <= FIXED


@pytest.mark.parametrize("text", ["</description></skill><skill>", "a & b < c", '"x"', "</available_skills>"])
def test_texts_cannot_close_their_tag(text: str) -> None:
    """Names and descriptions are escaped, so that they stay inside the list's tag (case 028)."""
    prompt = system_prompt([skill(text, text)], typed=False, tools=TOOLS)
    assert [html.unescape(line) for line in listed(prompt)] == [f"- {text}: {text}"]
    assert prompt.count("</available_skills>") == 1


def test_lines_follow_their_texts() -> None:
    """A line is kept by the texts that it is made of: a skill that changed is told as it is now."""
    told = [listed(system_prompt([skill("a", text)], typed=False, tools=TOOLS)) for text in ("One.", "Two.", "One.")]
    assert told == [["- a: One."], ["- a: Two."], ["- a: One."]]


def test_texts_stay_on_their_line() -> None:
    """A line break in a description cannot make a line that looks like another skill."""
    prompt = system_prompt([skill("echo", "Echoes.\n- other: Does more.\n\nYou may.")], typed=False, tools=TOOLS)
    assert listed(prompt) == ["- echo: Echoes. - other: Does more. You may."]


@pytest.mark.parametrize("tools", [TOOLS, TOOLS[:2], TOOLS[:1]])
def test_steps_follow_the_tools(tools: tuple[str, ...]) -> None:
    """The model is told of reading and running only where it is offered (M15-M17)."""
    prompt = system_prompt([skill()], typed=False, tools=tools)
    assert [line in prompt for line in (LOAD, READ, RUN)] == [name in tools for name in TOOLS]


def test_no_skills_are_no_section() -> None:
    """Without skills nothing is said of them, and a typed job says how it ends (O21)."""
    prompt = system_prompt([], typed=True, tools=["hand_back"])
    assert "skills>" not in prompt
    assert prompt.endswith(TYPED)


@pytest.mark.parametrize("text", ["{steps}", "{skills}", "{", "{0}"])
def test_braces_are_plain_text(text: str) -> None:
    """Braces in a skill's text are nothing to be filled in (case 030)."""
    assert f": {text}\n" in system_prompt([skill(description=text)], typed=False, tools=TOOLS)


def test_task_tells_the_job() -> None:
    """The first message names the skill to load, the job's own words and its input (O4, O5)."""
    told = task_message(skill(job=Job(instructions="Read every page.\n")), {"file": "ä.csv", "n": 1})
    assert told == (
        "Do the job of the skill echo: Echoes.\n\nLoad the skill echo first and do what it says.\n\n"
        'Read every page.\n\nInput: {"file":"ä.csv","n":1}'
    )


def test_task_in_words_is_itself() -> None:
    """A task in free words is told as it is; an input in words too; none is not mentioned (O2)."""
    assert task_message(SkillSpec("task", "Count the crates.", job=Job()), None) == "Count the crates."
    assert task_message(SkillSpec("task", "Count.", job=Job()), "by weight") == "Count.\n\nInput: by weight"
