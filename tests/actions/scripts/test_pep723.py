"""What a script says that it needs, and the interpreter that has it."""

import asyncio
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import pytest

from metier.actions.scripts.action import script_action
from metier.actions.scripts.interpreter import find_uv, python_with_packages
from metier.actions.scripts.pep723 import Needs, needs_of
from metier.domain.action import Action, Miss, Origin, Returned
from metier.domain.call import Answered
from metier.domain.skill import SkillFile

from .conftest import Write

BLOCK = "# /// script\n# dependencies = ['tinyone']\n# ///\n"
USES = f"{BLOCK}import os, tinyone\nprint(tinyone.WORD, sorted(os.environ))\n"
BELOW = f"# requires-python = '<{sys.version_info[0]}.{sys.version_info[1]}'"
ABOVE = "# requires-python = '>=3.8, !=3.9.*, <4'"


def fake_uv(folder: Path, text: str) -> str:
    """A program in uv's place."""
    path = folder / "uv"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def prepared(write: Write, tmp_path: Path) -> Callable[..., str | Miss]:
    """Asks for the interpreter of a script that names a package."""
    outputs = str(tmp_path / "outputs")

    def asked(uv: str | None, text: str = BLOCK, **how: Any) -> str | Miss:
        return asyncio.run(python_with_packages(write("uses.py", text), uv=uv, outputs=outputs, **how))

    return asked


@pytest.fixture
def call(write: Write, scratch: Path) -> Callable[[str], Returned]:
    """Writes a script and carries a call of it out."""

    def called(text: str) -> Returned:
        file = SkillFile("scripts/uses.py", write("uses.py", text), "script", 0)
        made = script_action(file, skill=Origin("skill", "kit"), scratch=lambda: str(scratch))
        answer = asyncio.run(carry_out(made))
        assert isinstance(answer, Returned)
        return answer

    return called


class Hands:
    """Hands that keep nothing."""

    call_id = "c1"
    key = "t:c1"

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        raise NotImplementedError

    def keep(self, data: bytes) -> str:
        raise NotImplementedError

    def keep_file(self, path: str) -> str:
        return os.path.basename(path)


async def carry_out(action: Action) -> Any:
    """Run an action's body."""
    return await action.body({}, Hands())


@pytest.fixture
def uv(missing: Callable[[str, str], NoReturn]) -> str:
    """The real uv."""
    return find_uv() or missing("uv", "uv is neither on the PATH nor beside the interpreter")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    """A package index on this machine with one tiny package, an empty cache, and the settings that point uv at both."""
    simple = tmp_path / "index" / "simple" / "tinyone"
    simple.mkdir(parents=True)
    with zipfile.ZipFile(simple / "tinyone-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tinyone.py", "WORD = 'tiny'\n")
        wheel.writestr("tinyone-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tinyone\nVersion: 1.0\n")
        wheel.writestr("tinyone-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("tinyone-1.0.dist-info/RECORD", "")
    (simple / "index.html").write_text("<a href='tinyone-1.0-py3-none-any.whl'>tinyone</a>", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "index")))
    settings = {"DEFAULT_INDEX": f"http://127.0.0.1:{server.server_port}/simple", "CACHE_DIR": str(tmp_path / "cache")}
    for name, value in {**settings, "NO_CONFIG": "1", "PYTHON": sys.executable, "LINK_MODE": "copy"}.items():
        monkeypatch.setenv(f"UV_{name}", value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name is the library's
        """Nothing."""


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("print(1)\n", Needs()),
        (BLOCK, Needs(("tinyone",))),
        (BLOCK.replace("\n", "\r\n"), Needs(("tinyone",))),
        ("\ufeff" + BLOCK, Needs(("tinyone",))),
        (f"# /// script\n{ABOVE}\n# ///\n", Needs((), ">=3.8, !=3.9.*, <4")),
        (
            "# /// script\n# dependencies = [\n#   'a', # /// x\n#\n#   'b',\n# ]\n# [tool.x]\n# y = 1\n# ///\n",
            Needs(("a", "b")),
        ),
        ("# /// script\n# dependencies = ['a']\nprint(1)\n# ///\n", Needs()),
        ("# /// script\n# ///\n", Needs()),
        ("# /// other\n# x = 1\n# ///\n\n" + BLOCK, Needs(("tinyone",))),
        (" # /// script\n# dependencies = ['a']\n# ///\n", Needs()),
        ("# /// script\n# x = '''\n# /// a\n# ///\n# '''\n# dependencies = ['a']\n# ///\n#no\n", Needs(("a",))),
    ],
)
def test_blocks_are_read(write: Write, text: str, needs: Needs) -> None:
    """The block is read as PEP 723 says: closed by the last end line in its comment, and none where it is not closed."""
    assert needs_of(write("uses.py", text)) == needs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{BLOCK}\nprint(1)\n{BLOCK}", "2 of them"),
        ("# /// script\n# dependencies = [\n# ///\n", "no TOML"),
        ("# /// script\n# dependencies = 'a'\n# ///\n", "a list of texts"),
        ("# /// script\n# dependencies = [1]\n# ///\n", "a list of texts"),
        ("# /// script\n# requires-python = 3\n# ///\n", "a text"),
    ],
)
def test_broken_blocks_run_nothing(call: Callable[[str], Returned], scratch: Path, text: str, said: str) -> None:
    """A block that cannot be read is told, and no process starts."""
    answer = call(f"{text}open('ran', 'w').close()\n")
    assert (answer.ok, answer.code, (scratch / "ran").exists()) == (False, "script.metadata", False)
    assert said in (answer.text or "")


@pytest.mark.parametrize(
    ("python", "fits"),
    [
        (">=3.8", True),
        (">=3.8,<4", True),
        ("==3.*", True),
        ("!=3.1.*", True),
        ("<3", False),
        ("~=3.8", False),
        ("x", False),
    ],
)
def test_fitting_python_needs_nothing(python: str, fits: bool) -> None:
    """A script without packages needs nothing more where our Python plainly fits; what is not plain is left to uv."""
    assert Needs((), python).nothing is fits
    assert not Needs(("a",), python).nothing


def test_plain_scripts_never_touch_uv(
    call: Callable[[str], Returned], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that names no package runs without uv."""
    fake_uv(tmp_path, f"touch {tmp_path}/asked; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    answers = [call("print('a')\n"), call(f"# /// script\n{ABOVE}\n# dependencies = []\n# ///\nprint('a')\n")]
    assert [answer.text for answer in answers] == ["a\n", "a\n"]
    assert not (tmp_path / "asked").exists()
    assert call(f"# /// script\n{BELOW}\n# ///\n").code == "script.dependencies"
    assert (tmp_path / "asked").exists()


def test_without_uv_the_cure_is_told(prepared: Callable[..., str | Miss]) -> None:
    """Without uv a script that names packages is refused, with the way to get it running."""
    miss = prepared(None)
    assert isinstance(miss, Miss)
    assert (miss.code, miss.reason.endswith("Install uv.")) == ("script.no_uv", True)


def test_uv_is_looked_for_in_two_places(tmp_path: Path) -> None:
    """The program uv is found on the search path, else beside the interpreter, else nowhere."""
    (tmp_path / "python").symlink_to(os.path.realpath(sys.executable))
    code = "from metier.actions.scripts.interpreter import find_uv; print(find_uv())"
    env = {"PATH": "/nowhere", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ask = partial(
        subprocess.run, [str(tmp_path / "python"), "-c", code], env=env, capture_output=True, encoding="utf-8"
    )
    found = [ask(check=True).stdout.strip()]
    uv = fake_uv(tmp_path, "")
    found.append(ask(check=True).stdout.strip())
    assert found == ["None", uv]


def test_failed_resolution_has_uvs_words(prepared: Callable[..., str | Miss], tmp_path: Path) -> None:
    """When uv fails, its own last lines are the answer."""
    miss = prepared(fake_uv(tmp_path, "seq 1 50 >&2; echo 'error: no such thing' >&2; exit 2"))
    assert isinstance(miss, Miss)
    assert (miss.code, miss.reason.split("\n")[1]) == ("script.dependencies", "40")
    assert miss.reason.endswith("error: no such thing")


def test_slow_resolution_is_ended(
    prepared: Callable[..., str | Miss], tmp_path: Path, gone: Callable[[Path], bool]
) -> None:
    """At its limit of time uv is ended with all that it started."""
    miss = prepared(fake_uv(tmp_path, f"sleep 60 & echo $! > {tmp_path}/child; wait"), seconds=1)
    assert isinstance(miss, Miss)
    assert (miss.code, miss.reason) == ("script.dependencies", "The packages of 'uses.py' were not there after 1 s.")
    assert gone(tmp_path / "child")


def test_cancel_ends_the_resolution(write: Write, tmp_path: Path, gone: Callable[[Path], bool]) -> None:
    """A call that is cancelled while uv works leaves nothing of it running."""
    uv = fake_uv(tmp_path, f"sleep 60 & echo $! > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/child; wait")

    async def stop() -> None:
        working = asyncio.create_task(
            python_with_packages(write("uses.py", BLOCK), uv=uv, outputs=str(tmp_path / "outputs"))
        )
        while not (tmp_path / "child").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
        working.cancel()
        await asyncio.wait([working])
        assert working.cancelled()

    asyncio.run(stop())
    assert gone(tmp_path / "child")


def test_packages_reach_the_script(
    uv: str, index: ThreadingHTTPServer, call: Callable[[str], Returned], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The packages come by the user's settings, and the script with them still sees the short environment only."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    answer = call(USES)
    assert answer.ok, answer.text
    assert (answer.text or "").startswith("tiny [")
    assert not {"SOME_API_KEY", "UV_DEFAULT_INDEX", "VIRTUAL_ENV"} & set((answer.text or "").split("'"))


def test_cache_is_enough_offline(
    uv: str, index: ThreadingHTTPServer, call: Callable[[str], Returned], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in uv's cache is enough without a network, and what is not is told by uv."""
    assert call(USES).ok
    monkeypatch.setenv("UV_OFFLINE", "1")
    index.shutdown()
    assert call(USES.replace("# ///\nimport", "# ///\n# anew\nimport")).ok
    answer = call(USES.replace("tinyone", "othertiny"))
    assert (answer.ok, answer.code) == (False, "script.dependencies")
    assert "othertiny was not found in the cache" in (answer.text or "")


def test_lock_beside_the_script_binds(
    uv: str, index: ThreadingHTTPServer, call: Callable[[str], Returned], write: Write
) -> None:
    """A lock file that does not fit its script is told, and never written."""
    lock = Path(write("uses.py.lock", "version = 1\nrevision = 3\nrequires-python = '>=3.11'\n"))
    before = lock.read_bytes()
    answer = call(USES)
    assert (answer.code, lock.read_bytes()) == ("script.dependencies", before)
    assert "lockfile" in (answer.text or "")


def test_nothing_is_built(uv: str, index: ThreadingHTTPServer, call: Callable[[str], Returned], tmp_path: Path) -> None:
    """A package that would have to be built is refused: its code would run with all that the user sees."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    answer = call(f"# /// script\n# dependencies = ['own @ file://{tmp_path}/own']\n# ///\n")
    assert (answer.code, (tmp_path / "ran").exists()) == ("script.dependencies", False)


def test_person_is_told_of_packages(write: Write) -> None:
    """Whoever is asked sees which packages come along, and no name can break the question."""
    text = '# /// script\n# dependencies = [\'rich>=13\', """a\n#  ? yes"""]\n# ///\n'
    file = SkillFile("scripts/uses.py", write("uses.py", text), "script", 0)
    words = script_action(file, skill=Origin("skill", "kit"), scratch=str).words
    assert words is not None
    assert words({}).endswith("may run without arguments, with packages that uv gets for it: 'rich>=13', 'a ? yes'")
