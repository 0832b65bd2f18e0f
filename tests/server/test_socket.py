"""WebSockets on the bare server: clients that never read, malformed frames, compression."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from mandala.server.limits import Limits
from tests.server.harness import Client, Connection, Server

TEXT, BINARY, PING, CLOSE = 0x81, 0x82, 0x89, 0x88  # first bytes of frames
# Short keep-alive times, and no limits on the rates of messages.
IMPATIENT = Limits(
    ping_interval_s=0.5,
    ping_timeout_s=1.0,
    max_buffered_bytes=50_000,
    messages_per_second=1e6,
    message_burst=10**6,
    table_messages_per_second=1e6,
    table_burst=10**6,
)
DEADLINE_S = 60.0  # for a slow machine; a client is dropped within about three seconds
MAX_GROWTH_MB = 300.0  # without a bound it grows for as long as the client sends


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("socket")
    with closing(Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log")) as running:
        yield running
    log = (folder / "log").read_text()
    assert "Traceback" not in log
    assert '"level": "error"' not in log


def frame(kind: int, body: bytes) -> bytes:
    """Return a frame as a client sends it, with a mask of zeros."""
    size = bytes((0x80 | min(len(body), 126),))
    if len(body) >= 126:
        size += len(body).to_bytes(2, "big")
    return bytes((kind,)) + size + bytes(4) + body


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    """Connect a spectator whose system buffers little, up to the end of the handshake."""
    client = Client(server, "Ada")
    table = client.open("mandala", "me", "open")["state"]["id"]
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(20)
        raw.connect(("127.0.0.1", server.port))
        raw.sendall(client.handshake(table))
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += raw.recv(1)
        assert head.startswith(b"HTTP/1.1 101")
        yield raw


def receive_until_closed(raw: socket.socket) -> int:
    """Return the code of the close frame, which comes after other messages."""
    data = b""
    while found := raw.recv(65_536):
        data += found
    while data[0] != CLOSE:
        size, start = data[1], 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        data = data[start + size :]
    return int.from_bytes(data[2:4], "big")


def memory_mb(server: Server, field: str) -> float:
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (found,) = (line for line in status.splitlines() if line.startswith(f"{field}:"))
    return int(found.split()[1]) / 1024


def open_sockets(server: Server) -> float:
    lines = httpx.get(f"{server.url}/metrics", timeout=20).text.splitlines()
    (found,) = (line for line in lines if line.startswith("mandala_sockets "))
    return float(found.split()[1])


def send_until_dropped(server: Server, flood: bytes) -> None:
    """Send and never read until the server has dropped the connection."""
    with connected(server) as raw:
        raw.settimeout(0.2)
        ends_at = time.monotonic() + DEADLINE_S
        while open_sockets(server):
            assert time.monotonic() < ends_at, "the server keeps a client that never reads"
            for _ in range(50):
                try:
                    raw.send(flood)
                except OSError:  # the server does not read, or has dropped us
                    break


@pytest.mark.parametrize(
    "body",
    [frame(PING, bytes(125)), frame(TEXT, b'{"type": "%s"}' % (b"x" * 100))],
    ids=["pings", "messages"],
)
def test_a_client_that_never_reads_is_dropped_before_much_waits_for_it(
    body: bytes, tmp_path: Path
) -> None:
    database, log = f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log"
    with closing(Server(database, log, IMPATIENT)) as server:
        before = memory_mb(server, "VmRSS")
        send_until_dropped(server, body * 100)
        assert memory_mb(server, "VmHWM") - before < MAX_GROWTH_MB
    assert "Traceback" not in log.read_text()


def test_text_that_is_not_utf8_closes_the_connection_without_a_traceback(server: Server) -> None:
    with connected(server) as raw:
        raw.sendall(frame(TEXT, b'"\xff\xfe"'))
        assert receive_until_closed(raw) == 1007


def test_frames_that_break_the_protocol_close_the_connection(server: Server) -> None:
    with connected(server) as raw:
        raw.sendall(bytes((TEXT, 2)) + b"{}")  # without a mask
        assert receive_until_closed(raw) == 1002


def test_messages_may_be_binary_and_a_refused_one_does_not_end_the_connection(
    server: Server,
) -> None:
    ada = Client(server, "Ada")
    with ada.at(ada.open("mandala", "me", "open")["state"]["id"]) as connection:
        connection.receive()
        connection.socket.send(b'{"type": "ping"}')
        assert connection.receive()["type"] == "pong"
        connection.socket.send(b"\xff")
        assert connection.receive()["code"] == "bad-message"
        assert connection.command("ping")["type"] == "pong"


def test_clients_that_ask_for_compression_get_it(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "random")["state"]["id"]
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(address, additional_headers={"Cookie": ada.cookie}) as websocket:
        assert [each.name for each in websocket.protocol.extensions] == ["permessage-deflate"]
        connection = Connection(websocket)
        assert connection.receive()["type"] == "welcome"
        assert json.loads(connection.frames[0])["state"]["id"] == table
