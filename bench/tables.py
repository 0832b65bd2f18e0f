"""How many live tables one server process bears: `./run python -m bench.tables`.

Starts a server on a new database, sits people down at many tables and measures the time from
sending a move to its acknowledgement: first paced as people play, then as fast as answers come.
Beside it, in the same run, the rate at which the bare driver commits one-row inserts with the same
durability.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

SHARE = "5a" * 32
SERVE = """
import sys
from mandala.server.limits import Limits
from mandala.server.serve import Settings, bind, serve
listening = bind("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
fast = Limits(messages=1e6, message_burst=10**6, requests=1e6, request_burst=10**6,
              table_messages=1e6, table_burst=10**6, tables_each=10**6,
              bot_pace=0, bot_pace_alone=0)
serve(listening, Settings(sys.argv[1], fast, is_quiet=True))
"""


def bare_rate(folder: Path, seconds: float) -> float:
    """Commits a second of one row each, by the driver alone, as durable as the server's."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE events (number INTEGER PRIMARY KEY, body BLOB)")
    body, count, began = os.urandom(100), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        connection.execute("INSERT INTO events (body) VALUES (?)", (body,))
        count += 1
    connection.close()
    return count / (time.perf_counter() - began)


def memory_of(process: int) -> float:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


class Seat:
    """Somebody who plays both seats of a table of Patterns, through one socket each."""

    def __init__(self, url: str, cookie: str, number: int) -> None:
        self.url, self.headers = url, {"Cookie": cookie}
        self.choices = random.Random(number)
        self.sockets: dict[int, ClientConnection] = {}
        self.states: dict[int, dict[str, Any]] = {}
        self.wishes = 0

    async def open(self, http: httpx.AsyncClient) -> None:
        """Open a table and connect both seats."""
        for socket in self.sockets.values():
            await socket.close()
        body = {"game": "patterns", "seats": [{"kind": "me"}] * 2, "share": SHARE}
        answer = await http.post("/api/tables", json=body, headers=self.headers, timeout=60)
        table = answer.json()["state"]["id"]
        for seat in (1, 2):
            url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket?seat={seat}"
            self.sockets[seat] = await connect(
                url, additional_headers=self.headers, compression=None, open_timeout=60
            )
            await self._hear(seat, "welcome")

    async def _hear(self, seat: int, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self.sockets[seat].recv())
            if message.get("state"):
                self.states[seat] = message["state"]
            if message["type"] == kind:
                return message
            assert message["type"] != "error", message

    async def _caught_up(self) -> int:
        """The number of the last event, when both seats have heard of it."""
        number: int = max(state["number"] for state in self.states.values())
        for seat in (1, 2):
            while self.states[seat]["number"] < number:
                await self._hear(seat, "event")
        return number

    async def move(self, http: httpx.AsyncClient) -> float:
        """One move; the seconds until it was acknowledged."""
        number = await self._caught_up()
        if self.states[1]["state"] != "running":
            await self.open(http)
            number = await self._caught_up()
        seat = self.states[1]["actor"]
        self.wishes += 1
        move = self.choices.choice(self.states[seat]["legal"])
        wish = {"type": "move", "id": f"w{self.wishes}", "number": number, "move": move}
        began = time.perf_counter()
        await self.sockets[seat].send(json.dumps(wish))
        await self._hear(seat, "done")
        return time.perf_counter() - began


async def paced(seats: list[Seat], http: httpx.AsyncClient, rate: float, seconds: float) -> Any:
    """Moves at a given rate over all tables together."""
    times: list[float] = []
    stop = time.perf_counter() + seconds

    async def play(seat: Seat) -> None:
        while True:
            await asyncio.sleep(random.expovariate(rate / len(seats)))
            if time.perf_counter() > stop:
                return
            times.append(await seat.move(http))

    await asyncio.gather(*map(play, seats))
    return times, seconds


async def fast(seats: list[Seat], http: httpx.AsyncClient, seconds: float) -> Any:
    """Moves as fast as they are acknowledged."""
    times: list[float] = []
    began = time.perf_counter()

    async def play(seat: Seat) -> None:
        while time.perf_counter() < began + seconds:
            times.append(await seat.move(http))

    await asyncio.gather(*map(play, seats))
    return times, time.perf_counter() - began


def told(name: str, times: list[float], seconds: float) -> float:
    ordered = sorted(times)
    p50, p99 = (1000 * ordered[int(len(ordered) * share)] for share in (0.5, 0.99))
    rate = len(times) / seconds
    print(f"{name:<22} {rate:8.0f} moves/s   p50 {p50:7.1f} ms   p99 {p99:7.1f} ms", flush=True)
    return rate


async def measure(url: str, process: int, tables: int, rate: float, seconds: float) -> float:
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(base_url=url, limits=limits) as http:
        answer = await http.post("/api/me", json={"name": "bench"})
        cookie = answer.headers["set-cookie"].partition(";")[0]
        before = memory_of(process)
        seats = [Seat(url, cookie, number) for number in range(tables)]
        for seat in seats:
            await seat.open(http)
        each = 1024 * (memory_of(process) - before) / tables
        print(f"{tables} tables, {2 * tables} sockets, {each:.0f} kB a table and its sockets")
        await asyncio.sleep(5)  # the rules are compiled on the side
        told(f"paced, {rate:.0f}/s", *await paced(seats, http, rate, seconds))
        return told("as fast as possible", *await fast(seats, http, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = bare_rate(folder, 3.0)
        command = [sys.executable, "-c", SERVE, f"sqlite+aiosqlite:///{folder / 'mandala.db'}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            try:
                _wait_for(url)
                work = measure(url, server.pid, options.tables, options.rate, options.seconds)
                reached = asyncio.run(work)
            finally:
                server.terminate()
        again = bare_rate(Path(tempfile.mkdtemp(dir=folder)), 3.0)
        print(f"bare one-row commits   {bare:8.0f} /s before, {again:.0f} /s after")
        print(f"reached                {reached / max(bare, again):8.2f} of the bare rate")


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            httpx.get(f"{url}/readyz").raise_for_status()
            return
        except httpx.TransportError:
            time.sleep(0.05)
    raise SystemExit("the server does not answer")


if __name__ == "__main__":
    main()
