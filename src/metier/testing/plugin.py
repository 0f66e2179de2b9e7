"""What does a pytest of an app with agents get?

The fixture `metier_app` is an open app, made of what the fixture `metier_setup` says; override that one. `as_` signs a person
in. A test that leaves steps of a script unused fails by name, and one that fails shows what its tasks did, as a tree.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..app.metier import Metier
    from .script import AgentScript

APP: pytest.StashKey["Metier"] = pytest.StashKey()


@pytest.fixture
def metier_setup(tmp_path: Path) -> Any:
    """What `metier_app` is made of: a `Metier` that is not open yet, or arguments for one. Override it in your conftest."""
    from ..models.scripted import ScriptedModel  # noqa: PLC0415 - loaded only by tests that use it

    return {"project": tmp_path, "record": False, "model": ScriptedModel("test")}


@pytest.fixture
def metier_app(metier_setup: Any, request: pytest.FixtureRequest) -> "Generator[Metier]":
    """An open app. Every script that the test makes must be used up in the end (O116)."""
    from ..app.metier import Metier  # noqa: PLC0415 - as above
    from .script import WATCHED  # noqa: PLC0415 - as above
    from .stub import ScriptedAnswer  # noqa: PLC0415 - as above

    scripts: list[AgentScript] = []
    WATCHED.append(scripts)
    try:
        with metier_setup if isinstance(metier_setup, Metier) else Metier(**metier_setup) as app:
            request.node.stash[APP] = app
            yield app
            del request.node.stash[APP]
    finally:
        WATCHED.remove(scripts)
        ScriptedAnswer.clear()
    unused = [step for script in scripts for step in script.unused]
    if unused and not _failed(request.node):
        pytest.fail(f"The script was not used up: {'; '.join(unused)}", pytrace=False)


@pytest.fixture
def as_(metier_app: "Metier") -> "Generator[Callable[[object], AbstractContextManager[object]]]":
    """A function that signs a person in: until the test ends, or, used in a `with`, until its block does (O115)."""
    with ExitStack() as until_the_end:
        yield lambda person: _SignedIn(until_the_end, metier_app.as_(person))


class _SignedIn:
    """Somebody who is signed in from now on, and no more after the block, if it is used as one."""

    def __init__(self, until_the_end: ExitStack, block: "AbstractContextManager[object]") -> None:
        self._own = ExitStack()
        self._own.enter_context(block)
        until_the_end.enter_context(self._own)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._own.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the tasks of a failed test did."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
        app = item.stash.get(APP, None)
        if report.failed and app is not None:
            for task, tree in _trees(app).items():
                report.sections.append((f"metier: task {task}", tree))
    del call
    return report


_FAILED: pytest.StashKey[bool] = pytest.StashKey()


def _failed(item: pytest.Item) -> bool:
    return item.stash.get(_FAILED, False)


def _trees(app: "Metier") -> Mapping[str, str]:
    if not app.is_open:
        return {}  # the test closed it, and its record with it
    from .tree import tree_of  # noqa: PLC0415 - only for a test that failed

    return {row.id: tree_of(app.record.entries(row.id, whole=True)) for row in reversed(app.record.tasks())}
