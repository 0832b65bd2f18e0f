"""A real server as a process, and clients that speak to it as a page or a program would."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

from mandala.server.limits import Limits

SHARE = "5a" * 32
# The command with other limits than those for people.
GENEROUS = """
import sys, msgspec
from mandala.server.limits import Limits
from mandala.server.serve import bind, serve
listening = bind("127.0.0.1", int(sys.argv[1]))
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
serve(listening, sys.argv[2], msgspec.json.decode(sys.argv[3], type=Limits))
"""


class Server:
    """A server process on a database; it can be killed and started again on the same port."""

    def __init__(self, database: str, log: Path, limits: Limits | None = None) -> None:
        self.database, self.log, self.port = database, log, 0
        self.limits = limits
        self.process: subprocess.Popen[str] | None = None
        self.clients: list[Client] = []
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from mandala.cli import main; main()", "serve"]
        command += ["--port", str(self.port), "--database", self.database]
        if self.limits is not None:
            command = [sys.executable, "-c", GENEROUS, str(self.port), self.database]
            command.append(msgspec.json.encode(self.limits).decode())
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ}
            )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.log.read_text()
        self.port = int(self.url.rpartition(":")[2])
        for _ in range(400):
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz").status_code == 200:
                    return
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def stop(self, with_signal: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(with_signal)
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def close(self) -> int:
        """Stop for good, and let the clients go."""
        for client in self.clients:
            client.http.close()
        return self.stop()


class Client:
    """Somebody who plays: a cookie, and sockets at tables."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url)
        server.clients.append(self)
        answer = self.http.post("/api/me", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]

    def open(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Open a table: a seat is `me`, `open` or the name of a bot."""
        wishes = [
            {"kind": each} if each in ("me", "open") else {"kind": "bot", "name": each}
            for each in seats
        ]
        body = {"game": game, "seats": wishes, "share": SHARE, **more}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        opening: dict[str, Any] = answer.json()
        return opening

    def sit(self, table: str, seat: int, key: str = "") -> httpx.Response:
        return self.http.post(
            f"/api/tables/{table}/seats/{seat}", json={"share": SHARE, "key": key}
        )

    @contextlib.contextmanager
    def at(self, table: str, **query: object) -> Iterator[Place]:
        """A socket at a table."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        with socket_at(self.server, table, {"Cookie": cookie}, **query) as place:
            yield place


@contextlib.contextmanager
def socket_at(
    server: Server, table: str, headers: dict[str, str] | None = None, **query: object
) -> Iterator[Place]:
    address = server.url.replace("http", "ws", 1)
    asked = httpx.QueryParams({name: str(value) for name, value in query.items()})
    url = f"{address}/api/tables/{table}/socket?{asked}"
    with connect(url, additional_headers=headers, compression=None) as socket:
        yield Place(socket)


class Place:
    """A client's socket: sends wishes, remembers every frame it got."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.state: dict[str, Any] = {}
        self.presence: dict[str, Any] = {}
        self.wishes = 0

    def hear(self) -> dict[str, Any]:
        """The next message; that somebody has come or gone is only noted."""
        while (message := self._next())["type"] == "presence":
            self.presence = message
        if message.get("state"):
            self.state = message["state"]
        return message

    def see(self, seats: list[int], watching: int) -> None:
        """Wait until these are here."""
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

    def hear_until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            message = self.hear()
            if message["type"] in kinds:
                return message

    def wish(self, kind: str, **more: Any) -> dict[str, Any]:
        """Wish for something and hear the answer."""
        self.wishes += 1
        message = {"type": kind, "id": f"w{self.wishes}", "number": self.state["number"], **more}
        self.socket.send(json.dumps(message))
        return self.hear_until("done", "error", "because", "hinted", "pong")
