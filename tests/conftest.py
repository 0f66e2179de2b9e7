"""What does every test run under: which tools it needs, what it may see of the environment, how examples are searched?

A test that needs a tool of the machine is marked `@pytest.mark.needs("node")`. Without the tool it is skipped by name. Where
`METIER_REQUIRE=node,registry` names the tool, as CI does, its absence is a failure instead.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import NoReturn

import hypothesis
import pytest

REQUIRE = "METIER_REQUIRE"

# A busy machine is slow, not wrong: nothing here is judged by its time.
PATIENT = hypothesis.settings(deadline=None, print_blob=True, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("metier", PATIENT)
# CI judges a change by the same examples each time; developers' machines look for new ones.
hypothesis.settings.register_profile("metier-ci", PATIENT, derandomize=True, database=None)
hypothesis.settings.load_profile("metier-ci" if os.environ.get("CI") else "metier")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker `needs` known."""
    config.addinivalue_line(
        "markers", "needs(*tools): skipped without these programs, failed if METIER_REQUIRE names them"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip or fail a test whose tools are not there."""
    for mark in item.iter_markers("needs"):
        for tool in mark.args:
            if shutil.which(tool) is None:
                do_without(tool, f"{tool} is not on the PATH")


def do_without(tool: str, reason: str) -> NoReturn:
    """Skip the running test for want of a tool, or fail it where METIER_REQUIRE names the tool."""
    if tool in os.environ.get(REQUIRE, "").replace(",", " ").split():
        pytest.fail(f"{reason}, and {REQUIRE} asks for {tool}", pytrace=False)
    pytest.skip(f"needs {tool}: {reason}")


@pytest.fixture
def missing() -> Callable[[str, str], NoReturn]:
    """`missing(tool, reason)`, for a test that finds out while it runs."""
    return do_without


@pytest.fixture(scope="session", autouse=True)
def no_settings_leak_in() -> Iterator[None]:
    """Take the METIER_ variables of whoever runs the tests away while they run."""
    found = {name: value for name, value in os.environ.items() if name.startswith("METIER_") and name != REQUIRE}
    for name in found:
        del os.environ[name]
    yield
    os.environ.update(found)
