"""What an expense file may be: encodings, delimiters, marks, every kind of wrong row, every ground to refuse a file.

Each file goes through both scripts; the check must agree with the validator's report.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HEAD = "date,employee,category,amount,receipt"
RIGHT = "2026-01-05,Zoë,meals,12.50,"
Report = dict[str, Any]
Read = Callable[[str | bytes], Report]


@pytest.fixture
def read(tmp_path: Path, report_of: Callable[[Path], Report], reason_of: Callable[[Path, Report], str]) -> Read:
    """`read(text or bytes)`: the report that both scripts agree on."""

    def read(content: str | bytes) -> Report:
        file = tmp_path / "expenses.csv"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        report = report_of(file)
        assert reason_of(file, report) == ""
        return report

    return read


@pytest.mark.parametrize(
    ("codec", "named"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8-bom"), ("utf-16", "utf-16"), ("cp1252", "cp1252")],
)
def test_encodings_are_told_apart(read: Read, codec: str, named: str) -> None:
    """Each of the encodings is recognised and read."""
    report = read(f"{HEAD}\n2026-01-05,Zoë,fuel,12.50,\n".encode(codec))
    assert report["file"]["encoding"] == named
    assert report["wrong_rows"][0]["employee"] == "Zoë"


def test_big_endian_is_read_too(read: Read) -> None:
    """UTF-16 with the other byte order mark is the same encoding."""
    report = read(b"\xfe\xff" + f"{HEAD}\n{RIGHT}\n".encode("utf-16-be"))
    assert (report["file"]["encoding"], report["total"]) == ("utf-16", "12.50")


def test_plain_letters_are_utf_8(read: Read) -> None:
    """A file of ASCII alone is valid UTF-8, and UTF-8 wins."""
    assert read(f"{HEAD}\n")["file"]["encoding"] == "utf-8"


@pytest.mark.parametrize(("sign", "named"), [(",", "comma"), (";", "semicolon"), ("\t", "tab")])
def test_header_shows_the_delimiter(read: Read, sign: str, named: str) -> None:
    """The delimiter is the one with which the header has all columns."""
    report = read(f"{HEAD}\n{RIGHT}\n".replace(",", sign))
    assert (report["file"]["delimiter"], report["total"]) == (named, "12.50")


def test_columns_come_in_any_order(read: Read) -> None:
    """Order and case of the header are free; what is not read is listed."""
    report = read("Amount;Cost Centre;CATEGORY;receipt;Employee;Date\n12,50;A 7;Meals;;Ann;2026-01-05\n")
    assert report["total"] == "12.50"
    assert report["file"]["columns_not_read"] == ["cost centre"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts(read: Read, end: str) -> None:
    """Lines are counted alike for all line ends, inside quotes too."""
    lines = [HEAD, '2026-01-05,"Ann', 'Lee",meals,x,', "", "2026-01-05,Bo,meals,12.50"]
    report = read(end.join(lines))
    assert [row["line"] for row in report["wrong_rows"]] == [2, 5]
    assert report["file"]["blank_rows"] == 1


@pytest.mark.parametrize(
    ("amounts", "mark", "total"),
    [
        (["12.50", "1,050"], "point", "1062.50"),
        (["12,50", "1.050"], "comma", "1062.50"),
        (["1.050,5"], "comma", "1050.50"),
        (["1,050.50"], "point", "1050.50"),
        (["12", "7"], "none", "19.00"),
        (["0.10", "0.20"], "point", "0.30"),
        (["1050.5"], "point", "1050.50"),
        (["0,123", "12"], "comma", "12.00"),
        (["0.123", "12"], "point", "12.00"),
    ],
)
def test_amounts_state_the_mark(read: Read, amounts: list[str], mark: str, total: str) -> None:
    """A file uses one decimal mark, the one that its amounts state."""
    rows = "".join(f'2026-01-05,Ann,training,"{amount}",R-1\n' for amount in amounts)
    report = read(f"{HEAD}\n{rows}")
    assert (report["file"]["decimal_mark"], report["total"]) == (mark, total)


@pytest.mark.parametrize(
    ("row", "problems"),
    [
        (",Ann,meals,12.50,", ["missing date"]),
        ("2026-02-29,Ann,meals,12.50,", ["impossible date"]),
        ("2100-02-29,Ann,meals,12.50,", ["impossible date"]),
        ("2000-02-29,Ann,meals,12.50,", ["date outside the policy"]),
        ("0000-01-01,Ann,meals,12.50,", ["impossible date"]),
        ("5.1.2026,Ann,meals,12.50,", ["impossible date"]),
        ("2019-12-31,Ann,meals,12.50,", ["date outside the policy"]),
        ("2026-01-05,\u00a0,meals,12.50,", ["missing employee"]),
        ("2026-01-05,Ann,,12.50,", ["missing category"]),
        ("2026-01-05,Ann,fuel,12.50,", ["unknown category"]),
        ("2026-01-05,Ann,meals,,", ["missing amount"]),
        ("2026-01-05,Ann,meals,12.50 EUR,", ["not a number"]),
        ("2026-01-05,Ann,meals,1234567890123456,", ["not a number"]),
        ("2026-01-05,Ann,meals,12345678901234.56,", ["not a number"]),
        ("2026-01-05,Ann,meals,1234567890123.45,R-1", ["over the limit"]),
        ("2026-01-05,Ann,meals,12.500,", ["more than two decimals"]),
        ("2026-01-05,Ann,meals,0.00,", ["not above zero"]),
        ("2026-01-05,Ann,meals,-12.50,", ["not above zero"]),
        ("2026-01-05,Ann,meals,60.01,R-1", ["over the limit"]),
        ("2026-01-05,Ann,meals,25.01,", ["no receipt"]),
        ("2026-01-05,Ann,meals,12.50", ["too few fields"]),
        ("2026-01-05,Ann,meals,12.50,,", ["too many fields"]),
        ("x,,fuel,60.01,", ["impossible date", "missing employee", "unknown category", "no receipt"]),
        ("2026-01-05,Ann,meals,60.01,", ["over the limit", "no receipt"]),
    ],
)
def test_wrong_rows_name_their_problems(read: Read, row: str, problems: list[str]) -> None:
    """Each kind of wrong row is listed with its line and left out of the total."""
    report = read(f"{HEAD}\n{RIGHT}\n{row}\n")
    assert [(found["line"], found["problems"]) for found in report["wrong_rows"]] == [(3, problems)]
    assert (report["total"], report["right"], report["wrong"]) == ("12.50", 1, 1)


def test_limits_themselves_are_right(read: Read) -> None:
    """An amount equal to the limit, or to what needs no receipt yet, is right."""
    report = read(f"{HEAD}\n2026-01-05,Ann,meals,60.00,R-1\n2029-12-31,Ann,meals,25.00,\n2020-01-01,Bo,meals,0.01,\n")
    assert (report["total"], report["wrong"]) == ("85.01", 0)


@pytest.mark.parametrize(
    ("currency", "problems"), [("USD", ["other currency"]), ("", ["missing currency"]), ("eur", [])]
)
def test_currency_is_never_converted(read: Read, currency: str, problems: list[str]) -> None:
    """Where there is a column for it, each row must name the policy's currency."""
    report = read(f"{HEAD},currency\n2026-01-05,Ann,meals,12.50,,{currency}\n")
    assert [row["problems"] for row in report["wrong_rows"]] == ([problems] if problems else [])


def test_long_values_are_cut(read: Read) -> None:
    """The report holds the first 40 characters of a name and the first 20 of an amount."""
    [row] = read(f"{HEAD}\n2026-01-05,{'N' * 41},meals,{'9' * 5000},\n")["wrong_rows"]
    assert (row["employee"], row["amount"]) == ("N" * 40 + "…", "9" * 20 + "…")


def test_wrong_rows_beyond_500_are_counted(read: Read) -> None:
    """The report lists at most 500 wrong rows and counts the rest."""
    report = read(f"{HEAD}\n" + "2026-01-05,Ann,meals,x,\n" * 503)
    assert (report["wrong"], len(report["wrong_rows"]), report["wrong_rows_not_listed"]) == (503, 500, 3)


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"\xff\xfed\x00\x00\xd8x\x00", 1, "the bytes do not fit the byte order mark"),
        (b"\xff\xfe" + f"{HEAD}\n\n".encode("utf-16-le") + b"x", 3, "the bytes do not fit the byte order mark"),
        (b"\xef\xbb\xbfdate\r\n\r\xff", 3, "the bytes do not fit the byte order mark"),
        (b"Zo\xc3\xab\n\nZo\xeb\n", 3, "UTF-8 letters and other bytes are mixed"),
        (b"Zo\xeb\n\xc3\xab\n", 1, "UTF-8 letters and other bytes are mixed"),
        (b"Zo\xeb\r\n\x90\n", 2, "the bytes are neither UTF-8 nor Windows-1252"),
        (f"{HEAD}\n\x00".encode(), 2, "there is a control character"),
        (HEAD.encode("utf-16-le"), 1, "there is a control character"),
        (b"", 1, "the file is empty"),
        (b"\n \t\r\n", 1, "the file is empty"),
        (
            b"\n\ndate,employee,category,amount\n",
            3,
            "the header does not name date, employee, category, amount and receipt with one delimiter",
        ),
        (f"\n{HEAD},Date\n".encode(), 2, "two columns have the same name"),
        (f"{HEAD},\n".encode(), 1, "a column has no name"),
        (f"{HEAD},{','.join(map(str, range(26)))}\n".encode(), 1, "there are more than 30 columns"),
        (f'{HEAD}\n{RIGHT}\n"2026\n{RIGHT}\n'.encode(), 3, "a quoted field is not closed"),
        (f'{HEAD}\n{RIGHT}\n2026-01-05,"An\nn"a,\n'.encode(), 3, "text follows a closing quote"),
        (f"{HEAD}\n{RIGHT}\n{'x' * 10001},\n".encode(), 3, "a field is longer than 10,000 characters"),
        (f'{HEAD}\n{RIGHT}\n"{"x" * 10001}"x\n'.encode(), 3, "a field is longer than 10,000 characters"),
        (f'{HEAD}\n{RIGHT}\n2026-01-05,Ann,meals,"1,5",\n'.encode(), 3, "the amounts use both decimal marks"),
        (
            f"{HEAD}\n2026-01-05,Ann,meals,12,\n2026-01-05,Ann,meals,1.234,\n".encode(),
            3,
            "an amount can be read in two ways and no other amount shows which",
        ),
    ],
)
def test_unclear_files_are_refused(read: Read, content: bytes, line: int, reason: str) -> None:
    """What is unclear is refused with its line and never guessed; the report says so in the same members."""
    report = read(content)
    assert report["refused"] == {"line": line, "reason": reason}
    assert (report["file"], report["total"], report["wrong_rows"]) == (None, "0.00", [])


def test_header_of_two_readings_is_refused(read: Read) -> None:
    """A header that two delimiters can split is unclear."""
    semicolons = HEAD.replace(",", ";")
    report = read(f"x,{HEAD},y;{semicolons};z,w\n")
    assert report["refused"] == {"line": 1, "reason": "the header can be split in more than one way"}


def test_stray_quotes_are_characters(read: Read) -> None:
    """A quote that does not open a field is a character like any other."""
    [row] = read(f'{HEAD}\n2026-01-05,2" pipe "x",meals,x,\n')["wrong_rows"]
    assert row["employee"] == '2" pipe "x"'
