"""Is the changelog kept as Keep a Changelog asks?"""

import re

from .page import sections
from .source import ROOT

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
RELEASE = re.compile(r"^\[?\d+\.\d+\.\d+\]? - \d{4}-\d{2}-\d{2}$")
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_changelog_has_its_form() -> None:
    """It starts with its title, names the form, and opens with what is not released yet."""
    assert TEXT.startswith("# Changelog\n")
    assert "Keep a Changelog" in TEXT
    assert next(iter(sections(TEXT))).strip("[]") == "Unreleased"


def test_releases_are_dated() -> None:
    """Every other section is a release with its date."""
    assert [title for title in list(sections(TEXT))[1:] if not RELEASE.match(title)] == []


def test_changes_are_sorted_by_kind() -> None:
    """Under a release stand only the six kinds of changes, each with at least one line."""
    kinds = {kind: body for section in sections(TEXT).values() for kind, body in sections(section, 3).items()}
    assert set(kinds) <= KINDS
    assert [kind for kind, body in kinds.items() if not re.search(r"^- \S", body, re.MULTILINE)] == []
