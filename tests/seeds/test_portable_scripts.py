"""The scripts of portable skills, by the numbers of their requirements: M34, M35, M37."""

import json
import os

import pytest

from metier.actions.scripts.confinement import UNCONFINED

from .conftest import Kit, run

PRINTS = "import json, sys\nprint(json.dumps(sys.argv[1:]))\n"
LOOKS = "import json, os\nprint(json.dumps({'in': os.getcwd(), 'env': sorted(os.environ)}))\n"


@pytest.mark.parametrize("args", [["in.csv", "--out", "a b"], [], ["$HOME; rm *", "", "--", "ü"]])
def test_arguments_are_positional(kit: Kit, args: list[str]) -> None:
    """M34: a JSON array of strings reaches the script as its arguments, one by one, through no shell."""
    kit.put("kit", {"scripts/go.py": PRINTS})
    (answer,) = kit.run(run("kit", "scripts/go.py", args))
    assert (answer.ok, json.loads(answer.text)) == (True, args)


@pytest.mark.parametrize("args", [{"in": "a"}, ["a", 1], [["a"]], 3, "a b"])
def test_other_arguments_are_refused(kit: Kit, args: object) -> None:
    """M34: anything else is told, and the script does not run."""
    kit.put("kit", {"scripts/go.py": PRINTS})
    (answer,) = kit.run(run("kit", "scripts/go.py", args))
    assert (answer.ok, "args must be a list of strings" in answer.text) == (False, True)
    assert kit.receipts[-1].calls.done == 0


def test_missing_runner_is_told_when_run(kit: Kit) -> None:
    """M35: a script that nothing can run is listed and offered; only running it fails, with what could run."""
    kit.put("kit", {"scripts/go.xyz": "?\n"})
    (answer,) = kit.run(run("kit", "scripts/go.xyz"))
    assert "run_skill_script" in kit.offered
    assert (answer.ok, "Known extensions: .py" in answer.text) == (False, True)
    assert kit.receipts[-1].state == "Done"


def test_host_asks_before_it_runs(kit: Kit) -> None:
    """M37: no script runs without a yes, which names the script and what holds it; a no is an answer to the model."""
    kit.put("kit", {"scripts/go.py": PRINTS})
    kit.refused = frozenset({"kit/scripts/go.py"})
    (answer,) = kit.run(run("kit", "scripts/go.py"))
    scripts = [one for one in kit.proposals if one.action == "kit/scripts/go.py"]
    assert [(one.confinement, one.arguments) for one in scripts] == [(UNCONFINED, {"args": []})]
    assert (answer.ok, "said no" in answer.text) == (False, True)


def test_host_keeps_its_secrets(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """M37: the script runs in a scratch folder of its own and sees none of our variables."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    kit.put("kit", {"scripts/go.py": LOOKS})
    (answer,) = kit.run(run("kit", "scripts/go.py"))
    seen = json.loads(answer.text)
    assert ("SOME_API_KEY" in seen["env"], seen["in"] == os.getcwd(), os.path.exists(seen["in"])) == (False,) * 3


def test_host_cuts_and_keeps_output(kit: Kit) -> None:
    """M37: of endless output the model gets a part that says so, and the whole is a content of the record."""
    kit.put("kit", {"scripts/go.py": "print('x' * 100_000)\n"})
    (answer,) = kit.run(run("kit", "scripts/go.py"))
    assert len(answer.text) <= 16_000
    assert "of 100001 bytes of stdout; content sha256:" in answer.text


def test_host_audits_every_run(kit: Kit) -> None:
    """M37: begin, yes and end of a run are on the record, with its exit code, its confinement and the skill's digest."""
    kit.put("kit", {"scripts/go.py": "raise SystemExit(3)\n"})
    (answer,) = kit.run(run("kit", "scripts/go.py"))
    entries = list(kit.apps[-1].record.entries(kit.receipts[-1].id, whole=True))
    kinds = [one.kind for one in entries if one.kind in {"Proposed", "Approved", "ToolCalled", "ToolReturned"}]
    assert (answer.ok, kinds) == (False, ["Proposed", "Approved", "ToolCalled", "ToolReturned"])
    begin, end = (next(one.facts for one in entries if one.kind == kind) for kind in ("ToolCalled", "ToolReturned"))
    assert (end["code"], end["exit"], end["confinement"]) == ("script.exit", 3, UNCONFINED)
    assert len(begin["skill"]["digest"]) == 64
    assert kit.apps[-1].verify(kit.receipts[-1].id).ok
