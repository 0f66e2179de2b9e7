"""Which rows of an expense file are right, and what do they add up to?

The file is read in a few passes, row by row, so memory stays flat. The rules are those of references/file-format.md.
"""

import argparse
import codecs
import contextlib
import csv
import io
import json
import re
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

POLICY = Path(__file__).parent.parent / "references" / "policy.md"
NEEDED = ("date", "employee", "category", "amount", "receipt")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}
BLANKS = " \t\r\n\u00a0"
LISTED = 500
LONGEST_PAGE = 20
LONGEST_FIELD = 10_000
MOST_COLUMNS = 30
MOST_DIGITS = 15

NO_HEADER = "the header does not name date, employee, category, amount and receipt with one delimiter"
TWO_HEADERS = "the header can be split in more than one way"

UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
NUMBERS = {
    "point": re.compile(r"-?(?:[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]+)?"),
    "comma": re.compile(r"-?(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,[0-9]+)?"),
}
CSV_REASONS = {
    "field larger": "a field is longer than 10,000 characters",
    "unexpected end": "a quoted field is not closed",
    "expected after": "text follows a closing quote",
}


class RefusedError(Exception):
    """The file is unclear: on which line, and why."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Policy:
    limits: dict[str, Decimal]
    currency: str
    receipt_above: Decimal
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    encoding: str
    codec: str
    first_line: int
    """The first line that holds more than blanks."""


@dataclass(frozen=True, slots=True)
class Header:
    delimiter: str
    columns: dict[str, int]
    width: int
    not_read: list[str]


def read_policy(path: Path) -> Policy:
    """The figures of the two tables in the policy."""
    tables: dict[str, dict[str, str]] = {}
    table: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            continue
        name, value = (cell.strip() for cell in line.strip().strip("|").split("|"))
        if value in {"limit", "value"}:
            table = tables.setdefault(value, {})
        elif not name.startswith("---"):
            table[name] = value
    rules = tables["value"]
    return Policy(
        limits={name: Decimal(value) for name, value in tables["limit"].items()},
        currency=rules["currency"],
        receipt_above=Decimal(rules["receipt above"]),
        first=date.fromisoformat(rules["first date"]),
        last=date.fromisoformat(rules["last date"]),
    )


def breaks(raw: bytes) -> int:
    """How many line ends there are in these bytes."""
    return raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")


def open_source(path: Path) -> Source:
    """The file with its encoding, once its bytes and its text are known to be sound."""
    with path.open("rb") as file:
        head = file.read(3)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        little = head.startswith(codecs.BOM_UTF16_LE)
        hold_to_mark(path, 2, "utf-16-le" if little else "utf-16-be")
        encoding = codec = "utf-16"
    elif head == codecs.BOM_UTF8:
        hold_to_mark(path, 3, "utf-8")
        encoding, codec = "utf-8-bom", "utf-8-sig"
    else:
        encoding = codec = encoding_without_mark(path)
    return Source(path, encoding, codec, first_line(path, codec))


def hold_to_mark(path: Path, mark: int, codec: str) -> None:
    """Refuse a file whose bytes are not what its byte order mark says."""
    data = path.read_bytes()[mark:]
    try:
        data.decode(codec)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(codec).encode()
        raise RefusedError(1 + breaks(before), "the bytes do not fit the byte order mark") from None


def encoding_without_mark(path: Path) -> str:
    """UTF-8 if all of the file is; cp1252 if nothing in it speaks for UTF-8."""
    broken = undefined = 0
    letters = False
    line = 1
    with path.open("rb") as file:
        for raw in file:
            try:
                letters = not raw.decode("utf-8").isascii() or letters
            except UnicodeDecodeError as error:
                broken = broken or line + breaks(raw[: error.start])
                letters = not raw.decode("utf-8", "ignore").isascii() or letters
                if not undefined and (found := UNDEFINED.search(raw)):
                    undefined = line + breaks(raw[: found.start()])
            line += breaks(raw)
    if not broken:
        return "utf-8"
    if letters:
        raise RefusedError(broken, "UTF-8 letters and other bytes are mixed")
    if undefined:
        raise RefusedError(undefined, "the bytes are neither UTF-8 nor Windows-1252")
    return "cp1252"


def first_line(path: Path, codec: str) -> int:
    """The first line with more than blanks on it, in a text without control characters."""
    first = 0
    with path.open(encoding=codec, newline="") as file:
        for number, line in enumerate(file, 1):
            if CONTROL.search(line):
                raise RefusedError(number, "there is a control character")
            if not first and line.strip(BLANKS):
                first = number
    if not first:
        raise RefusedError(1, "the file is empty")
    return first


def records(source: Source, delimiter: str) -> Generator[tuple[int, list[str]], None, None]:
    """Each row with the line it begins on and its trimmed fields, blank rows too."""
    csv.field_size_limit(LONGEST_FIELD)
    with source.path.open(encoding=source.codec, newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                reason = next(why for start, why in CSV_REASONS.items() if start in str(error))
                raise RefusedError(line, reason) from None
            yield line, [value.strip(BLANKS) for value in row]


def header_names(source: Source, delimiter: str) -> tuple[int, list[str]]:
    """The line and the names of the first row that is not blank, read with this delimiter; no names if it is broken."""
    with contextlib.suppress(RefusedError), contextlib.closing(records(source, delimiter)) as rows:
        for line, row in rows:
            if any(row):
                return line, [name.lower() for name in row]
    return source.first_line, []


def find_header(source: Source) -> Header:
    """The header, read with the one delimiter that gives all the columns needed."""
    read = {name: header_names(source, sign) for name, sign in DELIMITERS.items()}
    fits = [name for name, (_, names) in read.items() if set(NEEDED) <= set(names)]
    if len(fits) != 1:
        raise RefusedError(source.first_line, TWO_HEADERS if fits else NO_HEADER)
    line, names = read[fits[0]]
    named = [name for name in names if name]
    if len(set(named)) < len(named):
        raise RefusedError(line, "two columns have the same name")
    if len(named) < len(names):
        raise RefusedError(line, "a column has no name")
    if len(names) > MOST_COLUMNS:
        raise RefusedError(line, "there are more than 30 columns")
    columns = {name: names.index(name) for name in (*NEEDED, "currency") if name in names}
    return Header(fits[0], columns, len(names), [cut(name, 40) for name in names if name not in columns])


def body(source: Source, header: Header) -> Generator[tuple[int, list[str]], None, None]:
    """The rows below the header, blank ones too."""
    rows = records(source, DELIMITERS[header.delimiter])
    for _, row in rows:
        if any(row):
            break
    yield from rows


def is_number(text: str, mark: str) -> bool:
    """Whether the text is a number when read with this decimal mark."""
    return bool(NUMBERS[mark].fullmatch(text)) and sum(sign not in ",.-" for sign in text) <= MOST_DIGITS


def decimal_mark(source: Source, header: Header) -> str:
    """The decimal mark that the amounts state: point, comma or none."""
    stated = ""
    contradicts = unclear = 0
    place = header.columns["amount"]
    for line, row in body(source, header):
        if len(row) != header.width or not {",", "."} & set(row[place]):
            continue
        marks = [mark for mark in NUMBERS if is_number(row[place], mark)]
        if len(marks) > 1:
            unclear = unclear or line
        elif marks and not stated:
            stated = marks[0]
        elif marks and marks[0] != stated:
            contradicts = contradicts or line
    if contradicts:
        raise RefusedError(contradicts, "the amounts use both decimal marks")
    if unclear and not stated:
        raise RefusedError(unclear, "an amount can be read in two ways and no other amount shows which")
    return stated or "none"


def day_problem(text: str, policy: Policy) -> str:
    if not text:
        return "missing date"
    try:
        day = date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        return "impossible date"
    return "" if policy.first <= day <= policy.last else "date outside the policy"


def amount_of(text: str, mark: str) -> tuple[Decimal, str]:
    """The amount, and what is wrong with it as a number."""
    if not text:
        return Decimal(0), "missing amount"
    mark = "point" if mark == "none" else mark
    if not is_number(text, mark):
        return Decimal(0), "not a number"
    plain = text.replace(",", "") if mark == "point" else text.replace(".", "").replace(",", ".")
    if len(plain.partition(".")[2]) > 2:
        return Decimal(0), "more than two decimals"
    amount = Decimal(plain)
    return amount, "" if amount > 0 else "not above zero"


def judge(row: list[str], header: Header, policy: Policy, mark: str) -> tuple[Decimal, list[str]]:
    """The amount of a row, and all that is wrong with the row."""
    if len(row) != header.width:
        return Decimal(0), ["too few fields" if len(row) < header.width else "too many fields"]
    value = {name: row[place] for name, place in header.columns.items()}
    category = value["category"].lower()
    amount, faulty = amount_of(value["amount"], mark)
    over = amount > policy.limits.get(category, amount)
    currency = value.get("currency", policy.currency)
    problems = [
        day_problem(value["date"], policy),
        "" if value["employee"] else "missing employee",
        "" if category in policy.limits else "unknown category" if category else "missing category",
        faulty or ("over the limit" if over else ""),
        "no receipt" if not faulty and amount > policy.receipt_above and not value["receipt"] else "",
        "" if currency.upper() == policy.currency else "other currency" if currency else "missing currency",
    ]
    return amount, [problem for problem in problems if problem]


def cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"


def wrong_row(line: int, row: list[str], header: Header, problems: list[str]) -> dict[str, Any]:
    whole = len(row) == header.width
    return {
        "line": line,
        "employee": cut(row[header.columns["employee"]], 40) if whole else "",
        "amount": cut(row[header.columns["amount"]], 20) if whole else "",
        "problems": problems,
    }


def tally(source: Source, header: Header, policy: Policy, *, mark: str, page: range) -> dict[str, Any]:
    """What the rows add up to, and the wrong rows of one page."""
    sums = dict.fromkeys(policy.limits, Decimal(0))
    counts = dict.fromkeys(policy.limits, 0)
    listed: list[dict[str, Any]] = []
    blank = wrong = 0
    for line, row in body(source, header):
        if not any(row):
            blank += 1
            continue
        amount, problems = judge(row, header, policy, mark)
        if problems:
            if wrong in page:
                listed.append(wrong_row(line, row, header, problems))
            wrong += 1
        else:
            category = row[header.columns["category"]].lower()
            sums[category] += amount
            counts[category] += 1
    right = sum(counts.values())
    return {
        "file": {
            "encoding": source.encoding,
            "delimiter": header.delimiter,
            "decimal_mark": mark,
            "rows": right + wrong,
            "blank_rows": blank,
            "columns_not_read": header.not_read,
        },
        "total": f"{sum(sums.values()):.2f}",
        "by_category": [{"category": name, "rows": counts[name], "total": f"{sums[name]:.2f}"} for name in sums],
        "right": right,
        "wrong": wrong,
        "wrong_rows": listed,
        "wrong_rows_not_listed": max(0, wrong - LISTED),
    }


def report(path: Path, page: int, size: int) -> dict[str, Any]:
    """One page of the report on a file. Raises RefusedError where the file is unclear."""
    policy = read_policy(POLICY)
    source = open_source(path)
    header = find_header(source)
    mark = decimal_mark(source, header)
    start = (page - 1) * size
    counted = tally(source, header, policy, mark=mark, page=range(start, min(start + size, LISTED)))
    pages = max(1, -(-min(counted["wrong"], LISTED) // size))
    return {"page": page, "pages": pages, "refused": None, **counted}


def refused_report(refused: RefusedError) -> dict[str, Any]:
    """The whole report on a file that is unclear."""
    nothing = {"right": 0, "wrong": 0, "wrong_rows": [], "wrong_rows_not_listed": 0}
    why = {"line": refused.line, "reason": refused.reason}
    return {"page": 1, "pages": 1, "refused": why, "file": None, "total": "0.00", "by_category": [], **nothing}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one page as JSON: 0 for a page, 1 for a refused file, 2 where it cannot run."""
    parser = argparse.ArgumentParser(description="Judge the rows of an expense file and add up the right ones.")
    parser.add_argument("file", type=Path, help="the CSV file")
    parser.add_argument("--page", type=int, default=1, help="which page of the wrong rows to print, from 1")
    parser.add_argument("--page-size", type=int, default=10, help="wrong rows a page, at most 20 (default 10)")
    given = parser.parse_args(arguments)
    if given.page < 1 or not 1 <= given.page_size <= LONGEST_PAGE:
        parser.error("--page counts from 1, and --page-size is 1 to 20")
    try:
        answer = report(given.file, given.page, given.page_size)
    except RefusedError as refused:
        answer = refused_report(refused)
    except OSError as error:
        parser.error(f"cannot read the file: {error}")
    if given.page > answer["pages"]:
        parser.error(f"there is no page {given.page}: the last is {answer['pages']}")
    print(json.dumps(answer, ensure_ascii=False))
    return 1 if answer["refused"] else 0


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main())
