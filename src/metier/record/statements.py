"""What is the database asked and told?

The texts for the driver, each held equal by a test to what SQLAlchemy compiles from `tables.py`. The values of a place
stand in the order of the places.
"""

FIND_VERSION = "SELECT alembic_version.version_num FROM alembic_version"
MARK_VERSION = "INSERT INTO alembic_version (version_num) VALUES (?)"

ADD_TASK = (
    "INSERT INTO task (id, skill, source, giver, started, state, reason, token, owner, lease_until, agent) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
END_TASK = (
    "UPDATE task SET ended=?, state=?, reason=?, owner='', lease_until=0, wake_at=NULL, waits_for='' "
    "WHERE task.id = ? AND task.token = ?"
)
PAUSE_TASK = (
    "UPDATE task SET state=?, owner='', lease_until=0, wake_at=?, waits_for=?, takeovers=0 "
    "WHERE task.id = ? AND task.token = ?"
)
HAS_TASK = "SELECT task.state FROM task WHERE task.id = ?"
FIND_TASK = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason, "
    "task.waits_for, task.wake_at, task.lease_until, task.takeovers, task.stop, task.agent FROM task WHERE task.id = ?"
)
NEWEST_TASKS = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason, "
    "task.waits_for, task.wake_at, task.lease_until, task.takeovers, task.stop, task.agent FROM task "
    "ORDER BY task.started DESC, task.id LIMIT ?"
)
NEWEST_ROOTS = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason, "
    "task.waits_for, task.wake_at, task.lease_until, task.takeovers, task.stop, task.agent FROM task "
    "WHERE NOT (EXISTS (SELECT parent.id FROM task AS parent "
    "WHERE parent.id = substr(task.id, ?, instr(task.id, '.') - 1))) ORDER BY task.started DESC, task.id LIMIT ?"
)
CHILDREN = (
    "SELECT task.id, task.skill, task.source, task.giver, task.started, task.ended, task.state, task.reason, "
    "task.waits_for, task.wake_at, task.lease_until, task.takeovers, task.stop, task.agent FROM task "
    "WHERE task.id > ? AND task.id < ? ORDER BY task.started, task.id"
)
MATCH_TASKS = "SELECT task.id FROM task WHERE substr(task.id, ?, ?) = ? ORDER BY task.started DESC"

# Leases. The places of TAKE_UP: owner, lease, stop kept or not, task, now, ended state that may go on.
TAKE_UP = (
    "UPDATE task SET ended=NULL, state='Running', reason='', token=(task.token + 1), owner=?, lease_until=?, "
    "stop=CASE WHEN (? = 1) THEN '' ELSE task.stop END, wake_at=NULL, waits_for='', "
    "takeovers=CASE WHEN (task.state = 'Running') THEN task.takeovers + 1 ELSE 0 END "
    "WHERE task.id = ? AND (task.state IN ('Ready', 'Waiting') OR task.state = 'Running' AND task.lease_until < ? "
    "OR ? = 1 AND (task.state = 'Stopped' OR task.state = 'Failed' AND task.reason = 'model'))"
)
TAKEN_AS = "SELECT task.token, task.stop FROM task WHERE task.id = ?"
HOLDS = "SELECT task.stop FROM task WHERE task.id = ? AND task.token = ? AND task.state = 'Running'"
RENEW = "UPDATE task SET lease_until=? WHERE task.id = ? AND task.token = ? AND task.state = 'Running'"
LET_GO = "UPDATE task SET lease_until=0 WHERE task.id = ? AND task.token = ? AND task.state = 'Running'"
OWNERS = (
    "SELECT DISTINCT task.owner FROM task WHERE task.ended IS NULL AND task.state = 'Running' AND task.lease_until >= ?"
)
FREE_OWNER = "UPDATE task SET lease_until=0 WHERE task.owner = ? AND task.ended IS NULL AND task.state = 'Running'"
LOOK = (
    "SELECT task.id, task.token, task.state, task.stop FROM task "
    "WHERE task.id IN (SELECT ids.value FROM json_each(?) AS ids)"
)
ASK_STOP = "UPDATE task SET stop=? WHERE task.id = ? AND task.ended IS NULL AND task.stop = ''"
READY = (
    "SELECT task.id, task.started FROM task WHERE task.ended IS NULL AND task.state = 'Ready' "
    "UNION SELECT task.id, task.started FROM task "
    "WHERE task.ended IS NULL AND task.state = 'Waiting' AND task.wake_at <= ? "
    "UNION SELECT task.id, task.started FROM task "
    "WHERE task.ended IS NULL AND task.state = 'Running' AND task.lease_until < ? AND task.takeovers < ? "
    "UNION SELECT task.id, task.started FROM task "
    "WHERE task.ended IS NULL AND task.stop != '' AND task.lease_until < ? ORDER BY started, id LIMIT ?"
)
WAKE_FOR = (
    "UPDATE task SET state='Ready', wake_at=NULL, waits_for='' "
    "WHERE task.waits_for = ? AND task.waits_for != '' AND task.state = 'Waiting'"
)
WAKE_WITHOUT_CHILD = (
    "UPDATE task SET state='Ready', wake_at=NULL, waits_for='' WHERE task.id = ? AND task.token = ? "
    "AND task.state = 'Waiting' AND NOT (EXISTS (SELECT child.id FROM task AS child "
    "WHERE child.id = ? AND child.ended IS NULL))"
)
WAKE_FOR_PERSON = (
    "UPDATE task SET state='Ready', wake_at=NULL, waits_for='' "
    "WHERE task.id = ? AND task.state = 'Waiting' AND task.waits_for = 'person'"
)
WAKE_ANSWERED = (
    "UPDATE task SET state='Ready', wake_at=NULL, waits_for='' WHERE task.id = ? AND task.token = ? "
    "AND task.state = 'Waiting' AND (EXISTS (SELECT proposal.id FROM proposal "
    "WHERE proposal.task = ? AND proposal.state IN ('Approved', 'Declined') AND proposal.seen = 0))"
)
WAKE_WORKING = (
    "UPDATE task SET state='Ready', wake_at=NULL, waits_for='' WHERE task.id = ? AND task.token = ? "
    "AND task.state = 'Waiting' AND (EXISTS (SELECT seat.agent FROM seat "
    "WHERE seat.agent = ? AND seat.state = 'works'))"
)

ADD_ENTRY = "INSERT INTO entry (task, number, kind, at, facts, body, digest) VALUES (?, ?, ?, ?, ?, ?, ?)"
NEXT_ENTRIES = (
    "SELECT entry.task, entry.number, entry.kind, entry.at, entry.facts, entry.body, entry.digest FROM entry "
    "WHERE entry.task = ? AND entry.number > ? ORDER BY entry.number LIMIT ?"
)
MODEL_CALLS = (
    "SELECT entry.task, task.skill, task.agent, entry.kind, entry.at, entry.facts FROM entry JOIN task ON task.id = entry.task "
    "WHERE entry.kind IN ('ModelCalled', 'ModelAnswered') AND entry.at >= ? ORDER BY entry.task, entry.number"
)
MODEL_CALLS_OF = (
    "SELECT entry.task, task.skill, task.agent, entry.kind, entry.at, entry.facts FROM entry "
    "JOIN task ON task.id = entry.task WHERE (entry.task = ? OR entry.task > ? AND entry.task < ?) "
    "AND entry.kind IN ('ModelCalled', 'ModelAnswered') ORDER BY entry.task, entry.number"
)
OTHERS_TEXTS = "SELECT entry.facts, entry.body FROM entry WHERE entry.task != ?"
ERASE_BODIES = "UPDATE entry SET body=? WHERE entry.task = ? AND entry.body IS NOT NULL"

ADD_LATE = "INSERT INTO late (task, token, number, kind, at, facts, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
LATE_NOTES = (
    "SELECT late.task, late.number, late.kind, late.at, late.facts, late.body, '' AS digest FROM late "
    "WHERE late.task = ? ORDER BY late.token, late.number"
)
OTHERS_LATE = "SELECT late.facts, late.body FROM late WHERE late.task != ?"
ERASE_LATE = "UPDATE late SET body=NULL WHERE late.task = ?"

ADD_PROPOSAL = "INSERT INTO proposal (id, task, call, action, made, state, told) VALUES (?, ?, ?, ?, ?, ?, ?)"
FIND_PROPOSAL = (
    "SELECT proposal.id, proposal.task, proposal.call, proposal.action, proposal.made, proposal.state, proposal.told, "
    'proposal.answered, proposal."by", proposal.reason, proposal.covers, proposal.edited FROM proposal '
    "WHERE proposal.id = ?"
)
PROPOSALS_OF_TASK = (
    "SELECT proposal.id, proposal.task, proposal.call, proposal.action, proposal.made, proposal.state, proposal.told, "
    'proposal.answered, proposal."by", proposal.reason, proposal.covers, proposal.edited FROM proposal '
    "WHERE proposal.task = ? ORDER BY proposal.made DESC"
)
PROPOSALS_IN_STATE = (
    "SELECT proposal.id, proposal.task, proposal.call, proposal.action, proposal.made, proposal.state, proposal.told, "
    'proposal.answered, proposal."by", proposal.reason, proposal.covers, proposal.edited FROM proposal '
    "WHERE proposal.state = ? ORDER BY proposal.made DESC LIMIT ?"
)
NEWEST_PROPOSALS = (
    "SELECT proposal.id, proposal.task, proposal.call, proposal.action, proposal.made, proposal.state, proposal.told, "
    'proposal.answered, proposal."by", proposal.reason, proposal.covers, proposal.edited FROM proposal '
    "ORDER BY proposal.made DESC LIMIT ?"
)
MATCH_PROPOSALS = (
    "SELECT proposal.id, proposal.state FROM proposal WHERE substr(proposal.id, ?, ?) = ? "
    "ORDER BY proposal.made DESC LIMIT ?"
)
ANSWER = (
    'UPDATE proposal SET state=?, answered=?, "by"=?, reason=?, covers=?, edited=?, seen=? '
    "WHERE proposal.id = ? AND proposal.state = 'Pending'"
)
SEE = "UPDATE proposal SET seen=1 WHERE proposal.id = ?"
CARRY_OUT = "UPDATE proposal SET state='Done' WHERE proposal.id = ? AND proposal.state = 'Approved'"
MAKE_STALE = "UPDATE proposal SET state='Stale' WHERE proposal.id = ? AND proposal.state = 'Approved'"
WITHDRAW = "UPDATE proposal SET state='Withdrawn' WHERE proposal.task = ? AND proposal.state = 'Pending'"
ERASE_PROPOSALS = "UPDATE proposal SET told='', reason='', edited=NULL WHERE proposal.task = ?"

ADD_YES = 'INSERT INTO yes (subject, task, number, at, "by") VALUES (?, ?, ?, ?, ?) ON CONFLICT (subject) DO NOTHING'
HAS_YES = "SELECT yes.subject FROM yes WHERE yes.subject = ?"

FIND_SEAT = 'SELECT seat.agent, seat.sponsor, seat.state, seat."by", seat.at FROM seat WHERE seat.agent = ?'
SEATS = 'SELECT seat.agent, seat.sponsor, seat.state, seat."by", seat.at FROM seat ORDER BY seat.agent'
ADD_SEAT = 'INSERT INTO seat (agent, sponsor, state, "by", at) VALUES (?, ?, ?, ?, ?)'
CHANGE_SEAT = 'UPDATE seat SET sponsor=?, state=?, "by"=?, at=? WHERE seat.agent = ?'
