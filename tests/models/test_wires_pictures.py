"""Pictures over each wire: a resource that is one reaches a model that sees, and no other."""

import asyncio
import base64
from pathlib import Path

import pytest

from metier.app.metier import Metier
from metier.config import Settings

from .wires.clients import KEYS, named, on_each_wire
from .wires.server import Received, Reply, Server
from .wires.speech import Language, Said

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
READ = '{"skill_name": "plans", "resource_name": "assets/plan.png"}'


@pytest.fixture
def skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill with a picture, and keys in the environment."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "plans"
    (folder / "assets").mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        "---\nname: plans\ndescription: Reads plans.\n---\n\nLook at it.\n", encoding="utf-8"
    )
    (folder / "assets" / "plan.png").write_bytes(PIXEL)
    return folder


async def looked(skill: Path, language: Language, *, vision: bool) -> list[Received]:
    """What the server was sent when a model read the picture."""
    asked = Said("", (("call_1", "read_skill_resource", READ),))
    replies = [Reply.of_json(language.whole(said)) for said in (asked, Said("A plan."))]
    async with Server(*replies) as server:
        origins = {"model": "--model", "vision": "--model"}
        settings = Settings(str(skill.parent), named(language, server.url), vision=vision, origins=origins, giver="Ada")
        async with Metier(settings=settings, record=False) as app:
            receipt = await app.arun(str(skill), input="look", unpriced=True)
        assert receipt.done, receipt.text
        return server.received


@on_each_wire
def test_a_picture_reaches_a_model_that_sees(language: Language, skill: Path) -> None:
    """The picture's bytes are in the request behind the call that read it, as base64 in either of its alphabets."""
    body = str(asyncio.run(looked(skill, language, vision=True))[-1].body)
    assert base64.b64encode(PIXEL).decode() in body.translate(str.maketrans("-_", "+/"))


@on_each_wire
def test_a_blind_model_is_told(language: Language, skill: Path) -> None:
    """A model that sees no pictures is sent none, and told what it is not shown."""
    body = str(asyncio.run(looked(skill, language, vision=False))[-1].body)
    assert (base64.b64encode(PIXEL[:12]).decode() in body, "You are not shown it" in body) == (False, True)
