"""The picture in the README: the receipt of the demo, as the terminal draws it."""

import io
import itertools
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from metier.app.metier import Metier
from metier.cli.glyphs import UNICODE
from metier.cli.receipt_view import draw_receipt
from metier.config import load_settings
from metier.domain.receipt import Receipt
from metier.gate.approvers import Yes

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "receipt.svg"
NOON = 1_796_040_000_000_000_000
"""30 November 2026, 12:00 UTC, in nanoseconds."""
SET_STILL = "8ff1d0c5" * 8
"""A head in place of the run's own, which holds how long things took and so is another each time."""


def steady_clock() -> Callable[[], int]:
    """A clock that shows 10 ms more each time it is read."""
    times = itertools.count(NOON, 10_000_000)
    return lambda: next(times)


def demo(folder: Path) -> Receipt:
    """The receipt of the demo job, run in a copy of what it needs."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "metier.toml", folder)
    settings = replace(load_settings(str(folder), environment={}), giver="ada")
    with Metier(settings=settings, clock=steady_clock(), new_id=lambda: "20261130-k3v9x2m4qp") as app:
        return app.run("expense-report", files=[folder / "examples" / "expenses.csv"], approver=Yes("ada"))


def drawn(receipt: Receipt) -> str:
    """The receipt as a picture that asks no other host for a font."""
    console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    draw_receipt(receipt, console, UNICODE)
    without_fonts = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title="metier show last", code_format=without_fonts)


def test_picture_is_the_receipt(tmp_path: Path) -> None:
    """The picture shows today's receipt of the demo; a stale one is drawn anew, to be looked at and committed."""
    picture = drawn(replace(demo(tmp_path), digest=SET_STILL))
    known = PICTURE.read_text(encoding="utf-8") if PICTURE.exists() else ""
    PICTURE.write_text(picture, encoding="utf-8")
    assert picture == known, f"{PICTURE.name} was stale and has been drawn anew: look at it, and commit it"


def test_picture_asks_nobody() -> None:
    """Nothing in the picture is fetched from another host."""
    links = re.findall(r"(?:href|src|url)[=(]\s*['\"]?(https?:[^'\")]+)", PICTURE.read_text(encoding="utf-8"))
    assert links == []
