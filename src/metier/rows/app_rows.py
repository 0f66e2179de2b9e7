"""What are the stored rows of an app, to its actions and jobs?"""

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, nullcontext
from typing import Any

from sqlalchemy import Engine
from sqlalchemy import inspect as look_into
from sqlalchemy.orm import Session

from ..domain.action import Effect, Settle
from ..domain.principal import RIGHTS, Principal
from .current import Unit, open_unit
from .find import find, id_of
from .marks import forget, make_table, settle_by_mark
from .schema import row_members
from .tripwire import watch
from .turns import turns_of
from .unit import unit_of_work
from .unrowed import Held, Unrowed, trips_told

MayRead = Callable[[Principal, Any], bool]
"""Whether somebody may read a row. It is asked of everybody by whose rights the work reads (O73)."""


class AppRows(Unrowed):
    """The rows in an app's database: looked up by their ids, each call in a unit of work of its own (O43, O44, O49).

    Args:
        engine: the app's database: SQLite in a file, or PostgreSQL.
        sessions: what makes a session, such as the app's sessionmaker.
        may_read: whether somebody may read a row; everybody may, if none is given.
    """

    waits = True

    def __init__(
        self, engine: Engine, *, sessions: Callable[..., Session] = Session, may_read: MayRead | None = None
    ) -> None:
        self.engine = engine
        self._sessions = sessions
        self._may_read = may_read
        self._made = False

    def find(self, kind: type, row_id: str) -> object | None:
        """The row of an id in the unit of work that is open; none where it is not there or may not be read (O44)."""
        unit = open_unit()
        if unit is None or unit.engine is not self.engine:
            with self.reading():
                return self.find(kind, row_id)
        return find(unit.session, kind, row_id, may=self._readable)

    def id_of(self, row: object) -> str:
        """The text of a row's id."""
        return id_of(row)

    def told(self, row: object) -> Mapping[str, Any]:
        """The columns of a row by their names."""
        return {member.name: getattr(row, member.name) for member in row_members(type(row))}

    def turn(self, effects: frozenset[Effect]) -> AbstractAsyncContextManager[object]:
        """Wait until a call with these effects may begin, where the database takes one writer at a time."""
        turns = turns_of(self.engine)
        # A call inside another one never waits for that one's end: its unit of work says that it cannot be.
        if turns is None or "changes" not in effects or open_unit() is not None:
            return nullcontext()
        return turns.turn()

    def held(self, effects: frozenset[Effect], *, key: str) -> AbstractContextManager[Held]:
        """One call in its unit of work: all of it or nothing, and nothing that it does not declare.

        Raises:
            EffectUndeclared: at its end, whatever the call hid.
        """
        return self._in_unit(effects, key)

    @contextmanager
    def _in_unit(self, effects: frozenset[Effect], key: str) -> Generator[Unit]:
        with (
            watch(effects) as seen,
            unit_of_work(self.engine, writes="changes" in effects, key=key, sessions=self._sessions) as unit,
            trips_told(seen),  # inside: what it did to rows is taken back
        ):
            yield unit

    @contextmanager
    def reading(self) -> Generator[Unit]:
        """A unit of work that only reads. Rows that come out of it can be used afterwards."""
        with unit_of_work(self.engine, writes=False, sessions=self._sessions) as unit:
            yield unit
            for row in list(unit.session):
                if not look_into(row).modified:
                    unit.session.expunge(row)

    def writing(self) -> AbstractContextManager[Unit]:
        """A unit of work of the app's own set-up, which changes rows and is no call."""
        return unit_of_work(self.engine, writes=True, sessions=self._sessions)

    def settle(self, effects: frozenset[Effect]) -> Settle | None:
        """Ask the marks what became of a call that changes rows."""
        return settle_by_mark(self.engine, sends="sends" in effects) if "changes" in effects else None

    def forget(self, task: str) -> None:
        """Take away the marks of a task that has ended for good."""
        forget(self.engine, task)

    def entered(self) -> None:
        """Make the table of marks, once, unless it is there."""
        if not self._made:
            make_table(self.engine)
            self._made = True

    def _readable(self, row: Any) -> bool:
        rights = RIGHTS.get()
        if self._may_read is None or rights is None:
            return True
        return all(self._may_read(who, row) for who in rights.reads)
