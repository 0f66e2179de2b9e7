"""Count the instructions of metier's hot paths, and of fifty turns by hand, with valgrind's callgrind.

    bench/count.py            count every path and print instructions and ratios
    bench/count.py --check    the same, and fail where a ratio is off bench/budget.toml by more than 5 %
    bench/count.py --write    the same, and write bench/budget.toml

A count is repeatable where seconds are not. What is held is the ratio to one yardstick in the same run, `limit`'s turns, so
that another build of Python moves both. A path's count is the difference between a long and a short run, so start-up does
not count.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
BUDGET = HERE / "budget.toml"
ALLOWED = 0.05
SHORT, LONG = 5, 25

WORK = """
import asyncio, importlib.util, sys, tempfile
sys.path.insert(0, {bench!r})
spec = importlib.util.spec_from_file_location("peer", {peer!r})
peer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peer)
async def go():
    run = {make}
    if asyncio.iscoroutine(run):
        run = await run
    for _ in range({times}):
        await run()
asyncio.run(go())
"""

PATHS = {
    "turn": "peer.turn(50)",
    "structured": "peer.structured()",
    "durable": "peer.durable(10, tempfile.mkdtemp() + '/d.sqlite')",
}


def count(peer, make, times):
    """Instructions of one whole process."""
    code = WORK.format(bench=str(HERE), peer=str(HERE / "peers" / f"{peer}.py"), make=make, times=times)
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(HERE.parent / "src")}
        ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode or found is None:
        sys.exit(f"{peer} {make} could not be counted:\n{ran.stderr[-2000:]}")
    return int(found[1])


def each(peer, make):
    """Instructions of one run of a path."""
    return (count(peer, make, LONG) - count(peer, make, SHORT)) / (LONG - SHORT)


def main():
    """Count, print, and hold or write the budget."""
    budget = tomllib.loads(BUDGET.read_text(encoding="utf-8")) if BUDGET.exists() else {}
    wrong, lines = [], []
    yardstick = each("limit", PATHS["turn"])
    print(f"fifty turns by hand: {yardstick:,.0f} instructions", flush=True)
    for path, make in PATHS.items():
        ours = each("metier", make)
        ratio = ours / yardstick
        held = budget.get(path, {}).get("ratio")
        print(f"{path}: {ours:,.0f} instructions, ratio {ratio:.2f}, budget {held}", flush=True)
        lines.append(f"[{path}]\nratio = {ratio:.2f}\n")
        if held is None or abs(ratio / held - 1) > ALLOWED:
            wrong.append(path)
    if "--write" in sys.argv:
        head = "# Instructions of each hot path as a ratio to fifty turns by hand; written by bench/count.py --write.\n\n"
        BUDGET.write_text(head + "\n".join(lines), encoding="utf-8")
    elif "--check" in sys.argv and wrong:
        sys.exit(f"off the budget by more than {ALLOWED:.0%}: {', '.join(wrong)}. Mend it, or say why and run --write.")


if __name__ == "__main__":
    main()
