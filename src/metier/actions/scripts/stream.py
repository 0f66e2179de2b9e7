"""How does an output get from a script's pipe into a file, within its limit?"""

import os
from dataclasses import dataclass

_PIECE = 64 * 1024
_DRAINED = 64
"""Pieces read at the end at the most: more than a pipe holds, and an end where somebody still writes."""


@dataclass(slots=True, eq=False)
class Stream:
    """The reading end of one output, with the file that it is kept in.

    It is a pipe, not the file itself: a script that writes to `/dev/stderr` by name would empty the file.
    """

    pipe: int
    path: str
    limit: int
    file: int = -1
    """Not open yet."""
    length: int = 0
    """Bytes in the file."""
    over: bool = False
    """Whether there was more than the limit. The rest is dropped."""

    def open(self) -> None:
        """Make the file. It is done while the script's interpreter starts, since it can take as long as a spawn.

        Raises:
            OSError: The file cannot be made.
        """
        self.file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)

    def pump(self) -> bool:
        """Move what is there, up to 64 KiB, without waiting, and answer whether more can come.

        Raises:
            OSError: The file cannot be written.
        """
        try:
            piece = os.read(self.pipe, _PIECE)
        except BlockingIOError:
            return True
        self._write(piece)
        return bool(piece)

    def drain(self) -> None:
        """Move what still lies in the pipe, without waiting for anybody.

        Raises:
            OSError: The file cannot be written.
        """
        for _ in range(_DRAINED):
            try:
                piece = os.read(self.pipe, _PIECE)
            except BlockingIOError:
                return
            if not piece:
                return
            self._write(piece)

    def close(self) -> None:
        """Give the pipe and the file back."""
        os.close(self.pipe)
        if self.file >= 0:
            os.close(self.file)

    def _write(self, piece: bytes) -> None:
        room = self.limit - self.length
        if len(piece) > room:
            self.over = True
            piece = piece[:room]
        view = memoryview(piece)
        while view:
            written = os.write(self.file, view)
            self.length += written
            view = view[written:]
