"""How does a receipt become a test?

What the model said is played by a script, and the test holds the task to how it ended. What it did for real is done again,
in the test's own record and folders.
"""

import os
import pprint
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.entry import Entry
from ..errors import TaskError
from ..record import Record
from .earlier import Earlier, earlier_of

WIDTH = 110

PAGE = '''"""What {title} did, as task {task} of the record tells it."""

{decimal}from pathlib import Path

from metier import Metier
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

HERE = Path(__file__).parent
STEPS = AgentScript.of(
{steps}
)
KINDS = {kinds}
RESULT = {result}


def test_{name}() -> None:
    """The same answers of the model lead to the same end, by the same way."""
    model = ScriptedModel("played", STEPS.answer)
    with Metier(model=model, record=False) as app:
        receipt = app.run(
            {skill!r},
            input={given},
            files={files},
            approver=lambda proposal: {approves},
        )
        assert (receipt.state, receipt.reason) == {ended!r}
        assert receipt.result == RESULT
        kinds = Trajectory.kinds(receipt)
        assert kinds[kinds.index("Briefed") :] == KINDS
'''


@dataclass(frozen=True, slots=True)
class MadeTest:
    """A pytest file, and the files that it gives to its task: by name, where their contents lie."""

    name: str
    """The name of the file."""
    text: str
    files: Mapping[str, str]
    """To be put into the folder `NAME_files` beside it."""


def made_test(record: Record, task: str) -> MadeTest:
    """A pytest file that plays what the model said in a task, and holds the task to its end.

    Raises:
        TaskError: the task has not ended, waits, was helped by a person or is one of code that a test cannot name.
    """
    earlier = earlier_of(record, task)
    last = earlier.entries[-1]
    _must_be_playable(earlier)
    skill = _skill(earlier)
    name = _name(skill)
    files = {file.name: record.content_path(file.digest) for file in earlier.files}
    steps, result = _steps(earlier), _literal((last.body or {}).get("result"))
    given = _literal(_given(earlier), indent=12)
    text = PAGE.format(
        decimal="from decimal import Decimal\n" if any("Decimal(" in one for one in (steps, result, given)) else "",
        title=skill if " " not in skill else "a task in free words",
        task=task,
        name=name,
        skill=skill,
        steps=steps,
        kinds=_literal(_kinds(earlier)),
        result=result,
        given=given,
        files=f"[str(HERE / 'test_{name}_files' / one) for one in {list(files)!r}]" if files else "[]",
        approves=not any(entry.kind == "Declined" for entry in earlier.entries),
        ended=(last.facts["ended"], last.facts["reason"]),
    )
    return MadeTest(f"test_{name}.py", text, files)


def _must_be_playable(earlier: Earlier) -> None:
    """A script plays one run of one try, to its end."""
    kinds = {entry.kind for entry in earlier.entries}
    if "ended" not in earlier.entries[-1].facts or "Resumed" in kinds:
        raise TaskError(
            "Only a task that ended in one run makes a test.", hint="Give the task again, then make the test."
        )
    if "Retried" in kinds:
        raise TaskError(
            "A task that was tried again makes no test: each try begins the same talk, and a script cannot tell them apart.",
            hint="Make the test of a task that came out at its first try.",
        )


def _name(skill: str) -> str:
    """What the test is called after: the skill without its source, or the first of the free words."""
    words = skill if " " in skill else skill.rpartition(":")[2]
    return re.sub(r"\W+", "_", words.lower()).strip("_")[:60] or "task"


def _steps(earlier: Earlier) -> str:
    answers = (entry for entry in earlier.entries if entry.kind == "ModelAnswered")
    return "\n".join(f"    {_says(entry)}," for entry in answers)


def _kinds(earlier: Earlier) -> list[str]:
    """From the first thing that the model was told: what loads a model's code comes before, and a script needs none."""
    kinds = [entry.kind for entry in earlier.entries]
    if "Briefed" not in kinds:
        raise TaskError("The model of this task was never asked.", hint="Make a test of a task that came further.")
    return [str(kind) for kind in kinds[kinds.index("Briefed") :]]


def _skill(earlier: Earlier) -> str:
    named = earlier.how.get("skill", {})
    if "words" in named:
        return str(named["words"])
    if not named.get("folder"):
        raise TaskError(
            f"The skill {named.get('name')!r} is declared in code, which a test cannot find by its name.",
            hint="Write the test beside that code; `metier show` tells what the model said.",
        )
    return f"{named['source']}:{named['name']}" if named["source"] else os.path.relpath(named["folder"])


def _given(earlier: Earlier) -> Any:
    """The input as it was given: the names of files are filled in anew, and the notice of them is told anew."""
    given = (earlier.given.body or {})["input"]
    names = [file.name for file in earlier.files]
    if isinstance(given, dict):
        return {name: value for name, value in given.items() if value not in names}
    if isinstance(given, str) and names:
        return given.rpartition("Files in the scripts' folder: ")[0].strip() or None
    return given


def _says(entry: Entry) -> str:
    """One step of the script, as the model said it."""
    body = entry.body or {}
    if not entry.facts["ok"]:
        return f"Says.error({body['error']!r})"
    usage = entry.facts["usage"]
    calls = [f"Says.tool({call['name']!r}, {call['arguments']!r})" for call in body["calls"]]
    words = [f"Says.text({body['text']!r})"] if body["text"] or not calls else []
    said = words + calls
    sent = usage["input"] + usage["cache_read"] + usage["cache_write"]
    one = said[0] if len(said) == 1 else f"Says.many({', '.join(said)})"
    return f"{one}.tokens({sent}, {usage['output']})"


def _literal(value: Any, indent: int = 0) -> str:
    text = pprint.pformat(value, width=WIDTH - indent, sort_dicts=False)
    return text.replace("\n", "\n" + " " * indent)
