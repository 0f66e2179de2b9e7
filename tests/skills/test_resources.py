"""What a model is shown of a resource: text whole or in part, pictures, and the names of what is neither."""

import codecs
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.action import Returned
from metier.skills.resources import LARGEST_PICTURE, LONGEST, Resource, media_type, sections_of, shown

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 " + bytes(4)
LONG = "".join(f"line {n}\n" for n in range(1, 4001))
MANUAL = "# Manual\nIntro.\n## Set `up`\nDo it.\n```sh\n# no heading\n```\n### Deep\nMore.\n## Errors ##\nNone.\n"


def read(data: bytes | str, name: str = "references/notes.md", **part: str) -> Returned:
    """The answer for a resource of these bytes."""
    raw = data.encode() if isinstance(data, str) else data
    return shown(Resource(name, raw, **part), keep=lambda kept: sha256(kept).hexdigest())


def digest(data: bytes) -> str:
    """What a content is known by."""
    return sha256(data).hexdigest()


@pytest.mark.parametrize("text", ["", "Zürich\r\n", "x" * LONGEST, "PNG GIF89a %PDF"])
def test_short_text_is_whole(text: str) -> None:
    """Text up to the limit is answered as it stands, and a mark before it is dropped."""
    assert read(text) == Returned(text=text)
    assert read(codecs.BOM_UTF8 + text.encode()) == Returned(text=text)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-32"])
def test_wide_text_is_decoded_and_told(codec: str) -> None:
    """UTF-16 and UTF-32 with their mark are read, and the answer says so."""
    mark = codecs.BOM_UTF16_BE if codec == "utf-16-be" else b""
    name = "UTF-32" if codec == "utf-32" else "UTF-16"
    assert read(mark + "Zürich".encode(codec)).text == f"Zürich\n[references/notes.md is {name}, and was read as that.]"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("Zürich".encode("cp1252"), "text in an encoding that is not UTF-8"),
        ("Notes".encode("utf-16-le"), "text that looks like UTF-16 without a byte order mark"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "application/octet-stream"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"PK\x03\x04\x14\x00", "application/zip"),
        (b"\x1f\x8b\x08\x01", "application/gzip"),
        (b"abc\x00\x01def", "application/octet-stream"),
    ],
)
def test_what_is_no_text_is_named(data: bytes, kind: str) -> None:
    """What is no text comes back as what it is, with size and digest, never as characters that nobody wrote."""
    answer = read(data)
    assert (answer.ok, answer.code, answer.pictures) == (False, "resource.not_text", ())
    assert f"{kind}, {len(data)} bytes, kept as content sha256:{digest(data)}" in (answer.text or "")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a\x01\x00\x00", "image/gif"),
        (WEBP, "image/webp"),
    ],
)
def test_pictures_go_with_the_answer(data: bytes, kind: str) -> None:
    """A picture is told of and carried, whatever its name says."""
    answer = read(data, "assets/chart.dat")
    (picture,) = answer.pictures
    assert (answer.ok, picture.media_type, picture.data, picture.digest) == (True, kind, data, digest(data))
    told = f"assets/chart.dat is a picture: {kind}, {len(data)} bytes, kept as content sha256:{picture.digest}."
    assert answer.text == told


def test_huge_pictures_are_only_named() -> None:
    """A picture that is larger than providers take is named and not carried."""
    answer = read(PNG + bytes(LARGEST_PICTURE))
    assert (answer.ok, answer.code, answer.pictures) == (False, "resource.size", ())


def test_long_text_comes_in_parts() -> None:
    """The first answer ends with a whole line and says how much there is and how to go on; nothing is left out."""
    text, asked = "", ""
    while True:
        answer = read(LONG, "references/log.txt", lines=asked)
        part, _, note = (answer.text or "").rpartition("[references/log.txt: lines ")
        text += part
        assert f" of 4,000; {len(LONG):,} characters in all." in note
        assert part.endswith("\n")
        assert len(part) <= LONGEST
        if "Go on" not in note:
            break
        asked = note.partition('lines "')[2].partition('"')[0]
    assert text == LONG


def test_lines_are_answered_exactly() -> None:
    """A range gives those lines, one number one line, an open range all to the end, and the end is never passed."""
    answers = [read(LONG, lines=asked).text for asked in ("2-3", "4000", "3999-", "4000-9999")]
    note = f"of 4,000; {len(LONG):,} characters in all.]"
    first = f'line 2\nline 3\n[references/notes.md: lines 2-3 {note[:-1]} Go on with lines "4-'
    assert (answers[0] or "").startswith(first)
    assert answers[1] == answers[3] == f"line 4000\n[references/notes.md: lines 4000-4000 {note}"
    assert answers[2] == f"line 3999\nline 4000\n[references/notes.md: lines 3999-4000 {note}"


@pytest.mark.parametrize("asked", ["0-3", "9-3", "first", "-3", "5000", "1,5"])
def test_wrong_lines_are_told(asked: str) -> None:
    """A range that is none, or lies behind the end, is answered with what would be right."""
    answer = read(LONG, lines=asked)
    assert (answer.ok, answer.code) == (False, "resource.part")
    assert '"120-240"' in (answer.text or "") or "only 4,000 lines" in (answer.text or "")


@pytest.mark.parametrize("asked", ["Set `up`", "set up", "## SET  UP", "*Set up*"])
def test_sections_are_found_in_any_case(asked: str) -> None:
    """A section is all below its heading, deeper headings too; case, marks and hashes do not matter."""
    part = (read(MANUAL, section=asked).text or "").rpartition("[")[0]
    assert part == MANUAL[MANUAL.index("## Set") : MANUAL.index("## Errors")]


def test_missing_section_names_the_near() -> None:
    """A heading that is not there is answered with those that are, the nearest first."""
    answer = read(MANUAL, section="Error")
    assert (answer.ok, answer.code) == (False, "resource.part")
    assert "has no section 'Error'. There is: Errors, " in (answer.text or "")
    assert "has no sections" in (read("no: heading\n", "a.yaml", section="x").text or "")


def test_same_headings_are_told() -> None:
    """Where two headings read alike the first is answered, and the other's place is told."""
    answer = read("# A\n1\n# B\n# A\n2\n", section="a")
    assert (answer.text or "").startswith("# A\n1\n[references/notes.md: lines 1-2 of 5;")
    assert "The same heading stands at lines 4-5.]" in (answer.text or "")


def test_long_text_names_its_sections() -> None:
    """Below the first part stand the sections, and how many more there are."""
    note = read("".join(f"# Part {n}\n{'x' * 500}\n" for n in range(40))).text or ""
    assert 'Or ask by section: "Part 0", "Part 1"' in note
    assert note.endswith('"Part 29" and 10 more.]')


def test_headings_are_only_markdown() -> None:
    """Comments of a script, lines in code and hashes without a blank are no headings."""
    titles = [section.title for section in sections_of(MANUAL.splitlines(keepends=True))]
    assert titles == ["Manual", "Set `up`", "Deep", "Errors"]
    assert sections_of(["#no\n", "    # code\n", "####### seven\n", "#\n"]) == []
    assert "section" not in (read("# comment\n" * 4000, "assets/tool.yaml").text or "")


def test_both_parts_are_too_many() -> None:
    """Lines and section together are refused, since either may be meant."""
    assert read(MANUAL, lines="1-2", section="Errors").code == "resource.part"


def test_endless_line_is_told() -> None:
    """A long line comes whole; one that no answer can hold is named with the way past it."""
    assert (read("y" * 20_000, lines="1").text or "").startswith("y" * 20_000 + "\n[")
    answer = read("x" * 70_000 + "\nend\n", "data.json")
    assert (answer.ok, answer.code) == (False, "resource.line")
    assert "Line 1 of data.json has 70,001 characters" in (answer.text or "")
    assert 'Go on with lines "2-2".' in (answer.text or "")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30), max_size=30))
def test_parts_hold_whole_lines(lines: list[str]) -> None:
    """Whatever the line ends, all lines asked for one by one are the whole text."""
    text = "\n".join(lines)
    parts, at = "", 1
    while (answer := read(text, lines=str(at))).ok:
        part = (answer.text or "").rpartition("[references/notes.md: lines")[0]
        parts += part
        at += 1
    assert parts.rstrip("\r\n") == text.removeprefix("\ufeff").rstrip("\r\n") or text.startswith("%PDF-")


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes) -> None:
    """Any bytes are text, a picture, or named; nothing raises and nothing is lost."""
    answer = read(data)
    assert answer.text is not None
    assert answer.ok or digest(data) in answer.text
    assert media_type(data)
