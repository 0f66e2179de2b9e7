"""One script of a skill as an action."""

import asyncio
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from metier.actions.scripts.action import script_action
from metier.actions.scripts.confinement import UNCONFINED
from metier.actions.scripts.limits import DEFAULT_LIMITS, ScriptLimits
from metier.domain.action import Action, Origin, Returned
from metier.domain.call import Answered
from metier.domain.skill import SkillFile

from .conftest import Write

SKILL = Origin("skill", "echo", "house", digest="d1")
PRINT_ARGS = "import json, sys\nprint(json.dumps(sys.argv[1:]))\n"


class Keeper:
    """Hands that keep contents in memory."""

    call_id = "c1"
    key = "t:c1"

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.seen: list[Path] = []

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        raise NotImplementedError

    def keep(self, data: bytes) -> str:
        digest = sha256(data).hexdigest()
        self.kept[digest] = data
        return digest

    def keep_file(self, path: str) -> str:
        self.seen.append(Path(path))
        return self.keep(Path(path).read_bytes())


@pytest.fixture
def keeper() -> Keeper:
    """Hands for one call."""
    return Keeper()


@pytest.fixture
def call(write: Write, scratch: Path, keeper: Keeper) -> Callable[..., Returned]:
    """Writes a script, makes it an action and carries a call of it out."""

    def called(name: str, text: str, args: object = None, *, limits: ScriptLimits = DEFAULT_LIMITS) -> Returned:
        action = script_action(listed(write(name, text)), skill=SKILL, scratch=lambda: str(scratch), limits=limits)
        answer = asyncio.run(carry_out(action, {"args": args}, keeper))
        assert isinstance(answer, Returned)
        return answer

    return called


def listed(path: str) -> SkillFile:
    """A script as the catalogue lists it."""
    return SkillFile(f"scripts/{Path(path).name}", path, "script", 0)


async def carry_out(action: Action, arguments: Mapping[str, Any], hands: Keeper) -> Any:
    """Run an action's body."""
    return await action.body(arguments, hands)


def test_action_tells_what_it_is(write: Write) -> None:
    """It runs code, is named by skill and script, and says under what it runs and what a wider yes would cover."""
    action = script_action(listed(write("echo.py", PRINT_ARGS)), skill=SKILL, scratch=str)
    assert (action.name, action.effects) == ("echo/scripts/echo.py", frozenset({"runs"}))
    assert (action.subject, action.confinement) == ("scripts of skill house:echo@d1", UNCONFINED)
    assert action.words is not None
    assert action.words({"args": ["a b"]}) == "the script scripts/echo.py of the skill house:echo may run with 'a b'"
    assert action.words({}).endswith("may run without arguments")


@pytest.mark.parametrize(
    ("args", "argv"),
    [
        (["in.txt", "--out", "o.txt"], '["in.txt", "--out", "o.txt"]'),
        ([], "[]"),
        ('["a","b"]', '["a", "b"]'),
        (None, "[]"),
    ],
)
def test_arguments_arrive(call: Callable[..., Returned], args: object, argv: str) -> None:
    """The script sees exactly the arguments (case 038)."""
    answer = call("echo.py", PRINT_ARGS, args)
    assert (answer.ok, answer.code, answer.text) == (True, "", f"{argv}\n")
    assert answer.value == {"exit": 0, "stdout": f"{argv}\n"}


@pytest.mark.parametrize("args", [{"in": "x"}, ["a", 1], "a b"])
def test_wrong_arguments_start_nothing(call: Callable[..., Returned], scratch: Path, args: object) -> None:
    """Arguments of another shape are told, and no process starts (case 038)."""
    answer = call("mark.py", "open('ran', 'w').close()\n", args)
    assert (answer.ok, answer.code) == (False, "args.shape")
    assert not (scratch / "ran").exists()


def test_unknown_extension_starts_nothing(call: Callable[..., Returned]) -> None:
    """A script that nobody runs is told with the known extensions (case 013)."""
    answer = call("tool.xyz", "?\n")
    assert (answer.ok, answer.code) == (False, "script.no_runner")
    assert ".py, .sh" in (answer.text or "")


@pytest.mark.parametrize(
    ("text", "code", "exit_code"),
    [
        ("echo no >&2; exit 3", "script.exit", 3),
        ("sleep 60", "script.timeout", None),
        ("while :; do echo yes; done", "script.output", None),
        ("kill -KILL $$", "script.signal", -9),
    ],
)
def test_bad_ends_are_answers(call: Callable[..., Returned], text: str, code: str, exit_code: int | None) -> None:
    """However a script ends, the model is answered and told how."""
    answer = call("ends.sh", text, limits=ScriptLimits(seconds=2, output=50_000))
    assert (answer.ok, answer.code, answer.value["exit"]) == (False, code, exit_code)
    assert answer.text


def test_facts_are_for_the_receipt(call: Callable[..., Returned], keeper: Keeper) -> None:
    """The facts hold how it ended, its confinement, and the digests of the outputs, which are kept whole."""
    facts = call("both.sh", "printf out; printf error >&2; exit 2").facts
    assert (facts["exit"], facts["left"], facts["confinement"]) == (2, 0, UNCONFINED)
    assert [keeper.kept[facts[name]["digest"]] for name in ("stdout", "stderr")] == [b"out", b"error"]
    assert (facts["stdout"]["length"], facts["seconds"] > 0) == (3, True)


def test_silence_keeps_nothing(call: Callable[..., Returned], keeper: Keeper) -> None:
    """An output that is empty is no content."""
    answer = call("quiet.sh", ":")
    assert (keeper.kept, "stderr" in answer.facts, answer.value) == ({}, False, {"exit": 0, "stdout": ""})


def test_long_output_is_named(call: Callable[..., Returned], keeper: Keeper) -> None:
    """Of long output the model gets a part and the name of the whole, and the value does not repeat it (case 043)."""
    answer = call("loud.py", "print('x' * 100_000)\n")
    (digest,) = keeper.kept
    assert f"of 100001 bytes of stdout; content sha256:{digest} holds all of it]" in (answer.text or "")
    assert (answer.value, len(answer.text or "") <= 16_000) == ({"exit": 0}, True)


def test_private_outputs_are_removed(call: Callable[..., Returned], keeper: Keeper) -> None:
    """Once the contents are kept, nothing of the run stays in the temporary folder."""
    call("say.sh", "echo x")
    assert [path.parent.exists() for path in keeper.seen] == [False]


def test_links_do_not_run(write: Write, scratch: Path, keeper: Keeper) -> None:
    """A script that became a link, or lies behind one, or is gone, is missing."""
    script = Path(write("echo.py", PRINT_ARGS))
    real = script.rename(script.parent.parent / "real.py")
    action = script_action(listed(str(script)), skill=SKILL, scratch=lambda: str(scratch))
    answers = [asyncio.run(carry_out(action, {}, keeper))]
    script.symlink_to(real)
    answers.append(asyncio.run(carry_out(action, {}, keeper)))
    script.unlink()
    folder = script.parent.rename(script.parent.parent / "elsewhere")
    script.parent.symlink_to(folder)
    real.rename(folder / "echo.py")
    answers.append(asyncio.run(carry_out(action, {}, keeper)))
    assert [answer.code for answer in answers] == ["script.missing"] * 3


def test_start_that_fails_is_an_answer(write: Write, keeper: Keeper) -> None:
    """A process that cannot start is told to the model, not raised."""
    action = script_action(listed(write("echo.py", PRINT_ARGS)), skill=SKILL, scratch=lambda: "/nowhere/at/all")
    assert asyncio.run(carry_out(action, {}, keeper)).code == "script.start"
