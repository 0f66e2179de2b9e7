"""A call that changes rows and whose process dies takes effect once, whatever the moment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from metier.rows import AppRows

from .dying import DIED, app_on, note_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("when", "before"), [("half", ""), ("after", "pads")])
def test_call_takes_effect_once(tmp_path: Path, when: str, before: str) -> None:
    """The mark tells whether a lost call took effect; the task goes on, and the row is changed once (O49)."""
    code = f"from pathlib import Path; from tests.rows.dying import die; die(Path({str(tmp_path)!r}), {when!r})"
    child = [sys.executable, "-c", code]
    died = subprocess.run(child, cwd=ROOT, env={**os.environ, "PYTHONPATH": "src"}, check=False, capture_output=True)
    assert (died.returncode, note_of(tmp_path)) == (DIED, before), died.stderr.decode()
    engine = create_engine(f"sqlite:///{tmp_path / 'shop.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE repair SET fault = 'brake'"))
    with app_on(tmp_path, AppRows(engine)) as app:
        (task,) = app.record.tasks()
        receipt = app.resume(task.id)
        assert (receipt.state, receipt.result, note_of(tmp_path)) == ("Done", "It is noted.", "pads")
    engine.dispose()
