"""An app's tables in real databases: SQLite in a file, and a PostgreSQL server that is started for these tests."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import Engine, Executable, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import CreateTable

from metier.rows import marks

from .shop import Shelf

SECONDS = 30


ROW = text("INSERT INTO repair (ticket, fault, note) VALUES ('T-7', 'brake', '')")


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An app's database with one repair in it and the table of marks."""
    made = create_engine(request.getfixturevalue(f"{request.param}_shop"))
    yield made
    made.dispose()


@pytest.fixture(scope="session")
def _shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    _fill(f"sqlite:///{path}", *_tables())
    return path


@pytest.fixture
def sqlite_shop(_shop_file: Path, tmp_path: Path) -> str:
    """The URL of a file with the workshop in it."""
    return f"sqlite:///{shutil.copy(_shop_file, tmp_path / 'app.db')}"


@pytest.fixture
def postgres_shop(postgres: str) -> str:
    """The URL of the server's database, with the workshop as it is at the beginning."""
    names = ", ".join([*Shelf.metadata.tables, marks.DONE.name])
    _fill(postgres, text("DROP TABLE IF EXISTS other"), text(f"TRUNCATE {names} RESTART IDENTITY"), ROW)
    return postgres


def _fill(url: str, *statements: Executable) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for one in statements:
            connection.execute(one)
    engine.dispose()


def _tables() -> list[Executable]:
    tables = [*Shelf.metadata.sorted_tables, marks.DONE]
    return [*(CreateTable(table) for table in tables), ROW]


@pytest.fixture(scope="session")
def _server() -> Iterator[str | None]:
    """The URL of a PostgreSQL server of our own, none where its program is not there."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
    program = shutil.which("postgres") or (found[-1] if found else None)
    if program is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="metier-postgres-"))
    # A server refuses to run as root.
    user = _somebody() if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    try:
        process = _running(Path(os.path.realpath(program)).parent, folder, user)
        url = f"postgresql+psycopg://tester@/postgres?host={folder}"
        try:
            _wait_for(url, process)
            _fill(url, *_tables())
            yield url
        finally:
            process.send_signal(signal.SIGQUIT)  # at once, whoever is connected
            process.wait(SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(_server: str | None, missing: Callable[[str, str], NoReturn]) -> str:
    """The URL of the server; without one the test is skipped by name."""
    return _server or missing("postgres", "no PostgreSQL server is installed")


def _running(programs: Path, folder: Path, user: str | None) -> subprocess.Popen[bytes]:
    data = str(folder / "data")
    made = [str(programs / "initdb"), "--no-sync", "--auth=trust", "--username=tester", "--encoding=UTF8", "-D", data]
    subprocess.run(made, check=True, capture_output=True, user=user, cwd=folder)
    started = [str(programs / "postgres"), "-D", data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(started, stdout=log, stderr=log, user=user, cwd=folder)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    engine = create_engine(url)
    ends = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < ends:
        try:
            engine.connect().close()
        except OperationalError:
            time.sleep(0.05)
        else:
            break
    engine.dispose()


def _somebody() -> str:
    names = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
