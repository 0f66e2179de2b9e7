"""What names a result?"""

import hashlib
from typing import Any

from ..domain.compact import canonical


def digest_of(value: Any) -> str:
    """The SHA-256 of a JSON value in its canonical form: sorted keys, no blanks, UTF-8."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()
