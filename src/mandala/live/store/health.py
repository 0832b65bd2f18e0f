"""Checks of a database: damaged pages and missing events."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from mandala.live.store import schema
from mandala.live.store.upgrade import sqlite_path
from mandala.text.errors import Refused


def damage_of(connection: sa.Connection) -> str | None:
    """Return what SQLite finds wrong with the pages of its file, None if nothing is."""
    if connection.dialect.name != "sqlite":
        return None
    try:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    except DatabaseError as error:
        return str(error.orig)
    return None if found == "ok" else str(found)


def tables_with_gaps(connection: sa.Connection) -> list[str]:
    """Return the ids of tables whose events are not numbered from 1 to their last one."""
    tables, events = schema.tables, schema.events
    logs = (
        sa.select(
            events.c.table_id,
            sa.func.count().label("count"),
            sa.func.min(events.c.number).label("first"),
            sa.func.max(events.c.number).label("last"),
        )
        .group_by(events.c.table_id)
        .subquery()
    )
    is_whole = (logs.c.first == 1) & (logs.c.last == logs.c.count)
    is_whole &= logs.c.last == tables.c.number
    query = (
        sa.select(tables.c.id)
        .join(logs, logs.c.table_id == tables.c.id, isouter=True)
        .where(logs.c.table_id.is_(None) | ~is_whole)
        .order_by(tables.c.id)
    )
    return list(connection.scalars(query))


async def faults_of(url: str) -> list[str]:
    """Return what is wrong with the database at a URL, without changing it. Raises Refused."""
    file = sqlite_path(url)
    try:
        if file is not None:
            readonly = f"sqlite:///{file.resolve().as_uri()}?mode=ro&uri=true"
            engine = sa.create_engine(readonly)
            with engine.connect() as connection:
                return _faults(connection)
        server = create_async_engine(url)
        async with server.connect() as connected:
            return await connected.run_sync(_faults)
    except (DBAPIError, OSError) as error:
        parts = {"database": make_url(url).render_as_string(), "why": driver_message(error)}
        raise Refused("closed-database", parts) from error


def _faults(connection: sa.Connection) -> list[str]:
    damage = damage_of(connection)
    if damage is not None:
        return [f"damaged file: {damage}"]
    return [f"table {each}: events are missing" for each in tables_with_gaps(connection)]


def driver_message(error: Exception) -> str:
    """Return the database driver's error message, without the statement."""
    return str(error.orig if isinstance(error, DBAPIError) else error)
