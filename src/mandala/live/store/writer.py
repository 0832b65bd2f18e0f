"""The process that appends to the log on SQLite, and how the store talks to it.

It has an interpreter of its own: on a thread of the server, commits and people's moves wait for
each other's turn (ADR 10). It is run as a program, and needs nothing but Python.

It is told in lines: first all statements, as JSON; then for each commit the number of a statement
and its rows, as JSON, line by line, and an empty line. It answers each commit by a line, empty once
it is on the disk, else what went wrong. Asked `?`, it tells the settings on which that depends. It
ends when nobody tells it more, and what was not told to its end has not happened.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterable, Sequence
from pathlib import Path

SETTINGS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": "5000",
    "secure_delete": "ON",  # a deleted name must not stay in free space of the file
}
DURABLE = ("journal_mode", "synchronous")  # those on which it depends that a commit survives
NOT_UNIQUE = b"IntegrityError"
ASKED = b"?\n"
TRIES = 3


class Writer:
    """The process as the store sees it; if it is killed, it is started anew."""

    def __init__(self, file: Path, statements: Sequence[str]) -> None:
        self._file, self._statements = file, statements
        self._process: Process | None = None
        self._one_at_a_time = asyncio.Lock()

    async def start(self) -> Process:
        """Have it running."""
        if self._process is None:
            command = (sys.executable, "-I", "-S", __file__, str(self._file))
            self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(self._statements).encode() + b"\n")
        return self._process

    async def commit(self, work: Iterable[tuple[int, bytes]]) -> None:
        """Write rows, each with the number of its statement, and return when they are on the disk.

        Raises sqlite3.IntegrityError when they contradict what is there, OSError when it fails.
        If the process is killed, they are written again: those that were on the disk already then
        contradict themselves.
        """
        lines = [b"%d %b\n" % each for each in work]
        answer = await self._ask(b"".join(lines) + b"\n")
        if answer.startswith(NOT_UNIQUE):
            raise sqlite3.IntegrityError(answer.decode())
        if answer:
            raise OSError(f"the log could not be written: {answer.decode()}")

    async def settings(self) -> dict[str, str]:
        """The settings on which it depends that a commit survives, as the process has them."""
        found: dict[str, str] = json.loads(await self._ask(ASKED))
        return found

    async def close(self) -> None:
        """Let it end."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            await self._process.wait()

    async def _ask(self, text: bytes) -> bytes:
        async with self._one_at_a_time:
            for _ in range(TRIES):
                process = await self.start()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(text)
                if answer := await process.stdout.readline():
                    return answer.removesuffix(b"\n")
                self._process = None
                await process.wait()
        raise OSError("the process that writes the log ends again and again")


def main(file: str) -> None:
    """Write until there is no more."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # it is for the server to end, and then for us
    lines = (line for line in sys.stdin.buffer if line.endswith(b"\n"))  # else it was cut off
    statements: list[str] = json.loads(next(lines, b"[]"))
    connection = sqlite3.connect(file, isolation_level=None)
    for name, value in SETTINGS.items():
        connection.execute(f"PRAGMA {name}={value}")
    work: list[tuple[str, str]] = []
    for line in lines:
        if line == b"\n":
            answer, work = _commit(connection, work), []
        elif line == ASKED:
            answer = json.dumps({name: _setting(connection, name) for name in DURABLE})
        else:
            number, _, rows = line.decode().partition(" ")
            work.append((statements[int(number)], rows))
            continue
        try:
            os.write(sys.stdout.fileno(), answer.encode() + b"\n")
        except BrokenPipeError:  # the server is gone
            return


def _commit(connection: sqlite3.Connection, work: list[tuple[str, str]]) -> str:
    """Do all of it, or nothing; what went wrong."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for statement, rows in work:
            connection.execute(statement, (rows,))
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return f"{type(error).__name__}: {error}".replace("\n", " ")
    return ""


def _setting(connection: sqlite3.Connection, name: str) -> str:
    return str(connection.execute(f"PRAGMA {name}").fetchone()[0])


if __name__ == "__main__":
    main(sys.argv[1])
