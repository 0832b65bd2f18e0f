"""Several server processes behind nginx: all seats see the same game, also when one is killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from mandala.live import table as live
from mandala.live.bus import MAX_RETRY_S
from mandala.live.events import Flagged
from mandala.live.store import Store
from mandala.server.rooms import COMPARE_INTERVAL_S
from mandala.server.serve import Settings
from tests.server.harness import NO_LIMITS, SHARE, Client, ForkServer, Server, end
from tests.services import (
    Redis,
    free_port,
    nginx,
    postgres,
    running,
    skip_without,
    skip_without_postgres,
)

MAX_TAKEOVER_S = 5.0
FLOWERS = 2  # a number of a table with the longest games; those of Patterns may end after six moves


@dataclass
class Cluster:
    """Several server processes and the services they use."""

    fork_server: ForkServer
    settings: Settings
    bus: Redis
    front: str  # nginx
    ports: list[int]
    servers: list[int]

    def own(self, process: int) -> str:
        """Return the URL of one process, bypassing nginx."""
        return f"http://127.0.0.1:{self.ports[process]}"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The services: PostgreSQL, Redis, and the process that forks servers."""
    skip_without_postgres()
    skip_without("redis-server", "nginx")
    log, ports = tmp_path_factory.mktemp("several") / "log", [free_port(), free_port()]
    with postgres() as url, running(Redis) as bus, nginx(ports) as front:
        fork_server = ForkServer(log)
        settings = Settings(url, NO_LIMITS, redis=bus.url, proxies=("127.0.0.1",))
        yield Cluster(fork_server, settings, bus, front, ports, [])
        fork_server.stop()


@pytest.fixture
def cluster(services: Cluster) -> Iterator[Cluster]:
    """Two servers behind nginx."""
    start, ports = services.fork_server.start, services.ports
    services.servers = [start(port, services.settings) for port in ports]
    yield services
    for server in services.servers:
        with contextlib.suppress(ProcessLookupError):
            end(server)
    assert "Traceback" not in services.fork_server.log.read_text()


class Seat:
    """A player on one seat, connected to one process, who records all events."""

    def __init__(self, url: str, table: str, seat: int, cookie: str) -> None:
        self.url, self.table, self.seat, self.cookie = url, table, seat, cookie
        self.choices = random.Random(f"{table}{seat}")
        self.received: dict[int, list[str]] = {}  # plies by event number
        self.heard_at: dict[int, float] = {}
        self.last = 0
        self.is_over = False
        self.acknowledged: dict[int, str] = {}
        self.pending: dict[str, Any] | None = None
        self.commands = 0

    async def play(self) -> None:
        """Play until the game is over, reconnecting to any process that answers."""
        while not self.is_over:
            with contextlib.suppress(OSError, WebSocketException):
                await self._play()
            await asyncio.sleep(0.1)

    async def _play(self) -> None:
        address = self.url.replace("http", "ws", 1)
        query = f"seat={self.seat}&after={self.last}"
        async with connect(
            f"{address}/api/tables/{self.table}/socket?{query}",
            additional_headers={"Cookie": self.cookie},
            compression=None,
            open_timeout=30,
        ) as socket:
            state: dict[str, Any] = {}
            while not self.is_over:
                message = json.loads(await socket.recv())
                kind = message["type"]
                state = message.get("state") or state
                for news in message.get("missed", []) if kind == "welcome" else [message]:
                    if news["type"] == "event":
                        self.received[news["number"]] = news["plies"]
                        self.heard_at[news["number"]] = time.monotonic()
                self.last = max(self.last, state["number"])
                if kind in ("done", "error") and self.pending is not None:
                    if kind == "done":
                        self.acknowledged[message["number"]] = message["id"]
                    else:
                        assert message["code"] == "too-late", message
                    self.pending = None
                self.is_over = state["state"] == "over"
                if kind == "welcome" and self.pending is not None:
                    await socket.send(json.dumps(self.pending))
                elif state["actor"] == self.seat and self.pending is None:
                    self.commands += 1
                    move = self.choices.choice(state["legal"])
                    command = {"id": f"{self.seat}-{self.commands}", "number": state["number"]}
                    self.pending = {"type": "move", **command, "move": move}
                    await socket.send(json.dumps(self.pending))


async def come(http: httpx.AsyncClient, url: str, name: str) -> str:
    answer = await http.post(f"{url}/api/me", json={"name": name})
    return str(answer.headers["set-cookie"].partition(";")[0])


async def open_table(
    http: httpx.AsyncClient, url: str, cookie: str, game: str, *seats: str, **more: Any
) -> dict[str, Any]:
    new_seats = [{"kind": s} if s in ("me", "open") else {"kind": "bot", "name": s} for s in seats]
    body = {"game": game, "seats": new_seats, "share": SHARE, **more}
    answer = await http.post(f"{url}/api/tables", json=body, headers={"Cookie": cookie})
    assert answer.status_code == 201, answer.text
    opening: dict[str, Any] = answer.json()
    return opening


async def two_seats(http: httpx.AsyncClient, cluster: Cluster, number: int) -> list[Seat]:
    """Return two players at a table, each on another process."""
    game = ("patterns", "mandala", "flowers")[number % 3]
    urls = [cluster.own(number % 2), cluster.own(1 - number % 2)]
    cookies = [await come(http, url, "Guest") for url in urls]
    opening = await open_table(http, urls[0], cookies[0], game, "me", "open")
    table, keys = opening["state"]["id"], opening["keys"]
    body = {"share": SHARE, "key": keys["2"]}
    sit = f"{urls[1]}/api/tables/{table}/seats/2"
    answer = await http.post(sit, json=body, headers={"Cookie": cookies[1]})
    assert answer.status_code == 201, answer.text
    # One is connected directly to a process, the other through nginx.
    return [
        Seat(cluster.front if number % 4 == 0 else urls[0], table, 1, cookies[0]),
        Seat(urls[1], table, 2, cookies[1]),
    ]


async def play_all(
    cluster: Cluster, tables: int, *, kill: bool, stop_bus: bool
) -> list[list[Seat]]:
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:
        pairs = [await two_seats(http, cluster, number) for number in range(tables)]
    seats = [seat for pair in pairs for seat in pair]
    playing = asyncio.gather(*(seat.play() for seat in seats))
    if kill:
        await wait_for_moves(seats)
        await asyncio.to_thread(end, cluster.servers[0])
        for seat in seats:
            if seat.url == cluster.own(0):
                seat.url = cluster.front  # which skips the killed process
    if stop_bus:
        cluster.bus.stop()
        await asyncio.sleep(3)
        cluster.bus.start()
    await asyncio.wait_for(playing, 600)
    return pairs


async def wait_for_moves(seats: list[Seat]) -> None:
    """Wait until some moves have been made at every table."""
    for _ in range(3000):
        if sum(seat.last > 8 for seat in seats) > len(seats) / 2:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the tables do not go on")


async def compare_with_log(database: str, pairs: list[list[Seat]]) -> int:
    """Assert that both seats received exactly the events of the log."""
    store = await Store.open(database)
    count = 0
    for pair in pairs:
        entries = await store.load(pair[0].table)
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        command_ids = [(entry.actor, entry.client_id) for entry in entries if entry.client_id]
        assert len(command_ids) == len(set(command_ids)), "a command was executed twice"
        first: Any = entries[0].event
        table = live.opened(first, entries[0].at)
        shown: dict[int, list[list[str]]] = {}
        for entry in entries[1:]:
            table = live.after(table, entry.event, entry.at)
            views = [live.view(table, seat.seat) for seat in pair]
            shown[entry.number] = [live.plies_seen(view, entry.event) for view in views]
        assert table.ending is not None
        for index, seat in enumerate(pair):
            assert seat.last == len(entries)
            for number, plies in seat.received.items():
                assert plies == shown[number][index], "the seats see different games"
            for number, command_id in seat.acknowledged.items():
                assert entries[number - 1].client_id == command_id
                count += 1
    await store.close()
    return count


@pytest.mark.parametrize(
    ("tables", "kill", "stop_bus"),
    [
        (6, True, False),
        pytest.param(200, False, True, marks=pytest.mark.slow),
        pytest.param(200, True, False, marks=pytest.mark.slow),
    ],
)
def test_seats_on_two_processes_play_the_same_game(
    cluster: Cluster, tables: int, kill: bool, stop_bus: bool
) -> None:
    began = time.monotonic()
    pairs = asyncio.run(play_all(cluster, tables, kill=kill, stop_bus=stop_bus))
    count = asyncio.run(compare_with_log(cluster.settings.database, pairs))
    print(f"{tables} tables, {count} moves in {time.monotonic() - began:.0f} s, all alike")
    assert count > 20 * tables


def test_another_process_takes_over_bots_and_clocks(cluster: Cluster) -> None:
    asyncio.run(take_over(cluster))


async def take_over(cluster: Cluster) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        one, two = cluster.own(0), cluster.own(1)
        cookie = await come(http, one, "Ada")
        clock = {"kind": "move", "seconds": 5, "increment": 0}
        flag = await open_table(http, one, cookie, "patterns", "me", "me", clock=clock)
        bots = await open_table(http, one, cookie, "mandala", "random", "random")
        flagged, played = flag["state"]["id"], bots["state"]["id"]
        deadline = flag["state"]["deadline"] / 1000
        end(cluster.servers[0])
        killed = time.time()
        before = (await http.get(f"{two}/api/tables/{played}")).json()["number"]
        after, ended = before, None
        while after == before or ended is None:
            assert time.time() < max(killed, deadline) + MAX_TAKEOVER_S, "no process takes over"
            await asyncio.sleep(0.05)
            if after == before:
                after = (await http.get(f"{two}/api/tables/{played}")).json()["number"]
                moved = time.time() - killed
            state = (await http.get(f"{two}/api/tables/{flagged}")).json()
            ended = state["ending"]
        assert ended["how"] == "time"
        assert moved < MAX_TAKEOVER_S
        fell = time.time() - deadline
        print(f"the bot moved {moved:.1f} s after the kill, the flag fell {fell:.1f} s late")
    store = await Store.open(cluster.settings.database)
    log = await store.load(flagged)
    assert sum(isinstance(entry.event, Flagged) for entry in log) == 1
    await store.close()


def test_without_redis_play_continues_with_a_short_delay(cluster: Cluster) -> None:
    cluster.bus.stop()

    async def play() -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            pair = await two_seats(http, cluster, FLOWERS)
            playing = asyncio.gather(*(seat.play() for seat in pair))
            without = await delays(pair, 8)
            await asyncio.to_thread(cluster.bus.start)
            began = time.monotonic()
            for process in range(2):
                while not await has_bus(http, cluster.own(process)):
                    assert time.monotonic() < began + MAX_RETRY_S + MAX_TAKEOVER_S, (
                        "Redis stays disconnected"
                    )
                    await asyncio.sleep(0.05)
            back = time.monotonic() - began
            with_bus = await delays(pair, 8)
            await asyncio.wait_for(playing, 60)
        print(f"behind by {max(without):.2f} s without the bus, back after {back:.1f} s,", end=" ")
        print(f"then by {median(with_bus):.3f} s")
        assert max(without) < COMPARE_INTERVAL_S + MAX_TAKEOVER_S
        assert median(with_bus) < COMPARE_INTERVAL_S / 10 < max(without)
        await compare_with_log(cluster.settings.database, [pair])

    asyncio.run(play())


async def delays(pair: list[Seat], count: int) -> list[float]:
    """Return, for the next moves, how much later one seat received the event than the other."""
    one, two = (seat.heard_at for seat in pair)
    began, since, both = time.monotonic(), pair[0].last, set[int]()
    while len(both) < count:
        assert not pair[0].is_over, "the game was too short"
        assert time.monotonic() < began + count * MAX_TAKEOVER_S, "the table stopped"
        await asyncio.sleep(0.05)
        both = {number for number in one.keys() & two.keys() if number > since}
    return [abs(one[number] - two[number]) for number in both]


async def has_bus(http: httpx.AsyncClient, url: str) -> bool:
    return "mandala_bus_up 1.0" in (await http.get(f"{url}/metrics")).text


def test_two_servers_start_at_once_on_an_empty_database(tmp_path: Path) -> None:
    skip_without_postgres()
    with postgres() as url:

        async def open_four() -> None:
            stores = await asyncio.gather(*(Store.open(url) for _ in range(4)))
            keys = await asyncio.gather(*(store.key("signing") for store in stores))
            assert len(set(keys)) == 1
            for store in stores:
                await store.close()

        asyncio.run(open_four())


def test_workers_share_one_address_and_stop_together(services: Cluster, tmp_path: Path) -> None:
    options = ["--redis", services.bus.url, "--workers", "2"]
    with contextlib.closing(
        Server(services.settings.database, tmp_path / "log", None, options)
    ) as server:
        ada = Client(server, "Ada")
        table = ada.open("patterns", "me", "random")["state"]["id"]
        for _ in range(5):
            with ada.at(table) as connection:  # on either worker
                connection.receive()
                if connection.state["actor"] == 1:
                    assert (
                        connection.command("move", move=connection.state["legal"][0])["type"]
                        == "done"
                    )
    log = (tmp_path / "log").read_text()
    assert log.count('"serving"') == 2
    assert "Traceback" not in log
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{server.url}/healthz")
