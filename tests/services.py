"""Real services for tests, started for the run and stopped after it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = (*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True),)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def find_postgres(name: str) -> str | None:
    """A program of PostgreSQL."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, FOLDERS)))


def skip_without_postgres() -> None:
    """Leave out a test on PostgreSQL where there is none; under CI nothing is left out."""
    if not find_postgres("initdb") and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is not installed: nothing is tested on it")


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The address of an empty PostgreSQL; it does not run as root, so another user lends a hand."""
    initdb, server = find_postgres("initdb"), find_postgres("postgres")
    assert initdb is not None, "PostgreSQL is not installed"
    assert server is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="mandala-pg-"))
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, user.pw_uid, -1)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with_user: dict[str, int] = {"user": user.pw_uid} if os.geteuid() == 0 else {}
    data, port = folder / "data", free_port()
    command = [initdb, "-D", str(data), "-A", "trust", "-U", "mandala", "--no-sync"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command, check=True, cwd=folder, env=environment, **with_user, **quiet)  # type: ignore[call-overload]
    options = ["-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1"]
    process = subprocess.Popen(
        [server, "-D", str(data), *options], cwd=folder, env=environment, **with_user, **quiet
    )  # type: ignore[call-overload]
    try:
        ready = find_postgres("pg_isready") or "pg_isready"
        for _ in range(300):
            asked = [ready, "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "mandala", "-t", "1"]
            if subprocess.run(asked, check=False).returncode == 0:
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        yield f"postgresql+asyncpg://mandala@127.0.0.1:{port}/postgres"
    finally:
        process.send_signal(2)  # a fast shutdown
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)
