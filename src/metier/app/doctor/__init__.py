"""The doctor: what is in order here, what is missing, and what is wrong. It creates nothing and changes nothing."""

from .examine import examine
from .finding import Finding, Level

__all__ = ["Finding", "Level", "examine"]
