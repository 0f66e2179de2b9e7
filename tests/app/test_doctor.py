"""The doctor: what it finds, what it never says, and that it leaves no trace."""

import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from metier.app.doctor import Finding, examine
from metier.app.doctor.finding import without_secrets
from metier.app.doctor.folders import about_folders
from metier.app.doctor.record import about_record
from metier.config import Settings
from metier.record.schema import NEWEST
from metier.testing import Says, ScriptedPerson

from .conftest import House

KEY = "sk-this-is-no-real-key"


class Server(HTTPServer):
    """A server of a model's address that refuses everybody and keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Refuses)
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class Refuses(BaseHTTPRequestHandler):
    """One request to it."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.asked.append(f"{self.path}\n{self.headers}")
        self.send_error(401)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name for it
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server in a thread."""
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def project(folder: Path, name: str = "", *, more: str = "") -> str:
    """Writes the project's metier.toml and answers its folder."""
    model = f'[model]\nname = "{name}"\n' if name else ""
    (folder / "metier.toml").write_text(model + more, encoding="utf-8")
    return str(folder)


def found(folder: str, what: str, person: ScriptedPerson | None = None, *, online: bool = False) -> Finding:
    """The one finding of that name."""
    (one,) = (it for it in examine(folder, person, online=online) if it.what == what)
    return one


def test_no_model_is_missing(tmp_path: Path) -> None:
    """Without a model that is told as missing, with what serves."""
    one = found(project(tmp_path), "model")
    assert (one.level, "METIER_MODEL" in one.cure) == ("missing", True)


@pytest.mark.parametrize(("person", "level"), [(None, "wrong"), (ScriptedPerson([]), "ok")])
def test_me_needs_a_terminal(tmp_path: Path, person: ScriptedPerson | None, level: str) -> None:
    """The model `me` is in order where somebody sits at a terminal, and wrong elsewhere."""
    assert found(project(tmp_path, "me"), "model", person).level == level


def test_code_is_not_loaded(tmp_path: Path) -> None:
    """A model's code must be there; it is not loaded to find out."""
    folder = project(tmp_path, "python:model.py:model")
    assert found(folder, "model").level == "wrong"
    (tmp_path / "model.py").write_text("raise SystemExit('loaded')\n", encoding="utf-8")
    one = found(folder, "model")
    assert (one.level, "asked once" in one.told) == ("ok", True)


def test_key_is_only_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is told as seen in its variable, and no finding holds any part of it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    findings = examine(project(tmp_path, "openai:gpt-5"), None)
    assert [one.told for one in findings if one.what == "key"] == ["seen in OPENAI_API_KEY"]
    assert not any(KEY[:8] in str(one) for one in findings)


def test_key_in_a_wrong_place_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that somebody put where a model's name belongs is not repeated, nor a password in an address."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert KEY not in str(examine(project(tmp_path, KEY), None))
    assert "pass" not in str(examine(project(tmp_path, "openai:x@http://me:pass@localhost/v1"), None)[4:5])
    told = without_secrets(Finding("ok", "x", f"http://me:pass@host {KEY}"), {"OPENAI_API_KEY": KEY}).told
    assert told == "http://…@host …"


def test_missing_key_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose key is not there cannot be made; the cure names the variable."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    one = found(project(tmp_path, "openai:gpt-5"), "model")
    assert (one.level, "OPENAI_API_KEY" in one.cure) == ("wrong", True)


def test_unknown_price_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A price that nobody knows is told (O63); one that is set beside the model's name counts."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert found(project(tmp_path, "openai:never-heard-of"), "price").level == "missing"
    folder = project(tmp_path, "openai:never-heard-of", more='price = {input = "3", output = "15"}\n')
    assert found(folder, "price").told.startswith("$3 in and $15 out")


def test_nothing_is_sent_unasked(tmp_path: Path, server: Server) -> None:
    """Without `online` the address is not tried."""
    assert found(project(tmp_path, f"openai:x@{server.address}"), "address").told.startswith("not tried")
    assert server.asked == []


def test_address_is_tried_without_a_key(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `online` any answer shows that the address is reached; the key does not go along."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("METIER_MODEL", f"openai:x@{server.address}")
    one = found(project(tmp_path), "address", online=True)
    assert (one.level, one.told) == ("ok", f"{server.address}/ answers (HTTP 401)")
    assert len(server.asked) == 1
    assert KEY not in server.asked[0]


def test_silent_address_is_wrong(tmp_path: Path) -> None:
    """An address where nobody listens is wrong."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert found(project(tmp_path, f"openai:x@{address}"), "address", online=True).level == "wrong"


def test_settings_say_where_they_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each setting that was set is told with its value and its place."""
    monkeypatch.setenv("METIER_TASK_BUDGET", "0.50")
    folder = project(tmp_path, "me")
    assert found(folder, "  task_budget").told == "0.50, from METIER_TASK_BUDGET"
    assert found(folder, "  model").told == f"me, from {tmp_path / 'metier.toml'}"


def test_wrong_settings_leave_the_rest(tmp_path: Path) -> None:
    """Settings that cannot be read are one finding; the programs are looked at all the same."""
    (tmp_path / "metier.toml").write_text("[modell]\n", encoding="utf-8")
    levels = {one.what: one.level for one in examine(str(tmp_path), None)}
    assert (levels["settings"], levels["python scripts"]) == ("wrong", "ok")


def test_programs_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreters and uv are looked for on the PATH and not started; a missing one is not wrong."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "uv").write_text("#!/bin/sh\ntouch started\n", encoding="utf-8")
    (tmp_path / "uv").chmod(0o755)
    levels = {one.what: one.level for one in examine(project(tmp_path), None)}
    assert [levels[name] for name in ("uv", "node", "ruby", "perl")] == ["ok", "missing", "missing", "missing"]


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """In a bare folder everything is looked at, nothing is wrong, and nothing is made."""
    project(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert [one for one in examine(str(tmp_path), None) if one.level == "wrong"] == []
    assert sorted(tmp_path.rglob("*")) == before


def test_skills_are_counted(tmp_path: Path) -> None:
    """Skills are counted with their problems; one that cannot be used makes it wrong."""
    folder = project(tmp_path, more='[skills]\nroots = ["skills"]\n')
    assert found(folder, "skills").level == "wrong"
    good = tmp_path / "skills" / "good"
    good.mkdir(parents=True)
    (good / "SKILL.md").write_text("---\nname: good\ndescription: Does.\n---\nDo.\n", encoding="utf-8")
    assert found(folder, "skills").told.startswith("1 found, 0 errors")
    (good / "SKILL.md").write_bytes(b"---\nname: good\ndescription: \xff\n---\nDo.\n")
    assert found(folder, "skills").level == "wrong"


def test_record_is_read(house: House) -> None:
    """A record is told with its tables' version and its tasks, and is as it was afterwards."""
    house.run(Says.text("so"), skill="say so")
    for app in house.apps:
        app.close()
    settings = Settings(project=str(house.project), record="record.sqlite")
    before = {path: path.stat().st_mtime_ns for path in house.project.rglob("*")}
    one = about_record(settings)
    assert (one.level, f"tables {NEWEST}, 1 tasks" in one.told) == ("ok", True)
    assert {path: path.stat().st_mtime_ns for path in house.project.rglob("*")} == before


def test_open_record_is_read(house: House) -> None:
    """A record that a running app holds is read with what is not yet in the file itself."""
    house.run(Says.text("so"), skill="say so")
    one = about_record(Settings(project=str(house.project), record="record.sqlite"))
    assert (one.level, "1 tasks" in one.told) == ("ok", True)


@pytest.mark.parametrize(("version", "word"), [("9999", "newer metier"), (None, "does not open")])
def test_other_databases_are_wrong(tmp_path: Path, version: str | None, word: str) -> None:
    """A record of a newer metier is wrong, and so is a database that is no record."""
    with closing(sqlite3.connect(tmp_path / "record.sqlite")) as base, base:
        base.execute("CREATE TABLE task (id)")
        if version:
            base.execute("CREATE TABLE alembic_version (version_num)")
            base.execute("INSERT INTO alembic_version VALUES (?)", [version])
    one = about_record(Settings(project=str(tmp_path), record="record.sqlite"))
    assert (one.level, word in one.told, bool(one.cure)) == ("wrong", True, True)


def test_file_of_words_is_no_record(tmp_path: Path) -> None:
    """A file that is no database is wrong."""
    (tmp_path / "record.sqlite").write_text("words " * 200, encoding="utf-8")
    assert about_record(Settings(project=str(tmp_path), record="record.sqlite")).level == "wrong"


def test_folder_of_the_record_may_be_made(tmp_path: Path) -> None:
    """A folder that is not there is in order where it can be made, and wrong below a file."""
    levels = [one.level for one in about_folders(Settings(project=str(tmp_path)))]
    assert levels == ["ok", "ok", "ok"]
    (tmp_path / ".metier").write_text("", encoding="utf-8")
    told = {one.what: one.level for one in about_folders(Settings(project=str(tmp_path)))}
    assert told[".metier"] == "wrong"
    assert os.listdir(tmp_path / "temporary") == []
