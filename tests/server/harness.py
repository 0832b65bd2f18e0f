"""Server processes, and clients that use the HTTP and WebSocket API."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

from mandala.server.limits import Limits
from mandala.server.serve import Settings

SHARE = "5a" * 32
COMMAND_IDS = itertools.count(1)  # unique in a test run
# Like `mandala serve`, with other limits.
LIMITED = """
import sys, msgspec
from mandala.server.serve import Settings, bind, serve
listening = bind("127.0.0.1", int(sys.argv[1]))
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
serve(listening, msgspec.json.decode(sys.argv[2], type=Settings))
"""
# Limits that no test reaches.
NO_LIMITS = Limits(
    requests_per_second=1e6,
    request_burst=10**6,
    messages_per_second=1e6,
    message_burst=10**6,
    table_messages_per_second=1e6,
    table_burst=10**6,
    page_requests_per_second=1e6,
    page_burst=10**6,
    check_requests_per_second=1e6,
    check_burst=10**6,
    new_guests_per_hour=10**6,
    new_guests_per_day=10**6,
    max_open_tables=10**6,
    max_listed_tables=10**6,
    max_sockets_per_address=10**6,
    bot_delay_s=0,
    bot_only_delay_s=0,
)
# Loads everything once and forks a server, which then starts fast, for each line on stdin; prints
# its process id.
FORK_SERVER = """
import os, signal, sys, msgspec
from mandala import engine, find_game, game_ids
from mandala.bots import search
from mandala.server.serve import Settings, bind, serve
for game in game_ids():
    find_game(game).make_ready()
    engine.warm_heuristic(find_game(game).package)
    if sys.argv[1:]:
        search.warm_up(game)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    port, settings = msgspec.json.decode(line, type=tuple[int, Settings])
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os._exit(not serve(bind("127.0.0.1", port), settings))
"""


class ForkServer:
    """A process that forks servers with everything already loaded."""

    def __init__(self, log: Path, *, with_search: bool = False) -> None:
        self.log = log
        with log.open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", FORK_SERVER, *(["search"] if with_search else [])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )

    def start(self, port: int, settings: Settings) -> int:
        """Start a server and return its process id when it accepts requests."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode((port, settings)).decode() + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, self.log.read_text()
        wait_for(f"http://127.0.0.1:{port}", self.log)
        return int(answer)

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait(10)


def end(process: int, with_signal: int = signal.SIGKILL) -> None:
    """Send a signal to a process and wait until it has ended."""
    os.kill(process, with_signal)
    for _ in range(1000):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError(f"process {process} does not end")


def wait_for(url: str, log: Path) -> None:
    """Wait until a server accepts requests."""
    with httpx.Client(base_url=url) as http:
        for _ in range(2000):
            with contextlib.suppress(httpx.TransportError):
                if http.get("/readyz").status_code == 200:
                    return
            time.sleep(0.01)
    raise AssertionError(log.read_text())


class Server:
    """A server process that can be killed and restarted on the same port and database."""

    def __init__(
        self, database: str, log: Path, limits: Limits | None = None, options: Sequence[str] = ()
    ) -> None:
        self.database, self.log, self.port = database, log, 0
        self.limits, self.options = limits, options
        self.process: subprocess.Popen[str] | None = None
        self.clients: list[Client] = []
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from mandala.cli import main; main()", "serve"]
        command += ["--port", str(self.port), "--database", self.database, *self.options]
        if self.limits is not None:
            settings = msgspec.json.encode(Settings(self.database, self.limits)).decode()
            command = [sys.executable, "-c", LIMITED, str(self.port), settings]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ}
            )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.log.read_text()
        self.port = int(self.url.rpartition(":")[2])
        wait_for(self.url, self.log)

    def stop(self, with_signal: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(with_signal)
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def close(self) -> int:
        """Close all clients and stop the server."""
        for client in self.clients:
            client.http.close()
        return self.stop()


class Client:
    """A player with a cookie, who can connect to tables."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url)
        server.clients.append(self)
        answer = self.http.post("/api/me", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]

    def open(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Open a table; a seat is `me`, `open` or the name of a bot."""
        new_seats = [
            {"kind": each} if each in ("me", "open") else {"kind": "bot", "name": each}
            for each in seats
        ]
        body = {"game": game, "seats": new_seats, "share": SHARE, **more}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        opening: dict[str, Any] = answer.json()
        return opening

    def sit(self, table: str, seat: int, key: str = "") -> httpx.Response:
        return self.http.post(
            f"/api/tables/{table}/seats/{seat}", json={"share": SHARE, "key": key}
        )

    @property
    def cookie(self) -> str:
        """The value of the `Cookie` header."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextlib.contextmanager
    def at(self, table: str, **query: object) -> Iterator[Connection]:
        """Connect to a table."""
        with socket_at(self.server, table, {"Cookie": self.cookie}, **query) as connection:
            yield connection

    def handshake(self, table: str) -> bytes:
        """Return a raw WebSocket handshake for a table."""
        lines = [f"GET /api/tables/{table}/socket HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}"]
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += [f"Cookie: {self.cookie}", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""]
        return "\r\n".join(lines).encode()


@contextlib.contextmanager
def socket_at(
    server: Server, table: str, headers: dict[str, str] | None = None, **query: object
) -> Iterator[Connection]:
    address = server.url.replace("http", "ws", 1)
    asked = httpx.QueryParams({name: str(value) for name, value in query.items()})
    url = f"{address}/api/tables/{table}/socket?{asked}"
    with connect(url, additional_headers=headers, compression=None) as socket:
        yield Connection(socket)


class Connection:
    """A client's connection to a table, which records every received frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.state: dict[str, Any] = {}
        self.presence: dict[str, Any] = {}

    def send_at_once(self, *messages: str) -> None:
        """Send messages in one packet, so that no reply can come between them."""
        to = (socket.IPPROTO_TCP, socket.TCP_CORK)
        self.socket.socket.setsockopt(*to, 1)
        for message in messages:
            self.socket.send(message)
        self.socket.socket.setsockopt(*to, 0)

    def receive(self) -> dict[str, Any]:
        """Return the next message; presence messages are only recorded."""
        while (message := self._next())["type"] == "presence":
            self.presence = message
        if message.get("state"):
            self.state = message["state"]
        return message

    def wait_for_presence(self, seats: list[int], watching: int) -> None:
        """Wait for a presence message with these seats and number of spectators."""
        while (self.presence.get("seats"), self.presence.get("watching")) != (seats, watching):
            message = self._next()
            assert message["type"] == "presence", message
            self.presence = message

    def _next(self) -> dict[str, Any]:
        frame = self.socket.recv(timeout=20)
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: dict[str, Any] = json.loads(frame)
        return message

    def receive_until(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        while True:
            message = self.receive()
            if message["type"] in kinds:
                return message

    def command(self, kind: str, **more: Any) -> dict[str, Any]:
        """Send a command and return the reply."""
        message = {
            "type": kind,
            "id": f"w{next(COMMAND_IDS)}",
            "number": self.state["number"],
            **more,
        }
        self.socket.send(json.dumps(message))
        return self.receive_until("done", "error", "because", "hinted", "pong")
