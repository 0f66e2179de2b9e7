"""What does a text of SQL begin with, statement by statement?

For PostgreSQL only, where nothing of the server's own keeps a transaction from being ended by text.
"""

import re

READING = {"CLOSE", "DECLARE", "EXPLAIN", "FETCH", "MOVE", "SELECT", "SHOW", "TABLE", "VALUES", "WITH"}
"""What a statement of a call that only reads may begin with; the server's read-only transaction judges the rest of it."""
SAVEPOINTS = {"RELEASE", "ROLLBACK TO", "SAVEPOINT"}
TRANSACTIONS = {
    "ABORT",
    "BEGIN",
    "COMMIT",
    "END",
    "PREPARE TRANSACTION",
    "ROLLBACK",
    "SET TRANSACTION",
    "START",
}

# Comments and all that is quoted: a semicolon or a word in them is none. Nested comments are no concern of a whole app.
_QUOTED = re.compile(
    r"""
    --[^\n]*
  | /\*.*?\*/
  | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$
  | \b[eE]'(?:[^'\\]|\\.|'')*'
  | '(?:[^']|'')*'
  | "(?:[^"]|"")*"
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = re.compile(r"[A-Za-z]+")
_TWO_WORDS = {"PREPARE": "TRANSACTION", "SET": "TRANSACTION"}


def beginnings(sql: str) -> list[str]:
    """The first word of each statement in capitals; `ROLLBACK TO` and the like as two."""
    bare = _QUOTED.sub(" ? ", sql) if "'" in sql or "--" in sql or "/*" in sql or '"' in sql or "$" in sql else sql
    return [_beginning(one) for one in bare.split(";") if one.strip(" ?\n\t\r(")]


def _beginning(statement: str) -> str:
    words = [word.upper() for word in _WORDS.findall(statement[:200])]
    if not words:
        return ""
    first = words[0]
    if first == "ROLLBACK":
        return "ROLLBACK TO" if "TO" in words[1:3] else first
    second = _TWO_WORDS.get(first)
    return f"{first} {second}" if second and second in words[1:2] else first
