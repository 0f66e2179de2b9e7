"""Would a task's model be sent the same today?

Every request of a task is made anew by today's code and today's files, with the answers that are on the record. Nothing is
asked and nothing is done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ..domain.action import Action
from ..domain.compact import compact
from ..domain.message import Message, ModelMessage, Request, UserMessage
from ..domain.skill import Job, SkillSpec
from ..loop.hand_back import hand_back_action
from ..record import Record
from ..skills.tools import SkillTools
from .earlier import earlier_of
from .house import House
from .opening import Opening, opening_of
from .requests import requests_of
from .taking_up import skills_again

AROUND = 5
"""So many words are shown before the one that differs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which a request would be another one today."""

    step: int
    """The number of the model call, from 1."""
    place: str
    """Which part of the request: `system`, `tools`, or `message 3`."""
    before: str
    """The words around the first one that differs, as they were sent."""
    now: str
    """The same place as it would be sent today."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came out: how many requests were made anew, and the first difference."""

    requests: int
    difference: Difference | None


def replayed(record: Record, task: str, house: House) -> Replayed:
    """Make every request of a task anew, and find the first word that differs.

    Raises:
        TaskError: the task was never given whole, or its contents were erased.
        SkillError: its skill is not here any more. One that has changed is used as it is: to see that is what this is for.
    """
    before, earlier = requests_of(record, task), earlier_of(record, task)
    skill, offered = skills_again(earlier.how, house)
    opening = opening_of(skill, offered, (earlier.given.body or {})["input"], _actions(skill, offered))
    now = [_sent(request, opening) for request in before]
    return Replayed(len(before), next(_differences(before, now), None))


def _actions(skill: SkillSpec, offered: Sequence[SkillSpec]) -> list[Action]:
    """The tools of a run of this skill. None of them is called."""
    job = skill.job or Job()
    back = [] if job.hands_back is None else [hand_back_action(job.hands_back, judge=None, fits=lambda _: None)]
    return [*SkillTools(offered, scratch=lambda: "").actions(), *job.tools, *back]


def _sent(request: Request, opening: Opening) -> Request:
    """A request as it would be sent with another opening."""
    messages = (UserMessage(opening.task), *request.messages[1:])
    return replace(request, system=opening.system, tools=opening.tools, messages=messages)


def _differences(before: list[Request], now: list[Request]) -> Iterator[Difference]:
    for step, (old, new) in enumerate(zip(before, now, strict=True), 1):
        for place, told, today in _parts(old, new):
            if told != today:
                yield Difference(step, place, *_around(told, today))


def _parts(old: Request, new: Request) -> Iterator[tuple[str, str, str]]:
    yield "system", old.system, new.system
    yield "tools", _tools(old), _tools(new)
    for place, (told, today) in enumerate(zip_longest(old.messages, new.messages), 1):
        yield f"message {place}", _text(told), _text(today)


def _tools(request: Request) -> str:
    return " ".join(f"{tool.name} {tool.description} {compact(tool.parameters)}" for tool in request.tools)


def _text(message: Message | None) -> str:
    if message is None:
        return ""
    calls = message.calls if isinstance(message, ModelMessage) else ()
    return " ".join([message.text, *(f"{call.name} {call.arguments}" for call in calls)])


def _around(told: str, today: str) -> tuple[str, str]:
    """The words of both around the first one that differs."""
    old, new = told.split(), today.split()
    at = next((place for place, (one, other) in enumerate(zip_longest(old, new)) if one != other), 0)
    start = max(0, at - AROUND)
    return " ".join(old[start : at + AROUND]), " ".join(new[start : at + AROUND])
