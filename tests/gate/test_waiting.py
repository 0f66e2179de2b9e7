"""A body that waits: its call has not come out, and is made again when its task goes on."""

from collections.abc import Callable
from typing import Any

import pytest

from metier.domain.action import Returned
from metier.domain.task import Waits

from .conftest import Desk

CHILD = Waits("child", "the counter works on it", child="t.c1.1")


@pytest.mark.parametrize("effects", [(), ("reads",), ("loads", "reads")])
def test_reading_call_may_wait(desk: Callable[..., Desk], effects: Any) -> None:
    """It is begun, has no end, and its run ends as it says (O76)."""
    one = desk(*effects, answer=Returned(ended=CHILD), said=True)
    answered = one.take()
    assert (answered.outcome, answered.code, answered.text, answered.ended) == (
        "waits",
        "gate.waits",
        CHILD.text,
        CHILD,
    )
    assert "ToolReturned" not in one.kinds


def test_call_that_changes_cannot_wait(desk: Callable[..., Desk]) -> None:
    """It would be unknown for as long as it waits: it has failed, and its run goes on."""
    one = desk("changes", answer=Returned(ended=CHILD), said=True)
    answered = one.take()
    assert (answered.outcome, answered.code, answered.ended) == ("failed", "gate.cannot_wait", None)
    assert answered.text == "act failed: it does more than read, so it cannot wait"
    assert one.entries[-1].facts["error"] == f"it waits for child: {CHILD.text}"
