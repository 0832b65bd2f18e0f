"""Rate limits, credentials, settings, and that metrics and logs contain no hidden information."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import time
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mandala
from mandala.games import find_game
from mandala.live.events import Opened, Started
from mandala.live.store import Store
from mandala.server.limits import Limits, read_limits
from mandala.server.logs import JsonLines
from mandala.server.metrics import Metrics
from mandala.server.rooms import Rooms
from mandala.server.serve import Settings, bind
from tests.cli.tools import run as run_command
from tests.server.harness import Client, Server
from tests.tables import ADA, BEN, Log, just, log_of, played, seated


def test_messages_to_a_table_are_rate_limited_over_all_connections(tmp_path: Path) -> None:
    limits = Limits(
        messages_per_second=1e6, message_burst=10**6, table_messages_per_second=20, table_burst=20
    )
    with closing(
        Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", limits)
    ) as server:
        ada, ben = Client(server, "Ada"), Client(server, "Ben")
        table = ada.open("patterns", "me", "open")["state"]["id"]
        with ada.at(table) as one, ben.at(table) as two:
            one.receive(), two.receive()
            began = time.monotonic()
            for connection in (one, two):
                for _ in range(30):
                    connection.socket.send('{"type": "ping"}')
            for connection in (one, two):
                for _ in range(30):
                    connection.receive_until("pong")
            # Sixty messages: twenty as a burst, the others at twenty per second.
            assert time.monotonic() - began > 1.9


def test_keys_and_tokens_are_valid_for_one_use_only(tmp_path: Path) -> None:
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
        # A player at one table is a spectator at the other.
        with eve.at(other) as connection:
            connection.receive()
            assert connection.state["your_seat"] is None
            assert connection.command("resign")["code"] == "only-watching"
        with eve.at(other, seat=1) as connection:
            assert connection.receive()["code"] == "not-your-seat"
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
    outputs = [
        asyncio.run(log_and_metrics(log, tmp_path / f"{index}.db"))
        for index, log in enumerate((truth, another))
    ]
    assert outputs[0] == outputs[1]
    assert '"event": "committed"' in outputs[0]
    assert 'mandala_events_total{kind="moved"}' in outputs[0]


async def log_and_metrics(log: Log, file: Path) -> str:
    """Return all log lines and metrics of a game, without times."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonLines().format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("mandala")
    logger.addHandler(handler)
    level = logger.level
    logger.setLevel(logging.INFO)
    store = await Store.open(f"sqlite:///{file}")
    metrics = Metrics()
    rooms = Rooms(store, Limits(), metrics)
    (opening, _), *rest = log
    assert isinstance(opening, Opened)
    room = await rooms.open(opening, lambda table, now: [], "ada")
    for event, _ in rest:
        await rooms.execute(room, "ada", just(event))
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
def test_invalid_settings_are_refused_at_start(settings: Settings, code: str) -> None:
    with pytest.raises(mandala.MandalaError) as refused:
        settings.require_valid()
    assert refused.value.code == code
    assert refused.value.say("de") != refused.value.say("en")


def test_imprint_and_privacy_are_served(tmp_path: Path) -> None:
    imprint = tmp_path / "imprint.txt"
    imprint.write_text("Ada, Weg 1, Köln", encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with closing(Server(database, tmp_path / "log", None, ["--imprint", str(imprint)])) as server:
        about = Client(server, "Ben").http.get("/api/about").json()
        assert about == {"imprint": "Ada, Weg 1, Köln", "privacy": ""}


def test_the_second_of_two_messages_is_not_delayed() -> None:
    """Otherwise 40 ms would pass between an event and the acknowledgement of its command."""

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


def test_limits_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text("max_tokens = 3\nbot_time_s = 0.25\n")
    assert read_limits(file) == Limits(max_tokens=3, bot_time_s=0.25)
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with closing(Server(database, tmp_path / "log", None, ["--limits", str(file)])) as server:
        ada = Client(server, "Ada")
        statuses = [ada.http.post("/api/me/tokens").status_code for _ in range(4)]
        assert statuses == [201, 201, 201, 429]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("max_token = 3", "max_token"),
        ("max_tokens = 0", "max_tokens"),
        ("max_tokens = 'many'", "max_tokens"),
        ("requests_per_second = -1", "requests_per_second"),
        ("max_tokens", "after a key"),
    ],
)
def test_wrong_limits_are_refused(tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text)
    done = run_command("serve", "--port", "0", "--limits", str(file))
    assert done.exit_code == 1
    assert str(file) in done.output
    assert word in done.output
    assert len(done.output.splitlines()) == 1


def test_the_documentation_lists_every_limit() -> None:
    text = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    listed = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", text, re.MULTILINE))
    defaults = msgspec.structs.asdict(Limits())
    assert {name: float(value) for name, value in listed.items()} == defaults
