"""Damaged, missing and unprotected files of a SQLite database."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from mandala.live.store import Store
from mandala.live.store.lockfile import hold_lock
from mandala.live.store.upgrade import restore
from mandala.text.errors import Refused
from tests.cli.tools import run as run_command
from tests.live.store.test_store import whole, with_store
from tests.tables import seated


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with two tables."""
    log, table = seated()

    async def write(store: Store) -> None:
        for name in ("t", "u"):
            await store.append(whole(log, table, name))

    file = tmp_path / "data" / "mandala.db"
    with_store(f"sqlite:///{file}", write)
    return file


@contextmanager
def readable_by_all() -> Iterator[None]:
    """Create files with the usual umask, which lets everybody read."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def test_databases_backups_and_locks_are_private(file: Path, tmp_path: Path) -> None:
    url, backup = f"sqlite:///{file}", tmp_path / "copy.db"
    file.chmod(0o644)
    with readable_by_all(), hold_lock(file, "me"):

        async def write(store: Store) -> None:
            await store.ping()
            assert run_command("backup", str(backup), "--database", url).exit_code == 0
            modes = {each.name: each.stat().st_mode & 0o777 for each in file.parent.iterdir()}
            assert set(modes.values()) == {0o600}, modes
            assert backup.stat().st_mode & 0o777 == 0o600

        with_store(url, write)
    with readable_by_all():
        kept = restore(backup, file)
    assert kept is not None
    for each in (kept, file):
        assert each.stat().st_mode & 0o777 == 0o600


def test_a_destroyed_database_is_restored_and_kept(file: Path, tmp_path: Path) -> None:
    url, backup = f"sqlite:///{file}", tmp_path / "copy.db"
    assert run_command("backup", str(backup), "--database", url).exit_code == 0
    contents = [b"destroyed" * 1000, b"", file.read_bytes()[:5000], b"again" * 1000]
    for content in contents:
        file.write_bytes(content)
        done = run_command("restore", str(backup), "--database", url)
        assert done.exit_code == 0, done.output
    with_store(url, lambda store: _require_tables(store))
    kept = [
        each.read_bytes()
        for each in file.parent.glob("*.before-restore*")
        if not each.name.endswith(("-wal", "-shm"))
    ]
    assert len(kept) == len(contents)
    for content in (contents[0], contents[3]):
        assert content in kept


async def _require_tables(store: Store) -> None:
    assert await store.load("t")
    assert await store.load("u")


def test_a_link_to_the_database_has_the_same_lock(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(file)
    with hold_lock(file, "the first"):
        with pytest.raises(Refused, match="in use, by the first"), hold_lock(link, "me"):
            pass
        done = run_command("restore", str(file), "--database", f"sqlite:///{link}")
        assert "in use" in done.output
    backup = tmp_path / "copy.db"
    assert run_command("backup", str(backup), "--database", f"sqlite:///{link}").exit_code == 0
    restore(backup, link)
    assert link.is_symlink()


def test_a_missing_event_is_found_and_not_served(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"sqlite:///{file}"
    assert run_command("doctor", "--database", url).output == "ok\n"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM events WHERE table_id = 't' AND number = 2")
    done = run_command("doctor", "--database", url)
    assert (done.exit_code, done.output) == (1, "table t: events are missing\n")

    async def read(store: Store) -> None:
        await store.check()
        assert await store.load("u")
        with pytest.raises(Refused) as raised:
            await store.load("t")
        assert raised.value.code == "damaged-table"

    with_store(url, read)
    (line,) = [each for each in caplog.records if each.message == "events are missing"]
    assert line.__dict__["tables"] == ["t"]


def test_a_missing_last_event_is_found(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        last = "(SELECT max(number) FROM events WHERE table_id = 'u')"
        connection.execute(f"DELETE FROM events WHERE table_id = 'u' AND number = {last}")
    done = run_command("doctor", "--database", f"sqlite:///{file}")
    assert (done.exit_code, done.output) == (1, "table u: events are missing\n")


def test_a_damaged_page_is_found_at_the_start_and_by_the_doctor(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sitters'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as raw:
        raw.seek((root - 1) * size + 8)
        raw.write(b"\xff" * 64)
    done = run_command("doctor", "--database", f"sqlite:///{file}")
    assert done.exit_code == 1
    assert "damaged file" in done.output
    served = run_command("serve", "--port", "0", "--database", f"sqlite:///{file}")
    assert served.exit_code == 1
    assert "is damaged" in served.output
