"""The live tables of this process: one wish after the other, each on the disk before it is told.

A room is a table in memory with those who listen to it. Nothing in it is the truth: it can be
dropped at any time and loaded again from the store.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

import msgspec

from mandala.core.view import View
from mandala.live import archive
from mandala.live import table as live
from mandala.live.bus import RELOAD, Bus, connect
from mandala.live.events import Bot, Opened
from mandala.live.store import Conflict, Store
from mandala.live.store.rows import Append, Entry
from mandala.live.table import Applied, Table
from mandala.server import bot_service
from mandala.server.gc_tuning import GcTuning
from mandala.server.limits import Limits
from mandala.server.messages import (
    News,
    Presence,
    Recipient,
    TableState,
    Welcome,
    news_of,
    state_of,
)
from mandala.server.metrics import Metrics
from mandala.server.wire import Wire
from mandala.text.errors import MandalaError, Refused

log = logging.getLogger("mandala.server")

LEASE = 1_500  # milliseconds for which a promise to play a bot's move holds without being renewed
LEASE_ALONE = 10_000  # the same where no other process could take over
RENEW = 0.5  # seconds between renewals
TICK = 0.25  # seconds between two looks at what is due
MOST_DUE = 200  # tables that are seen to at one look
COMPARE = 2.0  # seconds after which a message that was lost on the bus is made up for
IDLE = 300.0  # seconds after which a room that nobody listens to is dropped
SWEEP = 10.0  # seconds between two looks for such rooms
SERVER = "server"  # the actor of what happens by itself
GATHERING = 0.2  # seconds from somebody's coming or going to telling the others
PART_OF_CLOCK = 100  # what a bot spends at most of its clock for the sake of its pace
TRIES = 5
RESTART = 1012  # a code of WebSocket

Decide = Callable[[Table, int], list[Applied]]
encode = msgspec.json.Encoder().encode


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Listener:
    """Somebody who is told what happens at a table, as one seat or as a spectator."""

    def __init__(self, seat: int | None, language: str, wire: Wire, most_waiting: int) -> None:
        self.to = Recipient(seat, language)
        self._wire, self._most_waiting = wire, most_waiting

    def tell(self, message: bytes) -> None:
        """Hand over a message; who is too slow is cut off and may come back for the rest."""
        if self._wire.write(message) > self._most_waiting:
            self._wire.cut()

    def send_away(self) -> None:
        """Say no more; what comes next is told to who comes back."""
        self._wire.hang_up(RESTART, "come back")


@dataclass
class Room:
    """A table in memory."""

    id: str
    table: Table
    sent: dict[tuple[str, str], int]  # by actor and their own id: the number of the event
    listeners: set[Listener] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    used_at: float = field(default_factory=time.monotonic)
    thinks_after: int = 0  # the event after which a bot of this process thinks
    presence: Presence | None = None  # as told last
    gathering: asyncio.TimerHandle | None = None

    def join(self, listener: Listener) -> None:
        """Tell somebody from now on what happens."""
        self.listeners.add(listener)
        self._gather()

    def leave(self, listener: Listener) -> None:
        """Tell somebody nothing any more."""
        self.listeners.discard(listener)
        self._gather()

    def _gather(self) -> None:
        """Soon tell all who is here: once for many who come and go at the same time."""
        if self.gathering is None:
            loop = asyncio.get_running_loop()
            self.gathering = loop.call_later(GATHERING, self._tell_presence)

    def _tell_presence(self) -> None:
        self.gathering = None
        seats = {each.to.seat for each in self.listeners if each.to.seat is not None}
        watching = sum(each.to.seat is None for each in self.listeners)
        presence = Presence(seats=sorted(seats), watching=watching)
        if presence != self.presence:
            self.presence, message = presence, encode(presence)
            for listener in self.listeners:
                listener.tell(message)

    def add(self, entry: Entry, after: Table | None = None) -> None:
        """Go on by an event that is on the disk, and tell everybody."""
        before = self.table
        self.table = after or live.after(before, entry.event, entry.at)
        if entry.client_id is not None:
            self.sent[entry.actor, entry.client_id] = entry.number
        told: dict[Recipient, bytes] = {}
        for listener in self.listeners:
            to = listener.to
            if to not in told:
                tables = (before, entry.event, self.table)
                told[to] = encode(news_of(self.id, *tables, to, at=entry.at, with_state=True))
            listener.tell(told[to])


class Rooms:
    """All tables of this process."""

    def __init__(
        self, store: Store, limits: Limits, metrics: Metrics, redis: str | None = None
    ) -> None:
        self.store, self.limits, self.metrics = store, limits, metrics
        self._redis = redis
        self._bus: Bus | None = None
        self._lease = LEASE if store.is_shared else LEASE_ALONE
        self._renewed_at = self._compared_at = self._swept_at = 0.0
        self._rooms: dict[str, Room] = {}
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = bot_service.Thinking()
        self._gc_tuning: GcTuning | None = None
        self._stopping = False

    async def start(self) -> None:
        """Begin to look after what is due."""
        self._gc_tuning = GcTuning()
        if not self.store.is_shared:
            await self.store.release()
        if self._redis is not None:
            self._bus = bus = connect(self._redis, self._moved, self._missed)
            self.metrics.bus.set_function(lambda: float(bus.is_up))
        self._spawn(self._close_without_rules())
        self._spawn(self._look_after())

    async def stop(self) -> None:
        """Refuse what is new, and finish what has begun."""
        self._stopping = True
        for room in self._rooms.values():
            for listener in room.listeners:
                listener.send_away()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._bus is not None:
            await self._bus.close()
        await self._thinking.stop()
        if self._gc_tuning is not None:
            self._gc_tuning.stop()

    # Tables

    async def room(self, table_id: str) -> Room:
        """A table, from memory or from the store. Raises Refused."""
        room = self._rooms.get(table_id)
        if room is None:
            async with self._loading:
                room = self._rooms.get(table_id) or await self._load(table_id)
        elif self.store.is_shared:
            await self._catch_up_quietly(room)
        room.used_at = time.monotonic()
        return room

    async def _load(self, table_id: str) -> Room:
        entries = await self.store.load(table_id)
        if not entries:
            raise Refused("no-such-table")
        opening = entries[0].event
        assert isinstance(opening, Opened), "a log begins with the opening"
        try:
            if live.has_rules(opening):
                table = live.fold((entry.event, entry.at) for entry in entries)
            else:
                table = await self._read_archived(table_id, entries)
        except Conflict:
            return await self._load(table_id)
        room = Room(table_id, table, {})
        for entry in entries:
            if entry.client_id is not None:
                room.sent[entry.actor, entry.client_id] = entry.number
        self._keep(room)
        return room

    async def _read_archived(self, table_id: str, entries: list[Entry]) -> Table:
        """A table whose rules this program does not have; closed now if it was not over.

        Raises Conflict when another process appends to its log at the same time.
        """
        # The record is read after the log: a game that ended in between is not closed.
        stored = await self.store.record(table_id)
        table, now = archive.read_table([(e.event, e.at) for e in entries], stored), now_ms()
        for event, closed in archive.close(table, now):
            entry = Entry(closed.number, now, SERVER, None, event)
            await self._commit(self._append(table_id, closed, (entry,), now))
            self._tell_others(table_id, closed.number)
            table = closed
        return table

    async def _close_without_rules(self) -> None:
        """Close the tables that were running under rules which this program does not have."""
        for table_id in await self.store.without_rules():
            await self.room(table_id)

    def _keep(self, room: Room) -> None:
        self._rooms[room.id] = room
        self.metrics.rooms.set(len(self._rooms))
        self._warm_up(room)

    def _warm_up(self, room: Room) -> None:
        has_bots = any(isinstance(sitter, Bot) for sitter in room.table.sitters)
        self._thinking.warm_up(room.table.opening.game, with_search=has_bots)

    def forget(self, table_ids: list[str]) -> None:
        """Drop tables from memory, whose logs have changed, here and in all other processes."""
        for table_id in table_ids:
            self._drop(table_id)
            self._tell_others(table_id, RELOAD)

    def _drop(self, table_id: str) -> None:
        """Drop a table; who listens comes back to what the store has."""
        room = self._rooms.pop(table_id, None)
        for listener in room.listeners if room else ():
            listener.send_away()

    async def open(
        self, opening: Opened, first: Decide, actor: str, table_id: str | None = None
    ) -> Room:
        """A new table, with what `first` adds to its opening. Raises Conflict if it is there."""
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
        self._keep(room)
        self._look_at(room)
        return room

    # Wishes

    async def act(
        self, room: Room, actor: str, decide: Decide, wish: tuple[str, int] | None = None
    ) -> int:
        """Fulfil a wish and return the number of its event, which is then on the disk.

        `wish` is the client's own id and the last event that it had seen. Sent again, it is not
        fulfilled twice; sent too late, it is refused. Raises MandalaError.
        """
        async with room.lock:
            for _ in range(TRIES):
                if self._stopping:
                    raise Refused("server-stops")
                if wish is not None and (found := room.sent.get((actor, wish[0]))):
                    return found
                if wish is not None and wish[1] > room.table.number:
                    await self._catch_up(room)
                if wish is not None and wish[1] != room.table.number:
                    raise Refused("too-late", {"number": room.table.number})
                now = now_ms()
                applied = decide(room.table, now)
                if not applied:
                    return room.table.number
                try:
                    return await self._happen(room, actor, applied, wish, now)
                except Conflict:
                    await self._catch_up(room)
        raise Refused("too-late", {"number": room.table.number})

    async def _happen(
        self,
        room: Room,
        actor: str,
        applied: list[Applied],
        wish: tuple[str, int] | None,
        now: int,
    ) -> int:
        entries = []
        for place, (event, table) in enumerate(applied):
            client_id = wish[0] if wish is not None and place == 0 else None
            entries.append(Entry(table.number, now, actor, client_id, event))
        await self._commit(self._append(room.id, applied[-1].table, tuple(entries), now))
        for entry, (_, after) in zip(entries, applied, strict=True):
            room.add(entry, after)
        self._tell_others(room.id, room.table.number)
        self._look_at(room)
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

    def _tell_others(self, table_id: str, number: int) -> None:
        if self._bus is not None:
            self._bus.publish(table_id, number)

    def _moved(self, table_id: str, number: int) -> None:
        """A process says that a table moved: those who listen here shall know."""
        room = self._rooms.get(table_id)
        if number == RELOAD:
            self._drop(table_id)
        elif room is not None and room.listeners and number > room.table.number:
            self._spawn(self._catch_up_quietly(room))

    def _missed(self) -> None:
        """What was said on the bus may not have been heard: compare at the next look."""
        self._compared_at = 0.0

    async def _compare(self) -> None:
        """Take over what others have appended where somebody listens, also without a message."""
        self._compared_at = time.monotonic()
        listened = [room for room in self._rooms.values() if room.listeners]
        numbers = await self.store.numbers([room.id for room in listened])
        behind = [room for room in listened if numbers.get(room.id, 0) > room.table.number]
        await asyncio.gather(*map(self._catch_up_quietly, behind))

    async def _catch_up_quietly(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        """Take over what another process has appended."""
        for entry in await self.store.load(room.id, after=room.table.number):
            room.add(entry)

    # What happens by itself

    def _look_at(self, room: Room) -> None:
        if room.table.bot_to_move is not None:
            if room.thinks_after != room.table.number:
                room.thinks_after = room.table.number
                self._spawn(self._play_bot(room))
        elif live.wants_rematch(room.table):
            self._spawn(self._open_rematch(room))

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                if self.store.is_shared and time.monotonic() > self._renewed_at + RENEW:
                    await self._keep_promises()
                due = await self.store.claim(now_ms(), self._lease, MOST_DUE)
                await asyncio.gather(*map(self._see_to, due))
                if self.store.is_shared and time.monotonic() > self._compared_at + COMPARE:
                    await self._compare()
                if time.monotonic() > self._swept_at + SWEEP:
                    self._drop_idle()
                if self._gc_tuning is not None:
                    self._gc_tuning.collect_if_due()
            except Refused as error:  # of which the store has said why
                log.debug("nothing could be looked after", extra={"code": error.code})
            except Exception:
                log.exception("looking after what is due failed; it is tried again")

    async def _keep_promises(self) -> None:
        """A bot may wait and think for longer than a promise holds."""
        self._renewed_at = time.monotonic()
        rooms = [room.id for room in self._rooms.values() if room.thinks_after]
        if rooms:
            await self.store.renew(rooms, now_ms() + LEASE)

    async def _see_to(self, table_id: str) -> None:
        """Do what is due at a table: a bot's move, another game that all want, or a flag."""
        try:
            room = await self.room(table_id)
            if not live.has_rules(room.table.opening):
                await self.store.clear_due(table_id)
                return
            self._look_at(room)
            await self.act(room, SERVER, live.flag)
        except MandalaError as error:
            log.info("refused", extra={"code": error.code})

    def _drop_idle(self) -> None:
        self._swept_at = time.monotonic()
        before = self._swept_at - IDLE
        for room in list(self._rooms.values()):
            is_busy = room.listeners or room.lock.locked() or room.thinks_after
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
            await asyncio.sleep(self._pause(table))
            number = table.number

            def decide(current: Table, now: int) -> list[Applied]:
                return (
                    live.move(current, seat, chosen.move, now) if current.number == number else []
                )

            await self.act(room, SERVER, decide)
        except MandalaError as error:
            log.warning("a bot was refused", extra={"code": error.code, "table": room.id})
        finally:
            self.metrics.bots.dec()
            if room.thinks_after == table.number:
                room.thinks_after = 0

    def _pause(self, table: Table) -> float:
        """How long a bot still waits with its move, in seconds; never long by its own clock."""
        limits, seat = self.limits, table.actor
        pace = limits.bot_delay_s if table.people() else limits.bot_only_delay_s
        if table.opening.clock.kind != "none" and seat is not None:
            pace = min(pace, table.time_left[seat - 1] / 1000 / PART_OF_CLOCK)
        return max(0.0, pace - (now_ms() - table.since) / 1000)

    async def _choose(self, name: str, view: View) -> bot_service.Advice:
        seconds, seed = self.limits.bot_time_s, secrets.randbits(63)
        return await self._thinking.choose(name, view, seconds, seed)

    async def advice(self, room: Room, seat: int) -> tuple[View, bot_service.Advice]:
        """What a strong player might do on a seat, and the view it is told from. Raises Refused."""
        shown = live.view_for_hint(room.table, seat)
        return shown, await self._choose(bot_service.HINTS_BY, shown)

    async def _open_rematch(self, room: Room) -> None:
        opening = live.rematch(room.table, secrets.token_bytes(32), room.id)
        following = _after(room.id)
        # Whoever opened it may have ended before the old table knew.
        with contextlib.suppress(Conflict):
            await self.open(opening, _seat_bots, SERVER, following)

        def decide(current: Table, now: int) -> list[Applied]:
            return live.announce_rematch(current, following, now)

        await self.act(room, SERVER, decide)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Nobody waited for it: what went wrong is written down."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, MandalaError):
            log.warning("refused", extra={"code": error.code})
        elif error is not None:
            log.error("what happens by itself failed", exc_info=error)

    # Telling

    def state(self, room: Room, to: Recipient) -> TableState:
        """A table as a seat or a spectator may see it now."""
        return state_of(room.id, room.table, to, now=now_ms(), moves=True)

    async def welcome(self, room: Room, listener: Listener, after: int) -> None:
        """Begin to tell somebody what happens, and first what they have missed."""
        async with room.lock:
            if after > room.table.number and self.store.is_shared:
                await self._catch_up(room)
            missed = await self._events_after(room, listener.to, after)
            reply = Welcome(state=self.state(room, listener.to), missed=missed)
            listener.tell(encode(reply))
            if room.presence is not None:
                listener.tell(encode(room.presence))
            room.join(listener)

    async def _events_after(self, room: Room, to: Recipient, after: int) -> list[News]:
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
                missed.append(news_of(room.id, *tables, to, at=entry.at, with_state=False))
        return missed


def _seat_bots(table: Table, now: int) -> list[Applied]:
    """Seat the bots for which seats are reserved."""
    applied: list[Applied] = []
    for seat, sitter in enumerate(table.opening.reserved, start=1):
        if isinstance(sitter, Bot):
            applied += live.sit(table, seat, sitter, b"", now)
            table = applied[-1].table
    return applied


def _after(table_id: str) -> str:
    """The id of the game that follows a table, which is told to all who know that table."""
    name = hashlib.sha256(b"rematch of " + table_id.encode()).digest()[:12]
    return base64.urlsafe_b64encode(name).decode()


def own_seat(room: Room, player: str | None, wanted: int | None) -> int | None:
    """The seat somebody sees a table from: the one they ask for, else their only one, else none.

    Raises Refused when it is somebody else's.
    """
    own = room.table.seats_of(player) if player else []
    if wanted is None:
        return own[0] if len(own) == 1 else None
    if wanted not in own:
        raise Refused("not-your-seat", {"seat": wanted})
    return wanted
