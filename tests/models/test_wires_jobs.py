"""Whole jobs over each wire: from the model's name in the settings to the receipt."""

import asyncio
import json
from collections.abc import Mapping
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.action import Action, Hands
from metier.domain.money import LlmPrice
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec

from .wires.clients import KEYS, LANGUAGES, named, on_each_wire
from .wires.server import Received, Reply, Server
from .wires.speech import USAGE, Language, Said

COUNTED: Mapping[str, Any] = {"type": "object", "properties": {"lines": {"type": "integer"}}, "required": ["lines"]}
QUESTION: Mapping[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
PRICE = LlmPrice(Decimal(3), Decimal(15), Decimal("0.3"))
BACK = Said("", (("call_9", "hand_back", '{"lines": 3}'),))
pytestmark = pytest.mark.usefixtures("keys")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys in the environment, and no address."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


async def look(arguments: Mapping[str, Any], _: Hands) -> str:
    """An answer that differs with the question, and needs escapes."""
    return f'lines of "{arguments["q"]}":\n3 — Zeilen'


SKILL = SkillSpec(
    "count",
    "Counts lines.",
    job=Job(
        instructions="Count the lines.",
        hands_back=COUNTED,
        tools=[Action("look", "Looks.", QUESTION, look, frozenset({"reads"}))],
        budget=Decimal("0.50"),
    ),
)


async def work(project: Path, language: Language, *replies: Reply, **how: Any) -> tuple[Receipt, list[Received]]:
    """One job against a server with these replies: the receipt, and what the server was sent."""
    async with Server(*replies) as server:
        settings = Settings(str(project), named(language, server.url), PRICE, giver="Ada")
        async with Metier(settings=settings, record=False) as app:
            return await app.arun(SKILL, input="data.csv", **how), server.received


def looks(count: int) -> list[Said]:
    """Answers that ask for something new each, now and then with words."""
    return [Said("Wait." * (turn % 2), ((f"call_{turn}", "look", f'{{"q": "{turn} é"}}'),)) for turn in range(count)]


def member(received: Received, name: str) -> str:
    """A member of a request's body, in the very characters that were sent."""
    text = received.raw.decode()
    start = text.find(f'"{name}":')
    if start < 0:
        return ""
    start += len(name) + 3
    start += len(text[start:]) - len(text[start:].lstrip())
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end]


@on_each_wire
def test_job_is_done(language: Language, tmp_path: Path) -> None:
    """A job is worked through, its result handed back, and its cost is that of the tokens, each counted once (O8, O60)."""
    replies = [Reply.of_json(language.whole(said)) for said in (*looks(1), BACK)]
    receipt, received = asyncio.run(work(tmp_path, language, *replies))
    assert (receipt.state, receipt.result, receipt.scripted) == ("Done", {"lines": 3}, False)
    assert receipt.cost == 2 * PRICE.of(USAGE)
    assert language.results(received[1].body) == [("call_0", 'lines of "0 é":\n3 — Zeilen')]
    assert [name for name, _, _ in language.tools(received[0].body)] == ["look", "hand_back"]


@on_each_wire
def test_job_is_done_in_a_stream(language: Language, tmp_path: Path) -> None:
    """The same job, its text heard as it comes."""
    replies = [Reply.of_events(language.stream(said)) for said in (*looks(2), BACK)]
    heard: list[str] = []
    receipt, received = asyncio.run(work(tmp_path, language, *replies, hear=heard.append))
    assert (receipt.state, receipt.result, "".join(heard)) == ("Done", {"lines": 3}, "Wait.")
    assert receipt.cost == 3 * PRICE.of(USAGE)
    assert all(map(language.streamed, received))


@on_each_wire
def test_busy_provider_is_asked_later(language: Language, tmp_path: Path) -> None:
    """A provider that is busy, and then breaks off, is asked again by the loop; the job is done, the broken call paid for."""
    busy = language.busy("slow down", "0.01")
    events = language.stream(BACK)
    broken = Reply.of_events([*events[: len(events) // 2 + 2], language.error_event()])
    receipt, received = asyncio.run(
        work(tmp_path, language, busy, broken, Reply.of_events(events), hear=lambda _: None)
    )
    assert (receipt.state, receipt.result, len(received)) == ("Done", {"lines": 3}, 3)
    assert receipt.cost > PRICE.of(USAGE)


@on_each_wire
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_prefix_keeps_its_bytes(language: Language, stream: bool, tmp_path: Path) -> None:
    """From turn to turn, system, tools and all earlier messages are sent in the same bytes, so a cache finds them."""
    said = [*looks(5), BACK]
    streams, wholes = [Reply.of_events(language.stream(one)) for one in said], [language.whole(one) for one in said]
    replies = streams if stream else [Reply.of_json(one) for one in wholes]
    how = {"hear": lambda _: None} if stream else {}
    receipt, received = asyncio.run(work(tmp_path, language, *replies, **how))
    assert (receipt.state, len(received)) == ("Done", 6)
    for earlier, later in pairwise(received):
        for name in language.stays:
            assert member(later, name) == member(earlier, name) != ""
        grown, before = member(later, language.grows), member(earlier, language.grows)
        assert len(grown) > len(before) > 2
        assert grown.startswith(before.removesuffix("]"))


def test_sync_forms_close_their_connections(tmp_path: Path) -> None:
    """A second loop gets connections of its own; those of the first are closed with it."""
    for language in LANGUAGES[:1] * 2:
        replies = [Reply.of_json(language.whole(BACK))]
        receipt, _ = asyncio.run(work(tmp_path, language, *replies))
        assert receipt.state == "Done"
