"""The store: appends events to logs, loads logs, lists tables, and claims tables that are due.

When `append` returns, the events are committed and durable. Concurrent appends to different tables
share one commit.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from mandala.live import archive
from mandala.live import table as live
from mandala.live.events import Event, Opened, Person, Seated, Sitter, decoded, encoded
from mandala.live.store import schema
from mandala.live.store.files import make_private
from mandala.live.store.health import damage_of, tables_with_gaps
from mandala.live.store.rows import (
    Append,
    Entry,
    Summary,
    event_row,
    is_clocked,
    names_text,
    record_text,
    rematch_id,
    sitter_rows,
    summary_of,
    table_row,
)
from mandala.live.store.upgrade import migrate, sqlite_path
from mandala.live.table import Table
from mandala.text.errors import Refused

ERROR_LOG_INTERVAL_S = 5.0  # between two log lines about an unavailable database
MAX_APPENDS_PER_COMMIT = 500
HEARTBEAT = "heartbeat"  # the name of its row in `keys`
DELETED_NAME = "–"  # replaces the name of a player who had their data deleted
TIMEOUT_S = 10.0  # for the database to answer
TOKEN_ID_LENGTH = 16  # hexadecimal digits of a token's hash
MAX_EXPIRED_PER_COMMIT = 200  # guests
READER_THREADS = 2  # on SQLite
TRIAL_INTERVAL_S = 5.0  # between writes that only test whether the database can be written
SQLITE_SETTINGS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": "5000",
    "secure_delete": "ON",  # a deleted name must not stay in free space of the file
}

T = TypeVar("T")

log = logging.getLogger("mandala.store")


# Frequent queries, built once: building a query takes as long as executing it.
_PLAYER = sa.select(schema.players).where(schema.players.c.id == sa.bindparam("player"))
# The events of a player that are not moves; the literal is that of the partial index.
_EVENTS_BY_PLAYER = (
    (schema.events.c.actor == sa.bindparam("player"))
    & schema.events.c.client_id.is_(None)
    & (schema.events.c.actor != sa.literal_column("'server'"))
)
_OWN_TABLES = sa.union(
    sa.select(schema.sitters.c.table_id).where(schema.sitters.c.player == sa.bindparam("player")),
    sa.select(schema.events.c.table_id).where(_EVENTS_BY_PLAYER, schema.events.c.number == 1),
).subquery()
_IS_WAITING = (schema.tables.c.state == "open") & schema.tables.c.listed
_OPEN_TABLES = sa.select(
    sa.func.count().label("unfinished"),
    sa.func.count(sa.case((_IS_WAITING, 1))).label("listed"),
).where(schema.tables.c.id.in_(sa.select(_OWN_TABLES.c.table_id)), schema.tables.c.state != "over")
_IS_CLAIMABLE = (schema.due.c.at <= sa.bindparam("now")) & (
    schema.due.c.leased_until <= sa.bindparam("now")
)
_CLAIMABLE = (
    sa.select(schema.due.c.table_id)
    .where(_IS_CLAIMABLE)
    .order_by(schema.due.c.at)
    .limit(sa.bindparam("limit"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    sa.update(schema.due)
    .where(schema.due.c.table_id.in_(_CLAIMABLE), _IS_CLAIMABLE)
    .values(leased_until=sa.bindparam("until"))
    .returning(schema.due.c.table_id)
)


class Conflict(Exception):
    """Another process has appended an event with this number: reload the log and decide again."""


@dataclass(frozen=True)
class Player:
    """A player known to this server."""

    id: str
    name: str
    revocations: int = 0  # how often cookies and links were revoked


@dataclass(frozen=True)
class Token:
    """A bearer token, without the token itself."""

    id: str
    made_at: int


@dataclass(frozen=True)
class TableCounts:
    """How many unfinished tables a player opened or sits at; of these, how many wait in lists."""

    unfinished: int
    listed: int


def _is_unavailable(error: Exception) -> bool:
    """Whether an error means that the database is down or full, not that a statement is wrong."""
    if isinstance(error, IntegrityError | ProgrammingError | DataError):
        return False
    return isinstance(error, DBAPIError | OSError)


def _driver_message(error: Exception) -> str:
    """The driver's error message, without the statement."""
    message = str(error.orig if isinstance(error, DBAPIError) else error)
    return message or f"no answer in {TIMEOUT_S:.0f} seconds"


class Store:
    """The database of a server.

    Every operation is a function of a connection, run in one transaction: on PostgreSQL by the
    asynchronous driver, on SQLite in a thread. On SQLite one thread does all writing, so that
    writers never wait for the database's lock, and others read.
    """

    def __init__(self, engine: AsyncEngine | sa.Engine, file: Path | None) -> None:
        self._engine, self.file = engine, file
        self._readers = ThreadPoolExecutor(READER_THREADS, "store reader")
        self._writer = ThreadPoolExecutor(1, "store writer")
        dialect: Any = sqlite_dialect if engine.dialect.name == "sqlite" else postgresql
        self._insert = dialect.insert
        is_idle = schema.due.c.table_id == sa.bindparam("idle_table_id")
        self._statements: tuple[sa.Executable, ...] = (  # executed in this order
            self._upsert(schema.tables, "id"),
            self._insert(schema.events),
            self._upsert(schema.due, "table_id"),
            sa.delete(schema.due).where(is_idle),
            self._upsert(schema.sitters, "table_id", "seat"),
        )
        self._trial = self._upsert(schema.keys, "name")
        self._pending: list[tuple[Append, asyncio.Future[None]]] = []
        self._wake, self._loop = asyncio.Event(), asyncio.get_running_loop()
        self._write_task = asyncio.create_task(self._write_loop(), name="store writer")
        self._closing = False
        self.commits = 0
        self.commit_seconds = 0.0
        self._error_logged_at = -ERROR_LOG_INTERVAL_S
        self._wrote_at = -TRIAL_INTERVAL_S  # when a write last succeeded and none has failed since

    @classmethod
    async def open(cls, url: str) -> Store:
        """Open a database, creating or migrating it if needed. Raises Refused."""
        file = sqlite_path(url)
        # Database errors must not show parameters: events contain secrets.
        engine: AsyncEngine | sa.Engine
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            engine = sa.create_engine(f"sqlite:///{file}", hide_parameters=True)
            sa_event.listen(engine, "connect", _set_pragmas)
        else:
            settings = {"server_settings": {"synchronous_commit": "on"}, "timeout": TIMEOUT_S}
            engine = create_async_engine(
                url, connect_args=settings, pool_pre_ping=True, hide_parameters=True
            )
        store = cls(engine, file)
        try:
            if file is not None:
                make_private(file)
            await store._in_transaction(lambda connection: migrate(connection, file), timeout=None)
        except BaseException as error:
            await store.close()
            if isinstance(error, DBAPIError | OSError):
                shown = make_url(url).render_as_string()  # without the password
                parts = {"database": shown, "why": _driver_message(error)}
                raise Refused("closed-database", parts) from error
            raise
        return store

    async def _transact(self, work: Callable[[sa.Connection], T], *, is_read: bool = False) -> T:
        """Run a function in a transaction and commit. Raises Refused if the database is down."""
        try:
            return await self._in_transaction(work, is_read=is_read)
        except (DBAPIError, OSError) as error:
            if _is_unavailable(error):
                raise self._unavailable(error) from error
            raise

    async def _in_transaction(
        self,
        work: Callable[[sa.Connection], T],
        *,
        is_read: bool = False,
        timeout: float | None = TIMEOUT_S,
    ) -> T:
        engine = self._engine
        if isinstance(engine, AsyncEngine):
            async with asyncio.timeout(timeout), engine.begin() as connection:
                return await connection.run_sync(work)

        def run_in_thread() -> T:
            with engine.begin() as connection:
                return work(connection)

        executor = self._readers if is_read else self._writer
        async with asyncio.timeout(timeout):
            return await self._loop.run_in_executor(executor, run_in_thread)

    async def _rows(self, query: sa.Executable, **values: object) -> Sequence[Any]:
        return await self._transact(
            lambda connection: connection.execute(query, values).all(), is_read=True
        )

    async def _scalar(self, query: sa.Executable, **values: object) -> Any:
        """The first column of the first row, None when there are no rows."""
        return await self._transact(
            lambda connection: connection.scalar(query, values), is_read=True
        )

    async def _execute(self, statement: sa.Executable) -> None:
        await self._transact(lambda connection: connection.execute(statement))

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to this database."""
        return self.file is None

    async def close(self) -> None:
        """Finish pending writes and close the database."""
        self._closing = True
        self._wake.set()
        await self._write_task
        self._readers.shutdown()
        self._writer.shutdown()
        if isinstance(self._engine, AsyncEngine):
            await self._engine.dispose()
        else:
            self._engine.dispose()

    async def durability_settings(self) -> dict[str, str]:
        """Return the database settings that commits depend on to survive a crash."""
        asked = ["SHOW synchronous_commit", "SHOW fsync", "SHOW full_page_writes"]
        if self.file is not None:
            asked = ["PRAGMA journal_mode", "PRAGMA synchronous"]
        return {each.split()[1]: str(await self._scalar(sa.text(each))) for each in asked}

    # The log

    async def append(self, batch: Append) -> None:
        """Append events to a log and return when they are committed.

        Raises Conflict, and Refused while the database is unavailable.
        """
        if self._closing:
            raise RuntimeError("the store is closing")
        done = self._loop.create_future()
        self._pending.append((batch, done))
        self._wake.set()
        await done

    async def _write_loop(self) -> None:
        while not (self._closing and not self._pending):
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                group = self._pending[:MAX_APPENDS_PER_COMMIT]
                del self._pending[:MAX_APPENDS_PER_COMMIT]
                await self._commit_group(group)

    async def _commit_group(self, group: list[tuple[Append, asyncio.Future[None]]]) -> None:
        """Write appends in one commit; if one of them conflicts, commit each separately."""
        began = time.perf_counter()
        try:
            await self._write([batch for batch, _ in group])
        except Exception as error:
            if len(group) > 1 and not _is_unavailable(error):
                for each in group:
                    await self._commit_group([each])
                return
            failure = self._failure(error)
            for _, done in group:
                if not done.done():
                    done.set_exception(failure)
            return
        self._wrote_at = time.monotonic()
        self.commits += 1
        self.commit_seconds += time.perf_counter() - began
        for _, done in group:
            if not done.done():
                done.set_result(None)

    def _failure(self, error: Exception) -> Exception:
        """The exception to raise from `append` after a failed write."""
        if _is_unavailable(error):
            return self._unavailable(error)
        return Conflict() if isinstance(error, IntegrityError) else error

    def _unavailable(self, error: Exception) -> Refused:
        """The error for clients while the database is unavailable; the reason is logged."""
        self._wrote_at = -TRIAL_INTERVAL_S
        if time.monotonic() > self._error_logged_at + ERROR_LOG_INTERVAL_S:
            self._error_logged_at = time.monotonic()
            log.error("database unavailable", extra={"why": _driver_message(error)})
        return Refused("no-storage")

    async def _write(self, batches: Sequence[Append]) -> None:
        # Sorted, so that all processes lock rows in the same order and cannot deadlock.
        newest = {each.table_id: each for each in sorted(batches, key=lambda each: each.table_id)}
        rows = [table_row(batch) for batch in newest.values()]
        events = [event_row(batch.table_id, entry) for batch in batches for entry in batch.entries]
        due = [
            {"table_id": each.table_id, "at": each.due_at, "leased_until": each.leased_until}
            for each in newest.values()
            if each.due_at is not None
        ]
        idle = [{"idle_table_id": each.table_id} for each in newest.values() if each.due_at is None]
        seated = [row for batch in batches for row in sitter_rows(batch)]
        parts: tuple[list[dict[str, Any]], ...] = (rows, events, due, idle, seated)
        work = list(zip(self._statements, parts, strict=True))

        def write(connection: sa.Connection) -> None:
            for statement, some in work:
                if some:
                    connection.execute(statement, some)

        await self._in_transaction(write)

    def _upsert(self, table: sa.Table, *key: str) -> sa.Executable:
        statement = self._insert(table)
        changed = {c.name: statement.excluded[c.name] for c in table.c if c.name not in key}
        upsert: sa.Executable = statement.on_conflict_do_update(index_elements=key, set_=changed)
        return upsert

    async def load(self, table_id: str, after: int = 0) -> list[Entry]:
        """Return the log of a table after an event number; empty for an unknown table.

        Raises Refused if an event is missing.
        """
        log = schema.events
        query = (
            sa.select(log.c.number, log.c.at, log.c.actor, log.c.client_id, log.c.body)
            .where(log.c.table_id == table_id, log.c.number > after)
            .order_by(log.c.number)
        )
        rows = await self._rows(query)
        if any(row.number != number for number, row in enumerate(rows, start=after + 1)):
            raise Refused("damaged-table")
        return [Entry(r.number, r.at, r.actor, r.client_id, decoded(r.body)) for r in rows]

    # Due tables and leases

    async def claim(self, now: int, lease: int, limit: int) -> list[str]:
        """Lease up to `limit` tables that are due for `lease` milliseconds; return their ids."""
        if not await self._rows(_CLAIMABLE, now=now, limit=1):
            return []
        values = {"now": now, "limit": limit, "until": now + lease}
        claimed = await self._transact(lambda connection: connection.execute(_CLAIM, values).all())
        return [row.table_id for row in claimed]

    async def renew(self, table_ids: list[str], until: int) -> None:
        """Extend the leases of these tables."""
        due = schema.due
        ours = sa.select(due.c.table_id).where(due.c.table_id.in_(table_ids))
        ours = ours.with_for_update(skip_locked=True)  # a concurrent append renews its own lease
        await self._execute(
            sa.update(due).where(due.c.table_id.in_(ours)).values(leased_until=until)
        )

    async def clear_due(self, table_id: str) -> None:
        """Remove a table from the due tables."""
        due = schema.due
        await self._execute(sa.delete(due).where(due.c.table_id == table_id))

    async def release(self) -> None:
        """Release all leases; for the start of a server that is the only one on its database."""
        await self._execute(sa.update(schema.due).values(leased_until=0))

    # Lists

    async def numbers(self, table_ids: list[str]) -> dict[str, int]:
        """Return the number of the last event of each of these tables."""
        table = schema.tables
        query = sa.select(table.c.id, table.c.number).where(table.c.id.in_(table_ids))
        return {row.id: row.number for row in await self._rows(query)}

    async def tables(
        self,
        state: str,
        *,
        game: str | None = None,
        player: str | None = None,
        name: str | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Summary]:
        """Return tables in a state, last changed first; only listed ones unless `player` is given.

        `name` matches part of a player's name; `before` is a time in milliseconds, for paging.
        """
        table = schema.tables
        query = sa.select(table).where(table.c.state == state)
        query = query.order_by(table.c.changed_at.desc(), table.c.id).limit(limit)
        if player is None:
            query = query.where(table.c.listed)
        else:
            own = sa.select(schema.sitters.c.table_id).where(schema.sitters.c.player == player)
            query = query.where(table.c.id.in_(own))
        if game is not None:
            query = query.where(table.c.game == game)
        if name is not None:
            query = query.where(table.c.names.icontains(name, autoescape=True))
        if before is not None:
            query = query.where(table.c.changed_at < before)
        return [summary_of(row) for row in await self._rows(query)]

    async def tables_with_unknown_rules(self) -> list[str]:
        """Return the ids of unfinished tables whose rules this program does not know."""
        table, log = schema.tables, schema.events
        query = (
            sa.select(log.c.table_id, log.c.body)
            .join(table, table.c.id == log.c.table_id)
            .where(table.c.state != "over", log.c.number == 1)
        )
        openings = [(row.table_id, decoded(row.body)) for row in await self._rows(query)]
        return [
            table_id
            for table_id, opening in openings
            if isinstance(opening, Opened) and not live.has_rules(opening)
        ]

    async def unfinished_tables(self, *, only_clocked: bool) -> list[str]:
        """Return the ids of unfinished tables, or only those where a clock is running."""
        table = schema.tables
        query = sa.select(table.c.id, table.c.state, table.c.clock).where(table.c.state != "over")
        rows = await self._rows(query)
        if only_clocked:
            rows = [row for row in rows if row.state == "running" and is_clocked(row)]
        return [row.id for row in rows]

    async def seats_of(self, player: str, table_ids: Sequence[str]) -> dict[str, list[int]]:
        """Return the seats of a player at some tables, by table."""
        sitters = schema.sitters
        query = (
            sa.select(sitters.c.table_id, sitters.c.seat)
            .where(sitters.c.player == player, sitters.c.table_id.in_(table_ids))
            .order_by(sitters.c.seat)
        )
        found: dict[str, list[int]] = {}
        for row in await self._rows(query):
            found.setdefault(row.table_id, []).append(row.seat)
        return found

    async def record(self, table_id: str) -> str | None:
        """Return the record of a finished game, None for other tables."""
        query = sa.select(schema.tables.c.record).where(schema.tables.c.id == table_id)
        found: str | None = await self._scalar(query)
        return found

    async def count_open_tables(self, player: str) -> TableCounts:
        """Return the numbers of unfinished tables that a player opened or sits at."""
        (row,) = await self._rows(_OPEN_TABLES, player=player)
        return TableCounts(row.unfinished, row.listed)

    async def running_with_setup(self, game: str, seats: int, setup: str) -> list[str]:
        """Return the ids of running tables whose chance moves of the setup have this hash."""
        table = schema.tables
        query = sa.select(table.c.id).where(
            table.c.setup == setup,
            table.c.state == "running",
            table.c.game == game,
            table.c.seats == seats,
        )
        return [row.id for row in await self._rows(query)]

    # Players

    async def add_player(self, name: str, now: int) -> Player:
        """Add a player and return it with its new id."""
        player = Player(secrets.token_urlsafe(16), name)
        await self._execute(sa.insert(schema.players).values(id=player.id, name=name, made_at=now))
        return player

    async def player(self, player_id: str) -> Player | None:
        """Return a player by id, None if there is none."""
        rows = await self._rows(_PLAYER, player=player_id)
        return next((_player(row) for row in rows), None)

    async def rename(self, player_id: str, name: str) -> None:
        """Change a player's name; tables where they already sit keep the old one."""
        players = schema.players
        await self._execute(sa.update(players).where(players.c.id == player_id).values(name=name))

    async def delete_player(self, player_id: str) -> list[str]:
        """Delete a player, and their name from all games; return the ids of the changed tables.

        Their moves stay in the logs under the anonymous id, because the other players need them.
        """

        def delete(connection: sa.Connection) -> list[str]:
            # A write first: SQLite then holds the lock, and nothing is appended in between.
            connection.execute(sa.delete(schema.tokens).where(schema.tokens.c.player == player_id))
            seated = sa.select(schema.sitters.c.table_id)
            seated = seated.where(schema.sitters.c.player == player_id)
            mentioned = sa.union(
                seated, sa.select(schema.events.c.table_id).where(_EVENTS_BY_PLAYER)
            )
            own = list(connection.scalars(mentioned, {"player": player_id}))
            # A rematch reserves seats for people who may not have sat down yet.
            table_ids = list(dict.fromkeys([*own, *map(rematch_id, own)]))
            changed = [each for each in table_ids if _delete_name(connection, each, player_id)]
            for column in (schema.sitters.c.player, schema.players.c.id):
                connection.execute(sa.delete(column.table).where(column == player_id))
            return changed

        table_ids = await self._transact(delete)
        await self._truncate_wal()
        return table_ids

    async def save_names(self, table_id: str, table: Table) -> None:
        """Write the names and the record of a table again, unless it has gone on."""
        await self._transact(lambda connection: _save_names(connection, table_id, table))

    async def _truncate_wal(self) -> None:
        """Remove old versions of changed pages from SQLite's log, if nobody reads them now."""
        engine = self._engine
        if isinstance(engine, AsyncEngine):
            return

        def truncate() -> None:
            with engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

        await self._loop.run_in_executor(self._writer, truncate)

    async def delete_unplayed_guests(self, before: int) -> int:
        """Delete players made before a time who never opened or joined a table; return how many."""
        players = schema.players
        by_player = sa.select(1).where(
            schema.events.c.actor == players.c.id,
            schema.events.c.client_id.is_(None),
            schema.events.c.actor != sa.literal_column("'server'"),
        )
        has_sat = sa.select(1).where(schema.sitters.c.player == players.c.id)
        unplayed = (
            sa.select(players.c.id)
            .where(players.c.made_at < before, ~by_player.exists(), ~has_sat.exists())
            .limit(MAX_EXPIRED_PER_COMMIT)
        )

        def delete(connection: sa.Connection) -> int:
            ids = list(connection.scalars(unplayed))
            for column in (schema.tokens.c.player, players.c.id):
                connection.execute(sa.delete(column.table).where(column.in_(ids)))
            return len(ids)

        total = 0
        while count := await self._transact(delete):
            total += count
        return total

    async def add_token(self, player_id: str, now: int, most: int | None = None) -> str:
        """Create and return a bearer token for a player; only its hash is stored.

        Raises Refused if the player has `most` tokens already.
        """
        token, tokens = secrets.token_urlsafe(32), schema.tokens
        row = {"hash": _hash(token), "player": player_id, "made_at": now}

        def add(connection: sa.Connection) -> None:
            connection.execute(sa.insert(tokens).values(row))
            count = sa.select(sa.func.count()).where(tokens.c.player == player_id)
            if most is not None and (connection.scalar(count) or 0) > most:
                raise Refused("too-many-tokens", {"most": most})

        await self._transact(add)
        return token

    async def player_of_token(self, token: str) -> Player | None:
        """Return the player that a token belongs to, None for an unknown token."""
        query = (
            sa.select(schema.players)
            .join(schema.tokens, schema.tokens.c.player == schema.players.c.id)
            .where(schema.tokens.c.hash == _hash(token))
        )
        return next((_player(row) for row in await self._rows(query)), None)

    async def tokens(self, player_id: str) -> list[Token]:
        """Return the tokens of a player, oldest first."""
        tokens = schema.tokens
        query = sa.select(tokens).where(tokens.c.player == player_id)
        query = query.order_by(tokens.c.made_at, tokens.c.hash)
        return [Token(row.hash[:TOKEN_ID_LENGTH], row.made_at) for row in await self._rows(query)]

    async def delete_token(self, player_id: str, token_id: str) -> bool:
        """Delete a token of a player; return False if there is none with this id."""
        tokens = schema.tokens
        own = tokens.c.player == player_id
        same = sa.func.substr(tokens.c.hash, 1, TOKEN_ID_LENGTH) == token_id
        deleted = await self._rows(sa.delete(tokens).where(own, same).returning(tokens.c.hash))
        return bool(deleted)

    async def revoke_credentials(self, player: Player) -> Player:
        """Revoke all cookies and links of a player; return the player to make new ones for."""
        players = schema.players
        revoked = sa.update(players).where(players.c.id == player.id)
        revoked = revoked.values(revocations=players.c.revocations + 1)
        (row,) = await self._rows(revoked.returning(*players.c))
        return _player(row)

    async def key(self, name: str) -> bytes:
        """Return a secret key of this server, generated on first use."""
        generated = self._insert(schema.keys).values(name=name, value=secrets.token_bytes(32))
        await self._execute(generated.on_conflict_do_nothing())
        query = sa.select(schema.keys.c.value).where(schema.keys.c.name == name)
        return bytes(await self._scalar(query))

    async def check(self) -> None:
        """Raise Refused if the file is damaged; log the tables of which events are missing."""
        damage = await self._in_transaction(damage_of, timeout=None)
        if damage is not None:
            raise Refused("damaged-database", {"database": self.file, "why": damage})
        gaps = await self._in_transaction(tables_with_gaps, timeout=None)
        if gaps:
            log.error("events are missing", extra={"tables": gaps})

    async def last_heartbeat(self) -> int | None:
        """Return when a server last noted that it runs, None if none did."""
        query = sa.select(schema.keys.c.value).where(schema.keys.c.name == HEARTBEAT)
        value = await self._scalar(query)
        return None if value is None else int.from_bytes(value, "big")

    async def set_heartbeat(self, now: int) -> None:
        """Note that a server runs."""
        value = now.to_bytes(8, "big")
        statement = self._insert(schema.keys).values(name=HEARTBEAT, value=value)
        await self._execute(
            statement.on_conflict_do_update(index_elements=["name"], set_={"value": value})
        )

    async def ping(self) -> None:
        """Raise Refused if the database does not answer or cannot be written, as on a full disk."""
        await self._scalar(sa.select(1))
        if time.monotonic() > self._wrote_at + TRIAL_INTERVAL_S:
            row = {"name": "trial", "value": secrets.token_bytes(32)}
            await self._transact(lambda connection: connection.execute(self._trial, [row]))
            self._wrote_at = time.monotonic()


def _delete_name(connection: sa.Connection, table_id: str, player_id: str) -> bool:
    """Remove a player's name from a table's log, its record and its list row.

    Return whether there is such a table and anything has changed.
    """
    events, tables = schema.events, schema.tables
    rows = connection.execute(
        sa.select(events).where(events.c.table_id == table_id).order_by(events.c.number)
    )
    log = [(row.number, decoded(row.body), row.at) for row in rows]
    changed = {}
    for number, event, _ in log:
        if (without := _without_name(event, player_id)) != event:
            changed[number] = without
    for number, event in changed.items():
        row = (events.c.table_id == table_id) & (events.c.number == number)
        connection.execute(sa.update(events).where(row).values(body=encoded(event)))
    if not changed:
        return False
    stored = connection.scalar(sa.select(tables.c.record).where(tables.c.id == table_id))
    whole = [(changed.get(number, event), at) for number, event, at in log]
    opening = whole[0][0]
    assert isinstance(opening, Opened), "a log begins with the opening"
    is_known = live.has_rules(opening)
    table = live.fold(whole) if is_known else archive.read_table(whole, stored)
    _save_names(connection, table_id, table)
    return True


def _save_names(connection: sa.Connection, table_id: str, table: Table) -> None:
    tables = schema.tables
    same = (tables.c.id == table_id) & (tables.c.number == table.number)
    names = {"names": names_text(table), "record": record_text(table)}
    connection.execute(sa.update(tables).where(same).values(names))


def _without_name(event: Event, player_id: str) -> Event:
    def nameless(sitter: Sitter | None) -> Sitter | None:
        is_gone = isinstance(sitter, Person) and sitter.player == player_id
        return Person(player_id, DELETED_NAME) if is_gone else sitter

    if isinstance(event, Seated):
        return Seated(event.seat, nameless(event.sitter) or event.sitter, event.share)
    if isinstance(event, Opened) and event.reserved:
        reserved = tuple(nameless(sitter) for sitter in event.reserved)
        return msgspec.structs.replace(event, reserved=reserved)
    return event


def _set_pragmas(connection: Any, _: object) -> None:
    """Set SQLite to durable commits and to a journal mode in which readers never block."""
    cursor = connection.cursor()
    for name, value in SQLITE_SETTINGS.items():
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


def _player(row: Any) -> Player:
    return Player(row.id, row.name, row.revocations)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
