"""What is the database asked and told?

The texts for the driver, each held equal by a test to what SQLAlchemy compiles from `tables.py`. The values of a place
stand in the order of the columns.
"""

FIND_VERSION = "SELECT alembic_version.version_num FROM alembic_version"
MARK_VERSION = "INSERT INTO alembic_version (version_num) VALUES (?)"

ADD_TASK = "INSERT INTO task (id, skill, source, giver, started, ended, state, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
END_TASK = "UPDATE task SET ended=?, state=?, reason=? WHERE task.id = ?"
HAS_TASK = "SELECT task.state FROM task WHERE task.id = ?"
FIND_TASK = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason FROM task "
    "WHERE task.id = ?"
)
NEWEST_TASKS = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason FROM task "
    "ORDER BY task.started DESC, task.id LIMIT ?"
)
MATCH_TASKS = "SELECT task.id FROM task WHERE substr(task.id, ?, ?) = ? ORDER BY task.started DESC LIMIT ?"

ADD_ENTRY = "INSERT INTO entry (task, number, kind, at, facts, body, digest) VALUES (?, ?, ?, ?, ?, ?, ?)"
NEXT_ENTRIES = (
    "SELECT entry.task, entry.number, entry.kind, entry.at, entry.facts, entry.body, entry.digest FROM entry "
    "WHERE entry.task = ? AND entry.number > ? ORDER BY entry.number LIMIT ?"
)
OTHERS_TEXTS = "SELECT entry.facts, entry.body FROM entry WHERE entry.task != ?"
ERASE_BODIES = "UPDATE entry SET body=? WHERE entry.task = ? AND entry.body IS NOT NULL"

ADD_YES = 'INSERT INTO yes (subject, task, number, at, "by") VALUES (?, ?, ?, ?, ?) ON CONFLICT (subject) DO NOTHING'
HAS_YES = "SELECT yes.subject FROM yes WHERE yes.subject = ?"
