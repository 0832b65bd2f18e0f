"""Clocks do not run while no server does, and do not follow a wall clock that is set anew."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mandala.live.store import Store
from mandala.server.uptime import MAX_SILENCE_MS, Heartbeat, ServerClock
from tests.server.harness import NO_LIMITS, Client, Server

HOUR = 3_600_000


class FakeStore:
    """The heartbeat of a store."""

    is_shared = False

    def __init__(self, last: int | None = None) -> None:
        self.last = last

    async def last_heartbeat(self) -> int | None:
        return self.last

    async def set_heartbeat(self, now: int) -> None:
        self.last = now


class SharedStore(FakeStore):
    """A store with another process, whose time is an hour behind, and that is running."""

    is_shared = True

    async def last_heartbeat(self) -> int | None:
        assert self.last is not None
        self.last += 100
        return self.last


def heartbeat(store: Any, clock: ServerClock) -> tuple[Heartbeat, list[int]]:
    stops: list[int] = []

    async def resume(stopped_at: int) -> None:
        stops.append(stopped_at)

    return Heartbeat(store, clock, resume), stops


def test_the_clock_does_not_follow_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ServerClock()
    before = clock.now_ms()
    wall = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: wall + HOUR * 1_000_000)
    assert before <= clock.now_ms() < before + 60_000


def test_a_first_start_and_a_quick_restart_resume_nothing() -> None:
    clock = ServerClock()
    for last in (None, clock.now_ms() - MAX_SILENCE_MS // 2):
        store = FakeStore(last)
        beats, stops = heartbeat(store, clock)
        asyncio.run(beats.start())
        assert stops == []
        assert store.last is not None


def test_a_start_after_an_hour_resumes_the_tables_before_the_heartbeat() -> None:
    clock = ServerClock()
    stopped_at = clock.now_ms() - HOUR
    store = FakeStore(stopped_at)
    beats, stops = heartbeat(store, clock)
    asyncio.run(beats.start())
    assert stops == [stopped_at]
    assert store.last is not None
    assert store.last >= stopped_at + HOUR


def test_the_time_does_not_go_back() -> None:
    clock = ServerClock()
    last = clock.now_ms() + HOUR
    beats, stops = heartbeat(FakeStore(last), clock)
    asyncio.run(beats.start())
    assert clock.now_ms() >= last
    assert stops == []


def test_the_time_of_a_running_process_counts() -> None:
    clock = ServerClock()
    store = SharedStore(clock.now_ms() - HOUR)
    beats, stops = heartbeat(store, clock)
    asyncio.run(beats.start())
    assert stops == []
    assert store.last is not None
    assert abs(clock.now_ms() - store.last) < MAX_SILENCE_MS


def test_a_command_after_a_long_silence_waits_for_the_tables_to_be_resumed() -> None:
    clock = ServerClock()
    beats, stops = heartbeat(FakeStore(), clock)

    async def outage() -> int:
        await beats.start()
        last = clock.now_ms()
        clock.set(last + HOUR)  # as if the database had not answered for an hour
        await beats.ensure()
        await beats.ensure()
        return last

    last = asyncio.run(outage())
    assert len(stops) == 1
    assert abs(stops[0] - last) < 1_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", NO_LIMITS)
    yield server
    server.close()


def shift_times(database: Path, by: int) -> None:
    """Shift all times in a database into the past by a number of milliseconds."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE events SET at = at - ?", (by,))
        connection.execute("UPDATE due SET at = at - ?, leased_until = 0", (by,))
        connection.execute("UPDATE tables SET opened_at = opened_at - ?", (by,))
        rows = connection.execute("SELECT value FROM keys WHERE name = 'heartbeat'")
        for (value,) in rows.fetchall():
            earlier = (int.from_bytes(value, "big") - by).to_bytes(8, "big")
            query = "UPDATE keys SET value = ? WHERE name = 'heartbeat'"
            connection.execute(query, (earlier,))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_an_hour_without_the_server_flags_nobody(
    server: Server, tmp_path: Path, how: signal.Signals
) -> None:
    ada, ben = Client(server, "Ada"), Client(server, "Ben")
    opening = ada.open("patterns", "me", "open", clock={"kind": "game", "seconds": 600})
    table = opening["state"]["id"]
    assert ben.sit(table, 2).status_code < 300
    (seat,) = {ben.http.get(f"/api/tables/{table}").json()["actor"]}
    mover = {1: ada, 2: ben}[seat]
    server.stop(how)
    shift_times(tmp_path / "tables.db", HOUR)
    server.start()
    with mover.at(table, seat=seat) as connection:
        connection.receive_until("welcome")
        state = connection.state
        assert state["ending"] is None
        assert 500_000 < state["deadline"] - state["now"] <= 600_000
        assert connection.command("move", move=state["legal"][0])["type"] == "done"
    after = mover.http.get(f"/api/tables/{table}").json()
    assert after["ending"] is None
    assert 500_000 < after["seats"][seat - 1]["time_left"] <= 600_000


def test_the_store_keeps_the_heartbeat_and_lists_clocked_tables(
    server: Server, tmp_path: Path
) -> None:
    ada = Client(server, "Ada")
    clock = {"kind": "move", "seconds": 600}
    clocked = ada.open("patterns", "me", "me", clock=clock)["state"]["id"]
    waiting = ada.open("patterns", "me", "open", clock=clock)["state"]["id"]
    free = ada.open("patterns", "me", "me")["state"]["id"]
    server.stop()

    async def look() -> tuple[int | None, list[str], list[str]]:
        store = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
        try:
            return (
                await store.last_heartbeat(),
                await store.unfinished_tables(only_clocked=True),
                await store.unfinished_tables(only_clocked=False),
            )
        finally:
            await store.close()

    last, running, unfinished = asyncio.run(look())
    assert last is not None
    assert abs(last - time.time_ns() // 1_000_000) < 60_000
    assert running == [clocked]
    assert sorted(unfinished) == sorted([clocked, waiting, free])
    server.start()
