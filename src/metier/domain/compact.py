"""How is JSON data written compactly, and canonically?

The encoders are made once: `json.dumps` with any option makes a new one at each call.
"""

import json

compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""The text of a JSON value without blanks. Raises TypeError or ValueError for what is no JSON data."""

canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str).encode
"""The same with sorted keys, so that equal values have equal texts."""
