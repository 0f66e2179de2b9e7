"""A script's run, with real processes."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import metier
from metier.actions.scripts.limits import ScriptLimits
from metier.actions.scripts.run import ScriptEnded, run_script
from metier.errors import ActionError

from .conftest import Run, Write

LOUD = """
import sys
sys.stdout.write('first line\\n')
for _ in range(50):
    sys.stdout.write('x' * 1_000_000 + '\\n')
sys.stdout.write('last line\\n')
"""
MEASURE = """
import asyncio, re, sys
from metier.actions.scripts.run import run_script
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status", encoding="utf-8").read())[1])
async def main():
    await run_script(["/bin/true"], scratch=".", outputs="outputs")
    before = peak()
    ended = await run_script([sys.executable, sys.argv[1]], scratch=".", outputs="outputs")
    print(ended.ended, ended.exit, ended.stdout.length, peak() - before)
asyncio.run(main())
"""


def out(ended: ScriptEnded) -> str:
    """What it printed."""
    return Path(ended.stdout.path).read_text(encoding="utf-8")


def err(ended: ScriptEnded) -> str:
    """What it complained of."""
    return Path(ended.stderr.path).read_text(encoding="utf-8")


def test_script_runs_in_its_scratch(run: Run, write: Write, scratch: Path) -> None:
    """A script needs no execute bit, runs in the scratch folder and says how it ended (case 013)."""
    ended = run(write("hello.py", "import os, sys\nprint(os.getcwd(), sys.argv[1:])\nsys.exit(3)\n"), "a b", "$HOME")
    assert (ended.ended, ended.exit, ended.left, ended.seconds > 0) == ("exited", 3, 0, True)
    assert out(ended) == f"{scratch} ['a b', '$HOME']\n"


def test_siblings_can_be_imported(run: Run, write: Write) -> None:
    """A script imports the module beside it and leaves no byte code there."""
    write("sibling.py", "WORD = 'found'\n")
    script = write("main.py", "from sibling import WORD\nprint(WORD)\n")
    assert out(run(script)) == "found\n"
    assert sorted(path.name for path in Path(script).parent.iterdir()) == ["main.py", "sibling.py"]


def test_output_is_utf8(run: Run, write: Write) -> None:
    """Python prints UTF-8 whatever the machine's locale is (case 010)."""
    assert out(run(write("say.py", "print('Größe → ok ✓')\n"))) == "Größe → ok ✓\n"


def test_shell_scripts_run(run: Run, write: Write) -> None:
    """A shell script's arguments come whole, and its standard error is kept apart."""
    ended = run(write("go.sh", 'for a in "$@"; do echo "<$a>"; done\necho oh >&2\n'), "a b", "*")
    assert (out(ended), err(ended)) == ("<a b>\n<*>\n", "oh\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("say.mjs", "console.log(process.argv[2])", marks=pytest.mark.needs("node")),
        pytest.param("say.pl", 'print "$ARGV[0]\\n"', marks=pytest.mark.needs("perl")),
        pytest.param("say.rb", "puts ARGV[0]", marks=pytest.mark.needs("ruby")),
    ],
)
def test_other_languages_run(run: Run, write: Write, name: str, text: str) -> None:
    """Scripts of other languages run under the same limits."""
    assert out(run(write(name, text), "a b")) == "a b\n"


def test_outputs_opened_by_name_stay_whole(run: Run, write: Write) -> None:
    """A script may write to /dev/stderr by name without emptying what is there."""
    script = write("named.sh", "echo one >&2\necho two > /dev/stderr\necho three >&2\necho four > /dev/stdout\n")
    ended = run(script)
    assert (out(ended), err(ended)) == ("four\n", "one\ntwo\nthree\n")


def test_nothing_is_read_by_default(run: Run, write: Write) -> None:
    """Standard input is the null device (case 040)."""
    script = write("asks.py", "import sys\nprint('read', len(sys.stdin.read()), 'characters')\n")
    assert out(run(script)) == "read 0 characters\n"


def test_given_text_is_read(run: Run, write: Write, tmp_path: Path) -> None:
    """Text is delivered to its end, more than a pipe holds too, and no file of it stays (case 040)."""
    script = write("asks.py", "import sys\nprint('read', len(sys.stdin.read()), 'characters')\n")
    assert out(run(script, stdin="ä" * 200_000)) == "read 200000 characters\n"
    assert len(list((tmp_path / "outputs").iterdir())) == 2


def test_time_limit_ends_it(run: Run, write: Write) -> None:
    """At its time limit a script is ended, and what it printed until then is kept."""
    script = write("slow.py", "import time\nprint('begun', flush=True)\ntime.sleep(60)\n")
    ended = run(script, limits=ScriptLimits(seconds=2))
    assert (ended.ended, ended.exit, ended.left, out(ended)) == ("timed_out", None, 0, "begun\n")


def test_deaf_script_is_ended(run: Run, write: Write) -> None:
    """A script that ignores the polite signal is ended all the same."""
    script = write("deaf.sh", "trap '' TERM\necho begun\nwhile :; do sleep 0.05; done\n")
    assert run(script, limits=ScriptLimits(seconds=0.5)).ended == "timed_out"


def test_output_limit_ends_it(run: Run, write: Write) -> None:
    """A script that prints without end is ended at the limit, which is kept to the byte."""
    ended = run(write("endless.sh", "while :; do echo yes; done\n"), limits=ScriptLimits(output=100_001))
    assert (ended.ended, ended.exit, ended.stdout.length) == ("output_limit", None, 100_001)
    assert Path(ended.stdout.path).stat().st_size == 100_001


def test_last_words_count_too(run: Run, write: Write) -> None:
    """A script that ended by itself after printing too much has met its limit as well."""
    ended = run(write("much.sh", "printf 12345678901\n"), limits=ScriptLimits(output=10))
    assert (ended.ended, out(ended)) == ("output_limit", "1234567890")


def test_signal_is_told(run: Run, write: Write) -> None:
    """A script that dies by a signal has minus its number as the exit code."""
    ended = run(write("dies.sh", "kill -SEGV $$\n"))
    assert (ended.ended, ended.exit) == ("signalled", -11)


def test_much_output_costs_no_memory(write: Write, scratch: Path) -> None:
    """Fifty megabytes are kept whole while memory grows by less than 50 MB (case 043)."""
    source = str(Path(metier.__file__).parents[1])
    command = [sys.executable, "-c", MEASURE, write("loud.py", LOUD)]
    told = subprocess.run(command, cwd=scratch, env={"PYTHONPATH": source}, capture_output=True, text=True, check=True)
    *how, length, grown = told.stdout.split()
    assert (how, int(length)) == (["exited", "0"], 50_000_071)
    assert int(grown) < 50_000


def test_many_run_at_once(write: Write, scratch: Path, tmp_path: Path) -> None:
    """Twenty scripts in one loop keep their outputs apart."""
    script = write("say.py", "import sys\nprint(sys.argv[1])\n")

    async def all_of_them() -> list[ScriptEnded]:
        runs = [
            run_script([sys.executable, script, str(n)], scratch=str(scratch), outputs=str(tmp_path / "outputs"))
            for n in range(20)
        ]
        return await asyncio.gather(*runs)

    ended = asyncio.run(all_of_them())
    assert [(one.exit, one.left, out(one)) for one in ended] == [(0, 0, f"{n}\n") for n in range(20)]


def test_other_threads_may_run(run: Run, write: Write) -> None:
    """A script runs from an event loop that is not in the main thread."""
    script, ended = write("say.py", "print('x')\n"), list[ScriptEnded]()
    thread = threading.Thread(target=lambda: ended.append(run(script)))
    thread.start()
    thread.join()
    assert [out(one) for one in ended] == ["x\n"]


@pytest.mark.parametrize("wrong", [{"scratch": "/nowhere/at/all"}, {"env": {"A": "\0"}}, {"stdin": "\ud800"}])
def test_start_that_fails_is_told(wrong: dict[str, object], scratch: Path, tmp_path: Path) -> None:
    """What cannot be started is our own error, with what to do about it."""
    options: dict[str, object] = {"scratch": str(scratch), "outputs": str(tmp_path / "outputs"), **wrong}
    with pytest.raises(ActionError, match="could not be started") as caught:
        asyncio.run(run_script(["/bin/true"], **options))  # type: ignore[arg-type]  # the wrong values are the point
    assert caught.value.hint
