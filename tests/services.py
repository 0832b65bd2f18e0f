"""PostgreSQL, Redis and nginx for tests."""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

DEPLOY = Path(__file__).parent.parent / "deploy"
FOLDERS = (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def find_postgres(name: str) -> str | None:
    """Return the path of a PostgreSQL program, None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, FOLDERS)))


def skip_without_postgres() -> None:
    """Skip a test if PostgreSQL is not installed, except in CI."""
    if not find_postgres("initdb") and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is not installed")


def skip_without(*programs: str) -> None:
    """Skip a test if a program is not installed, except in CI."""
    missing = [program for program in programs if not find_program(program)]
    if missing and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(missing)}")


def find_program(name: str) -> str | None:
    """Return the path of a program, also in the folders for administrators."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


class Postgres:
    """A PostgreSQL server that can be stopped and restarted; run as `nobody` if we are root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        os.chown(folder, user.pw_uid, -1)
        self.process_options: dict[str, Any] = {
            "cwd": folder,
            "env": {**os.environ, "LC_ALL": "C.UTF-8"},
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
        }
        if os.geteuid() == 0:
            self.process_options["user"] = user.pw_uid
        initdb = find_postgres("initdb")
        assert initdb is not None, "PostgreSQL is not installed"
        options = ["-A", "trust", "-U", "mandala", "--no-sync"]
        command = [initdb, "-D", str(folder / "data"), *options]
        subprocess.run(command, check=True, **self.process_options)
        self.port = free_port()  # after initdb, which takes a while
        self.url = f"postgresql+asyncpg://mandala@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it, and return when it answers."""
        server = find_postgres("postgres")
        assert server is not None, "PostgreSQL is not installed"
        options = ["-p", str(self.port), "-k", str(self.folder)]
        options += ["-c", "listen_addresses=127.0.0.1"]
        command = [server, "-D", str(self.folder / "data"), *options]
        self.process = subprocess.Popen(command, **self.process_options)
        ready = find_postgres("pg_isready") or "pg_isready"
        probe = [ready, "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "mandala", "-t", "1"]
        for _ in range(300):
            if subprocess.run(probe, check=False).returncode == 0:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.1)
        raise AssertionError(f"PostgreSQL does not answer on port {self.port}")

    def stop(self) -> None:
        """Stop it at once, disconnecting all clients."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend all its processes, so that connections hang."""
        parent = self.process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        pids = [parent, *map(int, children)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)


class Redis:
    """A Redis server that can be stopped and restarted."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it answers."""
        program = find_program("redis-server")
        assert program is not None, "redis-server is not installed"
        command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_port(self.port)

    def stop(self) -> None:
        """Stop it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
            self.process = None


Service = TypeVar("Service", Postgres, Redis)


@contextlib.contextmanager
def running(kind: type[Service]) -> Iterator[Service]:
    """Run a new, empty service."""
    folder = Path(tempfile.mkdtemp(prefix="mandala-service-"))
    service = kind(folder)
    try:
        service.start()
        yield service
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server; yield its URL."""
    with running(Postgres) as service:
        yield service.url


@contextlib.contextmanager
def nginx(ports: list[int], changes: Mapping[str, str] | None = None) -> Iterator[str]:
    """Run nginx in front of servers with the configuration in `deploy`; yield its URL.

    `changes` replaces directives of the configuration.
    """
    program = find_program("nginx")
    assert program is not None, "nginx is not installed"
    folder, port = Path(tempfile.mkdtemp(prefix="mandala-nginx-")), free_port()
    text = (DEPLOY / "nginx.conf").read_text()
    servers = "".join(
        f"        server 127.0.0.1:{each} max_fails=1 fail_timeout=2s;\n" for each in ports
    )
    text = re.sub(r"( +server \S+:\d+[^;]*;\n)+", servers, text, count=1)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for old, new in (changes or {}).items():
        assert old in text, f"no such directive: {old}"
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    text = text.replace("http {\n", "http {\n" + own)
    head = f"pid {folder}/pid;\nerror_log {folder}/error.log;\n"
    (folder / "nginx.conf").write_text(head + text)
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_port(port: int) -> None:
    """Wait until a process listens on a local port."""
    for _ in range(1000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.01)
    raise AssertionError(f"no process listens on port {port}")
