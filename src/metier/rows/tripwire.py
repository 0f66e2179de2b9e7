"""Does a call touch the world beyond what it declares?

A tripwire and no wall: Python's audit hooks see what goes through Python's own functions. Where one fires, the act is stopped
and the call is marked, whatever it makes of the error. What they cannot see stands in docs/effects.md.
"""

import contextvars
import functools
import os
import sys
import threading
from collections.abc import Callable, Collection, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, Self

from ..domain.action import EFFECTS, Effect
from .refusal import undeclared

Kind = Literal["changes", "sends", "runs"]
KINDS: tuple[Kind, ...] = ("changes", "sends", "runs")

_SENDS = (
    "ftplib.connect ftplib.sendcmd http.client.connect http.client.send imaplib.open imaplib.send poplib.connect "
    "poplib.putline smtplib.connect smtplib.send socket.connect socket.getaddrinfo socket.gethostbyaddr "
    "socket.gethostbyname socket.sendmsg socket.sendto telnetlib.Telnet.open telnetlib.Telnet.write nntplib.connect "
    "nntplib.putline"
)
_CHANGES = (
    "open os.chflags os.chmod os.chown os.kill os.killpg os.link os.mkdir os.remove os.removexattr os.rename os.rmdir "
    "os.setxattr os.symlink os.truncate os.utime shutil.chown shutil.copyfile shutil.copymode shutil.copystat "
    "shutil.copytree shutil.make_archive shutil.move shutil.rmtree shutil.unpack_archive signal.pthread_kill "
    "sqlite3.connect tempfile.mkdtemp tempfile.mkstemp"
)
_RUNS = (
    "os.exec os.fork os.forkpty os.posix_spawn os.spawn os.startfile os.system pty.spawn sqlite3.load_extension "
    "subprocess.Popen"
)
WATCHED: dict[str, Kind] = {
    **dict.fromkeys(_SENDS.split(), "sends"),
    **dict.fromkeys(_CHANGES.split(), "changes"),
    **dict.fromkeys(_RUNS.split(), "runs"),
}
"""Each audit event that fires, with the effect that it is."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_start = threading.Thread.start


@dataclass(frozen=True, slots=True)
class Trip:
    """One act that a call does not declare."""

    kind: Kind
    event: str
    """The audit event, such as `socket.connect`."""
    what: str
    """What it was about: a path, an address, a command. Short."""

    def __str__(self) -> str:
        return f"{self.event} {self.what}".strip()


class Watch:
    """What is watched while one call runs, and what fired. It is on inside a `with` block."""

    __slots__ = ("_token", "closed", "kinds", "trips")

    def __init__(self, kinds: frozenset[Kind]) -> None:
        self.kinds = kinds
        self.trips: list[Trip] = []
        self.closed = False
        self._token: contextvars.Token[Watch | None] | None = None

    @property
    def broken(self) -> bool:
        """Whether the call did what it does not declare, whatever it answered."""
        return bool(self.trips)

    def __enter__(self) -> Self:
        _hook_in()
        self._token = _WATCH.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _WATCH.reset(self._token)
        self.closed = True


_WATCH: contextvars.ContextVar[Watch | None] = contextvars.ContextVar("metier_watch", default=None)
_lock = threading.Lock()
_hooked: list[bool] = []
"""Holds something once the hook is there. A hook can never be taken away."""


def watch(effects: Collection[Effect]) -> Watch:
    """Watch what runs in a `with` block, in its tasks and in the threads that it starts, for acts beyond these effects.

    An act that is seen raises and does not happen. The caller looks at `broken` afterwards: what runs in the block may
    have hidden the error. Other tasks and threads of the process are not watched.
    """
    return Watch(kinds_watched(frozenset(effects)))


def inherited() -> AbstractContextManager[Watch | None]:
    """Let threads that are started in a `with` block inherit its context, and with it its unit of work."""
    return Watch(frozenset()) if _WATCH.get() is None else nullcontext()


@contextmanager
def set_aside() -> Generator[None, None, None]:
    """Watch nothing in the block: for the house's own doings, and for an app's log that changes its file."""
    token = _WATCH.set(None)
    try:
        yield
    finally:
        _WATCH.reset(token)


@functools.cache
def kinds_watched(effects: frozenset[Effect]) -> frozenset[Kind]:
    """What fires for a call with these effects. Running a program is free to a call that both changes and sends."""
    free: set[Effect] = set(effects)
    if {"changes", "sends"} <= free:
        free.add("runs")
    if not free <= set(EFFECTS):
        raise ValueError(f"no effects: {sorted(free - set(EFFECTS))}")
    return frozenset(kind for kind in KINDS if kind not in free)


def _hook_in() -> None:
    if _hooked:
        return
    with _lock:
        if not _hooked:
            _hooked.append(True)
            sys.addaudithook(_hook)
            # Python 3.11 tells no hook of a thread that starts, and gives the thread an empty context.
            threading.Thread.start = _start_inheriting  # type: ignore[method-assign, assignment]  # there is no other way in


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    seen = _WATCH.get()
    if seen is None or seen.closed:
        return
    kind = WATCHED.get(event)
    if kind is not None and kind in seen.kinds and not _harmless(event, arguments):
        _fire(seen, Trip(kind, event, _about(arguments)))


def _fire(seen: Watch, trip: Trip) -> None:
    seen.trips.append(trip)
    raise undeclared(
        f"A call did what it does not declare: {trip}",
        hint=f"Declare it with @action({'changes=True, sends=True' if trip.kind == 'runs' else trip.kind + '=True'}).",
    )


def _start_inheriting(thread: threading.Thread) -> None:
    """Start a thread; one that a watched call starts runs in a copy of the call's context."""
    if _WATCH.get() is not None:
        run: Callable[[], None] = thread.run
        thread.run = functools.partial(contextvars.copy_context().run, run)  # type: ignore[method-assign]  # as `start` is
    _start(thread)


def _harmless(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "open":
        path, _, flags = arguments
        return not flags & _WRITING or _is_nothing(path)
    if event == "sqlite3.connect":
        return _only_reads(arguments[0])
    # Python writes its bytecode when a call is the first that imports a module.
    return event in ("os.mkdir", "os.rename") and _is_bytecode(arguments[0])


def _is_nothing(path: Any) -> bool:
    # A number is a file that is open already: opening it was looked at.
    return isinstance(path, int) or path == os.devnull or _is_bytecode(path)


def _is_bytecode(path: Any) -> bool:
    folder, name = os.path.split(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else ("", "")
    return name == "__pycache__" or os.path.basename(folder) == "__pycache__"


def _only_reads(database: Any) -> bool:
    name = os.fsdecode(database) if isinstance(database, str | bytes | os.PathLike) else ""
    return name in ("", ":memory:") or (name.startswith("file:") and ("mode=ro" in name or "mode=memory" in name))


def _about(arguments: tuple[Any, ...]) -> str:
    words = [str(one) for one in arguments if isinstance(one, str | int | tuple | list | bytes) and not _is_flag(one)]
    line = " ".join(" ".join(words).split())
    return line if len(line) <= 100 else f"{line[:99]}…"


def _is_flag(one: object) -> bool:
    return isinstance(one, int) and (isinstance(one, bool) or one > 65_535 or one < 0)
