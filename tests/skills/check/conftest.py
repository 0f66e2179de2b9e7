"""What the tests of the check share: a skill in a folder, and what is found in it."""

from collections.abc import Mapping
from pathlib import Path

from metier.skills.check import check_skill

DESCRIPTION = "Sorts lists. Use it when a list is out of order."


def written(
    root: Path,
    *lines: str,
    body: str = "Do the work.",
    files: Mapping[str, str | bytes] | None = None,
    name: str = "demo",
) -> str:
    """The folder of a skill with these further lines in its frontmatter, and with files beside it."""
    head = [f"name: {name}", f"description: {DESCRIPTION}", *lines]
    return folder_of(root, "\n".join(["---", *head, "---", "", body, ""]), files=files, name=name)


def folder_of(
    root: Path,
    text: str,
    *,
    files: Mapping[str, str | bytes] | None = None,
    name: str = "demo",
    stored: str = "SKILL.md",
) -> str:
    """The folder of a skill whose file is this text."""
    for file, content in {stored: text, **(files or {})}.items():
        path = root / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(root / name)


def found(folder: str) -> list[tuple[str, str, int | None]]:
    """Code, level and line of all that a check finds."""
    return [(one.code, one.level, one.line) for one in check_skill(folder)]


def cures(folder: str) -> list[str]:
    """The cures of all that a check finds."""
    return [one.cure for one in check_skill(folder)]
