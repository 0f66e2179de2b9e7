"""Is the record's file there, of a version that this metier reads, and whole enough to open?"""

import os
import sqlite3
from contextlib import closing
from urllib.parse import quote

from ...config import Settings
from ...record.schema import VERSIONS
from .finding import Finding

UPGRADE = "update with: pip install --upgrade metier"


def about_record(settings: Settings) -> Finding:
    """The record's file, its size, the version of its tables and how many tasks it holds. It is only read."""
    path = settings.record_path
    if not os.path.exists(path):
        return Finding("ok", "record", f"{path} is not there yet; the first task makes it")
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding("wrong", "record", f"{path} cannot be read and written", "mend its permissions")
    try:
        version, tasks = _read(path)
    except sqlite3.Error as error:
        cure = "restore it from a copy, or name another file in METIER_RECORD"
        return Finding("wrong", "record", f"{path} does not open as a record: {error}", cure)
    size = os.path.getsize(path)
    told = f"{path}, tables {version}, {tasks} tasks, {size / 1e6:,.1f} MB"
    if version in VERSIONS:
        older = "" if version == VERSIONS[-1] else "; the next task brings it to the newest tables"
        return Finding("ok", "record", told + older)
    return Finding("wrong", "record", f"{told}: a newer metier wrote it", UPGRADE)


def _read(path: str) -> tuple[str, int]:
    # A log beside the file holds what is not in it yet. Without one, SQLite would make one unless told not to.
    log = f"{path}-wal"
    how = "mode=ro" if os.path.exists(log) and os.path.getsize(log) else "immutable=1"
    with closing(sqlite3.connect(f"file:{quote(path)}?{how}", uri=True, timeout=1)) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        (tasks,) = connection.execute("SELECT count(*) FROM task").fetchone()
    return (str(row[0]) if row else "unknown"), int(tasks)
