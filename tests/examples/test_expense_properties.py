"""Files whose answer was known before they were written, and any bytes at all: do validator and check agree with it?

The writer below knows the rules from the documents, not from the scripts, and shares no code with either.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LIMITS = {
    "meals": 6000,
    "lodging": 22000,
    "travel": 80000,
    "taxi": 8000,
    "office": 15000,
    "telephone": 5000,
    "training": 120000,
}
"""In cents, as references/policy.md has them."""
COLUMNS = ("date", "employee", "category", "amount", "receipt", "currency")
MARKS = {"point": ".", "comma": ",", "none": ""}
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
CODECS = {"utf-8": "utf-8", "utf-8-bom": "utf-8-sig", "utf-16": "utf-16", "cp1252": "cp1252"}
FAULTS = (
    ("date", "missing date", ("",)),
    (
        "date",
        "impossible date",
        ("2023-02-29", "2024-13-01", "2024-00-10", "31.12.2024", "20240101", "2024-1-5", "now"),
    ),
    ("date", "date outside the policy", ("2019-12-31", "2030-01-01", "0001-01-01", "9999-12-31")),
    ("employee", "missing employee", ("",)),
    ("category", "missing category", ("",)),
    ("category", "unknown category", ("fuel", "meal", "meals,lodging")),
    ("amount", "missing amount", ("",)),
    ("amount", "not a number", ("abc", "1 000", "12..5", "--5", "+5", "5-", "$5", "1e3", "12345678901234567", "٣")),
    ("amount", "not above zero", ("0", "-5", "-0", "000")),
    ("currency", "missing currency", ("",)),
    ("currency", "other currency", ("USD", "EURO", "€")),
)
NAMES = ("Ann Lee", "Zoë Müller", "Žofia", 'Bo "B" Ek', "Smith, J", "a;b\tc", "N" * 50, "Ana\nSol", "=1+1", "O'Neil")
NOTES = ("", "lunch", "two\r\nlines", "one\rtwo\n", 'say "hi"', "a,b;c\td", "19.90", "1,5")
quiet = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@dataclass(frozen=True, slots=True)
class Written:
    """A file, and the report that it deserves."""

    data: bytes
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of one row, its cents, and its problems in the order of the columns."""

    texts: dict[str, str]
    cents: int
    problems: list[str]


def amount_text(draw: st.DrawFn, cents: int, mark: str) -> str:
    """One of the ways to write an amount."""
    whole, rest = divmod(cents, 100)
    if not mark:
        return str(whole)
    grouped = f"{whole:,}".replace(",", "." if mark == "," else ",") if draw(st.booleans()) else str(whole)
    forms = [f"{grouped}{mark}{rest:02d}"]
    if rest == 0:
        forms.append(grouped)
    if rest % 10 == 0:
        forms.append(f"{grouped}{mark}{rest // 10}")
    return draw(st.sampled_from(forms))


@st.composite
def right_rows(draw: st.DrawFn, mark: str) -> Row:
    """A row without a problem."""
    category = draw(st.sampled_from(sorted(LIMITS)))
    step = 1 if mark else 100
    cents = step * draw(st.integers(1, LIMITS[category] // step))
    texts = {
        "date": draw(st.sampled_from(("2024-02-29", "2020-01-01", "2029-12-31", "2026-07-15"))),
        "employee": draw(st.sampled_from(NAMES)),
        "category": draw(st.sampled_from((category, category.upper(), category.title()))),
        "amount": amount_text(draw, cents, mark),
        "receipt": draw(st.sampled_from(("R-1", "R-2") if cents > 2500 else ("", "R-3"))),
        "currency": draw(st.sampled_from(("EUR", "eur"))),
        "note": draw(st.sampled_from(NOTES)),
    }
    return Row(texts, cents, [])


@st.composite
def wrong_rows(draw: st.DrawFn, mark: str, columns: list[str]) -> Row:
    """A row with one to three problems that were put there on purpose."""
    row = draw(right_rows(mark))
    texts = dict(row.texts)
    faults = [fault for fault in FAULTS if fault[0] in columns]
    if mark:
        faults.append(("amount", "more than two decimals", (f"1{mark}234", f"0{mark}001", f"12{mark}500")))
    over = LIMITS[texts["category"].lower()] + draw(st.integers(1, 9)) * 100
    faults += [("amount", "over the limit", (str(over // 100),)), ("receipt", "no receipt", ("",))]
    chosen = {fault[0]: fault for fault in draw(st.lists(st.sampled_from(faults), min_size=1, max_size=3))}
    if "category" in chosen or chosen.get("amount", ("", "over the limit"))[1] != "over the limit":
        # Without a category there is no limit, and without an amount there is nothing to have a receipt for.
        chosen = {name: fault for name, fault in chosen.items() if fault[1] not in {"over the limit", "no receipt"}}
    if "receipt" in chosen and "amount" not in chosen:
        texts["amount"] = str(LIMITS[texts["category"].lower()] // 100)
    if "amount" in chosen:
        texts["receipt"] = "R-9"
    for name, _, bad in chosen.values():
        texts[name] = draw(st.sampled_from(bad))
    problems = [chosen[name][1] for name in COLUMNS if name in chosen]
    return Row(texts, 0, problems) if problems else row


def field(draw: st.DrawFn, text: str, delimiter: str) -> str:
    """A value as a field: quoted where it must be, sometimes where it need not, sometimes with blanks around it."""
    pad = draw(st.sampled_from(("", "", "", " ", "  ")))
    text = pad + text + pad
    if any(sign in text for sign in (delimiter, "\n", "\r", '"')) or draw(st.integers(0, 4)) == 0:
        return '"' + text.replace('"', '""') + '"'
    return text


def listed(row: Row, line: int) -> dict[str, Any]:
    """A wrong row as the report lists it."""
    employee, amount = row.texts["employee"], row.texts["amount"]
    return {
        "line": line,
        "employee": employee if len(employee) <= 40 else employee[:40] + "…",
        "amount": amount,
        "problems": row.problems,
    }


@st.composite
def files(draw: st.DrawFn) -> Written:
    """A file in some encoding, delimiter, decimal mark, quoting and line end, with the report known beforehand."""
    mark = draw(st.sampled_from(sorted(MARKS)))
    delimiter = draw(st.sampled_from(sorted(DELIMITERS)))
    end = draw(st.sampled_from(("\n", "\r\n", "\r")))
    extra = draw(st.lists(st.sampled_from(("currency", "note", "cost centre")), unique=True))
    columns = draw(st.permutations([*COLUMNS[:5], *extra]))
    kinds = st.one_of(right_rows(MARKS[mark]), right_rows(MARKS[mark]), wrong_rows(MARKS[mark], columns))
    rows = draw(st.lists(kinds, max_size=30))
    if mark != "none":
        # One amount states the mark beyond doubt.
        texts = {"date": "2024-05-01", "employee": "Cy", "category": "taxi", "amount": f"12{MARKS[mark]}50"}
        rows.insert(draw(st.integers(0, len(rows))), Row({**texts, "currency": "EUR"}, 1250, []))
    head = [field(draw, draw(st.sampled_from((name, name.upper()))), DELIMITERS[delimiter]) for name in columns]
    text = DELIMITERS[delimiter].join(head) + end
    report = empty_report()
    for row in rows:
        text += blank_rows(draw, report, DELIMITERS[delimiter], end)
        text += written_row(draw, row, report, columns=columns, delimiter=DELIMITERS[delimiter], before=text) + end
    text = text.removesuffix(end) if draw(st.booleans()) else text
    data, encoding = encoded(draw, text)
    unread = [name for name in columns if name not in COLUMNS]
    report["file"] |= {"encoding": encoding, "delimiter": delimiter, "decimal_mark": mark, "columns_not_read": unread}
    return Written(data, in_text(report))


def empty_report() -> dict[str, Any]:
    """The report on a file without rows, its amounts still in cents."""
    figures: dict[str, Any] = {"right": 0, "wrong": 0, "wrong_rows": [], "wrong_rows_not_listed": 0, "total": 0}
    categories = [{"category": name, "rows": 0, "total": 0} for name in LIMITS]
    return {"refused": None, "file": {"rows": 0, "blank_rows": 0}, "by_category": categories, **figures}


def blank_rows(draw: st.DrawFn, report: dict[str, Any], delimiter: str, end: str) -> str:
    """Sometimes a blank row, counted in the report."""
    if draw(st.integers(0, 9)):
        return ""
    report["file"]["blank_rows"] += 1
    return draw(st.sampled_from(("", "  ", delimiter * 4, '""', f" {delimiter}\u00a0"))) + end


def written_row(
    draw: st.DrawFn, row: Row, report: dict[str, Any], *, columns: list[str], delimiter: str, before: str
) -> str:
    """The text of a row, counted in the report."""
    fields = [field(draw, row.texts.get(name, ""), delimiter) for name in columns]
    # The row that states the decimal mark keeps its fields.
    if row.texts["employee"] != "Cy" and draw(st.integers(0, 14)) == 0:
        more = draw(st.booleans())
        fields = [*fields, "x"] if more else fields[:-1]
        row = Row({"employee": "", "amount": ""}, 0, ["too many fields" if more else "too few fields"])
    report["file"]["rows"] += 1
    if row.problems:
        report["wrong"] += 1
        line = 1 + before.replace("\r\n", "\n").replace("\r", "\n").count("\n")
        report["wrong_rows"].append(listed(row, line))
    else:
        report["right"] += 1
        report["total"] += row.cents
        [category] = [each for each in report["by_category"] if each["category"] == row.texts["category"].lower()]
        category["rows"] += 1
        category["total"] += row.cents
    return delimiter.join(fields)


def encoded(draw: st.DrawFn, text: str) -> tuple[bytes, str]:
    """The bytes of a text in some encoding that can hold it, and what that is to be recognised as."""
    encoding = draw(st.sampled_from(sorted(CODECS)))
    if encoding == "cp1252" and ("\u0663" in text or "\u00a0" in text or text.isascii()):
        encoding = "utf-8"
    return text.encode(CODECS[encoding]), encoding


def in_text(report: dict[str, Any]) -> dict[str, Any]:
    """The same report with its amounts as text."""
    report["total"] = f"{report['total'] / 100:.2f}"
    for each in report["by_category"]:
        each["total"] = f"{each['total'] / 100:.2f}"
    return report


def leaves(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a report that can be altered, as its container and key."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [(value, key) for key, _ in pairs] + [leaf for _, inner in pairs for leaf in leaves(inner)]


def altered(value: Any) -> list[Any]:
    """Other values, near and far, to put in the place of one."""
    if isinstance(value, bool | None):
        return [{"line": 1, "reason": "the file is empty"}, 0]
    if isinstance(value, int):
        return [value + 1, value - 1, float(value), str(value), None]
    if isinstance(value, str):
        return [value + "0", "", None] if value else ["0", None]
    if isinstance(value, list):
        return [value + value[-1:] if value else [1], value[:-1] if value else None, None]
    return [{}, {**value, "more": 1}, None]


@pytest.fixture(scope="module")
def schema(skill: Path) -> jsonschema_rs.Validator:
    """The schema of the report."""
    return jsonschema_rs.validator_for(json.loads((skill / "schemas" / "report.json").read_text(encoding="utf-8")))


@quiet
@given(written=files())
def test_both_agree_with_the_writer(
    written: Written,
    report_of: Callable[[Path], Any],
    reason_of: Callable[..., str],
    schema: jsonschema_rs.Validator,
    tmp_path: Path,
) -> None:
    """The validator reports what the writer knew before, and the check accepts exactly that (O8)."""
    file = tmp_path / "expenses.csv"
    file.write_bytes(written.data)
    assert report_of(file) == written.report
    assert reason_of(file, written.report) == ""
    schema.validate(written.report)


@quiet
@given(written=files(), data=st.data())
def test_any_altered_member_is_refused(
    written: Written, data: st.DataObject, reason_of: Callable[..., str], tmp_path: Path
) -> None:
    """A report with one member changed, missing or added is sent back, and the reason is a sentence."""
    file = tmp_path / "expenses.csv"
    file.write_bytes(written.data)
    wrong = copy.deepcopy(written.report)
    container, key = data.draw(st.sampled_from(leaves(wrong)))
    if isinstance(container, dict) and data.draw(st.booleans()):
        del container[key]
    else:
        container[key] = data.draw(st.sampled_from(altered(container[key])))
    assert reason_of(file, wrong).endswith(".")


WORDS = ("date", "employee", "category", "amount", "receipt", "2024-01-02", "Ann", "meals", "ü", "é")
SIGNS = (",", ";", "\t", '"', '""', "\n", "\r\n", "\r", " ", "\u00a0", "\x00")
AMOUNTS = ("1.234", "12.50", "12,5", "-1")
pieces = st.sampled_from((*WORDS, *SIGNS, *AMOUNTS, "2024-01-02,Ann,meals,", "date,employee,category,amount,receipt"))


@quiet
@given(
    head=st.sampled_from(("", "date,employee,category,amount,receipt\n", "amount;date;category;employee;receipt;x\r")),
    body=st.lists(pieces, max_size=25).map("".join),
    codec=st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "latin-1")),
    tail=st.one_of(st.just(b""), st.binary(max_size=4)),
)
def test_any_bytes_get_one_answer(
    head: str,
    body: str,
    codec: str,
    tail: bytes,
    report_of: Callable[[Path], Any],
    reason_of: Callable[..., str],
    schema: jsonschema_rs.Validator,
    tmp_path: Path,
) -> None:
    """Whatever the bytes, the validator reports or refuses, and the check comes to the same answer."""
    file = tmp_path / "expenses.csv"
    file.write_bytes((head + body).encode(codec) + tail)
    report = report_of(file)
    schema.validate(report)
    assert reason_of(file, report) == ""
