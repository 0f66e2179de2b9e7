"""Scripts whose metier has died."""

import os
import subprocess
import sys
import time

from metier.actions.scripts.environment import KEY
from metier.actions.scripts.leftover import end_left


def sleeper(key: str) -> "subprocess.Popen[bytes]":
    """A process that carries a call's key, in a session of its own."""
    command = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]
    process = subprocess.Popen(command, env={**os.environ, KEY: key}, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_what_was_left_is_ended() -> None:
    """Every process of the call is killed, and only those: a key that begins alike is another call's."""
    mine, other = sleeper("t-1:c1.1"), sleeper("t-1:c1.11")
    with mine, other:
        began = time.monotonic()
        assert end_left("t-1:c1.1") == 1
        assert (mine.wait(10), other.poll()) == (-9, None)
        assert time.monotonic() - began < 10
        other.kill()


def test_nothing_left_is_nothing() -> None:
    """A call that left no process has none ended."""
    assert end_left("t-1:c9.9") == 0
