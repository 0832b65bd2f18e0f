"""Floods of connections that never finish a request, on the bare server and through nginx."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from mandala.server.logs import DAMPING_INTERVAL_S, MAX_REPEATED_LINES, Damping
from tests.server.harness import NO_LIMITS, Client, Server, socket_at, wait_for
from tests.services import nginx, skip_without

HALF_SENT = b"GET /api/games HTTP/1.1\r\nHost: x\r\nX-Slow: "


@contextlib.contextmanager
def started(limit: str, folder: Path) -> Iterator[str]:
    """Start a server under a limit of open files, which a shell sets; yield its URL."""
    serve = "from mandala.cli import main; main()"
    program = [sys.executable, "-c", serve, "serve", "--port", "0"]
    program += ["--database", f"sqlite:///{folder / 'mandala.db'}"]
    command = ["sh", "-c", f'{limit}; exec "$@"', "sh", *program]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        wait_for(url, folder / "log")
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        process.stdout.close()


def flood(stack: ExitStack, url: str, count: int) -> list[socket.socket]:
    """Open connections that send half a request."""
    host, port = url.removeprefix("http://").split(":")
    opened = []
    for _ in range(count):
        connection = stack.enter_context(socket.create_connection((host, int(port)), timeout=30))
        with contextlib.suppress(ConnectionError):
            connection.sendall(HALF_SENT)
        opened.append(connection)
    return opened


def test_half_sent_requests_do_not_use_up_the_descriptors(tmp_path: Path) -> None:
    with started("ulimit -Sn 128", tmp_path) as url, ExitStack() as stack:
        flood(stack, url, 300)
        assert httpx.get(f"{url}/api/games", timeout=30).status_code == 200


def test_the_log_stays_small_without_descriptors(tmp_path: Path) -> None:
    with started("ulimit -n 128", tmp_path) as url:
        with ExitStack() as stack:
            flood(stack, url, 300)
            time.sleep(2.5)  # the event loop retries every second
        wait_for(url, tmp_path / "log")
    size = os.path.getsize(tmp_path / "log")
    assert "few open files allowed" in (tmp_path / "log").read_text()
    assert size < 200_000, size


def test_repeated_log_lines_are_left_out_and_counted() -> None:
    now = 0.0
    damping = Damping(lambda: now)

    def record(message: str, level: int = logging.ERROR) -> logging.LogRecord:
        return logging.makeLogRecord({"name": "x", "msg": message, "levelno": level})

    assert (
        sum(damping.filter(record("failed\nsocket 7")) for _ in range(1000)) == MAX_REPEATED_LINES
    )
    assert damping.filter(record("another"))
    assert all(damping.filter(record("committed", logging.INFO)) for _ in range(1000))
    now = DAMPING_INTERVAL_S + 1
    line = record("failed\nsocket 8")
    assert damping.filter(line)
    assert line.__dict__["left_out"] == 1000 - MAX_REPEATED_LINES


def test_nginx_ends_half_sent_requests_and_limits_connections(tmp_path: Path) -> None:
    skip_without("nginx")
    changes = {
        "client_header_timeout 10s;": "client_header_timeout 1s;",
        "limit_conn address 200;": "limit_conn address 20;",
    }
    database = f"sqlite:///{tmp_path / 'mandala.db'}"
    with (
        closing(Server(database, tmp_path / "log", NO_LIMITS)) as server,
        nginx([server.port], changes) as front,
    ):
        with ExitStack() as stack:
            for connection in flood(stack, front, 300):
                connection.settimeout(30)
                with contextlib.suppress(ConnectionResetError):
                    while connection.recv(4096):
                        pass
        assert httpx.get(f"{front}/api/games", timeout=30).status_code == 200
        assert httpx.get(f"{front}/readyz", timeout=30).status_code == 404
        ada = Client(server, "Ada")
        table = ada.open("patterns", "me", "open")["state"]["id"]
        server.url = front
        with ExitStack() as stack:
            for _ in range(20):
                connected = stack.enter_context(socket_at(server, table))
                assert connected.receive()["type"] == "welcome"
            with pytest.raises(InvalidStatus, match="429"), socket_at(server, table):
                pass
            assert httpx.get(f"{front}/api/games", timeout=30).status_code == 429
