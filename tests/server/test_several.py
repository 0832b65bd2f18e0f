"""Several processes on one database behind nginx: every seat sees the same game, whatever dies."""

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
from mandala.server.rooms import COMPARE
from mandala.server.serve import Settings
from tests.server.harness import GENEROUS, SHARE, Client, Nursery, Server, end
from tests.services import (
    Redis,
    free_port,
    nginx,
    postgres,
    running,
    skip_without,
    skip_without_postgres,
)

AT_MOST = 5.0  # seconds after which somebody else has taken over
FLOWERS = 2  # a number of a table with the longest games; those of Patterns may end after six moves


@dataclass
class Place:
    """Several server processes, and what they stand on."""

    nursery: Nursery
    settings: Settings
    bus: Redis
    front: str  # nginx
    ports: list[int]
    servers: list[int]

    def own(self, process: int) -> str:
        """The address of one process, past nginx."""
        return f"http://127.0.0.1:{self.ports[process]}"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Everything but the servers."""
    skip_without_postgres()
    skip_without("redis-server", "nginx")
    log, ports = tmp_path_factory.mktemp("several") / "log", [free_port(), free_port()]
    with postgres() as url, running(Redis) as bus, nginx(ports) as front:
        nursery = Nursery(log)
        settings = Settings(url, GENEROUS, redis=bus.url, proxies=("127.0.0.1",))
        yield Place(nursery, settings, bus, front, ports, [])
        nursery.stop()


@pytest.fixture
def place(services: Place) -> Iterator[Place]:
    """Two servers."""
    start, ports = services.nursery.start, services.ports
    services.servers = [start(port, services.settings) for port in ports]
    yield services
    for server in services.servers:
        with contextlib.suppress(ProcessLookupError):
            end(server)
    assert "Traceback" not in services.nursery.log.read_text()


class Seat:
    """Somebody at one seat, through one process, who keeps what they were told."""

    def __init__(self, url: str, table: str, seat: int, cookie: str) -> None:
        self.url, self.table, self.seat, self.cookie = url, table, seat, cookie
        self.choices = random.Random(f"{table}{seat}")
        self.heard: dict[int, list[str]] = {}  # by number of the event: what was played and drawn
        self.heard_at: dict[int, float] = {}
        self.last = 0
        self.is_over = False
        self.acknowledged: dict[int, str] = {}
        self.pending: dict[str, Any] | None = None
        self.wishes = 0

    async def play(self) -> None:
        """Play until the game is over, through whoever answers."""
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
                        self.heard[news["number"]] = news["plies"]
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
                    self.wishes += 1
                    move = self.choices.choice(state["legal"])
                    wish = {"id": f"{self.seat}-{self.wishes}", "number": state["number"]}
                    self.pending = {"type": "move", **wish, "move": move}
                    await socket.send(json.dumps(self.pending))


async def come(http: httpx.AsyncClient, url: str, name: str) -> str:
    answer = await http.post(f"{url}/api/me", json={"name": name})
    return str(answer.headers["set-cookie"].partition(";")[0])


async def open_table(
    http: httpx.AsyncClient, url: str, cookie: str, game: str, *seats: str, **more: Any
) -> dict[str, Any]:
    wishes = [{"kind": s} if s in ("me", "open") else {"kind": "bot", "name": s} for s in seats]
    body = {"game": game, "seats": wishes, "share": SHARE, **more}
    answer = await http.post(f"{url}/api/tables", json=body, headers={"Cookie": cookie})
    assert answer.status_code == 201, answer.text
    opening: dict[str, Any] = answer.json()
    return opening


async def two_seats(http: httpx.AsyncClient, place: Place, number: int) -> list[Seat]:
    """Two people at a table, each through another process."""
    game = ("patterns", "mandala", "flowers")[number % 3]
    urls = [place.own(number % 2), place.own(1 - number % 2)]
    cookies = [await come(http, url, "Guest") for url in urls]
    opening = await open_table(http, urls[0], cookies[0], game, "me", "open")
    table, keys = opening["state"]["id"], opening["keys"]
    body = {"share": SHARE, "key": keys["2"]}
    sit = f"{urls[1]}/api/tables/{table}/seats/2"
    answer = await http.post(sit, json=body, headers={"Cookie": cookies[1]})
    assert answer.status_code == 201, answer.text
    # One plays past nginx on a process of their own, the other through whichever nginx picks.
    return [
        Seat(place.front if number % 4 == 0 else urls[0], table, 1, cookies[0]),
        Seat(urls[1], table, 2, cookies[1]),
    ]


async def play_all(place: Place, tables: int, *, kill: bool, stop_bus: bool) -> list[list[Seat]]:
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:
        pairs = [await two_seats(http, place, number) for number in range(tables)]
    seats = [seat for pair in pairs for seat in pair]
    playing = asyncio.gather(*(seat.play() for seat in seats))
    if kill:
        await half_way(seats)
        await asyncio.to_thread(end, place.servers[0])
        for seat in seats:
            if seat.url == place.own(0):
                seat.url = place.front  # which knows who is left
    if stop_bus:
        place.bus.stop()
        await asyncio.sleep(3)
        place.bus.start()
    await asyncio.wait_for(playing, 600)
    return pairs


async def half_way(seats: list[Seat]) -> None:
    """Wait until the tables are under way."""
    for _ in range(3000):
        if sum(seat.last > 8 for seat in seats) > len(seats) / 2:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the tables do not go on")


async def hold_against_the_log(database: str, pairs: list[list[Seat]]) -> int:
    """What both seats heard is what the log tells each of them; nothing is lost or doubled."""
    store = await Store.open(database)
    count = 0
    for pair in pairs:
        entries = await store.load(pair[0].table)
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        wishes = [(entry.actor, entry.client_id) for entry in entries if entry.client_id]
        assert len(wishes) == len(set(wishes)), "a wish was fulfilled twice"
        first: Any = entries[0].event
        table = live.opened(first, entries[0].at)
        shown: dict[int, list[list[str]]] = {}
        for entry in entries[1:]:
            table = live.after(table, entry.event, entry.at)
            views = [live.view(table, seat.seat) for seat in pair]
            shown[entry.number] = [live.plies_seen(view, entry.event) for view in views]
        assert table.ending is not None
        for place, seat in enumerate(pair):
            assert seat.last == len(entries)
            for number, plies in seat.heard.items():
                assert plies == shown[number][place], "the seats have gone separate ways"
            for number, wish in seat.acknowledged.items():
                assert entries[number - 1].client_id == wish
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
def test_seats_on_two_processes_play_one_game(
    place: Place, tables: int, kill: bool, stop_bus: bool
) -> None:
    began = time.monotonic()
    pairs = asyncio.run(play_all(place, tables, kill=kill, stop_bus=stop_bus))
    count = asyncio.run(hold_against_the_log(place.settings.database, pairs))
    print(f"{tables} tables, {count} moves in {time.monotonic() - began:.0f} s, all alike")
    assert count > 20 * tables


def test_the_other_process_takes_over_bots_and_flags(place: Place) -> None:
    asyncio.run(take_over(place))


async def take_over(place: Place) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        one, two = place.own(0), place.own(1)
        cookie = await come(http, one, "Ada")
        clock = {"kind": "move", "seconds": 5, "increment": 0}
        flag = await open_table(http, one, cookie, "patterns", "me", "me", clock=clock)
        bots = await open_table(http, one, cookie, "mandala", "random", "random")
        flagged, played = flag["state"]["id"], bots["state"]["id"]
        deadline = flag["state"]["deadline"] / 1000
        end(place.servers[0])
        killed = time.time()
        before = (await http.get(f"{two}/api/tables/{played}")).json()["number"]
        after, ended = before, None
        while after == before or ended is None:
            assert time.time() < max(killed, deadline) + AT_MOST, "nobody takes over"
            await asyncio.sleep(0.05)
            if after == before:
                after = (await http.get(f"{two}/api/tables/{played}")).json()["number"]
                moved = time.time() - killed
            state = (await http.get(f"{two}/api/tables/{flagged}")).json()
            ended = state["ending"]
        assert ended["how"] == "time"
        assert moved < AT_MOST
        fell = time.time() - deadline
        print(f"the bot moved {moved:.1f} s after the kill, the flag fell {fell:.1f} s late")
    store = await Store.open(place.settings.database)
    log = await store.load(flagged)
    assert sum(isinstance(entry.event, Flagged) for entry in log) == 1
    await store.close()


def test_without_the_bus_nothing_stops_and_nobody_is_behind_for_long(place: Place) -> None:
    place.bus.stop()

    async def play() -> None:
        async with httpx.AsyncClient(timeout=30) as http:
            pair = await two_seats(http, place, FLOWERS)
            playing = asyncio.gather(*(seat.play() for seat in pair))
            without = await delays(pair, 8)
            await asyncio.to_thread(place.bus.start)
            began = time.monotonic()
            for process in range(2):
                while not await has_bus(http, place.own(process)):
                    assert time.monotonic() < began + MAX_RETRY_S + AT_MOST, "the bus stays away"
                    await asyncio.sleep(0.05)
            back = time.monotonic() - began
            with_bus = await delays(pair, 8)
            await asyncio.wait_for(playing, 60)
        print(f"behind by {max(without):.2f} s without the bus, back after {back:.1f} s,", end=" ")
        print(f"then by {median(with_bus):.3f} s")
        assert max(without) < COMPARE + AT_MOST
        assert median(with_bus) < COMPARE / 10 < max(without)
        await hold_against_the_log(place.settings.database, [pair])

    asyncio.run(play())


async def delays(pair: list[Seat], count: int) -> list[float]:
    """For the next moves of a table, how much later one seat heard of each than the other."""
    one, two = (seat.heard_at for seat in pair)
    began, since, both = time.monotonic(), pair[0].last, set[int]()
    while len(both) < count:
        assert not pair[0].is_over, "the game was too short"
        assert time.monotonic() < began + count * AT_MOST, "the table stopped"
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


def test_workers_share_one_address_and_stop_together(services: Place, tmp_path: Path) -> None:
    options = ["--redis", services.bus.url, "--workers", "2"]
    with contextlib.closing(
        Server(services.settings.database, tmp_path / "log", None, options)
    ) as server:
        ada = Client(server, "Ada")
        table = ada.open("patterns", "me", "random")["state"]["id"]
        for _ in range(5):
            with ada.at(table) as place:  # through whichever worker takes it
                place.hear()
                if place.state["actor"] == 1:
                    assert place.wish("move", move=place.state["legal"][0])["type"] == "done"
    log = (tmp_path / "log").read_text()
    assert log.count('"serving"') == 2
    assert "Traceback" not in log
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{server.url}/healthz")
