"""The record: append-only, numbered, chained entries of all that happened, and the accounts that are read from it."""

from .memory import MemoryLog, MemoryRecord
from .receipt import fold
from .record import Record, TaskRow, TaskWriter, Verified

__all__ = ["MemoryLog", "MemoryRecord", "Record", "TaskRow", "TaskWriter", "Verified", "fold"]
