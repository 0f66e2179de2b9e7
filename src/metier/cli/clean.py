"""How is a text of others shown, so that it can do nothing to the terminal or to the reader?"""

import unicodedata


def clean(text: str) -> str:
    """The text with control, direction and invisible characters made visible; line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _harmless(character) else _visible(character) for character in text)


def one_line(text: str, limit: int) -> str:
    """The text on one line, cut openly."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def _harmless(character: str) -> bool:
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _visible(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
