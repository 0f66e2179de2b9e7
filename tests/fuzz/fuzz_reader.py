"""Do bytes that a fuzzer makes up break a promise of the reader?

    python -m tests.fuzz.fuzz_reader --seconds 30 --into .fuzz

It ends with 0 where nothing was found in that time, and else with another code; the input then lies in the folder as
`crash-…` or `timeout-…`. Mend the reader, and move the input into tests/fuzz/found/. What the fuzzer learned stays in the
folder's corpus/, and the next run goes on from there.
"""

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from .seeds import seeds

LONGEST = 8_192
"""Bytes of an input: enough for a frontmatter that goes on past the first bytes that are read."""

WORDS = Path(__file__).parent / "words.dict"
"""Pieces of text that mean something to a reader of frontmatter."""


def main() -> None:
    """Fuzz for some seconds. The fuzzer ends the process itself."""
    parser = argparse.ArgumentParser(description="Fuzz the reader of SKILL.md.")
    parser.add_argument("--seconds", type=int, default=30, help="how long")
    parser.add_argument("--into", type=Path, default=Path(".fuzz"), help="the folder for what is found")
    asked = parser.parse_args()
    # By its name: it is a tool of the machine that fuzzes, and the tree is checked and tested without it.
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["metier.skills"]):
        judging = importlib.import_module("tests.fuzz.judging")
    corpus, folder = asked.into / "corpus", asked.into / "fuzzed"
    for place in (corpus, folder):
        place.mkdir(parents=True, exist_ok=True)
    for name, data in seeds().items():
        (corpus / name).write_bytes(data)
    limits = [f"-max_total_time={asked.seconds}", f"-max_len={LONGEST}", "-timeout=10", "-rss_limit_mb=1024"]
    others = [f"-dict={WORDS}", f"-artifact_prefix={asked.into}/", "-print_final_stats=1", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *limits, *others, str(corpus)], lambda data: judging.judge(data, folder))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
