"""Bringing a database to the newest form by itself, and copies of it as a file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import platformdirs
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from mandala.text.errors import Refused

MIGRATIONS = Path(__file__).parent / "migrations"
FILES = ("sqlite", "sqlite+aiosqlite")  # drivers' names in a URL; the second is the older one
LOCK = 0x6D616E64616C61  # of PostgreSQL: whoever has it changes the form of the database


def default_url() -> str:
    """The database in the user's data folder."""
    return f"sqlite:///{platformdirs.user_data_path('mandala') / 'mandala.db'}"


def file_of(url: str) -> Path | None:
    """The file of a SQLite database, None for others. Raises Refused for what is no database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise Refused("bad-database", {"url": "?"}) from None
    if parsed.drivername not in (*FILES, "postgresql+asyncpg"):
        raise Refused("bad-database", {"url": parsed.drivername})
    if parsed.drivername not in FILES:
        return None
    if parsed.database in (None, "", ":memory:"):  # what is kept must be kept somewhere
        raise Refused("bad-database", {"url": url})
    return Path(parsed.database)


def to_newest(connection: Connection, file: Path | None) -> None:
    """Take the steps that a database has not taken yet; an old file is copied first."""
    if connection.dialect.name == "postgresql":  # of two that start at once, one waits
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    now = MigrationContext.configure(connection).get_current_revision()
    newest = scripts.get_current_head()
    if now == newest:
        return
    if now is not None and now not in {each.revision for each in scripts.walk_revisions()}:
        raise Refused("newer-database", {"version": now})
    if now is not None and file is not None:
        copy(file, file.with_name(f"{file.name}.before-{newest}"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def copy(source: Path, target: Path) -> None:
    """Copy a SQLite database as it is at one moment, also while it is in use.

    The copy appears under its name only when it is whole. Raises Refused where that cannot be.
    """
    if not source.exists():
        raise FileNotFoundError(2, "there is no such database", str(source))
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(_reading(source)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        unfinished.unlink(missing_ok=True)
        parts = {"file": source, "target": target, "why": error}
        raise Refused("no-copy", parts) from None
    unfinished.replace(target)


def _reading(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def restore(source: Path, target: Path) -> Path | None:
    """Put a copy in the place of a database that is not in use; the old one is kept, and named."""
    try:
        with closing(_reading(source)) as old:
            (state,) = old.execute("PRAGMA quick_check").fetchone()
            old.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        state = "not a database of ours"
    if state != "ok":
        raise Refused("bad-backup", {"file": source.name})
    kept = None
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        kept = target.with_name(f"{target.name}.before-restore")
        copy(target, kept)
    unfinished = target.with_name(f"{target.name}.part")
    copy(source, unfinished)
    for leftover in (f"{target.name}-wal", f"{target.name}-shm"):
        target.with_name(leftover).unlink(missing_ok=True)
    unfinished.replace(target)
    return kept
