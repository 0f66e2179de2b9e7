"""The tripwire: what fires, for whom, and that it stops the act and marks the call."""

import asyncio
import contextlib
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from metier.domain.action import Effect
from metier.errors import ActionError
from metier.rows.tripwire import WATCHED, Kind, Watch, kinds_watched, set_aside, watch

Act = Callable[[Path], object]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder with one file in it."""
    (tmp_path / "old").write_text("old", encoding="utf-8")
    yield tmp_path
    assert {path.name for path in tmp_path.iterdir()} == {"old"}
    assert (tmp_path / "old").read_text(encoding="utf-8") == "old"


def _connects(_: Path) -> None:
    with socket.socket() as one:
        one.connect(("127.0.0.1", 9))


def _sends_a_datagram(_: Path) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.sendto(b"x", ("127.0.0.1", 9))


def _sends_a_message(_: Path) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.sendmsg([b"x"], [], 0, ("127.0.0.1", 9))


def _connects_by_asyncio(_: Path) -> None:
    asyncio.run(asyncio.wait_for(asyncio.open_connection("127.0.0.1", 9), 5))


def _forks(_: Path) -> None:
    if os.fork() == 0:  # pragma: no cover - it is stopped before
        os._exit(0)


def _closed(*opened: socket.socket | IO[str]) -> None:
    for one in opened:
        one.close()


ACTS: dict[str, tuple[Kind, Act]] = {
    "connect": ("sends", _connects),
    "sendto": ("sends", _sends_a_datagram),
    "sendmsg": ("sends", _sends_a_message),
    "name": ("sends", lambda _: socket.getaddrinfo("nowhere.invalid", 80)),
    "asyncio": ("sends", _connects_by_asyncio),
    "open": ("changes", lambda at: (at / "new").open("w")),
    "append": ("changes", lambda at: (at / "old").open("a")),
    "both": ("changes", lambda at: (at / "old").open("r+")),
    "exclusive": ("changes", lambda at: (at / "new").open("xb")),
    "os.open": ("changes", lambda at: os.open(at / "new", os.O_CREAT | os.O_WRONLY)),
    "path": ("changes", lambda at: (at / "new").write_text("x", encoding="utf-8")),
    "remove": ("changes", lambda at: (at / "old").unlink()),
    "rename": ("changes", lambda at: (at / "old").rename(at / "new")),
    "mkdir": ("changes", lambda at: (at / "new").mkdir()),
    "rmdir": ("changes", lambda at: at.rmdir()),
    "link": ("changes", lambda at: (at / "new").hardlink_to(at / "old")),
    "symlink": ("changes", lambda at: (at / "new").symlink_to(at / "old")),
    "truncate": ("changes", lambda at: os.truncate(at / "old", 0)),
    "chmod": ("changes", lambda at: (at / "old").chmod(0o600)),
    "utime": ("changes", lambda at: os.utime(at / "old")),
    "copy": ("changes", lambda at: shutil.copyfile(at / "old", at / "new")),
    "move": ("changes", lambda at: shutil.move(at / "old", at / "new")),
    "rmtree": ("changes", shutil.rmtree),
    "temporary": ("changes", lambda at: tempfile.mkstemp(dir=at)),
    "kill": ("changes", lambda _: os.kill(os.getpid(), 0)),
    "sqlite": ("changes", lambda at: sqlite3.connect(at / "new")),
    "Popen": ("runs", lambda _: subprocess.run(["true"], check=True)),
    "system": ("runs", lambda _: os.system("true")),  # pyright: ignore[reportDeprecated]  # apps use it
    "spawn": ("runs", lambda _: os.posix_spawn("/bin/true", ["true"], {})),
    "exec": ("runs", lambda _: os.execv("/bin/true", ["true"])),
    "fork": ("runs", _forks),
}
HARMLESS: dict[str, Act] = {
    "read": lambda at: (at / "old").read_text(encoding="utf-8"),
    "list": lambda at: (list(at.iterdir()), (at / "old").stat()),
    "null": lambda _: Path(os.devnull).write_text("x", encoding="utf-8"),
    "pair": lambda _: _closed(*socket.socketpair()),
    "memory": lambda _: sqlite3.connect(":memory:").close(),
    "pipe": lambda _: _closed(*(os.fdopen(one) for one in os.pipe())),
}


@pytest.mark.parametrize(("kind", "act"), ACTS.values(), ids=ACTS)
def test_an_act_is_stopped(place: Path, kind: Kind, act: Act) -> None:
    """An act that a query does not declare is stopped where it fires, and named (O42)."""
    with pytest.raises(ActionError, match="does not declare"), watch({"reads"}) as watched:
        act(place)
    assert watched.broken
    assert watched.trips[0].kind == kind
    assert str(watched.trips[0]).startswith(watched.trips[0].event)


@pytest.mark.parametrize("act", [act for _, act in ACTS.values()], ids=ACTS)
def test_a_swallowed_error_still_breaks(place: Path, act: Act) -> None:
    """A call that hides the error is marked all the same."""
    with watch(()) as watched:
        with contextlib.suppress(Exception):
            act(place)
        assert watched.broken
    assert watched.broken


@pytest.mark.parametrize("act", HARMLESS.values(), ids=HARMLESS)
def test_reading_does_not_fire(place: Path, act: Act) -> None:
    """Reading, looking, memory and what goes nowhere are free."""
    with watch({"reads"}) as watched:
        act(place)
    assert watched.trips == []


@pytest.mark.parametrize(
    ("effects", "kinds"),
    [
        ({"reads"}, {"changes", "sends", "runs"}),
        ({"changes"}, {"sends", "runs"}),
        ({"sends"}, {"changes", "runs"}),
        ({"changes", "sends"}, set[Kind]()),
        ({"reads", "runs"}, {"changes", "sends"}),
    ],
)
def test_what_is_declared_is_free(effects: set[Effect], kinds: set[Kind]) -> None:
    """What fires is what the call does not declare; a program may do both, so it needs both."""
    assert kinds_watched(frozenset(effects)) == kinds


def test_a_change_may_write_and_not_send(tmp_path: Path) -> None:
    """A call that declares changes writes files, and its sending fires (O42)."""
    with watch({"changes"}) as watched:
        (tmp_path / "new").write_text("x", encoding="utf-8")
        assert not watched.broken
        with pytest.raises(ActionError, match="sends=True"):
            _connects(tmp_path)
    assert [trip.event for trip in watched.trips] == ["socket.connect"]


def test_others_are_not_blamed(tmp_path: Path) -> None:
    """Another task and another thread of the process go on as ever while a query is watched."""

    async def both() -> Watch:
        began, ends = asyncio.Event(), asyncio.Event()

        async def query() -> Watch:
            with watch(()) as watched:
                began.set()
                await ends.wait()
            return watched

        running = asyncio.create_task(query())
        await began.wait()
        (tmp_path / "task").write_text("x", encoding="utf-8")
        await asyncio.to_thread((tmp_path / "thread").write_text, "x", encoding="utf-8")
        ends.set()
        return await running

    assert asyncio.run(both()).trips == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["task", "thread"]


def _in_a_thread(act: Callable[[], object]) -> None:
    thread = threading.Thread(target=_quietly, args=(act,))
    thread.start()
    thread.join()


def _quietly(act: Callable[[], object]) -> None:
    with contextlib.suppress(ActionError):
        act()


def _in_a_pool(act: Callable[[], object]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_quietly, act).result()


def _in_a_task(act: Callable[[], object]) -> None:
    async def task() -> None:
        await asyncio.create_task(asyncio.to_thread(_quietly, act))

    asyncio.run(task())


@pytest.mark.parametrize("somewhere", [_in_a_thread, _in_a_pool, _in_a_task])
def test_what_it_starts_is_watched(place: Path, somewhere: Callable[[Callable[[], object]], None]) -> None:
    """Threads, pools and tasks that a call starts are watched with it."""
    with watch(()) as watched:
        somewhere(lambda: (place / "new").write_text("x", encoding="utf-8"))
    assert [trip.event for trip in watched.trips] == ["open"]


def test_a_watch_inside_a_watch(place: Path) -> None:
    """A call inside a call answers for itself, and afterwards the outer one goes on being watched."""
    with watch(()) as outer:
        with watch({"sends"}) as inner:
            _quietly((place / "new").mkdir)
        assert inner.broken
        assert not outer.broken
        _quietly((place / "old").unlink)
    assert outer.broken


def test_the_house_may_step_aside(tmp_path: Path) -> None:
    """What is set aside does not fire: a log that changes its file in the middle of a query."""
    with watch(()) as watched:
        with set_aside():
            (tmp_path / "log").write_text("x", encoding="utf-8")
        _quietly((tmp_path / "log").unlink)
    assert [trip.event for trip in watched.trips] == ["os.remove"]


def test_nothing_fires_unwatched(tmp_path: Path) -> None:
    """Outside of a watch, and inside one for a call that declares all, everything is as ever."""
    with watch({"changes", "sends"}) as watched:
        (tmp_path / "one").write_text("x", encoding="utf-8")
        subprocess.run(["true"], check=True)
    (tmp_path / "two").write_text("x", encoding="utf-8")
    assert watched.trips == []


def test_an_unknown_effect_is_told() -> None:
    """An effect that is none is a fault of whoever asks."""
    with pytest.raises(ValueError, match="no effects"):
        kinds_watched(frozenset({"writes"}))  # pyright: ignore[reportArgumentType]  # that is the fault


def test_long_arguments_are_cut(place: Path) -> None:
    """What a trip is about is one short line."""
    with watch(()) as watched:
        _quietly(lambda: subprocess.run(["true", "x\n" * 999], check=True))
    assert len(watched.trips[0].what) <= 100
    assert "\n" not in watched.trips[0].what


def test_bytecode_is_no_change(tmp_path: Path) -> None:
    """A query that is the first to import a module lets Python write its bytecode."""
    (tmp_path / "first.py").write_text("", encoding="utf-8")
    program = "import sys\nfrom metier.rows.tripwire import watch\nwith watch(()) as w: import first\nprint(w.trips)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
    assert list((tmp_path / "__pycache__").iterdir()) != []


def test_each_event_has_a_kind() -> None:
    """Every event that is watched counts as one of the three kinds."""
    assert set(WATCHED.values()) == {"changes", "sends", "runs"}
