"""A lock file beside a SQLite database that keeps a second server from opening it.

The lock is a SQLite transaction on the lock file, so it works on every system and is released when
the process ends, however it ends. The file also names the holder, for the error message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from mandala.live.store.files import make_private
from mandala.text.errors import Refused

TIMEOUT_S = 1.0  # for a holder that is just shutting down


@contextmanager
def hold_lock(database: Path, holder: str) -> Iterator[None]:
    """Hold the lock of a database, also if its path is a symbolic link.

    Raises Refused, with the holder, if another process has it.
    """
    database = database.resolve()
    database.parent.mkdir(parents=True, exist_ok=True)
    lock_path = database.with_name(f"{database.name}.lock")
    with ExitStack() as stack:
        try:
            make_private(lock_path)
            lock = sqlite3.connect(lock_path, timeout=TIMEOUT_S, isolation_level=None)
            stack.enter_context(closing(lock))
            _acquire(lock, holder)
        except (sqlite3.Error, OSError) as error:
            raise Refused("closed-database", {"database": lock_path, "why": error}) from None
        yield


def _acquire(lock: sqlite3.Connection, holder: str) -> None:
    try:
        lock.execute("BEGIN IMMEDIATE")  # other processes can then read, but not write
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
