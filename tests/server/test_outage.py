"""A database that does its work no more, for a while: people are told, and then play on."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.server.harness import GENEROUS, SHARE, Client, Place, Server, writers_of
from tests.services import Postgres, running, skip_without_postgres

Outage: TypeAlias = Callable[[Server], AbstractContextManager[None]]
PATIENCE = 20.0  # seconds until all is well again


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Files can no longer grow."""
    assert server.process is not None
    (writer,) = writers_of(server.process.pid)
    wal = Path(f"{server.database.removeprefix('sqlite:///')}-wal")
    before = resource.prlimit(writer, resource.RLIMIT_FSIZE)
    resource.prlimit(writer, resource.RLIMIT_FSIZE, (os.path.getsize(wal), before[1]))
    yield
    resource.prlimit(writer, resource.RLIMIT_FSIZE, before)


def away(postgres: Postgres) -> Outage:
    """It is stopped."""

    @contextmanager
    def stopped(server: Server) -> Iterator[None]:
        postgres.stop()
        yield
        postgres.start()

    return stopped


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Outage]]:
    if request.param == "sqlite":
        server = Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", GENEROUS)
        yield server, full_disk
        server.close()
    else:
        skip_without_postgres()
        with running(Postgres) as postgres:
            server = Server(postgres.url, tmp_path / "log", GENEROUS)
            yield server, away(postgres)
            server.close()


def move(places: list[Place]) -> dict[str, Any]:
    """A move of whoever's turn it is; all hear of it."""
    while not (ready := [each for each in places if each.state["legal"]]):
        places[0].hear()
    answer = ready[0].wish("move", move=ready[0].state["legal"][0])
    for each in places:
        while each.state["number"] < ready[0].state["number"]:
            each.hear()
    return answer


def test_who_cannot_be_served_is_told_and_plays_on(
    place: tuple[Server, Outage], tmp_path: Path
) -> None:
    server, outage = place
    ada = Client(server, "Ada")
    table = ada.open("flowers", "me", "me")["state"]["id"]
    against = ada.open("flowers", "me", "random")["state"]["id"]
    wanted = {"game": "patterns", "seats": [{"kind": "me"}, {"kind": "open"}], "share": SHARE}
    with ada.at(table, seat=1) as one, ada.at(table, seat=2) as two, ada.at(against) as alone:
        for each in (one, two, alone):
            each.hear()
        number = move([one, two])["number"]
        with outage(server):
            for _ in range(40):  # some fit into the pages that there are
                if (answer := move([one, two]))["type"] == "error":
                    break
                number = answer["number"]
            assert answer["code"] == "no-storage", answer
            assert "try again" in answer["text"]
            refused = ada.http.post("/api/tables", json=wanted)
            assert (refused.status_code, refused.json()["code"]) == (503, "no-storage")
            assert move([alone])["code"] == "no-storage"
        began = time.monotonic()
        while (opened := ada.http.post("/api/tables", json=wanted)).status_code == 503:
            assert time.monotonic() < began + PATIENCE, opened.text
            time.sleep(0.1)
        assert opened.status_code == 201
        assert move([one, two])["number"] == number + 1, "nothing lost, nothing doubled"
        for _ in range(2):  # and so does a bot
            assert move([alone])["type"] == "done"
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    told = {line["event"] for line in lines if line["level"] == "error"}
    assert told == {"database unavailable"}
    assert all("exception" not in line for line in lines), "a line says it"


def test_who_gets_no_answer_is_told_and_plays_on(tmp_path: Path) -> None:
    skip_without_postgres()
    with running(Postgres) as postgres:
        with closing(Server(postgres.url, tmp_path / "log", GENEROUS)) as server:
            ada = Client(server, "Ada")
            table = ada.open("flowers", "me", "me")["state"]["id"]
            with ada.at(table, seat=1) as one, ada.at(table, seat=2) as two:
                one.hear(), two.hear()
                number = move([one, two])["number"]
                with postgres.frozen():
                    assert move([one, two])["code"] == "no-storage"
                began = time.monotonic()
                while (answer := move([one, two]))["type"] == "error":
                    assert time.monotonic() < began + PATIENCE, answer
                assert answer["number"] == number + 1, "nothing lost, nothing doubled"
        assert "no answer in 10 seconds" in (tmp_path / "log").read_text()
