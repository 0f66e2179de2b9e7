"""The record: append-only, numbered, chained entries of all that happened, and the accounts that are read from it."""

from .answers import ModelUse, TaskRow, Verified
from .lease import Lease
from .memory import MemoryRecord
from .memory_log import MemoryLog
from .opening import open_record
from .receipt import fold
from .record import Record, TaskWriter

__all__ = [
    "Lease",
    "MemoryLog",
    "MemoryRecord",
    "ModelUse",
    "Record",
    "TaskRow",
    "TaskWriter",
    "Verified",
    "fold",
    "open_record",
]
