"""Where do large things go?"""

import contextlib
import os
import threading
from hashlib import file_digest, sha256
from itertools import count
from typing import BinaryIO, Literal

from ..errors import RecordBroken, RecordError
from .faults import file_fault

_PIECE = 1 << 20
"""Bytes that a file is copied by."""

_DIGEST = 64
"""Letters of a SHA-256 in hexadecimal."""


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Contents:
    """Files named by the digest of what is in them, in a folder beside the record. Each is written once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._numbers = count()
        self._lock = threading.Lock()
        self._unsynced: set[str] = set()

    def place(self, digest: str) -> str:
        """Where a content lies, or would lie. Raises RecordError for what is no digest."""
        if len(digest) != _DIGEST or not set(digest) <= set("0123456789abcdef"):
            raise RecordError(f"{digest!r} is no digest of a content.", hint="A digest has 64 letters of 0-9 and a-f.")
        return os.path.join(self._folder, digest[:2], digest[2:])

    def keep(self, data: bytes) -> str:
        """Keep data and answer its digest. What is there already is not written again."""
        digest = sha256(data).hexdigest()
        place = self.place(digest)
        try:
            if not self._is_there(place, len(data)):
                with self._new() as file:
                    file.write(data)
                self._put(file.name, place)
        except OSError as error:
            raise file_fault(place, error) from error
        self._owe(place)
        return digest

    def keep_file(self, path: str) -> str:
        """Keep a file and answer its digest, in pieces. Raises RecordError when it cannot be read."""
        try:
            with open(path, "rb") as source:
                digest = file_digest(source, sha256).hexdigest()
                length = source.tell()
                place = self.place(digest)
                if not self._is_there(place, length):
                    source.seek(0)
                    digest, place = self._copy(source)
        except OSError as error:
            raise file_fault(error.filename or path, error) from error
        self._owe(place)
        return digest

    def read(self, digest: str) -> bytes:
        """A content. Raises RecordError when it is missing, RecordBroken when it was changed."""
        place = self.path(digest)
        try:
            with open(place, "rb") as file:
                data = file.read()
        except OSError as error:
            raise file_fault(place, error) from error
        if sha256(data).hexdigest() != digest:
            raise RecordBroken(f"The content {digest[:12]} was changed ({place!r}).", hint="Restore it from a copy.")
        return data

    def path(self, digest: str) -> str:
        """Where a content lies. Raises RecordError when it is missing."""
        place = self.place(digest)
        if not os.path.isfile(place):
            raise RecordError(f"The record holds no content {digest[:12]}.", hint="It was erased, lost or never kept.")
        return place

    def state(self, digest: str) -> Literal["kept", "missing", "changed"]:
        """Whether a content is there and is what its digest says."""
        try:
            with open(self.place(digest), "rb") as file:
                return "kept" if file_digest(file, sha256).hexdigest() == digest else "changed"
        except (OSError, RecordError):
            return "missing"

    def remove(self, digest: str) -> None:
        """Remove a content, if it is there."""
        place = self.place(digest)
        with self._lock:
            self._unsynced.discard(place)
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(place)
        except OSError as error:
            raise file_fault(place, error) from error

    def sync(self) -> None:
        """Return when all that was kept survives a power cut."""
        with self._lock:
            owed, self._unsynced = self._unsynced, set()
        folders: set[str] = {os.path.dirname(place) for place in owed}
        if folders:
            folders |= {self._folder, os.path.dirname(self._folder) or "."}
        try:
            for path in (*owed, *folders):
                with contextlib.suppress(FileNotFoundError):
                    _sync(path)
        except OSError as error:
            with self._lock:
                self._unsynced |= owed
            raise file_fault(self._folder, error) from error

    def _owe(self, place: str) -> None:
        with self._lock:
            self._unsynced.add(place)

    def _is_there(self, place: str, length: int) -> bool:
        # A shorter one is what a power cut left of a write: it is written again.
        try:
            return os.stat(place).st_size == length
        except FileNotFoundError:
            return False

    def _new(self) -> BinaryIO:
        name = os.path.join(self._folder, f"new-{os.getpid()}-{threading.get_ident()}-{next(self._numbers)}")
        try:
            return open(name, "xb")
        except FileNotFoundError:
            os.makedirs(self._folder, exist_ok=True)
            return open(name, "xb")

    def _copy(self, source: BinaryIO) -> tuple[str, str]:
        taken = sha256()
        with self._new() as file:
            while piece := source.read(_PIECE):
                taken.update(piece)
                file.write(piece)
        place = self.place(taken.hexdigest())
        self._put(file.name, place)
        return taken.hexdigest(), place

    def _put(self, new: str, place: str) -> None:
        try:
            os.rename(new, place)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.rename(new, place)
