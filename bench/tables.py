"""Load test: how many live tables one server process can handle: `./run python -m bench.tables`.

Starts a server on a new database, plays at many tables of Patterns and measures the time from
sending a move to its acknowledgement. The phases are: moves alone, as fast as answers come, in
several rounds at tables that have just begun; the same while games end and new ones start, which
costs as much as a dozen moves each; at the pace of people; and at that pace while bots search.

Before and after each fast phase it measures how many one-row inserts per second the bare driver
commits with the same durability: rows of the event log, and minimal rows. Each move is one event
and so one row; opening a table is four. Each phase also reports how late the machine woke a
sleeping process, since no server can avoid such delays.

The clients run in processes of their own and use a minimal WebSocket implementation, so that the
server is measured and not the clients; the processor time of both is reported.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import itertools
import json
import multiprocessing
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mandala.bots.levels import STRONGEST
from mandala.live.events import Moved, encoded
from mandala.live.store import Store

KEY_SHARE = "5a" * 32
SERVE = """
import sys
from mandala.server.limits import Limits
from mandala.server.serve import Settings, bind, serve
listening = bind("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
fast = Limits(messages_per_second=1e6, message_burst=10**6,
              requests_per_second=1e6, request_burst=10**6,
              table_messages_per_second=1e6, table_burst=10**6,
              max_open_tables=10**6, max_listed_tables=10**6,
              new_guests_per_hour=10**6, new_guests_per_day=10**6, max_sockets_per_address=10**6,
              bot_delay_s=0, bot_only_delay_s=0)
serve(listening, Settings(sys.argv[1], fast, is_quiet=True))
"""
NOT_MASKED = bytes(4)  # a mask of zeros
TEXT, PING, PONG = 0x81, 0x89, 0x8A
SETTLE_S = 2.0  # between two phases, for the last answers
ROUNDS = 5  # of moves alone
ROUND_S = 3.0  # too short for most games of random moves to end
RAMP_UP_S = 0.5  # at the start of a round, not counted
FOREVER = float("inf")
NAP_S = 0.002


class Phase(NamedTuple):
    """A phase: how long clients move, at what rate over all tables, and whether games are new."""

    name: str
    seconds: float
    rate: float | None = None
    is_round: bool = False

    @property
    def counted_seconds(self) -> float:
        """The seconds whose answers count."""
        return self.seconds - RAMP_UP_S if self.is_round else self.seconds


class State(msgspec.Struct):
    """The part of a table's state that a client needs."""

    number: int
    state: str
    actor: int | None
    legal: list[str]


class StateMessage(msgspec.Struct):
    """An event message or the welcome message."""

    state: State


_decoder = msgspec.json.Decoder(StateMessage)


class Site(NamedTuple):
    """The address of the server, and our cookie."""

    port: int
    cookie: str = ""

    def head(self, method: str, path: str, *more: str) -> bytes:
        """The head of an HTTP request."""
        connection = "close" if method == "POST" else "Upgrade"
        host, cookie = f"Host: 127.0.0.1:{self.port}", f"Cookie: {self.cookie}"
        lines = (f"{method} {path} HTTP/1.1", host, cookie, f"Connection: {connection}", *more)
        return "\r\n".join((*lines, "", "")).encode()

    async def ask(self, path: str, body: object = None) -> tuple[str, Any]:
        """The head and the body of the answer to a request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        text = b"" if body is None else json.dumps(body).encode()
        writer.write(self.head("POST" if text else "GET", path, f"Content-Length: {len(text)}"))
        writer.write(text)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert head.startswith("HTTP/1.1 20"), head
        size = int(head.partition("content-length: ")[2].split()[0])
        answer = json.loads(await reader.readexactly(size))
        writer.close()
        return head, answer


class Load:
    """The tables of one client process, and its pace."""

    def __init__(
        self, site: Site, tables: int, seed: int, games: Sequence[str] = ("patterns",)
    ) -> None:
        self.site, self.count, self.games = site, tables, games
        self.random = random.Random(seed)
        self.tables: list[Table] = []
        self.times: list[float] = []
        self.pause: Callable[[], float] = lambda: 0.0
        self.stop_at = 0.0
        self.counted = (0.0, FOREVER)  # the interval in which answers count
        self.opening: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open all tables, or replace them by new ones."""
        self.tables = self.tables or [
            Table(self, self.games[number % len(self.games)]) for number in range(self.count)
        ]
        for table in self.tables:
            await table.open()

    async def play(self, phase: Phase) -> list[float]:
        """Make moves for a phase; return the latencies in seconds."""
        times: list[float] = []
        self.times, rate, now = times, phase.rate, time.perf_counter()
        self.pause = lambda: self.random.expovariate(rate / self.count) if rate else 0.0
        self.stop_at = now + phase.seconds
        # At a given pace late answers count too; at full speed only those within the phase.
        self.counted = (
            now + phase.seconds - phase.counted_seconds,
            FOREVER if rate else self.stop_at,
        )
        for table in self.tables:
            table.schedule_move()
        await asyncio.sleep(phase.seconds + SETTLE_S)
        return times


class Table:
    """A client that plays both seats of a table, over one socket each, game after game."""

    def __init__(self, load: Load, game: str) -> None:
        self.load, self.game, self.site = load, game, load.site
        self.seats: list[Seat] = []
        self.turn: tuple[Seat, State] | None = None
        self.timer: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Open a table and connect both seats."""
        if not self.seats:
            self.site = await connect_client(self.site.port)
        for seat in self.seats:
            seat.transport.close()
        body = {"game": self.game, "seats": [{"kind": "me"}] * 2, "share": KEY_SHARE}
        table = (await self.site.ask("/api/tables", body))[1]["state"]["id"]
        self.seats = [await Seat.connect(self, table, seat) for seat in (1, 2)]
        await asyncio.gather(*(seat.welcomed for seat in self.seats))

    def handle_state(self, seat: Seat, state: State) -> None:
        """Handle the state that a seat received."""
        if state.actor == seat.number:
            self.turn = (seat, state)
            self.schedule_move()
        elif state.state == "over" and seat.number == 1:
            self.turn = None
            task = asyncio.create_task(self.open())
            self.load.opening.add(task)
            task.add_done_callback(self.load.opening.discard)

    def schedule_move(self) -> None:
        """Make the next move after a pause, if it is known whose turn it is."""
        if self.timer is not None:
            self.timer.cancel()
        if self.turn and time.perf_counter() < self.load.stop_at:
            if pause := self.load.pause():
                self.timer = asyncio.get_running_loop().call_later(pause, self.move)
            else:
                self.move()

    def move(self) -> None:
        """Send a random move."""
        if self.turn and time.perf_counter() < self.load.stop_at:
            (seat, state), self.turn = self.turn, None
            seat.move(self.load.random.choice(state.legal), state.number)


class Seat(asyncio.Protocol):
    """A WebSocket connection that sends moves and measures the time to their acknowledgement."""

    transport: asyncio.Transport

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number = table, number
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.data = b""
        self.is_open = False
        self.sent_at = 0.0

    @classmethod
    async def connect(cls, table: Table, name: str, number: int) -> Seat:
        """Connect a seat of a table."""
        site, loop = table.site, asyncio.get_running_loop()
        _, seat = await loop.create_connection(lambda: cls(table, number), "127.0.0.1", site.port)
        path = f"/api/tables/{name}/socket?seat={number}"
        key = base64.b64encode(os.urandom(16)).decode()
        more = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}")
        seat.transport.write(site.head("GET", path, *more))
        return seat

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Handle received bytes, which may be several messages or a part of one."""
        data = self.data + data
        if not self.is_open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self.data = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.is_open = True
        start = 0
        while (end := self._handle_frame(data, start)) > start:
            start = end
        self.data = data[start:]

    def _handle_frame(self, data: bytes, start: int) -> int:
        """Handle one frame; return where the next one starts, or `start` if it is incomplete."""
        if len(data) < start + 2:
            return start
        kind, size, body = data[start], data[start + 1], start + 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size, body = int.from_bytes(data[body : body + wide], "big"), body + wide
        if len(data) < body + size:
            return start
        if kind == TEXT:
            self._handle_message(data, body, body + size)
        elif kind == PING:
            self._send(PONG, data[body : body + size])
        return body + size

    def _handle_message(self, data: bytes, start: int, end: int) -> None:
        """Handle one message by its type, which comes first."""
        if data.startswith(b'{"type":"done"', start):
            load, now = self.table.load, time.perf_counter()
            if load.counted[0] <= now < load.counted[1]:
                load.times.append(now - self.sent_at)
        elif data.startswith((b'{"type":"event"', b'{"type":"welcome"'), start):
            if not self.welcomed.done():
                self.welcomed.set_result(None)
            self.table.handle_state(self, _decoder.decode(memoryview(data)[start:end]).state)
        else:
            assert data.startswith(b'{"type":"presence"', start), data[start:end]

    def move(self, move: str, number: int) -> None:
        """Send a move for the given event number."""
        command = f'{{"type":"move","id":"w{number}","number":{number},"move":"{move}"}}'
        self.sent_at = time.perf_counter()
        self._send(TEXT, command.encode())

    def _send(self, kind: int, body: bytes) -> None:
        assert len(body) < 126, "a command is short"
        self.transport.write(bytes((kind, 0x80 | len(body))) + NOT_MASKED + body)


def play(load: Load, phases: list[Phase], barrier: Any, answers: Any) -> None:
    """Run one client process: open its tables, then run all phases in step with the others."""

    async def work() -> None:
        await load.open()
        gc.freeze()
        gc.disable()
        barrier()
        for phase in phases:
            if phase.is_round:
                await load.open()
            if phase.rate is None:
                barrier()  # the bare driver is measured while no client moves
            barrier()
            times = await load.play(phase)
            barrier()
            answers.put(times)

    asyncio.run(work())


# The machine


def bare_rate(folder: Path, seconds: float, *, log: bool) -> float:
    """Commits per second of one row each by the bare driver, with the server's durability.

    The row is one of the server's event log, with its keys, or a number and 100 bytes.
    """
    file = folder / f"{log}.db"
    if log:
        asyncio.run(_make_log(file))
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    body = encoded(Moved(1, "Od4")) if log else os.urandom(100)
    if not log:
        connection.execute("CREATE TABLE events (number INTEGER PRIMARY KEY, body BLOB)")
    insert = f"INSERT INTO events VALUES ({'?, ?, ?, ?, ?, ?' if log else '?, ?'})"
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        count += 1
        number, table = divmod(count, 500)
        row = (
            f"table{table:011}",
            number,
            1_700_000_000_000,
            "0123456789abcdef",
            f"w{number}",
            body,
        )
        connection.execute(insert, row if log else (count, body))
    connection.close()
    return count / (time.perf_counter() - began)


async def _make_log(file: Path) -> None:
    store = await Store.open(f"sqlite:///{file}")
    await store.close()


def memory_of(process: int) -> float:
    """The resident memory of a process in megabytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def processor_of(process: int) -> float:
    """The processor time of a process in seconds, over all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Sleeper(threading.Thread):
    """Sleeps repeatedly and measures how late it is woken."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.latest = 0.0

    def run(self) -> None:
        while True:
            began = time.perf_counter()
            time.sleep(NAP_S)
            self.latest = max(self.latest, time.perf_counter() - began - NAP_S)


class Meter:
    """Measures moves, events and processor time of one phase."""

    def __init__(self, database: Path, server: int, clients: list[int]) -> None:
        self.database, self.clients = database, clients
        self.server = server
        self.sleeper = Sleeper()
        self.sleeper.start()

    def _count(self) -> int:
        with sqlite3.connect(self.database) as connection:
            return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])

    def start(self) -> None:
        """Start measuring a phase."""
        self.events, self.server_time = self._count(), processor_of(self.server)
        self.client_time = sum(map(processor_of, self.clients))
        self.sleeper.latest = 0.0

    def print_phase(self, phase: Phase, times: list[float]) -> tuple[float, float]:
        """Print the figures of a phase; return the p99 in ms and the events per second."""
        late = 1000 * self.sleeper.latest
        moves, events = (
            len(times) / phase.counted_seconds,
            (self._count() - self.events) / phase.counted_seconds,
        )
        if phase.is_round:
            events = moves  # events that open tables do not count
        sent = moves * phase.seconds  # approximately
        cost = 1e6 * (processor_of(self.server) - self.server_time) / sent
        client_cost = 1e6 * (sum(map(processor_of, self.clients)) - self.client_time) / sent
        ordered = sorted(times)
        p50, p99 = (1000 * ordered[int(len(ordered) * quantile)] for quantile in (0.5, 0.99))
        print(
            f"{phase.name:<22} {moves:6.0f} moves/s {events:6.0f} events/s"
            f"   p50 {p50:6.1f}  p99 {p99:6.1f}  max {1000 * ordered[-1]:6.1f} ms"
            f"   a move costs {cost:.0f} µs (client {client_cost:.0f}); woken {late:.0f} ms late",
            flush=True,
        )
        return p99, events


@contextmanager
def serving(database: Path, **environment: str) -> Iterator[tuple[int, int]]:
    """Run a server on a new database; yields its port and its process id."""
    command = [sys.executable, "-c", SERVE, f"sqlite:///{database}"]
    own = {**os.environ, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline()), server.pid
        finally:
            server.terminate()


def main() -> None:
    """Start a server and measure all phases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--processes", type=int, default=2, help="number of client processes")
    parser.add_argument("--bots", type=int, default=20, help="number of tables at which bots play")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        database = Path(name) / "mandala.db"
        with serving(database) as (port, server):
            measure(port, server, database, options)


class Bare(NamedTuple):
    """Commits per second by the bare driver: rows of the event log, and minimal rows."""

    log: float
    plain: float

    @classmethod
    def measured(cls, folder: Path) -> Bare:
        """Measure both rates."""
        with tempfile.TemporaryDirectory(dir=folder) as name:
            return cls(*(bare_rate(Path(name), 1.0, log=log) for log in (True, False)))


def compare(name: str, events: list[float], bare: list[Bare]) -> None:
    """Print the rates of events, relative to the bare driver's right before and after."""
    for place, rows in enumerate(("of the log", "of 100 bytes")):
        beside = [(a[place] + b[place]) / 2 for a, b in itertools.pairwise(bare)]
        ratios = [each / rate for each, rate in zip(events, beside, strict=True)]
        print(
            f"{name}: {statistics.mean(ratios):.2f} of the bare driver's commits of one row {rows}"
            f" ({', '.join(f'{ratio:.2f}' for ratio in ratios)};"
            f" it did {', '.join(f'{each[place]:.0f}' for each in bare)} /s)",
            flush=True,
        )


def measure(port: int, server: int, database: Path, options: argparse.Namespace) -> None:
    """Run all phases and print their figures."""
    site = asyncio.run(connect_client(port))
    asyncio.run(wait_until_compiled(site))
    max_open_tables = options.tables // options.processes
    seconds, paced = options.seconds, options.rate / options.processes
    rounds = [Phase("moves alone", ROUND_S, is_round=True)] * ROUNDS
    phases = [
        *rounds,
        Phase("games end and begin", seconds),
        Phase("paced", seconds, paced),
        Phase("paced, with bots", seconds, paced),
    ]
    barrier = multiprocessing.Barrier(options.processes + 1, timeout=120)
    answers: multiprocessing.Queue[list[float]] = multiprocessing.Queue()
    before = memory_of(server)
    clients = []
    for number in range(options.processes):
        load = Load(site, max_open_tables, number)
        work = (load, phases, barrier.wait, answers)
        clients.append(multiprocessing.Process(target=play, args=work, daemon=True))
        clients[-1].start()
    barrier.wait()
    tables = max_open_tables * options.processes
    each = 1024 * (memory_of(server) - before) / tables
    print(
        f"{tables} tables, {2 * tables} sockets, {each:.0f} kB per table with its sockets",
        flush=True,
    )
    meter = Meter(database, server, [one.pid or 0 for one in clients])
    found, bare = [], []
    for place, phase in enumerate(phases):
        if phase is phases[-1]:
            asyncio.run(_seat_bots(site, options.bots))
        if phase.rate is None:
            barrier.wait()
        if place <= ROUNDS + 1:
            bare.append(Bare.measured(database.parent))
        barrier.wait()
        meter.start()
        barrier.wait()
        times = [moment for _ in clients for moment in answers.get()]
        found.append(meter.print_phase(phase, times))
    events = [each for _, each in found]
    compare("moves alone", events[:ROUNDS], bare[: ROUNDS + 1])
    compare("whole games", events[ROUNDS : ROUNDS + 1], bare[ROUNDS : ROUNDS + 2])
    print(f"p99 with bots: {found[-1][0] / found[-2][0]:.2f} times that without")


async def connect_client(port: int) -> Site:
    """Wait until the server answers, and get a cookie from it."""
    while True:
        try:
            head, _ = await Site(port).ask("/api/me", {"name": "bench"})
            return Site(port, head.partition("set-cookie: ")[2].split(";")[0])
        except ConnectionError:
            await asyncio.sleep(0.05)


async def _seat_bots(site: Site, tables: int) -> None:
    """Open tables at which only bots play."""
    seats = [{"kind": "bot", "name": STRONGEST}] * 2
    for _ in range(tables):
        await site.ask("/api/tables", {"game": "patterns", "seats": seats})


async def wait_until_compiled(site: Site, game: str = "patterns") -> None:
    """Wait until rules and search of a game are compiled."""
    seats = [{"kind": "me"}, {"kind": "bot", "name": STRONGEST}]
    body = {"game": game, "seats": seats, "share": KEY_SHARE}
    _, opened = await site.ask("/api/tables", body)
    state = opened["state"]
    while state["warming"]:
        await asyncio.sleep(0.5)
        _, state = await site.ask(f"/api/tables/{state['id']}")


if __name__ == "__main__":
    main()
