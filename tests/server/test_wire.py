"""What clients send, in any pieces: read here when it came whole, by websockets when not."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.server.harness import Client, Connection, Server

TEXT, PART, REST, PING, PONG, CLOSE = 0x81, 0x01, 0x80, 0x89, 0x8A, 0x88
PLAIN = b'{"type":"ping"}'
MASK = b"\x11\x22\x33\x44"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("wire")
    running = Server(f"sqlite:///{folder / 'mandala.db'}", folder / "log")
    yield running
    running.close()
    assert "Traceback" not in (folder / "log").read_text()


def frame(kind: int, body: bytes, mask: bytes = MASK) -> bytes:
    """A frame as a client sends it."""
    size = bytes((0x80 | min(len(body), 126),))
    if len(body) >= 126:
        size += len(body).to_bytes(2, "big")
    masked = bytes(each ^ mask[place % 4] for place, each in enumerate(body))
    return bytes((kind,)) + size + mask + masked


class Raw:
    """A client that sends bytes, and hears what kinds of frames and messages come back."""

    def __init__(self, raw: socket.socket) -> None:
        self.raw, self.data = raw, b""

    def send(self, *pieces: bytes) -> None:
        """Send packets, one after the other."""
        for piece in pieces:
            self.raw.sendall(piece)
            time.sleep(0.02)

    def _take(self, size: int) -> bytes:
        while len(self.data) < size:
            found = self.raw.recv(65_536)
            assert found, "the server has hung up"
            self.data += found
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def hear(self) -> str | int:
        """The type of the next message but presence and welcome, or the code of a closing."""
        while True:
            kind, size = self._take(2)
            if size == 126:
                size = int.from_bytes(self._take(2), "big")
            body = self._take(size)
            if kind == CLOSE:
                return int.from_bytes(body[:2], "big")
            if kind == PONG:
                return "control"
            found = str(json.loads(body)["type"])
            if found not in ("presence", "welcome"):
                return found


@contextmanager
def connected(server: Server) -> Iterator[Raw]:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "open")["state"]["id"]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        raw.sendall(ada.handshake(table))
        client = Raw(raw)
        while not client.data.endswith(b"\r\n\r\n"):
            client.data += raw.recv(1)
        assert client.data.startswith(b"HTTP/1.1 101")
        client.data = b""
        yield client


WHOLE = frame(TEXT, PLAIN)


def test_a_message_may_be_split_anywhere(server: Server) -> None:
    for place in range(1, len(WHOLE)):
        with connected(server) as raw:
            raw.send(WHOLE, WHOLE[:place], WHOLE[place:], WHOLE)
            assert [raw.hear() for _ in range(3)] == ["pong"] * 3, place


def test_what_looks_like_a_message_inside_another_is_none(server: Server) -> None:
    body = PLAIN.ljust(21)
    whole = frame(TEXT, body, bytes((TEXT, 0x80 | 19, 7, 7)))
    head, rest = whole[:2], whole[2:]
    assert len(rest) == 6 + 19, "the second packet has the form of a frame"
    with connected(server) as raw:
        raw.send(head, rest, WHOLE)
        assert [raw.hear(), raw.hear()] == ["pong", "pong"]


def test_several_messages_may_come_in_one_packet(server: Server) -> None:
    with connected(server) as raw:
        raw.send(WHOLE * 3, WHOLE, WHOLE + WHOLE[:4], WHOLE[4:])
        assert [raw.hear() for _ in range(6)] == ["pong"] * 6


def test_a_message_in_parts_is_one_also_with_a_ping_in_between(server: Server) -> None:
    parts = (frame(PART, PLAIN[:5]), frame(PING, b"?"), frame(REST, PLAIN[5:]))
    with connected(server) as raw:
        raw.send(WHOLE, *parts, WHOLE)
        assert [raw.hear() for _ in range(4)] == ["pong", "control", "pong", "pong"]


def test_a_new_message_within_the_parts_of_another_is_refused(server: Server) -> None:
    with connected(server) as raw:
        raw.send(frame(PART, PLAIN[:5]), WHOLE)
        assert raw.hear() == 1002


def test_long_and_foreign_and_broken_texts(server: Server) -> None:
    with connected(server) as raw:
        raw.send(frame(TEXT, PLAIN.ljust(300)), frame(TEXT, '{"type":"ä"}'.encode()), WHOLE)
        assert [raw.hear() for _ in range(3)] == ["pong", "error", "pong"]
        raw.send(frame(TEXT, b'"\xff\xfe"'))
        assert raw.hear() == 1007


def test_what_is_not_masked_is_refused(server: Server) -> None:
    with connected(server) as raw:
        raw.send(WHOLE)
        assert raw.hear() == "pong"  # before the end, which nothing comes after
        raw.send(bytes((TEXT, len(PLAIN))) + PLAIN)
        assert raw.hear() == 1002


def test_a_goodbye_is_answered(server: Server) -> None:
    with connected(server) as raw:
        raw.send(WHOLE)
        assert raw.hear() == "pong"
        raw.send(frame(CLOSE, (1000).to_bytes(2, "big")))
        assert raw.hear() == 1000


def test_who_asks_for_compression_gets_it(server: Server) -> None:
    ada = Client(server, "Ada")
    table = ada.open("mandala", "me", "random")["state"]["id"]
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(address, additional_headers={"Cookie": ada.cookie}) as socket:
        assert [each.name for each in socket.protocol.extensions] == ["permessage-deflate"]
        place = Connection(socket)
        assert place.receive()["type"] == "welcome"
        assert place.command("ping")["type"] == "pong"
        if place.state["actor"] != 1:
            place.receive_until("event")
        assert place.command("move", move=place.state["legal"][0])["type"] == "done"
