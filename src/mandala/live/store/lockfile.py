"""One server a file: who serves a SQLite database holds it alone, and leaves word of who that is.

The lock is one of SQLite's own, on a file beside the database, so it is there on every system and
gone with the process that had it, however that ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from mandala.text.errors import Refused

PATIENCE = 1.0  # seconds for somebody who is just leaving


@contextmanager
def held_alone(file: Path, holder: str) -> Iterator[None]:
    """Hold a database alone. Raises Refused while somebody else does, and says who."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.lock")
    with ExitStack() as stack:
        try:
            lock = sqlite3.connect(beside, timeout=PATIENCE, isolation_level=None)
            stack.enter_context(closing(lock))
            _take(lock, holder)
        except sqlite3.Error as error:
            raise Refused("closed-database", {"database": beside, "why": error}) from None
        yield


def _take(lock: sqlite3.Connection, holder: str) -> None:
    try:
        lock.execute("BEGIN IMMEDIATE")  # while it lasts, others can read and not begin one
        lock.execute("CREATE TABLE IF NOT EXISTS holder (name TEXT)")
        lock.execute("DELETE FROM holder")
        lock.execute("INSERT INTO holder VALUES (?)", (holder,))
        lock.execute("COMMIT")
        lock.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        (name,) = lock.execute("SELECT name FROM holder").fetchone()
        raise Refused("database-in-use", {"holder": name}) from None
