"""Has the work come to a halt though it goes on calling?

Failures in a row are counted: results sent back, refused calls, tools that fail. A call that did something resets the
count (O27-O30). Failures of one tool with one code are counted too, whatever comes between (case 045).
"""

from collections import Counter

from ..domain.call import HAND_BACK, Answered


class Stuck:
    """Counts the failures of one run."""

    def __init__(self, stuck_after: int) -> None:
        self._limit = stuck_after
        self._row: list[tuple[str, str, int]] = []
        self._of_kind: Counter[tuple[str, str]] = Counter()
        self._reasons: list[str] = []

    def saw(self, answered: Answered) -> None:
        """Count one call that was answered."""
        action = answered.call.action
        if answered.ok:
            if action != HAND_BACK and self._reasons:
                self._row.clear()
                self._reasons.clear()
            if self._of_kind:
                self._of_kind = Counter({key: times for key, times in self._of_kind.items() if key[0] != action})
            return
        self.failed(action, answered.code, answered.text, arguments=hash(str(answered.call.arguments)))

    def restart(self) -> None:
        """Count anew, after help. The reasons are kept, for the end to tell."""
        self._row.clear()
        self._of_kind.clear()

    def failed(self, action: str, code: str, reason: str, *, arguments: int = 0) -> None:
        """Count one failure that was no call, such as words where a result was due."""
        self._row.append((action, code, arguments))
        self._reasons.append(reason)
        if action != HAND_BACK:
            self._of_kind[action, code] += 1

    @property
    def found(self) -> str:
        """Why the run must stop, in words; empty while all is well."""
        if len(self._row) >= self._limit:
            return self._in_words(self._row)
        for (action, code), times in self._of_kind.items():
            if times >= self._limit:
                return f"{action}: {code} x {times}"
        return ""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Every reason since the last call that did something, oldest first."""
        return tuple(self._reasons)

    @staticmethod
    def _in_words(row: list[tuple[str, str, int]]) -> str:
        kinds = {(action, code) for action, code, _ in row}
        if len(kinds) > 1:
            return f"{len(row)} failures in a row: {', '.join(code for _, code, _ in row)}"
        ((_, code),) = kinds
        different = ", different names" if code.endswith(".missing") and len({item[2] for item in row}) > 1 else ""
        return f"{code} x {len(row)}{different}"
