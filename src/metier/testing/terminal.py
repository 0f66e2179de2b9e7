"""How does a test play the person at a terminal?"""

from collections.abc import Iterable


class ScriptedPerson:
    """A person whose lines are written down beforehand; what was shown and asked is kept."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.shown: list[str] = []
        self.asked: list[str] = []

    async def show(self, text: str) -> None:
        """Keep what is shown."""
        self.shown.append(text)

    async def ask(self, question: str) -> str:
        """The next line.

        Raises:
            EOFError: there are no more lines.
        """
        self.asked.append(question)
        line = next(self._lines, None)
        if line is None:
            raise EOFError("the person has no more lines")
        return line
