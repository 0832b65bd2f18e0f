"""Keeping events: append some to a table's log, load a table, find what is due.

What `append` has returned from is on the disk. Appends of many tables that come in at the same time
share one commit; none returns before it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
from mandala.live.store.rows import (
    Append,
    Entry,
    Summary,
    event_row,
    sitter_rows,
    summary_of,
    table_row,
)
from mandala.live.store.upgrade import file_of, to_newest
from mandala.live.store.writer import SETTINGS, Writer
from mandala.text.errors import Refused

COMPLAIN = 5.0  # seconds between two lines in the log about a database that fails
MOST_IN_A_COMMIT = 500
NO_NAME = "–"  # of somebody who had their data deleted
PATIENCE = 10.0  # seconds in which PostgreSQL must answer
READERS = 2  # threads that do all but append to the log, on SQLite

T = TypeVar("T")

log = logging.getLogger("mandala.store")

_encode = msgspec.json.Encoder().encode


# Asked for every table that is opened, or again and again, and made once: to make a query takes as
# long as to ask it.
_PLAYER = sa.select(schema.players).where(schema.players.c.id == sa.bindparam("player"))
_OPEN_TABLES = (
    sa.select(sa.func.count(sa.distinct(schema.sitters.c.table_id)))
    .join(schema.tables, schema.tables.c.id == schema.sitters.c.table_id)
    .where(schema.sitters.c.player == sa.bindparam("player"), schema.tables.c.state != "over")
)
_IS_RIPE = (schema.due.c.at <= sa.bindparam("now")) & (
    schema.due.c.leased_until <= sa.bindparam("now")
)
_RIPE = (
    sa.select(schema.due.c.table_id)
    .where(_IS_RIPE)
    .order_by(schema.due.c.at)
    .limit(sa.bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    sa.update(schema.due)
    .where(schema.due.c.table_id.in_(_RIPE), _IS_RIPE)
    .values(leased_until=sa.bindparam("until"))
    .returning(schema.due.c.table_id)
)


class Conflict(Exception):
    """Somebody else has appended an event of this number: load the rest and decide again."""


@dataclass(frozen=True)
class Player:
    """Somebody who plays here."""

    id: str
    name: str


class _Writing:
    """A statement that takes whole rows, handed to the driver as it is.

    Made once: to make it for each commit costs as much as to write, and so does to look at each
    value again, which both drivers take as it is.
    """

    def __init__(self, table: sa.Table, statement: sa.ClauseElement, dialect: sa.Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)
        self._text, self._columns = str(compiled), [table.c[name] for name in compiled.positiontup]
        self._bytes = [c.name for c in self._columns if isinstance(c.type, sa.LargeBinary)]

    def write(self, connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Write some rows."""
        values = [tuple(row[column.name] for column in self._columns) for row in rows]
        connection.exec_driver_sql(self._text, values)

    @property
    def text_for_json(self) -> str:
        """The same statement for SQLite, which takes all rows as one text."""
        given = f"VALUES ({', '.join('?' * len(self._columns))})"
        rows = f"SELECT {', '.join(map(_from_json, self._columns))} FROM json_each(?)"
        return self._text.replace(given, f"{rows} WHERE true").replace("= ?", f"IN ({rows})")

    def in_json(self, rows: Sequence[dict[str, Any]]) -> bytes:
        """That text."""
        for name in self._bytes:
            rows = [{**row, name: row[name].decode()} for row in rows]
        return _encode(rows)


def _is_away(error: Exception) -> bool:
    """Whether a database does not answer, or has no room, whatever it is asked."""
    if isinstance(error, IntegrityError | ProgrammingError | DataError):
        return False  # that is about what it was asked
    return isinstance(error, DBAPIError | OSError)


def _why(error: Exception) -> str:
    """The driver's own words, without the statement."""
    words = str(error.orig if isinstance(error, DBAPIError) else error)
    return words or f"no answer in {PATIENCE:.0f} seconds"


def _from_json(column: sa.Column[Any]) -> str:
    """A column of a row that is an object of JSON."""
    field = f"value ->> '{column.name}'"
    return f"CAST({field} AS BLOB)" if isinstance(column.type, sa.LargeBinary) else field


class Store:
    """The database of a server.

    What is done in it is a function of a connection, which sees and changes all or nothing. On
    PostgreSQL the driver waits for the answers, on SQLite a thread does. The log of SQLite has a
    process of its own: what is acknowledged waits for no other question.
    """

    def __init__(self, engine: AsyncEngine | sa.Engine, file: Path | None) -> None:
        self._engine, self.file = engine, file
        self._threads = ThreadPoolExecutor(READERS, "store")
        dialect: Any = sqlite_dialect if engine.dialect.name == "sqlite" else postgresql
        self._insert = dialect.insert
        idle = schema.due.c.table_id == sa.bindparam("table_id")
        self._writings = (  # in this order
            self._put(schema.tables, "id"),
            _Writing(schema.events, self._insert(schema.events), engine.dialect),
            self._put(schema.due, "table_id"),
            _Writing(schema.due, sa.delete(schema.due).where(idle), engine.dialect),
            self._put(schema.sitters, "table_id", "seat"),
        )
        self._log: Writer | None = None
        if file is not None:
            self._log = Writer(file, [each.text_for_json for each in self._writings])
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._wake, self._loop = asyncio.Event(), asyncio.get_running_loop()
        self._writer = asyncio.create_task(self._write_on(), name="store writer")
        self._closing = False
        self.commits = 0
        self.commit_seconds = 0.0
        self._complained_at = -COMPLAIN

    @classmethod
    async def open(cls, url: str) -> Store:
        """Open a database, made or brought to the newest form if need be. Raises Refused."""
        file = file_of(url)
        # An error of the database must not show what was to be written: events hold secrets.
        engine: AsyncEngine | sa.Engine
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            engine = sa.create_engine(f"sqlite:///{file}", hide_parameters=True)
            sa_event.listen(engine, "connect", _make_durable)
        else:
            own = {"server_settings": {"synchronous_commit": "on"}, "timeout": PATIENCE}
            engine = create_async_engine(
                url, connect_args=own, pool_pre_ping=True, hide_parameters=True
            )
        store = cls(engine, file)
        try:
            await store._in_transaction(
                lambda connection: to_newest(connection, file), patience=None
            )
            if store._log is not None:
                await store._log.start()
        except BaseException as error:
            await store.close()
            if isinstance(error, DBAPIError | OSError):
                shown = make_url(url).render_as_string()  # without the password
                parts = {"database": shown, "why": _why(error)}
                raise Refused("closed-database", parts) from error
            raise
        return store

    async def _do(self, work: Callable[[sa.Connection], T]) -> T:
        """Do something in a transaction; it is committed when this returns. Raises Refused."""
        try:
            return await self._in_transaction(work)
        except (DBAPIError, OSError) as error:
            if _is_away(error):
                raise self._refusal(error) from error
            raise

    async def _in_transaction(
        self, work: Callable[[sa.Connection], T], patience: float | None = PATIENCE
    ) -> T:
        engine = self._engine
        if isinstance(engine, AsyncEngine):
            async with asyncio.timeout(patience), engine.begin() as connection:
                return await connection.run_sync(work)

        def on_a_thread() -> T:
            with engine.begin() as connection:
                return work(connection)

        return await self._loop.run_in_executor(self._threads, on_a_thread)

    async def _rows(self, query: sa.Executable, **values: object) -> Sequence[Any]:
        return await self._do(lambda connection: connection.execute(query, values).all())

    async def _value(self, query: sa.Executable, **values: object) -> Any:
        """The first column of the first row, None when there is none."""
        return await self._do(lambda connection: connection.scalar(query, values))

    async def _change(self, statement: sa.Executable) -> None:
        await self._do(lambda connection: connection.execute(statement))

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to this database."""
        return self.file is None

    async def close(self) -> None:
        """Finish what is being written and let go of the database."""
        self._closing = True
        self._wake.set()
        await self._writer
        if self._log is not None:
            await self._log.close()
        self._threads.shutdown()
        if isinstance(self._engine, AsyncEngine):
            await self._engine.dispose()
        else:
            self._engine.dispose()

    async def durability(self) -> dict[str, str]:
        """The settings on which it depends that a commit survives."""
        if self._log is not None:
            return await self._log.settings()
        names = ("synchronous_commit", "fsync", "full_page_writes")
        return {name: str(await self._value(sa.text(f"SHOW {name}"))) for name in names}

    # The log

    async def append(self, batch: Append) -> None:
        """Append events to a log, and return when they are on the disk.

        Raises Conflict, and Refused while the database does not do its work.
        """
        if self._closing:
            raise RuntimeError("the store is closing")
        done = self._loop.create_future()
        self._waiting.append((batch, done))
        self._wake.set()
        await done

    async def _write_on(self) -> None:
        while not (self._closing and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                together = self._waiting[:MOST_IN_A_COMMIT]
                del self._waiting[:MOST_IN_A_COMMIT]
                await self._write_together(together)

    async def _write_together(self, waiting: list[tuple[Append, asyncio.Future[None]]]) -> None:
        """One commit for all; if one of them cannot be, and others could, each alone."""
        began = time.perf_counter()
        try:
            await self._write([batch for batch, _ in waiting])
        except Exception as error:
            if len(waiting) > 1 and not _is_away(error):
                for each in waiting:
                    await self._write_together([each])
                return
            failure = await self._failure(waiting[0][0], error)
            if failure is not None:
                for _, done in waiting:
                    if not done.done():
                        done.set_exception(failure)
                return
        self.commits += 1
        self.commit_seconds += time.perf_counter() - began
        for _, done in waiting:
            if not done.done():
                done.set_result(None)

    async def _failure(self, batch: Append, error: Exception) -> Exception | None:
        """What to tell who waits for events that could not be written.

        Nothing, if just these are in the log: who wrote them was killed before it could say so.
        """
        if _is_away(error):
            return self._refusal(error)
        if not isinstance(error, IntegrityError | sqlite3.IntegrityError):
            return error
        try:
            there = await self.load(batch.table_id, after=batch.entries[0].number - 1)
        except Exception as unreadable:
            return unreadable
        return None if tuple(there[: len(batch.entries)]) == batch.entries else Conflict()

    def _refusal(self, error: Exception) -> Refused:
        """What to tell people of a database that does not do its work; the host is told why."""
        if time.monotonic() > self._complained_at + COMPLAIN:
            self._complained_at = time.monotonic()
            log.error("the database does not do its work", extra={"why": _why(error)})
        return Refused("no-storage")

    async def _write(self, batches: Sequence[Append]) -> None:
        # In one order everywhere: two processes then wait for each other, and never both.
        newest = {each.table_id: each for each in sorted(batches, key=lambda each: each.table_id)}
        rows = [table_row(batch) for batch in newest.values()]
        logged = [event_row(batch.table_id, entry) for batch in batches for entry in batch.entries]
        due = [
            {"table_id": each.table_id, "at": each.due_at, "leased_until": each.leased_until}
            for each in newest.values()
            if each.due_at is not None
        ]
        idle = [{"table_id": each.table_id} for each in newest.values() if each.due_at is None]
        seated = [row for batch in batches for row in sitter_rows(batch)]

        parts: list[list[dict[str, Any]]] = [rows, logged, due, idle, seated]
        work = enumerate(zip(self._writings, parts, strict=True))
        if self._log is not None:
            await self._log.commit((n, each.in_json(some)) for n, (each, some) in work if some)
            return

        def write(connection: sa.Connection) -> None:
            for _, (each, some) in work:
                if some:
                    each.write(connection, some)

        await self._do(write)

    def _put(self, table: sa.Table, *key: str) -> _Writing:
        """Rows with a new key are added, others changed."""
        statement = self._insert(table)
        changed = {c.name: statement.excluded[c.name] for c in table.c if c.name not in key}
        put = statement.on_conflict_do_update(index_elements=key, set_=changed)
        return _Writing(table, put, self._engine.dialect)

    async def load(self, table_id: str, after: int = 0) -> list[Entry]:
        """The log of a table behind an event; empty when there is none."""
        log = schema.events
        query = (
            sa.select(log.c.number, log.c.at, log.c.actor, log.c.client_id, log.c.body)
            .where(log.c.table_id == table_id, log.c.number > after)
            .order_by(log.c.number)
        )
        rows = await self._rows(query)
        return [Entry(r.number, r.at, r.actor, r.client_id, decoded(r.body)) for r in rows]

    # What is due

    async def claim(self, now: int, lease: int, most: int) -> list[str]:
        """Tables where something is due; they are ours for a while, in milliseconds."""
        if not await self._rows(_RIPE, now=now, most=1):
            return []
        claimed = await self._rows(_CLAIM, now=now, most=most, until=now + lease)
        return [row.table_id for row in claimed]

    async def renew(self, table_ids: list[str], until: int) -> None:
        """Keep what is due at these tables ours for longer."""
        due = schema.due
        ours = sa.select(due.c.table_id).where(due.c.table_id.in_(table_ids))
        ours = ours.with_for_update(skip_locked=True)  # who writes there just now promises anew
        await self._change(
            sa.update(due).where(due.c.table_id.in_(ours)).values(leased_until=until)
        )

    async def clear_due(self, table_id: str) -> None:
        """Forget what is due at a table."""
        due = schema.due
        await self._change(sa.delete(due).where(due.c.table_id == table_id))

    async def release(self) -> None:
        """Forget all promises: whoever made them is gone."""
        await self._change(sa.update(schema.due).values(leased_until=0))

    # Lists

    async def numbers(self, table_ids: list[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
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
        most: int = 50,
    ) -> list[Summary]:
        """Tables in a state, the last changed first; only listed ones unless of one player."""
        table = schema.tables
        query = sa.select(table).where(table.c.state == state)
        query = query.order_by(table.c.changed_at.desc(), table.c.id).limit(most)
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

    async def without_rules(self) -> list[str]:
        """The tables that are not over and whose rules this program does not have."""
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

    async def seats_of(self, player: str, table_ids: Sequence[str]) -> dict[str, list[int]]:
        """Where somebody sits at some tables, by table."""
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
        """The record of a finished game."""
        query = sa.select(schema.tables.c.record).where(schema.tables.c.id == table_id)
        found: str | None = await self._value(query)
        return found

    async def open_tables_of(self, player: str) -> int:
        """At how many tables that are not over somebody sits."""
        return int(await self._value(_OPEN_TABLES, player=player) or 0)

    # People

    async def add_player(self, name: str, now: int) -> Player:
        """Somebody new."""
        player = Player(secrets.token_urlsafe(16), name)
        await self._change(sa.insert(schema.players).values(id=player.id, name=name, made_at=now))
        return player

    async def player(self, player_id: str) -> Player | None:
        """Somebody by their id."""
        rows = await self._rows(_PLAYER, player=player_id)
        return next((Player(row.id, row.name) for row in rows), None)

    async def rename(self, player_id: str, name: str) -> None:
        """Give somebody another name; games that have begun keep the old one."""
        players = schema.players
        await self._change(sa.update(players).where(players.c.id == player_id).values(name=name))

    async def forget(self, player_id: str) -> list[str]:
        """Delete who somebody is, and their name from all games; return the tables concerned.

        What they played stays, under an id that tells nothing: the others need it.
        """
        own = sa.select(schema.sitters.c.table_id).where(schema.sitters.c.player == player_id)
        table_ids = list(dict.fromkeys(row.table_id for row in await self._rows(own)))
        logs = {table_id: await self.load(table_id) for table_id in table_ids}

        def forget(connection: sa.Connection) -> None:
            for table_id, log in logs.items():
                _forget_at(connection, table_id, log, player_id)
            for table, column in (
                (schema.tokens, schema.tokens.c.player),
                (schema.sitters, schema.sitters.c.player),
                (schema.players, schema.players.c.id),
            ):
                connection.execute(sa.delete(table).where(column == player_id))

        await self._do(forget)
        return table_ids

    async def add_token(self, player_id: str, now: int) -> str:
        """A new token for a program that plays as somebody; only its hash is kept."""
        token = secrets.token_urlsafe(32)
        row = {"hash": _hash(token), "player": player_id, "made_at": now}
        await self._change(sa.insert(schema.tokens).values(row))
        return token

    async def player_of_token(self, token: str) -> Player | None:
        """Whose token it is."""
        query = (
            sa.select(schema.players)
            .join(schema.tokens, schema.tokens.c.player == schema.players.c.id)
            .where(schema.tokens.c.hash == _hash(token))
        )
        return next((Player(row.id, row.name) for row in await self._rows(query)), None)

    async def key(self, name: str) -> bytes:
        """A key of this server, made the first time it is asked for."""
        made = self._insert(schema.keys).values(name=name, value=secrets.token_bytes(32))
        await self._change(made.on_conflict_do_nothing())
        query = sa.select(schema.keys.c.value).where(schema.keys.c.name == name)
        return bytes(await self._value(query))

    async def ping(self) -> None:
        """Raises when the database does not answer."""
        await self._value(sa.select(1))


def _forget_at(connection: sa.Connection, table_id: str, log: list[Entry], player_id: str) -> None:
    """Take a name out of one log, its record and its row in the lists."""
    for place, entry in enumerate(log):
        event = _without_name(entry.event, player_id)
        if event == entry.event:
            continue
        log[place] = replace(entry, event=event)
        events = schema.events
        row = (events.c.table_id == table_id) & (events.c.number == entry.number)
        connection.execute(sa.update(events).where(row).values(body=encoded(event)))
    tables = schema.tables
    stored = connection.scalar(sa.select(tables.c.record).where(tables.c.id == table_id))
    whole, opening = [(entry.event, entry.at) for entry in log], log[0].event
    assert isinstance(opening, Opened), "a log begins with the opening"
    is_known = live.has_rules(opening)
    table = live.fold(whole) if is_known else archive.read_table(whole, stored)
    listed = table_row(Append(table_id, table, (log[-1],)))
    changed = {name: listed[name] for name in ("names", "record")}
    connection.execute(sa.update(tables).where(tables.c.id == table_id).values(changed))


def _without_name(event: Event, player_id: str) -> Event:
    def nameless(sitter: Sitter | None) -> Sitter | None:
        is_gone = isinstance(sitter, Person) and sitter.player == player_id
        return Person(player_id, NO_NAME) if is_gone else sitter

    if isinstance(event, Seated):
        return Seated(event.seat, nameless(event.sitter) or event.sitter, event.share)
    if isinstance(event, Opened) and event.reserved:
        reserved = tuple(nameless(sitter) for sitter in event.reserved)
        return msgspec.structs.replace(event, reserved=reserved)
    return event


def _make_durable(connection: Any, _: object) -> None:
    """A commit of SQLite is on the disk when it returns, and readers never wait for a writer."""
    cursor = connection.cursor()
    for name, value in SETTINGS.items():
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
