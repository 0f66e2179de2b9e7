"""What does a model read that a person who looks at the file does not see?

Nothing is removed: what was reviewed and what is used must be the same (case 104).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...domain.problem import Problem
from .document import Document, is_markdown
from .markdown import comments, prose

_SHOWN = 160
"""Characters of a hidden text that are shown."""
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = re.compile(
    f"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f"
    f"\u3164\ufeff\uffa0\U000e0000-\U000e007f{_SELECTORS}{_BIDI}]"
)
_EMOJI = "\u00a9\u00ae\u2190-\u2bff\u3030\u303d\U0001f000-\U0001faff"
_JOINING = "\u0590-\u18af\u2e80-\ud7ff"
"""Scripts in which a joiner or a mark of a word's end between two letters is good spelling."""
_GOOD = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # a flag of a region
    f"|(?<=[{_EMOJI}])\ufe0f?\u200d(?=[{_EMOJI}])"  # several emoji in one
    f"|(?<=[{_JOINING}])[\u200b-\u200d](?=[{_JOINING}])"
    "|(?<=\\w)\u00ad(?=\\w)"
    f"|(?<=[^\\s{_SELECTORS}])[\ufe00-\ufe0f](?![{_SELECTORS}])"  # how one character is drawn
    f"|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef](?![{_SELECTORS}])"
)
_TURNS = re.compile(f"[{_BIDI}]")
_MARKS = "\u061c\u200e\u200f"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_TAG_BLOCK = 0xE0000


@dataclass(slots=True)
class _Found:
    """The unseen characters of one line."""

    unseen: str = ""
    turning: str = ""
    line: str = field(default="", repr=False)


def hidden_problems(document: Document) -> Iterator[Problem]:
    """Warnings on characters without a glyph, with what they say, and notes on comments."""
    yield from _characters(document.text, document.file)
    for name, text in document.texts.items():
        yield from _characters(text, document.named(name))
    yield from _comments(document.parts.body, document.file, document.body_line)
    for name, text in document.texts.items():
        if is_markdown(name):
            yield from _comments(text, document.named(name), 1)


def _characters(text: str, file: str) -> Iterator[Problem]:
    if text.isascii() and text.isprintable():
        return
    if not _UNSEEN.search(text):
        return
    for number, line in enumerate(text.split("\n"), 1):
        found = _found(line)
        if found.unseen:
            cause = _told(found.unseen)
            yield Problem("text.hidden", file, cause, number, "remove the characters, or write the text out", "warning")
        if found.turning:
            cause = f"characters turn the direction of writing, so the line is not read as it is shown: {_codes(found.turning)}"
            yield Problem("text.bidi", file, cause, number, "remove the characters", "warning")


def _found(line: str) -> _Found:
    found = _Found()
    if not _UNSEEN.search(line):
        return found
    left = _GOOD.sub("", line)
    characters = "".join(_UNSEEN.findall(left))
    found.turning = "".join(_TURNS.findall(characters))
    found.unseen = _TURNS.sub("", characters)
    if _RIGHT_TO_LEFT.search(line):
        # Marks are how a line in such a script is set right; only what overrides its order is told.
        found.turning = "".join(one for one in found.turning if one not in _MARKS)
    return found


def _told(characters: str) -> str:
    says = decoded(characters)
    if says:
        return f"hidden text {says[:_SHOWN]!r}, in characters that nobody sees"
    count = f"{len(characters)} characters" if len(characters) > 1 else "a character"
    left = ", such as a wrong encoding leaves behind" if all("\x80" <= one <= "\x9f" for one in characters) else ""
    return f"{count} that nobody sees{left}: {_codes(characters)}"


def decoded(characters: str) -> str:
    """The text that tag characters or variation selectors spell; empty where they spell none."""
    tags = "".join(chr(ord(one) - _TAG_BLOCK) for one in characters if 0xE0020 <= ord(one) <= 0xE007E)
    if tags:
        return tags
    octets = bytes(_octet(one) for one in characters if re.match(f"[{_SELECTORS}]", one))
    text = octets.decode("utf-8", "replace")
    return text if len(text) > 1 and text.isprintable() else ""


def _octet(selector: str) -> int:
    """The byte that the 256 variation selectors stand for, in their order."""
    code = ord(selector)
    return code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16


def _codes(characters: str) -> str:
    return ", ".join(dict.fromkeys(f"U+{ord(one):04X}" for one in characters[:_SHOWN]))


def _comments(text: str, file: str, first: int) -> Iterator[Problem]:
    if "<!--" not in text:
        return
    for comment in comments(prose(text)):
        cause = f"a comment that no reader of the page sees says: {comment.name[:_SHOWN]}"
        cure = "remove it, or write it where it is seen"
        yield Problem("text.comment", file, cause, first + comment.at, cure, "note")
