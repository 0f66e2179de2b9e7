"""What answers in the model's place in the demo?

It knows no figures and adds nothing up: all that it hands back, it has copied from the pages that the validator printed. Once, on
purpose, it hands back too early, with the rows of the first page alone. Then it reads on.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from metier.domain.message import Message, ModelMessage, Request, ToolCall, ToolMessage, UserMessage
from metier.domain.money import Dollars, LlmPrice
from metier.testing import ScriptedModel

SKILL = "expense-report"
PAGES_A_TURN = 10
LISTED = 500


def answer(request: Request) -> ModelMessage:
    """The next step of the job, told from the conversation so far."""
    made = [call for message in request.messages if isinstance(message, ModelMessage) for call in message.calls]
    names = {call.name for call in made}
    if "load_skill" not in names:
        return step(made, "I load the skill.", ("load_skill", {"skill_name": SKILL}))
    if "read_skill_resource" not in names:
        policy = {"skill_name": SKILL, "resource_name": "references/policy.md"}
        return step(made, "The skill says to read the policy first.", ("read_skill_resource", policy))
    if "run_skill_script" not in names:
        return step(made, "I run the validator.", validate(request, 1))
    pages = list(pages_read(request.messages))
    if not pages:
        return ModelMessage("The validator printed no report, so there is nothing that I could hand back.")
    missing = range(len(pages) + 1, pages[0]["pages"] + 1)[:PAGES_A_TURN]
    if missing and "hand_back" in names:
        return step(made, "I read the pages that I left out.", *(validate(request, page) for page in missing))
    words = "I hand back what the first page says." if missing else "I have read every page, and hand back the report."
    return step(made, words, ("hand_back", report(pages)))


def step(made: Sequence[ToolCall], words: str, *calls: tuple[str, dict[str, Any]]) -> ModelMessage:
    """A message with these calls, their ids counted on from the calls already made."""
    numbered = enumerate(calls, len(made) + 1)
    return ModelMessage(words, [ToolCall(f"call-{number}", name, given) for number, (name, given) in numbered])


def validate(request: Request, page: int) -> tuple[str, dict[str, Any]]:
    """The call that prints one page of the validator."""
    file = given_input(request.messages)["file"]
    arguments = {"script_name": "scripts/validate.py", "args": [file, "--page", str(page)]}
    return "run_skill_script", {"skill_name": SKILL, **arguments}


def given_input(messages: Sequence[Message]) -> dict[str, Any]:
    """The input of the task, from the line of the first message that holds it."""
    task = next(message.text for message in messages if isinstance(message, UserMessage))
    line = next(line for line in task.splitlines() if line.startswith("Input: "))
    given: dict[str, Any] = json.loads(line.removeprefix("Input: "))
    return given


def pages_read(messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """Every page that the validator has printed, in order."""
    for message in messages:
        # A refused file ends the script with exit code 1, so more than the JSON may stand in the text.
        if isinstance(message, ToolMessage) and message.name == "run_skill_script" and "{" in message.text:
            text = message.text
            try:
                page, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
            except ValueError:
                continue
            yield page


def report(pages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The report: the members of the last page, with the wrong rows of all pages."""
    copied = {name: value for name, value in pages[-1].items() if name not in {"page", "pages"}}
    return {**copied, "wrong_rows": [row for page in pages for row in page["wrong_rows"]][:LISTED]}


# The price is made up, so that the receipt of the demo shows what a receipt shows.
model = ScriptedModel(
    "demo",
    answer,
    price=LlmPrice(Dollars("0.10"), Dollars("0.40")),
    max_output_tokens=16_000,
)
