"""What a person reads before they answer a proposal."""

import pytest

from metier.cli.asked import told
from metier.domain.proposal import Proposal


def proposal(*, names: str = "", unknown: bool = False) -> Proposal:
    """A question about one call."""
    return Proposal(
        "t.p1", "t", "c1.1", "put", {"n": 1}, ("changes",), "put may be called", names=names, unknown=unknown
    )


@pytest.mark.parametrize("unknown", [True, False])
def test_what_is_touched_is_told(unknown: bool) -> None:
    """The rows in the skill's own words stand right below the question, made harmless (O19)."""
    assert (
        told(proposal(names="the repair of\n\x1b[31mMia", unknown=unknown))[1]
        == "  It touches: the repair of\\n\\x1b[31mMia"
    )


def test_silent_skill_adds_no_line() -> None:
    """Where the skill names nothing, nothing is said of it."""
    assert not any("touches" in line for line in told(proposal()))
