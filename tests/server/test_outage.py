"""Database outages: commands are refused, and play continues afterwards."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest

from mandala.bots.levels import STRONGEST
from tests.server.harness import NO_LIMITS, SHARE, Client, Connection, Server
from tests.services import Postgres, running, skip_without_postgres

Outage: TypeAlias = Callable[[Server], AbstractContextManager[None]]
TIMEOUT_S = 20.0  # seconds until all is well again


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Prevent the database file from growing."""
    assert server.process is not None
    process = server.process.pid
    wal = Path(f"{server.database.removeprefix('sqlite:///')}-wal")
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (os.path.getsize(wal), before[1]))
    yield
    resource.prlimit(process, resource.RLIMIT_FSIZE, before)


def away(postgres: Postgres) -> Outage:
    """Stop the database server."""

    @contextmanager
    def stopped(server: Server) -> Iterator[None]:
        postgres.stop()
        yield
        postgres.start()

    return stopped


@pytest.fixture(params=["sqlite", "postgresql"])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Outage]]:
    if request.param == "sqlite":
        server = Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", NO_LIMITS)
        yield server, full_disk
        server.close()
    else:
        skip_without_postgres()
        with running(Postgres) as postgres:
            server = Server(postgres.url, tmp_path / "log", NO_LIMITS)
            yield server, away(postgres)
            server.close()


def move(connections: list[Connection]) -> dict[str, Any]:
    """Make a move for the seat to move, and receive its event on all connections."""
    while not (ready := [each for each in connections if each.state["legal"]]):
        connections[0].receive()
    answer = ready[0].command("move", move=ready[0].state["legal"][0])
    for each in connections:
        while each.state["number"] < ready[0].state["number"]:
            each.receive()
    return answer


def test_clients_are_refused_during_an_outage_and_continue_after_it(
    connection: tuple[Server, Outage], tmp_path: Path
) -> None:
    server, outage = connection
    ada = Client(server, "Ada")
    table = ada.open("flowers", "me", "me")["state"]["id"]
    against = ada.open("flowers", "me", "random")["state"]["id"]
    wanted = {"game": "patterns", "seats": [{"kind": "me"}, {"kind": "open"}], "share": SHARE}
    with ada.at(table, seat=1) as one, ada.at(table, seat=2) as two, ada.at(against) as alone:
        for each in (one, two, alone):
            each.receive()
        number = move([one, two])["number"]
        with outage(server):
            for _ in range(40):  # the first ones fit into existing pages
                if (answer := move([one, two]))["type"] == "error":
                    break
                number = answer["number"]
            assert answer["code"] == "no-storage", answer
            assert "try again" in answer["text"]
            refused = ada.http.post("/api/tables", json=wanted)
            assert (refused.status_code, refused.json()["code"]) == (503, "no-storage")
            assert move([alone])["code"] == "no-storage"
            assert ada.http.get("/healthz").status_code == 200
            assert ada.http.get("/readyz").status_code == 503
        began = time.monotonic()
        while (opened := ada.http.post("/api/tables", json=wanted)).status_code == 503:
            assert time.monotonic() < began + TIMEOUT_S, opened.text
            time.sleep(0.1)
        assert opened.status_code == 201
        assert ada.http.get("/readyz").status_code == 200
        assert move([one, two])["number"] == number + 1, "nothing lost, nothing doubled"
        for _ in range(2):  # one by the person, one by the bot
            assert move([alone])["type"] == "done"
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    logged = {line["event"] for line in lines if line["level"] == "error"}
    assert logged == {"database unavailable"}
    assert all("exception" not in line for line in lines), "a line says it"


def test_clients_are_refused_while_the_database_hangs_and_continue_after_it(tmp_path: Path) -> None:
    skip_without_postgres()
    with running(Postgres) as postgres:
        with closing(Server(postgres.url, tmp_path / "log", NO_LIMITS)) as server:
            ada = Client(server, "Ada")
            table = ada.open("flowers", "me", "me")["state"]["id"]
            with ada.at(table, seat=1) as one, ada.at(table, seat=2) as two:
                one.receive(), two.receive()
                number = move([one, two])["number"]
                with postgres.frozen():
                    assert move([one, two])["code"] == "no-storage"
                began = time.monotonic()
                while (answer := move([one, two]))["type"] == "error":
                    assert time.monotonic() < began + TIMEOUT_S, answer
                assert answer["number"] == number + 1, "nothing lost, nothing doubled"
        assert "no answer in 10 seconds" in (tmp_path / "log").read_text()


def test_a_full_disk_is_reported_before_anybody_plays(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with (
        closing(Server(database, tmp_path / "log", NO_LIMITS)) as server,
        httpx.Client(base_url=server.url, timeout=20) as http,
    ):
        with full_disk(server):
            _wait_for_status(http, 503)
        _wait_for_status(http, 200)


def test_a_stopped_bot_worker_does_not_delay_the_end_of_the_server(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", NO_LIMITS)
    assert server.process is not None
    ada = Client(server, "Ada")
    ada.open("patterns", "me", STRONGEST)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    ends_at = time.monotonic() + TIMEOUT_S
    while not (workers := [pid for pid in children.read_text().split() if _is_worker(pid)]):
        assert time.monotonic() < ends_at
        time.sleep(0.05)
    os.kill(int(workers[0]), signal.SIGSTOP)
    assert server.close() in (0, -signal.SIGTERM)  # within the harness's time limit


def _is_worker(pid: str) -> bool:
    return b"bot_worker" in Path(f"/proc/{pid}/cmdline").read_bytes()


def _wait_for_status(http: httpx.Client, status: int) -> None:
    ends_at = time.monotonic() + TIMEOUT_S
    while (found := http.get("/readyz").status_code) != status:
        assert time.monotonic() < ends_at, found
        time.sleep(0.2)
