"""The server is killed at random moments while tables play: nothing acknowledged is ever lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from mandala import kernel
from mandala import table as live
from mandala.server.limits import Limits
from mandala.store import Store
from tests.server.harness import SHARE, Server
from tests.services import postgres, skip_without_postgres

KILLS = int(os.environ.get("MANDALA_KILLS", "300"))
TABLES = 50
GAMES = [("patterns", ("me", "me")), ("mandala", ("me", "random")), ("flowers", ("me", "me", "me"))]


class Guest:
    """Somebody who plays at one table on all their seats, and remembers what was acknowledged."""

    def __init__(self, server: Server, number: int, cookie: str) -> None:
        self.server, self.cookie = server, cookie
        self.choices = random.Random(number)
        self.game, self.seats = GAMES[number % len(GAMES)]
        self.tables: list[str] = []
        self.acknowledged: dict[str, dict[int, str]] = {}  # by table: number of event, wish
        self.wishes = 0
        self.pending: tuple[str, dict[str, Any]] | None = None

    async def play(self) -> None:
        """Play for ever, coming back whenever the server has gone."""
        while True:
            with contextlib.suppress(OSError, httpx.TransportError, WebSocketException):
                if not self.tables:
                    await self._open()
                await self._sit_at(self.tables[-1])
            await asyncio.sleep(0.02)

    async def _open(self) -> None:
        wishes = [{"kind": "me"} if s == "me" else {"kind": "bot", "name": s} for s in self.seats]
        body = {"game": self.game, "seats": wishes, "share": SHARE}
        async with httpx.AsyncClient(base_url=self.server.url) as http:
            headers = {"Cookie": self.cookie}
            answer = await http.post("/api/tables", json=body, headers=headers, timeout=5)
        if answer.status_code == 201:
            table = answer.json()["state"]["id"]
            self.tables.append(table)
            self.acknowledged[table] = {}

    async def _sit_at(self, table: str) -> None:
        """Look from the first seat whose turn it is, and play on from there."""
        address = self.server.url.replace("http", "ws", 1)
        seat = 1
        while True:
            url = f"{address}/api/tables/{table}/socket?seat={seat}"
            async with connect(
                url, additional_headers={"Cookie": self.cookie}, open_timeout=5, compression=None
            ) as socket:
                seat = await self._play_at(socket, table, seat)
            if seat == 0:
                self.tables.clear()
                return

    async def _play_at(self, socket: Any, table: str, seat: int) -> int:
        """Play while it is this seat's turn; return the seat to go on from, 0 at the end."""
        state: dict[str, Any] = {}
        is_waiting = False
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if message["type"] == "error" and message["id"] is None:
                raise TimeoutError  # too fast: come back later
            state = message.get("state") or state
            if message["type"] in ("done", "error"):
                self._note(table, message)
                is_waiting = False
            if state["state"] != "running":
                return 0
            actor = state["actor"]
            if actor != seat and self.seats[actor - 1] == "me":
                return int(actor)
            if actor == seat and not is_waiting:
                await socket.send(json.dumps(self._wish(table, state)))
                is_waiting = True

    def _wish(self, table: str, state: dict[str, Any]) -> dict[str, Any]:
        """A wish that was not answered is sent again as it was."""
        if self.pending is None or self.pending[0] != table:
            self.wishes += 1
            move = self.choices.choice(state["legal"])
            wish = {"id": f"w{self.wishes}", "number": state["number"], "move": move}
            self.pending = (table, {"type": "move", **wish})
        return self.pending[1]

    def _note(self, table: str, message: dict[str, Any]) -> None:
        if message["type"] == "done":
            self.acknowledged[table][message["number"]] = message["id"]
        else:
            assert message["code"] in ("too-late", "server-stops", "not-your-turn"), message
        self.pending = None


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'mandala.db'}"
    else:
        skip_without_postgres()
        with postgres() as url:
            yield url


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    database: str, tmp_path: Path
) -> None:
    # All guests come from one address here, and connect anew for each of their seats.
    limits = Limits(
        requests=1e6, request_burst=10**6, messages=1e6, message_burst=10**6, bot_pace=0
    )
    server = Server(database, tmp_path / "log", limits)
    cookies = []
    for number in range(TABLES):
        with httpx.Client(base_url=server.url) as http:
            http.post("/api/me", json={"name": f"Guest {number}"})
            cookies.append("; ".join(f"{name}={value}" for name, value in http.cookies.items()))
    guests = [Guest(server, number, cookie) for number, cookie in enumerate(cookies)]

    async def kill_often() -> None:
        playing = [asyncio.create_task(guest.play()) for guest in guests]
        moments = random.Random(1)
        for _ in range(KILLS):
            await asyncio.sleep(moments.uniform(0.05, 4.0))
            await asyncio.to_thread(server.stop, signal.SIGKILL)
            await asyncio.to_thread(server.start)
            for task in playing:
                assert not task.done(), task
        before = {guest: acknowledged_by(guest) for guest in guests}
        for _ in range(60):
            await asyncio.sleep(1)
            if all(acknowledged_by(guest) > count for guest, count in before.items()):
                break
        stuck = [guest.tables for guest, count in before.items() if acknowledged_by(guest) == count]
        assert stuck == [], "the tables do not go on"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    try:
        asyncio.run(kill_often())
    finally:
        server.close()
    count = asyncio.run(check_all(database, guests))
    print(f"{KILLS} kills, {count} acknowledged events, none lost, none doubled")
    assert count > KILLS
    assert "Traceback" not in (tmp_path / "log").read_text()


def acknowledged_by(guest: Guest) -> int:
    """How many wishes of a guest were acknowledged."""
    return sum(len(each) for each in guest.acknowledged.values())


async def check_all(database: str, guests: list[Guest]) -> int:
    for game, _ in GAMES:
        kernel.make_ready(game)  # thousands of moves are played again
    store = await Store.open(database)
    count = 0
    for guest in guests:
        for table_id, acknowledged in guest.acknowledged.items():
            entries = await store.load(table_id)
            assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
            live.fold((entry.event, entry.at) for entry in entries)
            by_wish = [entry.client_id for entry in entries if entry.client_id is not None]
            assert len(by_wish) == len(set(by_wish)), "a wish was fulfilled twice"
            for number, wish in acknowledged.items():
                assert entries[number - 1].client_id == wish
                count += 1
    await store.close()
    return count
