"""What is told of each code is what the docs say."""

import re
from pathlib import Path

from metier.skills.check.rules import TOLD

PAGE = Path(__file__).parents[3] / "docs" / "problems.md"
NOT_CHECKED = {"frontmatter.repaired", "source.missing"}
"""Codes of the tolerant reading that a check tells by another."""
READ_WITH = ["reader", "fields", "frontmatter", "head", "seed_head", "sources", "declared", "skill_toml", "files"]
SOURCES = Path(__file__).parents[3] / "src" / "metier" / "skills"


def test_every_code_is_told_as_in_the_docs() -> None:
    """Each code's words are those of its row in docs/problems.md."""
    rows = re.findall(r"^\| `([\w.]+)` \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    documented = {code: (wrong, cure) for code, wrong, cure in rows}
    assert {code: documented.get(code) for code in TOLD} == TOLD


def test_every_code_of_the_check_is_told() -> None:
    """Each code that stands in the check, the reader and what they read with has its words."""
    files = [*SOURCES.glob("check/*.py")]
    files += [SOURCES / f"{name}.py" for name in READ_WITH]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    codes = set(re.findall(r'(?:Problem|warn|fault)\(\s*"([a-z]+\.[a-z_0-9]+)"', text))
    assert len(codes) > 30
    assert codes - NOT_CHECKED - set(TOLD) == set()
