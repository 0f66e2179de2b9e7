"""How long a body may be."""

from pathlib import Path

import pytest

from metier.skills.check import check_skill

from .conftest import found, written


@pytest.mark.parametrize(("lines", "told"), [(499, []), (500, [("body.lines", "warning", 5)])])
def test_lines_are_counted(tmp_path: Path, lines: int, told: list[tuple[str, str, int]]) -> None:
    """A body of 499 lines is as advised, one of 500 is a warning (M13)."""
    assert found(written(tmp_path, body="\n".join(["x"] * lines))) == told


def test_tokens_are_estimated(tmp_path: Path) -> None:
    """Four characters count as a token; 5,000 are a warning that says how it was counted (M14)."""
    assert found(written(tmp_path, body="word " * 3_999)) == []
    (problem,) = check_skill(written(tmp_path, body="w" * 20_000))
    assert (problem.code, problem.level) == ("body.tokens", "warning")
    assert "5,000 tokens (4 characters each)" in problem.cause


def test_empty_body_is_a_warning(tmp_path: Path) -> None:
    """A skill without instructions is a warning (M2)."""
    assert found(written(tmp_path, body="")) == [("body.empty", "warning", 5)]
