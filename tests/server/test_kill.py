"""The server is killed at random moments while tables play: nothing acknowledged is ever lost.

After each kill the database is held against what was acknowledged, and after each restart every
table must go on; now and then the next kill comes before that. Where a process of its own writes
the log, it is killed a moment before the server every other time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from mandala.games import find_game
from mandala.live import table as live
from mandala.live.store import Store, schema
from mandala.server.serve import Settings
from tests.server.harness import GENEROUS, SHARE, Nursery, end, writers_of
from tests.services import Redis, free_port, postgres, running, skip_without, skip_without_postgres

KILLS = int(os.environ.get("MANDALA_KILLS", "300"))
TABLES = 50
GAMES = [("patterns", ("me", "me")), ("mandala", ("me", "random")), ("flowers", ("me", "random"))]
LONGEST = 0.6  # seconds that a server lives on after all tables have gone on
CUT_SHORT = 0.4  # the share of lives that may end before
WRITER_FIRST = 0.5  # the share of kills that hit the log's process, and then the server
SHORTEST = 0.1  # seconds that a server lives on without it
PATIENCE = 60.0  # seconds in which every table must have gone on


class Guest:
    """Somebody who plays at one table on all their seats, and remembers what was acknowledged."""

    def __init__(self, url: str, number: int, http: httpx.AsyncClient) -> None:
        self.url, self.http = url, http
        self.choices = random.Random(number)
        self.game, self.seats = GAMES[number % len(GAMES)]
        self.name, self.cookie = f"Guest {number}", ""
        self.table = ""
        self.acknowledged: dict[str, dict[int, str]] = {}  # by table: number of event, wish
        self.count = 0
        self.pending: dict[int, dict[str, Any]] = {}  # by seat: the wish that was not answered

    async def play(self) -> None:
        """Play for ever, coming back whenever the server has gone."""
        while True:
            with contextlib.suppress(OSError, httpx.TransportError, WebSocketException):
                await self._arrive()
                own = [seat for seat, kind in enumerate(self.seats, start=1) if kind == "me"]
                await together(*(self._play_on(seat) for seat in own))
                self.table, self.pending = "", {}
            await asyncio.sleep(
                0.2
            )  # fifty who knock without pause would keep a server from starting

    async def _arrive(self) -> None:
        if not self.cookie:
            answer = await self.http.post(f"{self.url}/api/me", json={"name": self.name})
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        if not self.table:
            wishes = [
                {"kind": "me"} if s == "me" else {"kind": "bot", "name": s} for s in self.seats
            ]
            body = {"game": self.game, "seats": wishes, "share": SHARE}
            headers = {"Cookie": self.cookie}
            answer = await self.http.post(f"{self.url}/api/tables", json=body, headers=headers)
            assert answer.status_code in (201, 503), answer.text
            if answer.status_code == 503:
                raise OSError("the server stops")
            self.table = answer.json()["state"]["id"]
            self.acknowledged[self.table] = {}

    async def _play_on(self, seat: int) -> None:
        """Play on one seat until the game is over."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket?seat={seat}"
        headers = {"Cookie": self.cookie}
        async with connect(address, additional_headers=headers, compression=None) as socket:
            message = json.loads(await socket.recv())
            assert message["type"] == "welcome", message
            if seat in self.pending:
                await socket.send(json.dumps(self.pending[seat]))
            while True:
                state = message.get("state")
                if state and state["state"] != "running" and seat not in self.pending:
                    return
                if state and state["actor"] == seat and seat not in self.pending:
                    await self._wish(socket, seat, state)
                message = json.loads(await socket.recv())
                if message["type"] in ("done", "error"):
                    self._note(seat, message)
                    message["state"] = message.get("state") or state

    async def _wish(self, socket: ClientConnection, seat: int, state: dict[str, Any]) -> None:
        """A wish that is not answered is sent again as it was."""
        self.count += 1
        move = self.choices.choice(state["legal"])
        wish = {"id": f"w{self.count}", "number": state["number"], "move": move}
        self.pending[seat] = {"type": "move", **wish}
        await socket.send(json.dumps(self.pending[seat]))

    def _note(self, seat: int, message: dict[str, Any]) -> None:
        if message["type"] == "done":
            self.acknowledged[self.table][message["number"]] = message["id"]
        else:
            assert message["code"] in ("too-late", "server-stops"), message
        del self.pending[seat]


async def together(*works: Any) -> None:
    """Do all of it at once; with the first that fails the others end too."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Check:
    """Holds the log in the database against what was acknowledged, while no server runs."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def __call__(self, guests: list[Guest]) -> None:
        log = schema.events
        current = [guest.table for guest in guests if guest.table]
        query = sa.select(log.c.table_id, log.c.number, log.c.client_id)
        query = query.where(log.c.table_id.in_(current)).order_by(log.c.table_id, log.c.number)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        for guest in guests:
            if guest.table:
                found = [(row.number, row.client_id) for row in rows if row[0] == guest.table]
                hold_against(found, guest.acknowledged[guest.table])


def hold_against(log: list[tuple[int, str | None]], acknowledged: dict[int, str]) -> None:
    """Every acknowledged event is there, none is doubled."""
    assert [number for number, _ in log] == list(range(1, len(log) + 1)), "a gap in the log"
    wishes = [wish for _, wish in log if wish is not None]
    assert len(wishes) == len(set(wishes)), "a wish was fulfilled twice"
    for number, wish in acknowledged.items():
        assert number <= len(log), "an acknowledged event was lost"
        assert log[number - 1][1] == wish, "another event has its place"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Redis | None]]:
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'mandala.db'}", None
    else:
        skip_without_postgres()
        skip_without("redis-server")
        with postgres() as url, running(Redis) as bus:
            yield url, bus


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    database: tuple[str, Redis | None], tmp_path: Path
) -> None:
    url, bus = database
    settings = Settings(url, GENEROUS, redis=bus.url if bus else None)
    # A server that is killed this often would begin to compile the search anew each time.
    nursery = Nursery(tmp_path / "log", with_search=True)
    began = time.monotonic()
    try:
        guests, slowest = asyncio.run(kill_often(nursery, settings, bus))
    finally:
        nursery.stop()
    seconds = time.monotonic() - began
    count = asyncio.run(check_all(url, guests))
    print(
        f"{KILLS} kills in {seconds:.0f} s, {count} acknowledged events at "
        f"{sum(len(guest.acknowledged) for guest in guests)} tables, none lost, none doubled; "
        f"all tables went on within {slowest:.1f} s of each restart"
    )
    assert count > KILLS
    assert "Traceback" not in (tmp_path / "log").read_text()


async def kill_often(
    nursery: Nursery, settings: Settings, bus: Redis | None
) -> tuple[list[Guest], float]:
    """Kill and restart the server while all play; what they had acknowledged, the longest pause."""
    port, moments, slowest = free_port(), random.Random(1), 0.0
    engine = create_async_engine(settings.database, poolclass=NullPool)
    check = Check(engine)
    # One client for all: each of its own would load the certificates that nobody needs here.
    async with httpx.AsyncClient(timeout=30, limits=httpx.Limits(max_connections=50)) as http:
        guests = [Guest(f"http://127.0.0.1:{port}", number, http) for number in range(TABLES)]
        playing = [asyncio.create_task(guest.play()) for guest in guests]
        for kill in range(KILLS + 1):
            server = await asyncio.to_thread(nursery.start, port, settings)
            is_cut_short = 0 < kill < KILLS and moments.random() < CUT_SHORT
            try:
                if not is_cut_short:
                    slowest = max(slowest, await all_go_on(guests, playing))
                await asyncio.sleep(moments.uniform(0, LONGEST))
                if moments.random() < WRITER_FIRST:
                    for writer in writers_of(server):
                        await asyncio.to_thread(end, writer)
                    await asyncio.sleep(moments.uniform(0, SHORTEST))
            finally:
                await asyncio.to_thread(end, server)
            await check(guests)
            if bus is not None and kill % 5 == 4:
                (bus.start if bus.process is None else bus.stop)()
        await together(*(cancelled(task) for task in playing))
    await engine.dispose()
    return guests, slowest


async def cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def all_go_on(guests: list[Guest], playing: list[asyncio.Task[None]]) -> float:
    """Wait until everybody has had another move acknowledged; the seconds it took."""
    before, began = [acknowledged_by(guest) for guest in guests], time.monotonic()
    while time.monotonic() < began + PATIENCE:
        for task in playing:
            assert not task.done(), task
        waiting = zip(guests, before, strict=True)
        if all(acknowledged_by(guest) > count for guest, count in waiting):
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    raise AssertionError("the tables do not go on")


def acknowledged_by(guest: Guest) -> int:
    """How many wishes of a guest were acknowledged."""
    return sum(len(each) for each in guest.acknowledged.values())


async def check_all(database: str, guests: list[Guest]) -> int:
    """Hold all logs against what was acknowledged, and play each through."""
    for game, _ in GAMES:
        find_game(game).make_ready()  # thousands of moves are played again
    store = await Store.open(database)
    count = 0
    for guest in guests:
        for table_id, acknowledged in guest.acknowledged.items():
            entries = await store.load(table_id)
            hold_against([(entry.number, entry.client_id) for entry in entries], acknowledged)
            live.fold((entry.event, entry.at) for entry in entries)
            count += len(acknowledged)
    await store.close()
    return count
