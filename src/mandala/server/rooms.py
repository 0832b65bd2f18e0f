"""The live tables of this process: runs commands one at a time, commits, then notifies clients.

A room is a table in memory with its subscribers. It is only a cache: it can be dropped at any time
and loaded again from the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

import msgspec

from mandala.core.position import Position
from mandala.core.view import View
from mandala.live import archive
from mandala.live import table as live
from mandala.live.bus import RELOAD, Bus, connect
from mandala.live.events import Bot, Opened, Person
from mandala.live.store import Conflict, Store
from mandala.live.store.rows import Append, Entry, public_moves, rematch_id, setup_hash
from mandala.live.table import Applied, Table
from mandala.server import bot_service
from mandala.server.gc_tuning import GcTuning
from mandala.server.limits import Limits
from mandala.server.messages import (
    EventMessage,
    Presence,
    Recipient,
    TableState,
    Welcome,
    event_message,
    state_of,
)
from mandala.server.metrics import Metrics
from mandala.server.subscriber import Subscriber
from mandala.server.uptime import SERVER_CLOCK, Heartbeat
from mandala.text.errors import MandalaError, Refused

log = logging.getLogger("mandala.server")

LEASE_MS = 1_500  # of a table with a bot to move, unless renewed
LEASE_SINGLE_PROCESS_MS = 10_000  # the same if no other process can take over
RENEW_INTERVAL_S = 0.5  # of leases
DUE_INTERVAL_S = 0.25  # between claims of due tables
MAX_DUE_PER_CLAIM = 200  # tables
COMPARE_INTERVAL_S = 2.0  # between comparisons with the store, for lost bus messages
IDLE_TIMEOUT_S = 300.0  # after which a room without subscribers is dropped
SWEEP_INTERVAL_S = 10.0  # between searches for idle rooms
SERVER = "server"  # the actor of events caused by the server
PRESENCE_DELAY_S = 0.2  # from a change of presence to its message
CLOCK_DELAY_DIVISOR = 100  # a bot delays its move by at most this fraction of its clock
MAX_ATTEMPTS = 5

Decide = Callable[[Table, int], list[Applied]]
encode = msgspec.json.Encoder().encode
now_ms = SERVER_CLOCK.now_ms


@dataclass
class Room:
    """A table in memory with its subscribers."""

    id: str
    table: Table
    commands: dict[tuple[str, str], int]  # event numbers by actor and client id
    subscribers: set[Subscriber] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    used_at: float = field(default_factory=time.monotonic)
    bot_moves_after: int = 0  # the event after which this process plays a bot's move, 0 for none
    presence: Presence | None = None  # as last sent
    presence_timer: asyncio.TimerHandle | None = None

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        self.subscribers.add(subscriber)
        self._schedule_presence()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self.subscribers.discard(subscriber)
        self._schedule_presence()

    def _schedule_presence(self) -> None:
        """Send the presence after a short delay, once for several changes."""
        if self.presence_timer is None:
            loop = asyncio.get_running_loop()
            self.presence_timer = loop.call_later(PRESENCE_DELAY_S, self._send_presence)

    def _send_presence(self) -> None:
        self.presence_timer = None
        seats = {each.to.seat for each in self.subscribers if each.to.seat is not None}
        watching = sum(each.to.seat is None for each in self.subscribers)
        presence = Presence(seats=sorted(seats), watching=watching)
        if presence != self.presence:
            self.presence, message = presence, encode(presence)
            for subscriber in self.subscribers:
                subscriber.send(message)

    def apply(self, entry: Entry, after: Table | None = None) -> None:
        """Apply a committed event and send it to all subscribers."""
        before = self.table
        self.table = after or live.after(before, entry.event, entry.at)
        if entry.client_id is not None:
            self.commands[entry.actor, entry.client_id] = entry.number
        messages: dict[Recipient, bytes] = {}
        for subscriber in self.subscribers:
            to = subscriber.to
            if to not in messages:
                tables = (before, entry.event, self.table)
                messages[to] = encode(
                    event_message(self.id, *tables, to, at=entry.at, with_state=True)
                )
            subscriber.send(messages[to])


class Rooms:
    """All rooms of this process, and the loop that handles due tables."""

    def __init__(
        self, store: Store, limits: Limits, metrics: Metrics, redis: str | None = None
    ) -> None:
        self.store, self.limits, self.metrics = store, limits, metrics
        self._redis = redis
        self._bus: Bus | None = None
        self._lease = LEASE_MS if store.is_shared else LEASE_SINGLE_PROCESS_MS
        self._renewed_at = self._compared_at = self._swept_at = 0.0
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}  # by table
        self._tasks: set[asyncio.Task[None]] = set()
        self._bots = bot_service.BotService()
        self._gc_tuning: GcTuning | None = None
        self._heartbeat = Heartbeat(store, SERVER_CLOCK, self._resume_tables)
        self._stopping = False

    async def start(self) -> None:
        """Connect to the bus and start handling due tables."""
        self._gc_tuning = GcTuning()
        if not self.store.is_shared:
            await self.store.release()
        if self._redis is not None:
            self._bus = bus = connect(self._redis, self._on_bus_event, self._on_bus_reconnect)
            self.metrics.bus.set_function(lambda: float(bus.is_up))
        await self._heartbeat.start()
        self._spawn(self._close_without_rules())
        self._spawn(self._due_loop())

    async def stop(self) -> None:
        """Refuse new commands, disconnect all clients, and stop all tasks."""
        self._stopping = True
        for room in self._rooms.values():
            for subscriber in room.subscribers:
                subscriber.disconnect()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Refused):  # the store has logged the reason
            await self._heartbeat.stop()
        if self._bus is not None:
            await self._bus.close()
        await self._bots.stop()
        if self._gc_tuning is not None:
            self._gc_tuning.stop()

    # Tables

    async def room(self, table_id: str) -> Room:
        """Return the room of a table, loading it if necessary. Raises Refused."""
        room = self._rooms.get(table_id)
        if room is None:
            room = await self._load_once(table_id)
        elif self.store.is_shared:
            await self._lock_and_catch_up(room)
        room.used_at = time.monotonic()
        return room

    async def _load_once(self, table_id: str) -> Room:
        """Load a table; concurrent callers for the same table share one load."""
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load_and_add(table_id))
            loading.add_done_callback(lambda _: self._loading.pop(table_id))
        return await asyncio.shield(loading)  # a caller that leaves does not stop the others

    async def _load_and_add(self, table_id: str) -> Room:
        room = await self._load(table_id)
        self._add_room(room)
        return room

    async def _load(self, table_id: str) -> Room:
        entries = await self.store.load(table_id)
        if not entries:
            raise Refused("no-such-table")
        opening = entries[0].event
        assert isinstance(opening, Opened), "a log begins with the opening"
        try:
            if live.has_rules(opening):
                events = [(entry.event, entry.at) for entry in entries]
                table = await asyncio.to_thread(live.fold, events)  # may take long
            else:
                table = await self._read_archived(table_id, entries)
        except Conflict:
            return await self._load(table_id)
        room = Room(table_id, table, {})
        for entry in entries:
            if entry.client_id is not None:
                room.commands[entry.actor, entry.client_id] = entry.number
        return room

    async def _read_archived(self, table_id: str, entries: list[Entry]) -> Table:
        """Return a table with unknown rules, which is closed first if it was not over.

        Raises Conflict if another process appends to its log at the same time.
        """
        # The record is read after the log, so that a game that ended in between is not closed.
        stored = await self.store.record(table_id)
        table, now = archive.read_table([(e.event, e.at) for e in entries], stored), now_ms()
        for event, closed in archive.close(table, now):
            entry = Entry(closed.number, now, SERVER, None, event)
            await self._commit(self._append(table_id, closed, (entry,), now))
            self._publish(table_id, closed.number)
            table = closed
        return table

    async def _close_without_rules(self) -> None:
        """Close the running tables with unknown rules."""
        for table_id in await self.store.tables_with_unknown_rules():
            await self.room(table_id)

    def _add_room(self, room: Room) -> None:
        self._rooms[room.id] = room
        self.metrics.rooms.set(len(self._rooms))
        self._warm_up(room)

    def _warm_up(self, room: Room) -> None:
        has_bots = any(isinstance(sitter, Bot) for sitter in room.table.sitters)
        self._bots.warm_up(room.table.opening.game, with_search=has_bots)

    async def delete_player(self, player_id: str) -> None:
        """Delete a player, and their name from all games, in this and all other processes."""
        for table_id in await self.store.delete_player(player_id):
            self._publish(table_id, RELOAD)
            if table_id in self._rooms:
                await self._reload(self._rooms[table_id])

    async def _reload(self, room: Room) -> None:
        """Load a table whose earlier events have changed; its clients get the new state."""
        async with room.lock:
            room.table = (await self._load(room.id)).table
            # An event that was appended in the meantime has written the old names.
            await self.store.save_names(room.id, room.table)
            for subscriber in room.subscribers:
                subscriber.send(encode(Welcome(state=self.state(room, subscriber.to), missed=[])))

    async def open(
        self, opening: Opened, first: Decide, actor: str, table_id: str | None = None
    ) -> Room:
        """Open a table with the events of the command `first`. Raises Conflict if it exists."""
        if self._stopping:
            raise Refused("server-stops")
        table_id, now = table_id or secrets.token_urlsafe(12), now_ms()
        applied = [Applied(opening, live.opened(opening, now))]
        applied += first(applied[0].table, now)
        table = applied[-1].table
        entries = tuple(
            Entry(number, now, actor, None, each.event)
            for number, each in enumerate(applied, start=1)
        )
        await self._commit(self._append(table_id, table, entries, now))
        room = Room(table_id, table, {})
        self._add_room(room)
        self._start_automatic_action(room)
        return room

    # Commands

    async def execute(
        self, room: Room, actor: str, decide: Decide, command: tuple[str, int] | None = None
    ) -> int:
        """Run a command and return the number of its event, which is then committed.

        `command` is the client's id for it and the last event the client has seen. A command is
        not executed twice, and refused if its event number is out of date. Raises MandalaError.
        """
        await self._heartbeat.ensure()
        return await self._execute(room, actor, decide, command)

    async def _execute(
        self, room: Room, actor: str, decide: Decide, command: tuple[str, int] | None = None
    ) -> int:
        async with room.lock:
            for _ in range(MAX_ATTEMPTS):
                if self._stopping:
                    raise Refused("server-stops")
                if command is not None and (found := room.commands.get((actor, command[0]))):
                    return found
                if command is not None and command[1] > room.table.number:
                    await self._catch_up(room)
                if command is not None and command[1] != room.table.number:
                    raise Refused("too-late", {"number": room.table.number})
                now = now_ms()
                applied = decide(room.table, now)
                if not applied:
                    return room.table.number
                try:
                    return await self._commit_and_publish(room, actor, applied, command, now)
                except Conflict:
                    await self._catch_up(room)
        raise Refused("too-late", {"number": room.table.number})

    async def _commit_and_publish(
        self,
        room: Room,
        actor: str,
        applied: list[Applied],
        command: tuple[str, int] | None,
        now: int,
    ) -> int:
        entries = []
        for place, (event, table) in enumerate(applied):
            client_id = command[0] if command is not None and place == 0 else None
            entries.append(Entry(table.number, now, actor, client_id, event))
        await self._commit(self._append(room.id, applied[-1].table, tuple(entries), now))
        for entry, (_, after) in zip(entries, applied, strict=True):
            room.apply(entry, after)
        self._publish(room.id, room.table.number)
        self._start_automatic_action(room)
        return entries[0].number

    async def _commit(self, append: Append) -> None:
        began = time.perf_counter()
        await self.store.append(append)
        self.metrics.commit.observe(time.perf_counter() - began)
        for entry in append.entries:
            self.metrics.events[str(entry.event.__struct_config__.tag)] += 1
        log.info(
            "committed",
            extra={"table": append.table_id, "number": append.entries[-1].number},
        )

    def _append(self, table_id: str, table: Table, entries: tuple[Entry, ...], now: int) -> Append:
        if table.bot_to_move is not None or live.wants_rematch(table):
            return Append(table_id, table, entries, due_at=now, leased_until=now + self._lease)
        return Append(table_id, table, entries, due_at=table.deadline)

    # Other processes

    def _publish(self, table_id: str, number: int) -> None:
        if self._bus is not None:
            self._bus.publish(table_id, number)

    def _on_bus_event(self, table_id: str, number: int) -> None:
        """Load new events of a table that another process has published."""
        room = self._rooms.get(table_id)
        if number == RELOAD and room is not None:
            self._spawn(self._reload(room))
        elif room is not None and room.subscribers and number > room.table.number:
            self._spawn(self._lock_and_catch_up(room))

    def _on_bus_reconnect(self) -> None:
        """Compare with the store soon, because bus messages may have been lost."""
        self._compared_at = 0.0

    async def _compare_with_store(self) -> None:
        """Load events that other processes have appended to tables with subscribers."""
        self._compared_at = time.monotonic()
        watched = [room for room in self._rooms.values() if room.subscribers]
        numbers = await self.store.numbers([room.id for room in watched])
        behind = [room for room in watched if numbers.get(room.id, 0) > room.table.number]
        await asyncio.gather(*map(self._lock_and_catch_up, behind))

    async def _lock_and_catch_up(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        """Load and apply events that another process has appended."""
        for entry in await self.store.load(room.id, after=room.table.number):
            room.apply(entry)

    # Automatic actions

    def _start_automatic_action(self, room: Room) -> None:
        if room.table.bot_to_move is not None:
            if room.bot_moves_after != room.table.number:
                room.bot_moves_after = room.table.number
                self._spawn(self._play_bot(room))
        elif live.wants_rematch(room.table):
            self._spawn(self._open_rematch(room))

    async def _due_loop(self) -> None:
        while True:
            await asyncio.sleep(DUE_INTERVAL_S)
            try:
                await self._heartbeat.beat_if_due()
                if self.store.is_shared and time.monotonic() > self._renewed_at + RENEW_INTERVAL_S:
                    await self._renew_leases()
                due = await self.store.claim(now_ms(), self._lease, MAX_DUE_PER_CLAIM)
                await asyncio.gather(*map(self._handle_due, due))
                if (
                    self.store.is_shared
                    and time.monotonic() > self._compared_at + COMPARE_INTERVAL_S
                ):
                    await self._compare_with_store()
                if time.monotonic() > self._swept_at + SWEEP_INTERVAL_S:
                    self._drop_idle()
                if self._gc_tuning is not None:
                    self._gc_tuning.collect_if_due()
            except Refused as error:  # the store has logged the reason
                log.debug("due tables not handled", extra={"code": error.code})
            except Exception:
                log.exception("handling due tables failed, retrying")

    async def _resume_tables(self, stopped_at: int) -> None:
        """Exclude the time since all servers stopped from the turns of unfinished tables."""
        is_long = now_ms() - stopped_at >= live.DAY
        log.warning("no server was running", extra={"ms": now_ms() - stopped_at})

        def decide(table: Table, now: int) -> list[Applied]:
            return live.resume(table, stopped_at, now)

        for table_id in await self.store.unfinished_tables(only_clocked=not is_long):
            try:
                await self._execute(await self.room(table_id), SERVER, decide)
            except MandalaError as error:
                log.warning("not resumed", extra={"code": error.code, "table": table_id})

    async def _renew_leases(self) -> None:
        """Renew the leases of tables whose bots are choosing a move."""
        self._renewed_at = time.monotonic()
        rooms = [room.id for room in self._rooms.values() if room.bot_moves_after]
        if rooms:
            await self.store.renew(rooms, now_ms() + LEASE_MS)

    async def _handle_due(self, table_id: str) -> None:
        """Do what is due at a table: a bot's move, a rematch, or the end on time."""
        try:
            room = await self.room(table_id)
            if not live.has_rules(room.table.opening):
                await self.store.clear_due(table_id)
                return
            self._start_automatic_action(room)
            await self.execute(room, SERVER, live.flag)
        except MandalaError as error:
            log.info("refused", extra={"code": error.code})

    def _drop_idle(self) -> None:
        self._swept_at = time.monotonic()
        before = self._swept_at - IDLE_TIMEOUT_S
        for room in list(self._rooms.values()):
            is_busy = room.subscribers or room.lock.locked() or room.bot_moves_after
            if not is_busy and room.used_at < before:
                del self._rooms[room.id]
        self.metrics.rooms.set(len(self._rooms))

    async def _play_bot(self, room: Room) -> None:
        table = room.table
        bot, seat, shown = table.bot_to_move, table.actor, None
        self.metrics.bots.inc()
        try:
            if bot is None or seat is None or (shown := live.view(table, seat)) is None:
                return
            chosen = await self._choose(bot.name, shown)
            await asyncio.sleep(self._bot_delay(table))
            number = table.number

            def decide(current: Table, now: int) -> list[Applied]:
                return (
                    live.move(current, seat, chosen.move, now) if current.number == number else []
                )

            await self.execute(room, SERVER, decide)
        except MandalaError as error:
            log.warning("bot move refused", extra={"code": error.code, "table": room.id})
        finally:
            self.metrics.bots.dec()
            if room.bot_moves_after == table.number:
                room.bot_moves_after = 0

    def _bot_delay(self, table: Table) -> float:
        """The seconds for which a bot still delays its move, limited by its own clock."""
        limits, seat = self.limits, table.actor
        pace = limits.bot_delay_s if table.people() else limits.bot_only_delay_s
        if table.opening.clock.kind != "none" and seat is not None:
            pace = min(pace, table.time_left[seat - 1] / 1000 / CLOCK_DELAY_DIVISOR)
        return max(0.0, pace - (now_ms() - table.since) / 1000)

    async def _choose(self, name: str, view: View) -> bot_service.Advice:
        seconds, seed = self.limits.bot_time_s, secrets.randbits(63)
        return await self._bots.choose(name, view, seconds, seed)

    async def advice(self, room: Room, seat: int) -> tuple[View, bot_service.Advice]:
        """Return a view of a seat and a strong player's advice for it. Raises Refused."""
        shown, table = live.view_for_hint(room.table, seat), room.table
        if table.opening.line and table.position is not None:
            await self.require_not_running(table.position)
        return shown, await self._choose(bot_service.HINT_PLAYER, shown)

    async def require_not_running(self, position: Position) -> None:
        """Raise Refused if people play a game that a position belongs to, or could belong to.

        Its players could otherwise ask bots for advice. Only what a spectator sees is compared:
        if hidden cards counted, the answer would tell whether a guess about them is right.
        """
        game, setup = (position.game, position.seats), setup_hash(position)
        for table_id in await self.store.running_with_setup(*game, setup):
            table = (await self.room(table_id)).table
            people = {each.player for each in table.sitters if isinstance(each, Person)}
            if table.actor is None or table.position is None or len(people) < 2:
                continue
            both = zip(public_moves(table.position), public_moves(position), strict=False)
            if all(one == other for one, other in both):
                raise Refused("line-running")

    async def _open_rematch(self, room: Room) -> None:
        opening = live.rematch(room.table, secrets.token_bytes(32), room.id)
        following = rematch_id(room.id)
        # It may exist already: a process may have crashed between opening and announcing it.
        with contextlib.suppress(Conflict):
            await self.open(opening, _seat_bots, SERVER, following)

        def decide(current: Table, now: int) -> list[Applied]:
            return live.announce_rematch(current, following, now)

        await self.execute(room, SERVER, decide)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        """Log the error of a background task."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, MandalaError):
            log.warning("refused", extra={"code": error.code})
        elif error is not None:
            log.error("background task failed", exc_info=error)

    # Messages

    def state(self, room: Room, to: Recipient) -> TableState:
        """Return a table's current state for a recipient."""
        return state_of(room.id, room.table, to, now=now_ms(), moves=True)

    async def subscribe(self, room: Room, subscriber: Subscriber, after: int) -> None:
        """Send the table's state and the missed events, then all further events."""
        async with room.lock:
            if after > room.table.number and self.store.is_shared:
                await self._catch_up(room)
            missed = await self._missed_events(room, subscriber.to, after)
            reply = Welcome(state=self.state(room, subscriber.to), missed=missed)
            subscriber.send(encode(reply))
            if room.presence is not None:
                subscriber.send(encode(room.presence))
            room.subscribe(subscriber)

    async def _missed_events(self, room: Room, to: Recipient, after: int) -> list[EventMessage]:
        if not 0 < after < room.table.number or not live.has_rules(room.table.opening):
            return []
        entries = await self.store.load(room.id)
        first = entries[0].event
        assert isinstance(first, Opened), "a log begins with the opening"
        table, missed = live.opened(first, entries[0].at), []
        for entry in entries[1 : room.table.number]:
            before, table = table, live.after(table, entry.event, entry.at)
            if entry.number > after:
                tables = (before, entry.event, table)
                missed.append(event_message(room.id, *tables, to, at=entry.at, with_state=False))
        return missed


def _seat_bots(table: Table, now: int) -> list[Applied]:
    """Seat the bots on their reserved seats."""
    applied: list[Applied] = []
    for seat, sitter in enumerate(table.opening.reserved, start=1):
        if isinstance(sitter, Bot):
            applied += live.sit(table, seat, sitter, b"", now)
            table = applied[-1].table
    return applied


def resolve_seat(room: Room, player: str | None, wanted: int | None) -> int | None:
    """Return the seat whose view a player gets: the wanted one, or their only one, or None.

    Raises Refused if the wanted seat is not theirs.
    """
    own = room.table.seats_of(player) if player else []
    if wanted is None:
        return own[0] if len(own) == 1 else None
    if wanted not in own:
        raise Refused("not-your-seat", {"seat": wanted})
    return wanted
