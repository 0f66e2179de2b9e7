"""What the tripwire and the unit of work cannot see: each line of the table in docs/effects.md, shown.

The line that a function shows is its docstring. Each does its act and answers whether it really happened.
"""

import _thread
import contextvars
import ctypes
import os
import platform
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, text

from metier.rows.current import Unit
from metier.rows.tripwire import watch
from metier.rows.unit import unit_of_work

from ..rules.page import rows, sections

PAGE = Path(__file__).parents[2] / "docs" / "effects.md"
MKDIRAT = {"x86_64": 258, "aarch64": 34}
HERE = -100
"""AT_FDCWD of Linux: paths are relative to the working folder."""

LISTENS = "import sys\nfor line in sys.stdin:\n    open(line.strip(), 'w').close()\n    print('done', flush=True)"

Show = Callable[[Path], bool]


def written(path: Path) -> bool:
    path.write_text("x", encoding="utf-8")
    return path.exists()


def watched(act: Callable[[], object]) -> None:
    """Do an act as a call that only reads, and hold that nothing fired."""
    with watch({"reads"}) as it:
        act()
    assert it.trips == []


def c_function(at: Path) -> bool:
    """C code called through `ctypes` or `cffi`"""
    watched(lambda: ctypes.CDLL(None).mkdir(bytes(at / "new"), 0o700))
    return (at / "new").is_dir()


def system_call(at: Path) -> bool:
    """System calls made directly, `io_uring` among them"""
    call = MKDIRAT[platform.machine()]
    watched(lambda: ctypes.CDLL(None).syscall(call, HERE, bytes(at / "new"), 0o700))
    return (at / "new").is_dir()


def open_file(at: Path) -> bool:
    """A file that was opened for writing before the call"""
    with (at / "new").open("w", encoding="utf-8", buffering=1) as before:
        watched(lambda: before.write("x\n"))
    return (at / "new").read_text(encoding="utf-8") == "x\n"


def open_socket(_: Path) -> bool:
    """A socket that was connected before the call"""
    one, other = socket.socketpair()
    with one, other:
        watched(lambda: one.send(b"x"))
        return other.recv(1) == b"x"


def open_database(at: Path) -> bool:
    """Another database whose connection was open before the call"""
    before = sqlite3.connect(at / "new")
    watched(lambda: before.execute("CREATE TABLE t (a)"))
    before.close()
    return (at / "new").stat().st_size > 0


def quiet_function(at: Path) -> bool:
    """Functions of Python that tell no hook: `os.mkfifo`, `os.sendfile`, `os.copy_file_range`, `os.write`"""
    watched(lambda: os.mkfifo(at / "new"))
    return (at / "new").exists()


def other_process(at: Path) -> bool:
    """A process that ran before and is asked through a pipe"""
    command = [sys.executable, "-c", LISTENS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin
        assert process.stdout
        ask, answer = process.stdin, process.stdout
        watched(lambda: (ask.write(f"{at / 'new'}\n".encode()), answer.readline()))
        process.stdin.close()
    return (at / "new").exists()


def older_thread(at: Path) -> bool:
    """A thread or pool that ran before the call"""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        watched(lambda: pool.submit(written, at / "new").result())
    return (at / "new").exists()


def bare_thread(at: Path) -> bool:
    """A thread that is started by `_thread` or by C"""
    over = threading.Event()

    def work() -> None:
        written(at / "new")
        over.set()

    watched(lambda: (_thread.start_new_thread(work, ()), over.wait(10)))
    return (at / "new").exists()


def later(at: Path) -> bool:
    """What a thread or task of the call does after the call has ended"""
    over = threading.Event()
    thread = threading.Thread(target=lambda: over.wait(10) and written(at / "new"))
    watched(thread.start)
    over.set()
    thread.join()
    return (at / "new").exists()


def fresh_context(at: Path) -> bool:
    """Code that runs in a fresh context, or takes the watch off"""
    watched(lambda: contextvars.Context().run(written, at / "new"))
    return (at / "new").exists()


def memory(_: Path) -> bool:
    """The process's own memory: globals, caches, `os.environ`"""
    watched(lambda: os.environ.__setitem__("METIER_TRIED", "x"))
    return os.environ.pop("METIER_TRIED") == "x"


def bytecode(at: Path) -> bool:
    """Files in a folder named `__pycache__`, where Python writes its bytecode"""
    watched((at / "__pycache__").mkdir)
    watched(lambda: written(at / "__pycache__" / "x"))
    return (at / "__pycache__" / "x").exists()


def authorizer_off(at: Path) -> bool:
    """SQLite's driver itself, whose authorizer is taken off; rows that changed are told afterwards, a changed schema is not"""
    engine = create_engine(f"sqlite:///{at / 'app.db'}")
    with unit_of_work(engine, writes=False) as unit:
        raw = unit.session.connection().connection.driver_connection
        assert raw is not None
        raw.set_authorizer(None)
        raw.executescript("PRAGMA query_only = OFF; CREATE TABLE t (a); SAVEPOINT sa_savepoint_1")
    with engine.connect() as connection:
        found = connection.scalar(text("SELECT name FROM sqlite_master"))
    engine.dispose()
    return bool(found == "t")


WATCH: list[Show] = [
    c_function, system_call, open_file, open_socket, open_database, quiet_function, other_process, older_thread,
    bare_thread, later, fresh_context, memory, bytecode, authorizer_off,
]  # fmt: skip


def library(unit: Unit) -> bool:
    """Extensions that do their own input and output, such as PostgreSQL's client library"""
    socket_folder = str(unit.engine.url.query["host"])
    with watch({"reads"}) as it:
        with psycopg.connect(host=socket_folder, user="tester", dbname="postgres", autocommit=True) as other:
            other.execute("UPDATE repair SET note = 'x'")
        assert it.trips == []
    return True


def other_engine(unit: Unit) -> bool:
    """Another engine of the app with a connection in its pool"""
    other = create_engine(unit.engine.url)
    with other.begin() as connection:
        connection.execute(text("UPDATE repair SET note = 'x'"))
    other.dispose()
    return True


def server_function(unit: Unit) -> bool:
    """Functions of the server that reach beyond its transaction: `pg_notify`, `dblink`, `lo_export`"""
    unit.session.execute(text("SELECT pg_advisory_lock(7)"))
    locks = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
    return bool(unit.session.scalar(locks) == 1)


def driver(unit: Unit) -> bool:
    """PostgreSQL's driver itself, told to end the transaction and begin one that writes"""
    raw = unit.session.connection().connection.driver_connection
    assert raw is not None
    raw.cursor().execute(
        "ROLLBACK; BEGIN READ WRITE; UPDATE repair SET note = 'x'; COMMIT; BEGIN; SAVEPOINT sa_savepoint_1"
    )
    return True


UNIT: list[Callable[[Unit], bool]] = [library, other_engine, server_function, driver]


@pytest.mark.parametrize("show", WATCH, ids=lambda show: show.__name__)
def test_the_tripwire_is_blind_to(tmp_path: Path, show: Show) -> None:
    """The act happens and nothing fires: it is a tripwire and no wall (O42)."""
    if show is system_call and platform.machine() not in MKDIRAT:
        pytest.skip(f"the number of the call is not known for {platform.machine()}")
    assert show(tmp_path)


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize("show", UNIT, ids=lambda show: show.__name__)
def test_the_unit_is_blind_to(engine: Engine, show: Callable[[Unit], bool]) -> None:
    """The act happens and no error is raised."""
    with unit_of_work(engine, writes=False) as unit:
        assert show(unit)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT note FROM repair")) == ("" if show is server_function else "x")


def test_the_table_has_these_lines() -> None:
    """The page's table has one line for each act that is shown here, and no other."""
    page = sections(PAGE.read_text(encoding="utf-8"))
    told = [row[0] for row in rows(page["What they cannot see"])]
    assert told == [(show.__doc__ or "").strip() for show in (*WATCH, *UNIT)]
