"""How is a text of others shown, so that it can do nothing to the terminal or to the reader?"""

import re
import unicodedata


def clean(text: str) -> str:
    """The text with control, direction and invisible characters made visible; line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if harmless(character) else _visible(character) for character in text)


def in_one_line(text: str) -> str:
    """The text with its line breaks made visible too, so that it cannot look like lines of ours."""
    return clean(text).replace("\n", "\\n")


def one_line(text: str, limit: int) -> str:
    """The text on one line, cut openly."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def harmless(character: str) -> bool:
    """Whether a character can be shown as it is."""
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _visible(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def short_digests(text: str) -> str:
    """The text with the digests behind an `@` cut to 16 digits."""
    return re.sub(r"@([0-9a-f]{16})[0-9a-f]+", r"@\1", text)
