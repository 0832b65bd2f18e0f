"""The server is killed at random moments during games: no acknowledged event may be lost.

After each kill the database is compared with what was acknowledged, and after each restart every
table must continue; sometimes the next kill comes before that.
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
from tests.server.harness import NO_LIMITS, SHARE, ForkServer, end
from tests.services import Redis, free_port, postgres, running, skip_without, skip_without_postgres

KILLS = int(os.environ.get("MANDALA_KILLS", "300"))
TABLES = 50
GAMES = [("patterns", ("me", "me")), ("mandala", ("me", "random")), ("flowers", ("me", "random"))]
LONGEST = 0.6  # seconds that a server lives on after all tables have gone on
CUT_SHORT = 0.4  # the share of lives that may end before
TIMEOUT_S = 60.0  # seconds in which every table must have gone on


class Guest:
    """A player on all seats of a table, who records acknowledged commands."""

    def __init__(self, url: str, number: int, http: httpx.AsyncClient) -> None:
        self.url, self.http = url, http
        self.choices = random.Random(number)
        self.game, self.seats = GAMES[number % len(GAMES)]
        self.name, self.cookie = f"Guest {number}", ""
        self.table = ""
        self.acknowledged: dict[str, dict[int, str]] = {}  # by table and event number: command id
        self.count = 0
        self.pending: dict[int, dict[str, Any]] = {}  # by seat: command without reply

    async def play(self) -> None:
        """Play forever, reconnecting whenever the server was killed."""
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
            new_seats = [
                {"kind": "me"} if s == "me" else {"kind": "bot", "name": s} for s in self.seats
            ]
            body = {"game": self.game, "seats": new_seats, "share": SHARE}
            headers = {"Cookie": self.cookie}
            answer = await self.http.post(f"{self.url}/api/tables", json=body, headers=headers)
            assert answer.status_code in (201, 503), answer.text
            if answer.status_code == 503:
                raise OSError("the server stops")
            self.table = answer.json()["state"]["id"]
            self.acknowledged[self.table] = {}

    async def _play_on(self, seat: int) -> None:
        """Play one seat until the game is over."""
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
        """Send a command; one without a reply is resent unchanged after reconnecting."""
        self.count += 1
        move = self.choices.choice(state["legal"])
        command = {"id": f"w{self.count}", "number": state["number"], "move": move}
        self.pending[seat] = {"type": "move", **command}
        await socket.send(json.dumps(self.pending[seat]))

    def _note(self, seat: int, message: dict[str, Any]) -> None:
        if message["type"] == "done":
            self.acknowledged[self.table][message["number"]] = message["id"]
        else:
            assert message["code"] in ("too-late", "server-stops"), message
        del self.pending[seat]


async def together(*works: Any) -> None:
    """Run coroutines concurrently; if one fails, cancel the others."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Check:
    """Compares the log in the database with acknowledged commands while no server runs."""

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
    command_ids = [each for _, each in log if each is not None]
    assert len(command_ids) == len(set(command_ids)), "a command was executed twice"
    for number, command_id in acknowledged.items():
        assert number <= len(log), "an acknowledged event was lost"
        assert log[number - 1][1] == command_id, "another event has its number"


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
def test_no_acknowledged_event_is_lost_when_the_server_is_killed(
    database: tuple[str, Redis | None], tmp_path: Path
) -> None:
    url, bus = database
    settings = Settings(url, NO_LIMITS, redis=bus.url if bus else None)
    # A server that is killed this often would restart compiling the search each time.
    fork_server = ForkServer(tmp_path / "log", with_search=True)
    began = time.monotonic()
    try:
        guests, slowest = asyncio.run(kill_often(fork_server, settings, bus))
    finally:
        fork_server.stop()
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
    fork_server: ForkServer, settings: Settings, bus: Redis | None
) -> tuple[list[Guest], float]:
    """Kill and restart the server during play; return the players and the longest pause."""
    port, moments, slowest = free_port(), random.Random(1), 0.0
    engine = create_async_engine(settings.database, poolclass=NullPool)
    check = Check(engine)
    # One client for all, because each one would load certificates.
    async with httpx.AsyncClient(timeout=30, limits=httpx.Limits(max_connections=50)) as http:
        guests = [Guest(f"http://127.0.0.1:{port}", number, http) for number in range(TABLES)]
        playing = [asyncio.create_task(guest.play()) for guest in guests]
        for kill in range(KILLS + 1):
            server = await asyncio.to_thread(fork_server.start, port, settings)
            is_cut_short = 0 < kill < KILLS and moments.random() < CUT_SHORT
            try:
                if not is_cut_short:
                    slowest = max(slowest, await all_go_on(guests, playing))
                await asyncio.sleep(moments.uniform(0, LONGEST))
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
    """Wait until every player has another command acknowledged; return the seconds."""
    before, began = [acknowledged_by(guest) for guest in guests], time.monotonic()
    while time.monotonic() < began + TIMEOUT_S:
        for task in playing:
            assert not task.done(), task
        waiting = zip(guests, before, strict=True)
        if all(acknowledged_by(guest) > count for guest, count in waiting):
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    raise AssertionError("the tables do not go on")


def acknowledged_by(guest: Guest) -> int:
    """Return the number of a player's acknowledged commands."""
    return sum(len(each) for each in guest.acknowledged.values())


async def check_all(database: str, guests: list[Guest]) -> int:
    """Compare all logs with the acknowledgements, and replay each game."""
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
