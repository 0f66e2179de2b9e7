"""The two scripts of the example as processes: what they print, how they end, and that they share no code."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HEAD = "date,employee,category,amount,receipt\n"
WRONG = "2026-01-05,Ann,meals,x,\n"
Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]


@pytest.fixture
def file(tmp_path: Path, skill: Path) -> Path:
    """The example's own file in a folder of its own."""
    return Path(shutil.copy(skill.parent / "expenses.csv", tmp_path / "expenses.csv"))


@pytest.fixture
def checked(run: Run, file: Path) -> Callable[[Any], Ran]:
    """`checked(report)`: the check as a process on this report of the example's file."""

    def checked(report: Any) -> Ran:
        (file.parent / "input.json").write_text('{"file": "expenses.csv"}', encoding="utf-8")
        (file.parent / "result.json").write_text(json.dumps(report), encoding="utf-8")
        return run(file.parent, "scripts/check.py", "--input", "input.json", "--result", "result.json")

    return checked


def test_validator_pages_its_rows(run: Run, file: Path) -> None:
    """Each page holds ten wrong rows, says how many pages there are, and repeats the figures."""
    pages = [json.loads(run(file.parent, "scripts/validate.py", file.name, "--page", n).stdout) for n in "12"]
    assert [(page["page"], page["pages"], len(page["wrong_rows"])) for page in pages] == [(1, 2, 10), (2, 2, 5)]
    assert pages[0]["total"] == pages[1]["total"] == "3622.31"


def test_pages_end_at_500(page_of: Callable[..., Any], tmp_path: Path) -> None:
    """The last page ends with the 500th wrong row, whatever the page size."""
    file = tmp_path / "expenses.csv"
    file.write_text(HEAD + WRONG * 501, encoding="utf-8")
    last = page_of(file, "--page-size", "15", "--page", "34")
    assert (last["pages"], [row["line"] for row in last["wrong_rows"]][-1], last["wrong_rows_not_listed"]) == (
        34,
        501,
        1,
    )


def test_refused_file_ends_with_one(run: Run, file: Path) -> None:
    """A refused file still gets a report, and exit code 1."""
    file.write_text("name,amount\n", encoding="utf-8")
    ran = run(file.parent, "scripts/validate.py", file.name)
    assert (ran.returncode, json.loads(ran.stdout)["refused"]["line"], ran.stderr) == (1, 1, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["none.csv"],
        ["expenses.csv", "--page", "0"],
        ["expenses.csv", "--page", "3"],
        ["expenses.csv", "--page-size", "21"],
    ],
)
def test_validator_says_why_it_cannot(run: Run, file: Path, arguments: list[str]) -> None:
    """What cannot be run prints nothing, tells why on the error output, and ends with 2."""
    ran = run(file.parent, "scripts/validate.py", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "error:" in ran.stderr


def test_output_is_utf_8_anywhere(file: Path, skill: Path) -> None:
    """The page is UTF-8 even where the locale is not."""
    command = [sys.executable, str(skill / "scripts" / "validate.py"), str(file)]
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "Zoë" in subprocess.run(command, env=env, capture_output=True, check=True).stdout.decode("utf-8")


def test_longest_page_stays_small(page_of: Callable[..., Any], tmp_path: Path) -> None:
    """Even the widest rows and columns make a page of at most 12,000 characters."""
    names = ",".join(f"{number:02d}" + '""' * 40 for number in range(24)).replace(",", '","')
    row = ",".join(("x", '"' + '""' * 50 + '"', "x", '"' + '""' * 50 + '"', "", "x", *"a" * 24))
    file = tmp_path / "expenses.csv"
    file.write_text(f'{HEAD.strip()},currency,"{names}"\n' + f"{row}\n" * 30, encoding="utf-8")
    assert len(page_of(file, "--page-size", "20")["wrong_rows"]) == 20


def test_check_accepts_the_report(checked: Callable[[Any], Ran], report_of: Callable[[Path], Any], file: Path) -> None:
    """The check prints that it accepts, and ends with 0 (O8)."""
    ran = checked(report_of(file))
    assert (ran.returncode, json.loads(ran.stdout), ran.stderr) == (0, {"accepted": True}, "")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"total": "3622.30"}, 'In the report, total should be "3622.31", but is "3622.30".'),
        ({"right": 26}, "In the report, right should be 25, but is 26."),
        ({"more": 1}, "The report has 'more', which is none of its members."),
        (
            {"wrong_rows": []},
            "The file has 15 wrong rows to list, but the report lists 0: read every page of the validator.",
        ),
        ({"file": None}, "In the report, file should be {"),
    ],
)
def test_check_names_the_difference(
    checked: Callable[[Any], Ran], report_of: Callable[[Path], Any], file: Path, change: dict[str, Any], reason: str
) -> None:
    """A report that differs is not accepted; one sentence names what was expected and what was got (O8)."""
    ran = checked({**report_of(file), **change})
    said = json.loads(ran.stdout)
    assert (ran.returncode, said["accepted"], said["reason"][: len(reason)]) == (0, False, reason)


def test_check_names_the_line(checked: Callable[[Any], Ran], report_of: Callable[[Path], Any], file: Path) -> None:
    """A wrong row is called by its line."""
    report = report_of(file)
    report["wrong_rows"][3]["problems"] = ["over the limit"]
    said = 'In the report, wrong_rows, line 16, problems, item 1 should be "no receipt", but is "over the limit".'
    assert json.loads(checked(report).stdout)["reason"] == said


@pytest.mark.parametrize("report", [None, [], "total", 3])
def test_check_survives_any_json(checked: Callable[[Any], Ran], report: Any) -> None:
    """What is no report at all is not accepted either."""
    assert json.loads(checked(report).stdout)["accepted"] is False


def test_missing_file_is_a_fault(checked: Callable[[Any], Ran], file: Path) -> None:
    """A check that cannot read the file says nothing about the report."""
    file.unlink()
    ran = checked({})
    assert (ran.returncode != 0, ran.stdout) == (True, "")


def test_large_file_is_added_up(run: Run, tmp_path: Path) -> None:
    """A file of 100,000 rows gets the same answer from both scripts."""
    row = '2026-01-05,Zoë Müller,office,"1{:02d}.25",R-{}\n'
    text = HEAD + "".join(row.format(n % 40, n) if n % 2500 else WRONG for n in range(100_000))
    (tmp_path / "large.csv").write_text(text, encoding="cp1252")
    pages = [run(tmp_path, "scripts/validate.py", "large.csv", "--page-size", "20", "--page", n) for n in "12"]
    report = json.loads(pages[0].stdout)
    report["wrong_rows"] = [row for page in pages for row in json.loads(page.stdout)["wrong_rows"]]
    dollars = sum(n % 40 + 100 for n in range(100_000) if n % 2500)
    assert (report["right"], report["total"]) == (99_960, f"{dollars + 99_960 // 4}.00")
    del report["page"], report["pages"]
    (tmp_path / "result.json").write_text(json.dumps(report), encoding="utf-8")
    (tmp_path / "input.json").write_text('{"file": "large.csv"}', encoding="utf-8")
    ran = run(tmp_path, "scripts/check.py", "--input", "input.json", "--result", "result.json")
    assert json.loads(ran.stdout) == {"accepted": True}


def test_scripts_share_no_code(skill: Path) -> None:
    """Neither script imports the other or a common module of the folder, and no function of one is in the other."""
    modules = {path.stem for path in skill.rglob("*.py")}
    bodies: list[set[str]] = []
    for path in sorted((skill / "scripts").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {name.split(".")[0] for name in imported} <= set(sys.stdlib_module_names) - modules
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        # The docstring and the names are left out: equal work under another name is equal code.
        bodies.append({shape(node) for node in functions})
    assert len(bodies) == 2
    assert not bodies[0] & bodies[1]


def shape(function: ast.FunctionDef) -> str:
    """The body of a function without its docstring and without names."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return re.sub(r"(id|arg)='\w+'", "", "".join(ast.dump(statement) for statement in body))


def test_figures_stand_in_one_place(skill: Path) -> None:
    """Neither script holds a limit: both follow a change of the policy."""
    limits = re.findall(
        r"^\| \w+ \| (\d+)\.00 \|$", (skill / "references" / "policy.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    scripts = "".join(path.read_text(encoding="utf-8") for path in (skill / "scripts").glob("*.py"))
    assert len(limits) == 7
    assert not re.search(rf"\b({'|'.join(limits)})\b", scripts)


def test_changed_policy_is_followed(skill: Path, file: Path, tmp_path: Path) -> None:
    """With another limit in the policy, validator and check of that folder still agree."""
    folder = Path(shutil.copytree(skill, tmp_path / "expense-report"))
    policy = folder / "references" / "policy.md"
    policy.write_text(
        policy.read_text(encoding="utf-8").replace("| taxi | 80.00 |", "| taxi | 20.00 |"), encoding="utf-8"
    )
    command = [sys.executable, str(folder / "scripts" / "validate.py"), str(file), "--page-size", "20"]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (report["wrong"], report["by_category"][3]) == (17, {"category": "taxi", "rows": 2, "total": "32.20"})


def test_commands_run_as_written(skill: Path, file: Path, tmp_path: Path) -> None:
    """Another client can follow SKILL.md to the letter: its commands run in a copy of the folder."""
    folder = Path(shutil.copytree(skill, tmp_path / "expense-report"))
    shutil.copy(file, folder / "FILE")
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    validate, longer, check = [line.strip() for line in re.findall(r"^ *```sh\n(.*)\n", text, re.MULTILINE)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def printed(command: str) -> Any:
        ran = subprocess.run(shlex.split(command), cwd=folder, env={"PATH": path}, capture_output=True, check=True)
        return json.loads(ran.stdout)

    assert printed(validate)["pages"] == 2
    report = printed(longer)
    del report["page"], report["pages"]
    (folder / "result.json").write_text(json.dumps(report), encoding="utf-8")
    (folder / "input.json").write_text('{"file": "FILE"}', encoding="utf-8")
    assert printed(check) == {"accepted": True}
