"""What did the doctor find out about one thing?"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ...models.wire import PROVIDERS

Level = Literal["ok", "missing", "wrong"]
"""`missing` is what some work needs and other work does not; only `wrong` must be mended."""

SHORTEST_KEY = 6
"""A shorter value of a key's variable is no key, and taking it out would only spoil the words around it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's account."""

    level: Level
    what: str
    """What was looked at, in a word or two."""
    told: str
    """What was found."""
    cure: str = ""
    """What mends it, empty where nothing needs mending."""


def without_secrets(finding: Finding, environment: Mapping[str, str]) -> Finding:
    """The finding without any key of the environment and without passwords in addresses, whoever wrote its words."""
    return replace(finding, told=_without(finding.told, environment), cure=_without(finding.cure, environment))


def _without(text: str, environment: Mapping[str, str]) -> str:
    keys = {environment.get(name, "") for provider in PROVIDERS.values() for name in provider.keys}
    # The longest first: one key may begin with another.
    for key in sorted(keys, key=len, reverse=True):
        if len(key) >= SHORTEST_KEY:
            text = text.replace(key, "…")
    return re.sub(r"(?<=://)[^/\s]*@", "…@", text)
