"""What does fuzzing start from? The inputs of the cases, and what it found before."""

from pathlib import Path

HERE = Path(__file__).parent
CASES = HERE.parent / "cases"
FOUND = HERE / "found"
"""Inputs that once broke a promise, each mended since."""
ODD = (
    b"---\nname: a\ndescription: >-\n  folded\n\n  text\nmetadata:\n  k: 'v'\n  l: \"w\"\nallowed-tools: [Read, Bash]\n---\n# T\n",
    b"---\r\nname: a\r\ndescription: |\r\n  kept\r\n---\r\nbody\r\n",
    b"--- \n\n# a comment\nname: [a, {b: c}]\ndescription: &x y\nother: *x\n? k\n: v\n---\n",
    b'\xef\xbb\xbf---\nname: a\nname: b\ndescription: "x\\u0041\\x41"\n...\n---\n',
    b"A paragraph.\n\n```\n---\n```\n<!-- comment\n-->\n[a](references/x.md#y) `scripts/run.py`\n",
)


def seeds() -> dict[str, bytes]:
    """Every seed by a name."""
    files = [path for path in CASES.glob("[0-9]*/in/**/*") if path.name.lower() in ("skill.md", "skill.md.txt")]
    found = [path for path in FOUND.glob("*") if path.is_file()]
    named = {"-".join(path.relative_to(HERE.parent).parts): path.read_bytes() for path in sorted([*files, *found])}
    return named | {f"odd-{number}": text for number, text in enumerate(ODD)}
