"""How much may be asked for, and that what is counted and logged tells nothing of hidden cards."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import mandala
from mandala.games import find_game
from mandala.live.events import Opened, Started
from mandala.live.store import Store
from mandala.server.limits import Limits
from mandala.server.logs import JsonLines
from mandala.server.metrics import Metrics
from mandala.server.rooms import Rooms
from mandala.server.serve import Settings, bind
from tests.server.harness import Client, Server
from tests.tables import ADA, BEN, Log, just, log_of, played, seated


def test_a_table_is_slowed_down_however_many_talk_there(tmp_path: Path) -> None:
    limits = Limits(
        messages_per_second=1e6, message_burst=10**6, table_messages_per_second=20, table_burst=20
    )
    with closing(
        Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", limits)
    ) as server:
        ada, ben = Client(server, "Ada"), Client(server, "Ben")
        table = ada.open("patterns", "me", "open")["state"]["id"]
        with ada.at(table) as one, ben.at(table) as two:
            one.hear(), two.hear()
            began = time.monotonic()
            for place in (one, two):
                for _ in range(30):
                    place.socket.send('{"type": "ping"}')
            for place in (one, two):
                for _ in range(30):
                    place.hear_until("pong")
            # Sixty messages, of which twenty are free and the others come at twenty a second.
            assert time.monotonic() - began > 1.9


def test_keys_and_tokens_open_only_what_they_are_for(tmp_path: Path) -> None:
    with closing(Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log")) as server:
        ada, eve = Client(server, "Ada"), Client(server, "Eve")
        one = ada.open("mandala", "me", "open", listed=False)
        two = ada.open("mandala", "me", "open", listed=False)
        table, other = one["state"]["id"], two["state"]["id"]
        key = one["keys"]["2"]
        nearly = key[:-1] + ("_" if key[-1] != "_" else "-")
        for wrong in ("", two["keys"]["2"], nearly, "é" * 40):
            assert eve.sit(table, 2, wrong).json()["code"] == "bad-key"
        assert eve.sit(table, 1, key).json()["code"] == "bad-key"
        assert eve.sit(table, 2, key).status_code == 201
        # Who sits at one table is a spectator at the other.
        with eve.at(other) as place:
            place.hear()
            assert place.state["your_seat"] is None
            assert place.wish("resign")["code"] == "only-watching"
        with eve.at(other, seat=1) as place:
            assert place.hear()["code"] == "not-your-seat"
        token = eve.http.post("/api/me/tokens").json()["key"]
        headers = {"Authorization": f"Bearer {token}"}
        asked = {"seat": 1}
        for each in (table, other):
            answer = ada.http.get(f"/api/tables/{each}/record", params=asked, headers=headers)
            assert answer.status_code in (403, 404), answer.text


@pytest.mark.parametrize("game", mandala.game_ids())
def test_metrics_and_log_lines_do_not_depend_on_hidden_cards(game: str, tmp_path: Path) -> None:
    find_game(game).make_ready()
    first, table = seated(game, (ADA, BEN))
    table = played(list(first), table, seed=3, decisions=20)
    before, started = first[:-1], first[-1][0]
    assert isinstance(started, Started)
    assert table.position is not None
    dealt = mandala.determinize(table.position.view(1), np.random.default_rng(9))
    truth = log_of(table.position, before)
    another = log_of(dealt, before)
    if game == "mandala":
        assert truth != another, "the unseen cards lie in another order"
    told = [
        asyncio.run(told_of(log, tmp_path / f"{place}.db"))
        for place, log in enumerate((truth, another))
    ]
    assert told[0] == told[1]
    assert '"event": "committed"' in told[0]
    assert 'mandala_events_total{kind="moved"}' in told[0]


async def told_of(log: Log, file: Path) -> str:
    """Everything that a server logs and counts while this game is played, without the times."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonLines().format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("mandala")
    logger.addHandler(handler)
    level, logger.level = logger.level, logging.INFO
    store = await Store.open(f"sqlite:///{file}")
    metrics = Metrics()
    rooms = Rooms(store, Limits(), metrics)
    (opening, _), *rest = log
    assert isinstance(opening, Opened)
    room = await rooms.open(opening, lambda table, now: [], "ada")
    for event, _ in rest:
        await rooms.act(room, "ada", just(event))
    await rooms.stop()
    await store.close()
    logger.removeHandler(handler)
    logger.setLevel(level)
    counted = [
        line
        for line in metrics.text().decode().splitlines()
        if not re.search(r"_(created|sum|bucket)\b", line)
    ]
    logged = [json.loads(line) | {"at": ""} for line in lines]
    text = "\n".join([*map(json.dumps, logged), *counted])
    return text.replace(room.id, "table")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (Settings("sqlite:///x.db", workers=2), "workers-need-postgresql"),
        (Settings("postgresql+asyncpg://x/y", workers=2), "workers-need-redis"),
        (Settings("postgresql+asyncpg://x/y", redis="nonsense"), "bad-redis"),
    ],
)
def test_what_cannot_work_is_refused_at_the_start(settings: Settings, code: str) -> None:
    with pytest.raises(mandala.MandalaError) as refused:
        settings.require_valid()
    assert refused.value.code == code
    assert refused.value.say("de") != refused.value.say("en")


def test_a_host_may_say_who_they_are(tmp_path: Path) -> None:
    imprint = tmp_path / "imprint.txt"
    imprint.write_text("Ada, Weg 1, Köln", encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with closing(Server(database, tmp_path / "log", None, ["--imprint", str(imprint)])) as server:
        told = Client(server, "Ben").http.get("/api/about").json()
        assert told == {"imprint": "Ada, Weg 1, Köln", "privacy": ""}


def test_of_two_messages_the_second_does_not_wait_for_the_first_to_be_confirmed() -> None:
    """Or 40 ms would pass between an event and the word that it was the own move."""

    async def work() -> int:
        connected: asyncio.Future[asyncio.StreamWriter] = asyncio.Future()
        server = await asyncio.start_server(
            lambda _, writer: connected.set_result(writer), sock=bind("127.0.0.1", 0)
        )
        async with server:
            _, ours = await asyncio.open_connection(*server.sockets[0].getsockname())
            theirs = await connected
            accepted = theirs.get_extra_info("socket")
            found: int = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            ours.close()
            theirs.close()
            return found

    assert asyncio.run(work())
