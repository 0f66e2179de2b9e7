"""What is a model shown of what a script printed?"""

import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from .run import Output, ScriptEnded

_WIDEST = 4
"""Bytes of the longest character in UTF-8."""
_ERROR_HEADING = "[stderr]\n"
_ERROR_SHARE = 4
"""Standard error gets a quarter of the room when both outputs want more than there is."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The text for a model, and each output's own text where all of it is in there."""

    text: str
    stdout: str | None
    stderr: str | None


def shown(ended: ScriptEnded, *, limit: int, contents: Mapping[str, str]) -> str:
    """The text that a model is shown, of at most `limit` characters (case 043)."""
    return cut(ended, limit=limit, contents=contents).text


def cut(ended: ScriptEnded, *, limit: int, contents: Mapping[str, str]) -> Shown:
    """Standard output, then standard error, then how it ended; what does not fit is named, not just dropped.

    Args:
        ended: How the script ended.
        limit: The most characters of the text, at least 1,000.
        contents: The digest under which each output (`stdout`, `stderr`) is kept whole.
    """
    notes = _notes(ended)
    room = limit - len(notes) - (len(_ERROR_HEADING) + 1 if ended.stderr.length else 0) - 1
    stdout, stderr = _whole(ended.stdout, room), _whole(ended.stderr, room)
    error_room = max(room // _ERROR_SHARE, room - (room if stdout is None else len(stdout)))
    error_text = _fitted("stderr", ended.stderr, stderr, error_room, contents)
    out_text = _fitted("stdout", ended.stdout, stdout, room - len(error_text), contents)
    text = out_text
    if error_text:
        text = f"{_line(text)}{_ERROR_HEADING}{error_text}"
    if notes:
        text = f"{_line(text)}{notes}"
    return Shown(
        text or "[The script printed nothing.]",
        stdout if out_text == stdout else None,
        stderr if error_text == stderr else None,
    )


def _notes(ended: ScriptEnded) -> str:
    """How it ended, where that is not simply well."""
    notes: list[str] = []
    if ended.ended == "timed_out":
        notes.append(f"[metier ended the script after {ended.seconds:.1f} s: its time limit]")
    elif ended.ended == "output_limit":
        longest = max(ended.stdout.length, ended.stderr.length)
        notes.append(f"[metier ended the script at its output limit of {longest} bytes]")
    elif ended.ended == "signalled":
        notes.append(f"[the script was ended by signal {_signal_name(ended.exit)}]")
    elif ended.exit:
        notes.append(f"[exit code {ended.exit}]")
    if ended.left:
        processes = "1 process" if ended.left == 1 else f"{ended.left} processes"
        notes.append(f"[metier ended {processes} that the script had left running]")
    return "\n".join(notes)


def _signal_name(exit_code: int | None) -> str:
    number = -(exit_code or 0)
    with suppress(ValueError):
        return signal.Signals(number).name
    return str(number)


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _whole(output: Output, room: int) -> str | None:
    """The whole text, unless it is surely or really longer than the room."""
    if output.length > _WIDEST * room:
        return None
    text = _read(output, 0, output.length).decode("utf-8", "replace")
    return text if len(text) <= room else None


def _fitted(name: str, output: Output, whole: str | None, room: int, contents: Mapping[str, str]) -> str:
    """The whole text where it fits; else its first and last part with one line between that says what is missing."""
    if whole is not None and len(whole) <= room:
        return whole
    kept = f"; content sha256:{contents[name]} holds all of it" if name in contents else ""
    between = "\n[metier left out {left} of {all} bytes of {name}{kept}]\n"
    reserve = len(between.format(left=output.length, all=output.length, name=name, kept=kept))
    each = max(room - reserve, 0) // 2
    head, tail = _head(output, each), _tail(output, each)
    left = output.length - len(head) - len(tail)
    line = between.format(left=left, all=output.length, name=name, kept=kept)
    return head.decode("utf-8", "replace") + line + tail.decode("utf-8", "replace")


def _head(output: Output, characters: int) -> bytes:
    """The bytes of the first characters. What is no UTF-8 counts a character for each byte."""
    text = _read(output, 0, _WIDEST * characters).decode("utf-8", "surrogateescape")
    return text[:characters].encode("utf-8", "surrogateescape")


def _tail(output: Output, characters: int) -> bytes:
    """The bytes of the last characters. A character that began before what is read is left out."""
    if not characters:
        return b""
    start = max(output.length - _WIDEST * characters - (_WIDEST - 1), 0)
    data = _read(output, start, output.length - start)
    if start:
        begin = next((at for at, byte in enumerate(data[:_WIDEST]) if byte & 0xC0 != 0x80), 0)
        data = data[begin:]
    text = data.decode("utf-8", "surrogateescape")
    return text[-characters:].encode("utf-8", "surrogateescape")


def _read(output: Output, start: int, count: int) -> bytes:
    with open(output.path, "rb") as file:
        file.seek(start)
        return file.read(count)
