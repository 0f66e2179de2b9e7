"""Does anything in the tree name one machine or a package registry's host, or lead nowhere?"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .page import pages
from .source import ROOT

# A dot in the middle keeps this file itself free of them.
FORBIDDEN = [word.replace("·", "") for word in ("/wo·rk/", "files.pythonhos·ted", "pypi·.org", "registry.npm·js")]
LEFT_OUT = {".git", ".venv", "__pycache__", "build", "dist", ".metier", ".home"}


def test_no_file_names_a_machine() -> None:
    """No file of the repository holds a path of one machine or a registry's host."""
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in files(ROOT)
        for word in FORBIDDEN
        if word.encode() in path.read_bytes()
    ]
    assert found == []


@pytest.mark.parametrize("page", [*pages(), ROOT / "CONTRIBUTING.md"], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every link of a page to another file of the repository leads to one that is there."""
    links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def files(folder: Path) -> Iterator[Path]:
    """The files under a folder, without what tools leave behind."""
    for path in sorted(folder.iterdir()):
        if path.name in LEFT_OUT or path.name.endswith(("_cache", ".egg-info", ".pyc")):
            continue
        if path.is_dir() and not path.is_symlink():
            if path.name != ".hypothesis":
                yield from files(path)
        elif path.is_file():
            yield path
