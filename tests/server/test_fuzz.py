"""Fuzzing: the server answers invalid input, does not leak memory, and keeps working."""

from __future__ import annotations

import json
import os
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from mandala.bots.search import warm_up
from mandala.server.limits import Limits
from tests.server.harness import Client, Connection, Server

MESSAGES = int(os.environ.get("MANDALA_FUZZ", "100000"))
FIRST = MESSAGES // 10
MORE_MEGABYTES = 20
KINDS = ("move", "resign", "takeback", "answer", "rematch", "why", "hint", "ping", "castle", "")


def memory_of(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no such process")


def warmed_up(process: int, connection: Connection) -> None:
    """Wait until rules and search are compiled and loaded, which takes memory once."""
    warm_up("mandala")  # so that the server only loads it
    connection.command("hint")
    last = 0.0
    while (now := memory_of(process)) > last + 0.5:
        last = now
        time.sleep(4)


def nonsense(chance: random.Random) -> str | bytes:
    """Return a random invalid message."""
    kind = chance.randrange(8)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return "[" * chance.randrange(1, 3_000)
    if kind == 2:
        return "".join(chr(chance.randrange(1, 0xD7FF)) for _ in range(chance.randrange(100)))
    values: list[object] = [None, -1, 2**70, 1.5, "", "A1r", "\0", [], {}, True, "x" * 3_000]
    names = ["id", "number", "move", "agrees", "type", "seat"]
    body = {name: chance.choice(values) for name in chance.sample(names, chance.randrange(6))}
    if kind > 4:
        body["type"] = chance.choice(KINDS)
    if kind == 7:
        body |= {"id": f"f{chance.randrange(10**6)}", "number": chance.randrange(50)}
    text = json.dumps(body)
    return text[: chance.randrange(len(text) + 1)] if kind == 3 else text


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    limits = Limits(
        messages_per_second=1e6,
        message_burst=10**6,
        table_messages_per_second=1e6,
        table_burst=10**6,
        requests_per_second=1e6,
        request_burst=10**6,
        new_guests_per_hour=10**6,
        new_guests_per_day=10**6,
        bot_time_s=0.02,
        bot_delay_s=0,
    )
    running = Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log", limits)
    yield running
    running.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


def half_open(server: Server, table: str) -> None:
    """Open a connection that stops in its handshake, and one that stops within a frame."""
    for ending in (b"", b"\r\n\r\n\x81\xfe", b"\r\n\r\n\x81\x84abcd\xff\xff\xff\xff"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            lines = [f"GET /api/tables/{table}/socket HTTP/1.1", "Host: x", "Upgrade: websocket"]
            lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13"]
            lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
            raw.sendall("\r\n".join(lines).encode() + ending)


@pytest.mark.slow
def test_a_flood_of_bad_messages_does_not_leak_memory_or_stop_a_game(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "greedy")["state"]["id"]
    chance, sent, after_first = random.Random(1), 0, 0.0
    assert server.process is not None
    with ada.at(table) as connection:
        connection.receive()
        warmed_up(server.process.pid, connection)
    while sent < MESSAGES:
        with ada.at(table) as connection:
            connection.receive()
            sent += flood(connection, chance, 1_000)
        half_open(server, table)
        if sent >= FIRST and not after_first:
            after_first = memory_of(server.process.pid)
    grown = memory_of(server.process.pid) - after_first
    print(f"{sent} bad messages, {grown:+.1f} MB since the first {FIRST}")
    assert grown < MORE_MEGABYTES
    with ada.at(table) as connection:
        connection.receive()
        if connection.state["state"] == "running":
            assert connection.command("ping")["type"] == "pong"


def flood(connection: Connection, chance: random.Random, most: int) -> int:
    """Send invalid messages and read every reply; some of them close the connection."""
    for count in range(1, most + 1):
        message = nonsense(chance)
        try:
            connection.socket.send(message)
            answer = connection.receive_until("error", "done", "because", "hinted", "pong")
        except ConnectionClosed:
            return count
        assert answer["type"] in ("error", "done", "because", "hinted", "pong"), (message, answer)
        connection.frames.clear()
    return most


def test_a_client_that_does_not_read_is_disconnected(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "greedy")["state"]["id"]
    command = b'{"type":"move","id":"x","number":99999,"move":"%s"}' % (b"x" * 60)
    frame = bytes((0x81, 0x80 | len(command))) + bytes(4) + command
    assert server.process is not None
    with ada.at(table) as connection:
        connection.receive()
        warmed_up(server.process.pid, connection)
    before = memory_of(server.process.pid)
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(ada.handshake(table))
        raw.settimeout(60)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.sendall(frame * 200_000)
    assert memory_of(server.process.pid) < before + MORE_MEGABYTES
    with ada.at(table) as connection:
        connection.receive()
        assert connection.command("ping")["type"] == "pong"


@pytest.mark.slow
def test_schemathesis_finds_no_contradiction_to_the_api_document(server: Server) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from hypothesis import HealthCheck, given, settings

    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "open")["state"]["id"]
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    headers = {"Cookie": "; ".join(f"{n}={v}" for n, v in ada.http.cookies.items())}
    seen = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        if (operation.method, operation.path) == ("delete", "/api/me"):
            continue  # it would delete the player
        seen.add(operation.label)

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def check(case: object) -> None:
            answer = case.call(headers=headers)  # type: ignore[attr-defined]
            assert answer.status_code < 500, (case, answer.text)

        check()
    assert len(seen) > 12
    assert ada.http.get(f"/api/tables/{table}").status_code == 200
