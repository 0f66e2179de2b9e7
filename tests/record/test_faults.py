"""Errors of the database and of files, as ours."""

import errno
import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from metier.errors import RecordBroken, RecordBusy, RecordError
from metier.record.faults import database_fault, file_fault

CODES = [
    (sqlite3.SQLITE_BUSY_SNAPSHOT, RecordBusy, "held by another"),
    (sqlite3.SQLITE_FULL, RecordError, "disk is full"),
    (sqlite3.SQLITE_READONLY_DIRECTORY, RecordError, "cannot be written"),
    (sqlite3.SQLITE_CANTOPEN, RecordError, "cannot be opened"),
    (sqlite3.SQLITE_NOTADB, RecordError, "no SQLite database"),
    (sqlite3.SQLITE_CORRUPT, RecordBroken, "damaged"),
    (sqlite3.SQLITE_ERROR, RecordError, "cannot be used"),
]


@pytest.mark.parametrize(("code", "kind", "words"), CODES)
def test_codes_have_words_and_cures(code: int, kind: type[RecordError], words: str) -> None:
    """Each cause is told in plain words with a hint, whether SQLAlchemy wrapped it or not."""
    error = sqlite3.OperationalError("said the driver")
    error.sqlite_errorcode = code
    for raised in (error, OperationalError("SELECT 1", {}, error)):
        fault = database_fault("r.db", raised)
        assert type(fault) is kind
        assert words in fault.message
        assert "said the driver" in fault.message
        assert fault.hint


@pytest.mark.parametrize(("number", "words"), [(errno.ENOSPC, "full"), (errno.EROFS, "written"), (errno.EIO, "read")])
def test_file_errors_have_words_and_cures(number: int, words: str) -> None:
    """A full disk, a read-only one and a broken one are told apart."""
    fault = file_fault("r.db.contents", OSError(number, "said the system"))
    assert words in fault.message
    assert fault.hint
