"""The process that appends to the log: all or nothing, once, and gone when the server is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path

import pytest

from mandala.live.store import writer
from mandala.live.store.writer import Writer

ADD = "INSERT INTO log SELECT value ->> 'number' FROM json_each(?) WHERE true"
NAME = "INSERT INTO names SELECT value FROM json_each(?) WHERE true"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "log.db"
    with closing(sqlite3.connect(made)) as connection, connection:
        connection.execute("CREATE TABLE log (number INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE names (name TEXT)")
    return made


def rows(*numbers: int) -> bytes:
    return json.dumps([{"number": number} for number in numbers]).encode()


def numbers_in(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection, connection:
        return [number for (number,) in connection.execute("SELECT number FROM log ORDER BY 1")]


def run(work: Coroutine[None, None, None]) -> None:
    asyncio.run(work)


def test_what_is_told_is_written_all_or_nothing(file: Path) -> None:
    async def work() -> None:
        log = Writer(file, [ADD, NAME])
        await log.commit([(0, rows(1, 2)), (1, b'["Ada"]')])
        with pytest.raises(sqlite3.IntegrityError, match=r"log\.number"):
            await log.commit([(1, b'["Bob"]'), (0, rows(3, 2))])
        with pytest.raises(OSError, match="malformed JSON"):
            await log.commit([(0, rows(4)), (1, b"[")])
        await log.commit([(0, rows(5))])
        await log.close()

    run(work())
    assert numbers_in(file) == [1, 2, 5]
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute("SELECT name FROM names").fetchall() == [("Ada",)]


def test_killed_it_is_started_anew_and_nothing_is_lost_or_doubled(file: Path) -> None:
    async def work() -> None:
        log = Writer(file, [ADD])
        await log.commit([(0, rows(1))])
        for number in (2, 3):
            os.kill((await log.start()).pid, signal.SIGKILL)
            await log.commit([(0, rows(number))])
        with pytest.raises(sqlite3.IntegrityError):
            await log.commit([(0, rows(3))])
        await log.close()

    run(work())
    assert numbers_in(file) == [1, 2, 3]


def test_signals_that_end_a_server_do_not_end_it(file: Path) -> None:
    async def work() -> None:
        log = Writer(file, [ADD])
        await log.settings()
        process = await log.start()
        for each in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(each)
        await log.commit([(0, rows(1))])
        assert (await log.start()) is process
        await log.close()
        assert process.returncode == 0

    run(work())


def test_what_was_not_told_to_its_end_has_not_happened(file: Path) -> None:
    told = json.dumps([ADD]).encode() + b"\n0 " + rows(1) + b"\n\n0 " + rows(2) + b"\n"
    command = [sys.executable, writer.__file__, str(file)]
    for size in (0, 10, len(told) - 1, len(told)):
        done = subprocess.run(command, input=told[:size], capture_output=True, check=True)
        assert done.stderr == b"", size
    assert numbers_in(file) == [1]


def test_what_nobody_waits_for_any_more_is_written_in_silence(file: Path) -> None:
    command = [sys.executable, writer.__file__, str(file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, errors = process.communicate(json.dumps([ADD]).encode() + b"\n0 " + rows(1) + b"\n\n")
    assert (process.returncode, errors) == (0, b"")
    assert numbers_in(file) == [1]


def test_it_ends_with_the_server(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys, time\n"
        "from mandala.live.store import Store\n"
        "async def work():\n"
        "    store = await Store.open(sys.argv[1])\n"
        "    print((await store._log.start()).pid, flush=True)\n"
        "    time.sleep(60)\n"
        "asyncio.run(work())\n"
    )
    command = [sys.executable, "-c", script, f"sqlite:///{tmp_path / 'own.db'}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        server.kill()
    ends_at = time.monotonic() + 10
    while _runs(pid):
        assert time.monotonic() < ends_at, "it goes on without a server"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
