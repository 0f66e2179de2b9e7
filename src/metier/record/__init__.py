"""The record: append-only, numbered, chained entries of all that happened, and the accounts that are read from it."""

from .answers import TaskRow, Verified
from .memory import MemoryLog, MemoryRecord
from .opening import open_record
from .receipt import fold
from .record import Record, TaskWriter

__all__ = ["MemoryLog", "MemoryRecord", "Record", "TaskRow", "TaskWriter", "Verified", "fold", "open_record"]
