"""What a model is shown of a script's output."""

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.actions.scripts.cut import cut, shown
from metier.actions.scripts.run import Output, ScriptEnded

LIMIT = 1_000


def ended(
    folder: Path,
    *,
    out: bytes = b"",
    err: bytes = b"",
    how: Literal["exited", "timed_out", "output_limit", "signalled"] = "exited",
    code: int | None = 0,
    left: int = 0,
) -> ScriptEnded:
    """A run with these outputs in real files."""
    (folder / "out").write_bytes(out)
    (folder / "err").write_bytes(err)
    stdout, stderr = Output(str(folder / "out"), len(out)), Output(str(folder / "err"), len(err))
    return ScriptEnded(how, code, 1.5, stdout, stderr, left)


def text_of(run: ScriptEnded, limit: int = LIMIT) -> str:
    """What is shown of it, with digests that are easy to see."""
    return shown(run, limit=limit, contents={"stdout": "aaa", "stderr": "bbb"})


def test_short_output_is_shown_whole(tmp_path: Path) -> None:
    """Output that fits stands as it was printed."""
    assert text_of(ended(tmp_path, out=b"hello\n")) == "hello\n"


def test_errors_follow_under_a_line(tmp_path: Path) -> None:
    """Standard error comes after standard output, and an exit code that is not 0 last."""
    assert text_of(ended(tmp_path, out=b"a", err=b"b\n", code=2)) == "a\n[stderr]\nb\n[exit code 2]"


def test_silence_is_told(tmp_path: Path) -> None:
    """A model is never answered with nothing at all."""
    assert text_of(ended(tmp_path)) == "[The script printed nothing.]"


@pytest.mark.parametrize(
    ("run", "note"),
    [
        ({"how": "timed_out", "code": None}, "[metier ended the script after 1.5 s: its time limit]"),
        ({"how": "output_limit", "code": None}, "[metier ended the script at its output limit of 1 bytes]"),
        ({"how": "signalled", "code": -11}, "[the script was ended by signal SIGSEGV]"),
        ({"left": 1}, "[metier ended 1 process that the script had left running]"),
        ({"left": 2}, "[metier ended 2 processes that the script had left running]"),
    ],
)
def test_bad_end_is_told(tmp_path: Path, run: dict[str, object], note: str) -> None:
    """The last line says how a script ended, if not simply well."""
    assert text_of(ended(tmp_path, out=b"x", **run)) == f"x\n{note}"  # type: ignore[arg-type]  # each is of its own type


def test_long_output_is_cut_by_us(tmp_path: Path) -> None:
    """The first and last part are shown, and one line says who left out how much and where it is (case 043)."""
    out = b"first line\n" + (b"x" * 1_000_000 + b"\n") * 50 + b"last line\n"
    text = text_of(ended(tmp_path, out=out), 16_000)
    head, line, tail = text.split("\n[")[0], text.split("\n")[2], text.split("]\n")[1]
    missing = len(out) - len(head) - len(tail)
    assert line == f"[metier left out {missing} of 50000071 bytes of stdout; content sha256:aaa holds all of it]"
    assert 15_900 < len(text) <= 16_000
    assert (text.startswith("first line\nxx"), text.endswith("xx\nlast line\n")) == (True, True)


def test_errors_get_the_smaller_share(tmp_path: Path) -> None:
    """When both outputs are long, standard error has a quarter of the room."""
    text = text_of(ended(tmp_path, out=b"o" * 99_999, err=b"e" * 99_999, code=1), 16_000)
    out, _, err = text.partition("\n[stderr]\n")
    assert (15_900 < len(text) <= 16_000, 11_900 < len(out) < 12_000, 3_900 < len(err) < 4_050) == (True, True, True)
    assert "content sha256:bbb holds all of it" in err


def test_room_is_not_wasted(tmp_path: Path) -> None:
    """A short standard output leaves its room to a long standard error, and the other way round."""
    assert len(text_of(ended(tmp_path, out=b"o", err=b"e" * 9_999))) > LIMIT - 5
    assert len(text_of(ended(tmp_path, out=b"o" * 9_999, err=b"e"))) > LIMIT - 5


def test_whole_texts_are_known(tmp_path: Path) -> None:
    """An output's own text is answered where all of it is shown, and only there."""
    seen = cut(ended(tmp_path, out=b"o" * 9_999, err=b"oh\n"), limit=LIMIT, contents={})
    assert (seen.stdout, seen.stderr) == (None, "oh\n")
    assert "content sha256" not in seen.text


def test_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    """What is not UTF-8 is replaced, never an error (case 010)."""
    assert text_of(ended(tmp_path, out=b"a\xff\xc3b\n")) == "a��b\n"


@given(text=st.text(alphabet="aé→😀\n", min_size=1_001, max_size=4_000), err=st.text(alphabet="aé→😀", max_size=4_000))
def test_characters_are_never_split(tmp_path_factory: pytest.TempPathFactory, text: str, err: str) -> None:
    """However the cut falls, no character is broken and the limit holds."""
    folder = tmp_path_factory.mktemp("cut")
    seen = text_of(ended(folder, out=text.encode(), err=err.encode(), code=9, left=1))
    assert "�" not in seen
    assert len(seen) <= LIMIT


@given(out=st.binary(max_size=9_000), err=st.binary(max_size=9_000))
def test_limit_holds_for_any_bytes(tmp_path_factory: pytest.TempPathFactory, out: bytes, err: bytes) -> None:
    """Whatever is printed, the text is no longer than the limit."""
    folder = tmp_path_factory.mktemp("cut")
    assert len(text_of(ended(folder, out=out, err=err, code=1))) <= LIMIT
