"""Database URLs, automatic migration, and backup and restore of SQLite files."""

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

from mandala.live.store.files import make_private, unused_name
from mandala.text.errors import Refused

MIGRATIONS = Path(__file__).parent / "migrations"
SQLITE_DRIVERS = ("sqlite", "sqlite+aiosqlite")  # the second is from older versions
WAL_ENDINGS = ("-wal", "-shm")  # of SQLite's files beside a database
ADVISORY_LOCK = 0x6D616E64616C61  # PostgreSQL lock held while migrating


def default_url() -> str:
    """Return the URL of the database in the user's data folder."""
    return f"sqlite:///{platformdirs.user_data_path('mandala') / 'mandala.db'}"


def sqlite_path(url: str) -> Path | None:
    """Return the path of a SQLite database, None for PostgreSQL. Raises Refused for other URLs."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # ValueError for a port that is not a number
        raise Refused("bad-database", {"url": "?"}) from None
    if parsed.drivername not in (*SQLITE_DRIVERS, "postgresql+asyncpg"):
        raise Refused("bad-database", {"url": parsed.drivername})
    if parsed.drivername not in SQLITE_DRIVERS:
        return None
    if parsed.database in (None, "", ":memory:"):  # would not be durable
        raise Refused("bad-database", {"url": url})
    return Path(parsed.database)


def migrate(connection: Connection, file: Path | None) -> None:
    """Migrate a database to the newest schema; a SQLite file is copied first.

    Raises Refused for a database of a newer version.
    """
    if connection.dialect.name == "postgresql":  # of two processes that start at once, one waits
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    newest = scripts.get_current_head()
    if current == newest:
        return
    if current is not None and current not in {each.revision for each in scripts.walk_revisions()}:
        raise Refused("newer-database", {"version": current})
    if current is not None and file is not None:
        copy(file, unused_name(file.with_name(f"{file.name}.before-{newest}")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def copy(source: Path, target: Path) -> None:
    """Copy a consistent snapshot of a SQLite database, which may be in use.

    The copy gets its name only once it is complete. Raises Refused if SQLite reports an error.
    """
    if not source.exists():
        raise FileNotFoundError(2, "no such database", str(source))
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        make_private(unfinished)
        with closing(_open_readonly(source)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        parts = {"file": source, "target": target, "why": error}
        raise Refused("no-copy", parts) from None
    unfinished.replace(target)


def _open_readonly(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def restore(source: Path, target: Path) -> Path | None:
    """Replace a database that is not in use by a backup.

    Returns the path to which the replaced database was copied, None if there was none. Raises
    Refused unless `source` is an intact database of this program.
    """
    try:
        with closing(_open_readonly(source)) as old:
            (state,) = old.execute("PRAGMA quick_check").fetchone()
            old.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        state = "not a database of ours"
    if state != "ok":
        raise Refused("bad-backup", {"file": source.name})
    target = target.resolve()  # of a link, what it points to is replaced
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.restored")
    copy(source, unfinished)
    kept = _keep(target)
    for ending in WAL_ENDINGS:
        target.with_name(target.name + ending).unlink(missing_ok=True)
    unfinished.replace(target)
    return kept


def _keep(file: Path) -> Path | None:
    """Copy a database to an unused name; one that cannot be read is renamed as it is."""
    if not file.exists():
        return None
    kept = unused_name(file.with_name(f"{file.name}.before-restore"))
    try:
        copy(file, kept)
    except Refused:
        for ending in ("", *WAL_ENDINGS):
            part = file.with_name(file.name + ending)
            if part.exists():
                part.replace(kept.with_name(kept.name + ending))
    return kept
