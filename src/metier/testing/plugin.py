"""What does a pytest of an app with agents get?

The fixture `metier_app` is an open app, made of what the fixture `metier_setup` says; override that one. `as_` signs a person
in. A test that leaves steps of a script unused, or asks for more than there are, fails by name; and one that fails shows what
its tasks did, as trees.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..app.metier import Metier
    from .watch import Watch

MOST_SHOWN = 50
"""The most tasks that a failed test shows."""


@dataclass(slots=True)
class _Test:
    """What is known of a test that uses `metier_app`."""

    watch: "Watch"
    app: "Metier | None" = None
    earlier: set[str] = field(default_factory=set[str])
    """The tasks that the record held before."""


TEST: pytest.StashKey[_Test] = pytest.StashKey()
"""The test that runs now, if it uses `metier_app`: kept with the configuration, which fixtures of every scope see."""


@pytest.fixture
def metier_setup(tmp_path: Path) -> Any:
    """What `metier_app` is made of: a `Metier` that is not open yet, or arguments for one. Override it in your conftest."""
    from ..models.scripted import ScriptedModel  # noqa: PLC0415 - loaded only by tests that use it

    return {"project": tmp_path, "record": False, "model": ScriptedModel("test")}


@pytest.fixture
def metier_app(metier_setup: Any, request: pytest.FixtureRequest) -> "Generator[Metier]":
    """An open app. Every script that the test makes must be used up in the end (O116)."""
    from ..app.metier import Metier  # noqa: PLC0415 - as above

    test = _watched(request.config)
    with metier_setup if isinstance(metier_setup, Metier) else Metier(**metier_setup) as app:
        test.app, test.earlier = app, {row.id for row in app.record.tasks(limit=MOST_SHOWN)}
        yield app
    test.app = None


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
        until_the_end.callback(self._at_the_end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._own.close()

    def _at_the_end(self) -> None:
        undone = True
        try:
            self._own.close()
        except ValueError:
            # It was signed in on the loop of an async test, in a context that is gone.
            undone = False
        if not undone:
            pytest.fail("In an async test, sign in for a block: `with as_(person):`", pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin to look at the scripts of a test, before its fixtures make any."""
    if "metier_app" in getattr(item, "fixturenames", ()):
        _watched(item.config)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Leave to themselves the scripts and stubs of fixtures that outlive a test."""
    test = request.config.stash.get(TEST, None)
    if test is None or fixturedef.scope == "function":
        return (yield)
    with test.watch.aside():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test whose scripts do not fit what it did (O116)."""
    yield
    test = item.config.stash.get(TEST, None)
    if test is not None and (faults := test.watch.faults()):
        told = "\n".join(faults)
        pytest.fail(f"{told[0].upper()}{told[1:]}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Take the stubs of a test away, whatever its fixtures do in the end."""
    try:
        yield
    finally:
        test = item.config.stash.get(TEST, None)
        if test is not None:
            test.watch.end()
            del item.config.stash[TEST]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the tasks of a failed test did."""
    report = yield
    test = item.config.stash.get(TEST, None)
    if report.failed and test is not None and test.app is not None:
        report.sections.extend(_sections(test.app, test.earlier))
    return report


def _watched(config: pytest.Config) -> _Test:
    from .watch import Watch  # noqa: PLC0415 - as above

    if TEST not in config.stash:
        config.stash[TEST] = _Test(Watch())
    return config.stash[TEST]


def _sections(app: "Metier", earlier: set[str]) -> Iterator[tuple[str, str]]:
    from .tree import tree_of  # noqa: PLC0415 - only for a test that failed

    if not app.is_open:
        yield "metier", "The test has closed its app, so its tasks cannot be shown."
        return
    try:
        mine = [row.id for row in app.record.tasks(limit=MOST_SHOWN) if row.id not in earlier]
        for task in reversed(mine):
            yield f"metier: task {task}", tree_of(app.record.entries(task, whole=True))
    except Exception as error:  # noqa: BLE001 - a report that cannot be made must not end the whole run of pytest
        yield "metier", f"The tasks cannot be shown: {type(error).__name__}: {error}"
