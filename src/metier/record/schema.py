"""How is a new SQLite record made?

`tables.py` and `migrations` are the truth. This is what they make, as text, so that a first run needs neither SQLAlchemy
nor alembic; a test holds the two equal.
"""

VERSIONS = ("0001", "0002", "0003")
"""The versions of the tables, oldest first; each is a file in `migrations/versions`."""

NEWEST = VERSIONS[-1]

SCHEMA = (
    """
    CREATE TABLE alembic_version (
        version_num VARCHAR(32) NOT NULL,
        CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
    )
    """,
    """
    CREATE TABLE task (
        id TEXT NOT NULL,
        skill TEXT NOT NULL,
        source TEXT NOT NULL,
        giver TEXT NOT NULL,
        started BIGINT NOT NULL,
        ended BIGINT,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        token INTEGER DEFAULT 0 NOT NULL,
        owner TEXT DEFAULT '' NOT NULL,
        lease_until BIGINT DEFAULT 0 NOT NULL,
        stop TEXT DEFAULT '' NOT NULL,
        wake_at BIGINT,
        waits_for TEXT DEFAULT '' NOT NULL,
        takeovers INTEGER DEFAULT 0 NOT NULL,
        agent TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX task_started ON task (started)",
    """
    CREATE TABLE entry (
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at BIGINT NOT NULL,
        facts TEXT NOT NULL,
        body TEXT,
        digest TEXT NOT NULL,
        PRIMARY KEY (task, number)
    )
    """,
    """
    CREATE TABLE yes (
        subject TEXT NOT NULL,
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        at BIGINT NOT NULL,
        "by" TEXT NOT NULL,
        PRIMARY KEY (subject)
    )
    """,
    """
    CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END
    """,
    """
    CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    WHEN NEW.body IS NOT NULL OR NEW.task IS NOT OLD.task OR NEW.number IS NOT OLD.number OR NEW.kind IS NOT OLD.kind
      OR NEW.at IS NOT OLD.at OR NEW.facts IS NOT OLD.facts OR NEW.digest IS NOT OLD.digest
    BEGIN SELECT RAISE(ABORT, 'entries are never changed; only a body may be erased'); END
    """,
    """
    CREATE TRIGGER entry_is_never_replaced BEFORE INSERT ON entry
    WHEN EXISTS (SELECT 1 FROM entry WHERE task = NEW.task AND number = NEW.number)
    BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END
    """,
    "CREATE INDEX task_open ON task (state, wake_at) WHERE ended IS NULL",
    "CREATE INDEX task_stopping ON task (started) WHERE ended IS NULL AND stop != ''",
    "CREATE INDEX task_waits ON task (waits_for) WHERE waits_for != ''",
    """
    CREATE TABLE proposal (
        id TEXT NOT NULL,
        task TEXT NOT NULL,
        call TEXT NOT NULL,
        action TEXT NOT NULL,
        made BIGINT NOT NULL,
        state TEXT NOT NULL,
        told TEXT NOT NULL,
        answered BIGINT,
        "by" TEXT DEFAULT '' NOT NULL,
        reason TEXT DEFAULT '' NOT NULL,
        covers TEXT DEFAULT '' NOT NULL,
        edited TEXT,
        seen INTEGER DEFAULT 0 NOT NULL,
        PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX proposal_state ON proposal (state, made)",
    "CREATE INDEX proposal_task ON proposal (task)",
    """
    CREATE TABLE late (
        task TEXT NOT NULL,
        token INTEGER NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at BIGINT NOT NULL,
        facts TEXT NOT NULL,
        body TEXT,
        PRIMARY KEY (task, token, number)
    )
    """,
    """
    CREATE TABLE seat (
        agent TEXT NOT NULL,
        sponsor TEXT NOT NULL,
        state TEXT NOT NULL,
        "by" TEXT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (agent)
    )
    """,
)
"""The statements that make the tables of the newest version, in their order."""
