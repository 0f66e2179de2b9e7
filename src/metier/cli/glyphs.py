"""Which characters can this terminal draw?"""

import os
from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The few characters that a picture needs."""

    branch: str
    bar: str
    done: str
    failed: str
    back: str
    dot: str
    ascii: bool


UNICODE = Glyphs("├─ ", "│  ", "✓", "✗", "↩", "·", ascii=False)
ASCII = Glyphs("|- ", "|  ", "ok", "x", "<-", "-", ascii=True)


def glyphs_for(stream: IO[str]) -> Glyphs:
    """ASCII where the locale or the stream cannot carry more."""
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    if locale in ("C", "POSIX") or not encoding.startswith("utf"):
        return ASCII
    return UNICODE
