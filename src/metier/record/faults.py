"""What does an error of the database or of a file mean, and what is to be done?"""

import errno
import sqlite3

from ..errors import RecordBroken, RecordBusy, RecordError

_FULL = "Free some space on the disk and go on; nothing that was committed is lost."
_READ_ONLY = "Check who may write to the file and to its folder, or name another record."

# By SQLite's primary result codes.
_CAUSES: dict[int, tuple[type[RecordError], str, str]] = {
    sqlite3.SQLITE_BUSY: (RecordBusy, "is held by another program", "Wait for it to end, or stop it, and try again."),
    sqlite3.SQLITE_LOCKED: (RecordBusy, "is held by another program", "Wait for it to end, or stop it, and try again."),
    sqlite3.SQLITE_FULL: (RecordError, "cannot grow: the disk is full", _FULL),
    sqlite3.SQLITE_READONLY: (RecordError, "cannot be written", _READ_ONLY),
    sqlite3.SQLITE_PERM: (RecordError, "cannot be written", _READ_ONLY),
    sqlite3.SQLITE_CANTOPEN: (RecordError, "cannot be opened or made", _READ_ONLY),
    sqlite3.SQLITE_NOTADB: (RecordError, "is no record: the file is no SQLite database", "Name another file."),
    sqlite3.SQLITE_CORRUPT: (RecordBroken, "is damaged", "Restore it from a copy."),
    sqlite3.SQLITE_IOERR: (RecordError, "cannot be read or written", "Check the disk that it lies on."),
    sqlite3.SQLITE_CONSTRAINT: (
        RecordError,
        "refused a row",
        "Is another program writing the same task? Entries are only ever added.",
    ),
}


def _code(error: BaseException) -> int:
    original = getattr(error, "orig", None) or error  # SQLAlchemy keeps the driver's error there
    return int(getattr(original, "sqlite_errorcode", 0)) & 0xFF


def database_fault(path: str, error: BaseException) -> RecordError:
    """Our error for one of the database's."""
    original = getattr(error, "orig", None) or error
    kind, cause, hint = _CAUSES.get(_code(error), (RecordError, "cannot be used", "See the cause in the message."))
    return kind(f"The record {path!r} {cause} ({original}).", hint=hint)


def file_fault(path: str, error: OSError) -> RecordError:
    """Our error for one of the file system's."""
    said = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RecordError(f"The record cannot grow: the disk is full ({path!r}: {said}).", hint=_FULL)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return RecordError(f"The record cannot be written ({path!r}: {said}).", hint=_READ_ONLY)
    return RecordError(
        f"The record cannot be read or written ({path!r}: {said}).", hint="Check that the path is right."
    )
