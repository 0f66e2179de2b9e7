"""Does a report say what the expense file says?

This is the second of two places that compute the totals. It shares no code with the validator: it reads CSV by its own
hand, counts in whole cents, and knows the calendar itself. The rules are those of references/file-format.md.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SPLITTERS = {",": "comma", ";": "semicolon", "\t": "tab"}
TRIM = "\u00a0\t\n\r "
LINE_END = re.compile(r"\r\n|\r|\n")
FORBIDDEN = re.compile(r"[^\t\n\r\x20-\x7e\x80-\U0010ffff]")
UTF8_LETTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Unclear(Exception):
    """What the file says cannot be told."""


class Rules(NamedTuple):
    limits: dict[str, int]
    """In cents."""
    currency: str
    free: int
    """Up to so many cents no receipt is needed."""
    days: tuple[str, str]


class Table(NamedTuple):
    splitter: str
    names: list[str]
    rows: list[tuple[int, list[str]]]
    blank: int


class Number(NamedTuple):
    negative: bool
    whole: int
    decimals: str


def rules_of(policy: str) -> Rules:
    """The figures of the policy."""
    cell = re.compile(r"^\| *([a-z][a-z ]*?) *\| *([A-Z0-9][A-Z0-9.-]*) *\|$", re.MULTILINE)
    limits, rules = (dict(cell.findall(part)) for part in policy.split("## Limits")[1].split("## Rules"))
    return Rules(
        {name: int(value.replace(".", "")) for name, value in limits.items()},
        rules["currency"],
        int(rules["receipt above"].replace(".", "")),
        (rules["first date"], rules["last date"]),
    )


def line_at(text: str) -> int:
    """The line on which the character after this text stands."""
    return len(LINE_END.findall(text)) + 1


def text_of(data: bytes) -> tuple[str, str]:
    """The text of the file and the name of its encoding."""
    for mark, name, codec in (
        (b"\xff\xfe", "utf-16", "utf-16-le"),
        (b"\xfe\xff", "utf-16", "utf-16-be"),
        (b"\xef\xbb\xbf", "utf-8-bom", "utf-8"),
    ):
        if data.startswith(mark):
            return marked_text(data[len(mark) :], codec), name
    try:
        return str(data, "utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        if UTF8_LETTER.search(data):
            raise Unclear(
                line_at(str(data[: error.start], "latin-1")), "UTF-8 letters and other bytes are mixed"
            ) from None
    try:
        return str(data, "cp1252"), "cp1252"
    except UnicodeDecodeError as error:
        line = line_at(str(data[: error.start], "latin-1"))
        raise Unclear(line, "the bytes are neither UTF-8 nor Windows-1252") from None


def marked_text(data: bytes, codec: str) -> str:
    try:
        return str(data, codec)
    except UnicodeDecodeError as error:
        line = line_at(str(data[: error.start], codec))
        raise Unclear(line, "the bytes do not fit the byte order mark") from None


def quoted(text: str, start: int, line: int) -> tuple[str, int]:
    """The value of a quoted field that begins at `start`, and where the field ends."""
    pieces: list[str] = []
    size, place = 0, start + 1
    while True:
        end = text.find('"', place)
        piece = text[place : end if end >= 0 else len(text)]
        double = end >= 0 and text[end + 1 : end + 2] == '"'
        pieces.append(piece + '"' * double)
        # A quote inside counts too, and may be the one character too many.
        size += len(pieces[-1])
        if size > 10_000:
            raise Unclear(line, "a field is longer than 10,000 characters")
        if end < 0:
            raise Unclear(line, "a quoted field is not closed")
        if not double:
            return "".join(pieces), end + 1
        place = end + 2


def row_with_quotes(text: str, start: int, splitter: str, line: int) -> tuple[list[str], int]:
    """The fields of the row that begins at `start`, and where it ends."""
    stop = re.compile(f"[{splitter}\r\n]")
    fields: list[str] = []
    while True:
        if text[start : start + 1] == '"':
            value, start = quoted(text, start, line)
            if start < len(text) and text[start] not in splitter + "\r\n":
                raise Unclear(line, "text follows a closing quote")
        else:
            end = stop.search(text, start)
            stopped = end.start() if end else len(text)
            value, start = plain(text[start:stopped], line), stopped
        fields.append(value)
        if text[start : start + 1] != splitter:
            return fields, start
        start += 1


def plain(value: str, line: int) -> str:
    if len(value) > 10_000:
        raise Unclear(line, "a field is longer than 10,000 characters")
    return value


def rows_of(text: str, splitter: str) -> Iterator[tuple[int, list[str]]]:
    """Every row with its line, blank ones too."""
    start, line = 0, 1
    while start < len(text):
        found = LINE_END.search(text, start)
        end = found.start() if found else len(text)
        if text.find('"', start, end) < 0:
            fields = [plain(value, line) for value in text[start:end].split(splitter)]
        else:
            fields, end = row_with_quotes(text, start, splitter, line)
            found = LINE_END.match(text, end)
        yield line, [value.strip(TRIM) for value in fields]
        after = found.end() if found else len(text)
        line += line_at(text[start:after]) - 1
        start = after


def table_of(text: str) -> Table:
    """The header and the rows, split by the one delimiter that the header allows."""
    if found := FORBIDDEN.search(text):
        raise Unclear(line_at(text[: found.start()]), "there is a control character")
    if not text.strip(TRIM):
        raise Unclear(1, "the file is empty")
    top = line_at(text[: len(text) - len(text.lstrip(TRIM))])
    fitting: list[str] = []
    for splitter in SPLITTERS:
        head = header_of(text, splitter)[1]
        if all(name in head for name in ("date", "employee", "category", "amount", "receipt")):
            fitting.append(splitter)
    if not fitting:
        needed = "date, employee, category, amount and receipt"
        raise Unclear(top, f"the header does not name {needed} with one delimiter")
    if len(fitting) > 1:
        raise Unclear(top, "the header can be split in more than one way")
    line, names = header_of(text, fitting[0])
    if fault := names_fault(names):
        raise Unclear(line, fault)
    below = [(at, row) for at, row in rows_of(text, fitting[0]) if at > line]
    filled = [(at, row) for at, row in below if row.count("") < len(row)]
    return Table(fitting[0], names, filled, len(below) - len(filled))


def names_fault(names: list[str]) -> str:
    if any(name and names.count(name) > 1 for name in names):
        return "two columns have the same name"
    if "" in names:
        return "a column has no name"
    return "there are more than 30 columns" if len(names) > 30 else ""


def header_of(text: str, splitter: str) -> tuple[int, list[str]]:
    try:
        for line, row in rows_of(text, splitter):
            if "".join(row):
                return line, [name.lower() for name in row]
    except Unclear:
        # With another delimiter the same characters may be a header.
        return 0, []
    return 0, []


def digits(text: str) -> bool:
    return text != "" and all("0" <= letter <= "9" for letter in text)


def number(text: str, mark: str) -> Number | None:
    """What the text means with this decimal mark, if it is a number at all."""
    negative = text[:1] == "-"
    whole, marked, decimals = text[negative:].partition(mark)
    groups = whole.split("," if mark == "." else ".")
    if not all(digits(group) for group in groups) or (marked and not digits(decimals)):
        return None
    if len(groups) > 1 and (groups[0][0] == "0" or len(groups[0]) > 3 or {len(g) for g in groups[1:]} != {3}):
        return None
    joined = "".join(groups)
    # The length comes first: int() refuses a text of thousands of digits.
    return Number(negative, int(joined), decimals) if len(joined + decimals) <= 15 else None


def mark_of(table: Table) -> str:
    """The decimal mark of the file: a point, a comma, or empty for none."""
    place = table.names.index("amount")
    lines: dict[str, list[int]] = {".": [], ",": [], "both": []}
    for line, row in table.rows:
        if len(row) == len(table.names) and ("." in row[place] or "," in row[place]):
            point, comma = number(row[place], "."), number(row[place], ",")
            if point or comma:
                lines["both" if point and comma else "." if point else ","].append(line)
    if lines["."] and lines[","]:
        raise Unclear(max(lines["."][0], lines[","][0]), "the amounts use both decimal marks")
    if lines["both"] and not lines["."] and not lines[","]:
        reason = "an amount can be read in two ways and no other amount shows which"
        raise Unclear(lines["both"][0], reason)
    return "." if lines["."] else "," if lines[","] else ""


def day_fault(text: str, days: tuple[str, str]) -> str:
    if text == "":
        return "missing date"
    year, month, day = text[:4], text[5:7], text[8:]
    if len(text) != 10 or text[4] + text[7] != "--" or not digits(year + month + day) or int(year) == 0:
        return "impossible date"
    leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
    last = MONTHS[int(month) - 1] + (leap and month == "02") if 1 <= int(month) <= 12 else 0
    if not 1 <= int(day) <= last:
        return "impossible date"
    return "date outside the policy" if text < days[0] or text > days[1] else ""


def amount_fault(text: str, mark: str, limit: int | None) -> tuple[int, str]:
    """The amount in cents, and what is wrong with it."""
    if text == "":
        return 0, "missing amount"
    value = number(text, mark or ".")
    if value is None:
        return 0, "not a number"
    if len(value.decimals) > 2:
        return 0, "more than two decimals"
    cents = value.whole * 100 + int(value.decimals.ljust(2, "0"))
    if value.negative or cents == 0:
        return 0, "not above zero"
    return cents, "over the limit" if limit is not None and cents > limit else ""


def faults_of(row: list[str], names: list[str], rules: Rules, mark: str) -> tuple[int, list[str]]:
    """The cents of a row, and its problems in the order of the columns."""
    if len(row) != len(names):
        return 0, ["too many fields" if len(row) > len(names) else "too few fields"]
    of = dict(zip(names, row, strict=True))
    kind = of["category"].lower()
    cents, fault = amount_fault(of["amount"], mark, rules.limits.get(kind))
    faults = [day_fault(of["date"], rules.days)]
    if of["employee"] == "":
        faults.append("missing employee")
    if kind not in rules.limits:
        faults.append("unknown category" if kind else "missing category")
    faults.append(fault)
    if cents > rules.free and of["receipt"] == "":
        faults.append("no receipt")
    if "currency" in of and of["currency"].upper() != rules.currency:
        faults.append("other currency" if of["currency"] else "missing currency")
    return cents, [fault for fault in faults if fault]


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def short(text: str, most: int) -> str:
    return text[:most] + "…" * (len(text) > most)


def expected_report(data: bytes, rules: Rules) -> dict[str, Any]:
    """The report that this file deserves."""
    try:
        text, encoding = text_of(data)
        table = table_of(text)
        mark = mark_of(table)
    except Unclear as unclear:
        line, reason = unclear.args
        zero: dict[str, Any] = {"file": None, "right": 0, "wrong": 0, "by_category": [], "total": "0.00"}
        return {"refused": {"line": line, "reason": reason}, **zero, "wrong_rows": [], "wrong_rows_not_listed": 0}
    used = {"date", "employee", "category", "amount", "receipt", "currency"}
    facts = {
        "encoding": encoding,
        "delimiter": SPLITTERS[table.splitter],
        "decimal_mark": {".": "point", ",": "comma", "": "none"}[mark],
        "rows": len(table.rows),
        "blank_rows": table.blank,
        "columns_not_read": [short(name, 40) for name in table.names if name not in used],
    }
    return {"refused": None, "file": facts, **figures(table, rules, mark)}


def figures(table: Table, rules: Rules, mark: str) -> dict[str, Any]:
    """What the rows add up to, and which of them are wrong."""
    cents_of: dict[str, list[int]] = {name: [] for name in rules.limits}
    wrong: list[dict[str, Any]] = []
    for line, row in table.rows:
        cents, faults = faults_of(row, table.names, rules, mark)
        if faults:
            of = dict(zip(table.names, row, strict=True)) if len(row) == len(table.names) else {}
            who, amount = short(of.get("employee", ""), 40), short(of.get("amount", ""), 20)
            wrong.append({"line": line, "employee": who, "amount": amount, "problems": faults})
        else:
            cents_of[row[table.names.index("category")].lower()].append(cents)
    return {
        "right": len(table.rows) - len(wrong),
        "wrong": len(wrong),
        "by_category": [
            {"category": name, "rows": len(cents), "total": money(sum(cents))} for name, cents in cents_of.items()
        ],
        "total": money(sum(map(sum, cents_of.values()))),
        "wrong_rows": wrong[:500],
        "wrong_rows_not_listed": len(wrong[500:]),
    }


def difference(place: str, expected: Any, got: Any) -> str:
    """The first difference as a sentence, or an empty text."""
    inside = "in the report" if place == "the report" else place
    if isinstance(expected, dict) and isinstance(got, dict):
        if missing := [name for name in expected if name not in got]:
            return f"{place} has no {missing[0]!r}."
        if added := [name for name in got if name not in expected]:
            return f"{place} has {added[0]!r}, which is none of its members."
        pairs = [(f"{inside}, {name}", value, got[name]) for name, value in expected.items()]
    elif isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return f"{place} should have {len(expected)} items, but has {len(got)}."
        pairs = [(f"{inside}, {named(each, at)}", each, got[at]) for at, each in enumerate(expected)]
    elif type(expected) is type(got) and expected == got:
        return ""
    else:
        due, found = (short(json.dumps(value, ensure_ascii=False), 100) for value in (expected, got))
        return f"{place} should be {due}, but is {found}."
    return next((said for pair in pairs if (said := difference(*pair))), "")


def named(item: Any, at: int) -> str:
    """How an item of a list is called in a sentence."""
    if isinstance(item, dict):
        return f"line {item['line']}" if "line" in item else str(item["category"])
    return f"item {at + 1}"


def reason_to_refuse(expected: dict[str, Any], got: Any) -> str:
    """Why the report is not accepted, or an empty text."""
    rows = got.get("wrong_rows") if isinstance(got, dict) else None
    due = expected["wrong_rows"]
    # The likeliest fault gets a sentence of its own: only some of the pages were read.
    if isinstance(rows, list) and len(rows) < len(due) and not difference("", {**expected, "wrong_rows": rows}, got):
        found = f"The file has {len(due)} wrong rows to list, but the report lists {len(rows)}"
        return f"{found}: read every page of the validator."
    reason = difference("the report", expected, got)
    return reason[:1].upper() + reason[1:]


def main() -> int:
    """Print whether the report is accepted; 0 in both cases."""
    parser = argparse.ArgumentParser(description="Recompute an expense report from its file.")
    parser.add_argument("--input", required=True, type=Path, help='JSON: {"file": "the CSV file"}')
    parser.add_argument("--result", required=True, type=Path, help="JSON: the report")
    given = parser.parse_args()
    policy = Path(__file__).parent.parent / "references" / "policy.md"
    rules = rules_of(policy.read_text(encoding="utf-8"))
    file = Path(json.loads(given.input.read_text(encoding="utf-8"))["file"])
    expected = expected_report(file.read_bytes(), rules)
    reason = reason_to_refuse(expected, json.loads(given.result.read_text(encoding="utf-8")))
    print(json.dumps({"accepted": False, "reason": reason} if reason else {"accepted": True}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
