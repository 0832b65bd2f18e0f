"""The store: appends are durable, unique and in order; claims, lists, players and migrations."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from mandala import Refused
from mandala.core.record import read_records
from mandala.live import fair
from mandala.live import table as live
from mandala.live.events import Clock
from mandala.live.store import DELETED_NAME, Conflict, Store
from mandala.live.store import upgrade as upgrading
from mandala.live.store.rows import Append, Entry
from mandala.live.store.schema import metadata
from mandala.live.store.upgrade import copy, restore
from mandala.live.table import Table
from tests.cli.tools import run as run_command
from tests.services import postgres, skip_without_postgres
from tests.tables import ADA, Log, played, rules_version, seated


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    skip_without_postgres()
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'data' / 'mandala.db'}"
    found: str = request.getfixturevalue("postgres_url")
    asyncio.run(empty(found))
    return found


async def empty(url: str) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        await connection.execute(sa.text("CREATE SCHEMA public"))
    await engine.dispose()


def with_store(url: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def inside() -> None:
        store = await Store.open(url)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(inside())


def entries(log: Log, first: int = 1, actor: str = "ada") -> tuple[Entry, ...]:
    return tuple(
        Entry(number, at, actor, f"{actor}-{number}", event)
        for number, (event, at) in enumerate(log, start=first)
    )


def whole(log: Log, table: Table, table_id: str = "t") -> Append:
    return Append(table_id, table, entries(log), due_at=table.deadline)


def test_appended_events_survive_reopening(url: str) -> None:
    log, table = seated()

    async def write(store: Store) -> None:
        await store.append(whole(log, table))

    async def read(store: Store) -> None:
        found = await store.load("t")
        assert tuple(found) == entries(log)
        assert await store.load("t", after=3) == found[3:]
        assert live.fold((entry.event, entry.at) for entry in found) == table
        assert await store.load("other") == []

    with_store(url, write)
    with_store(url, read)


def test_events_are_committed_when_append_returns(tmp_path: Path) -> None:
    file = tmp_path / "mandala.db"

    async def work(store: Store) -> None:
        log, table = seated()
        for number in range(5):
            await store.append(whole(log, table, f"t{number}"))
            with closing(sqlite3.connect(file)) as other:
                (count,) = other.execute("SELECT count(*) FROM events").fetchone()
            assert count == (number + 1) * len(log)

    with_store(f"sqlite:///{file}", work)


@pytest.mark.slow
def test_a_locked_file_refuses_appends_until_it_is_free(tmp_path: Path) -> None:
    file = tmp_path / "mandala.db"

    async def work(store: Store) -> None:
        log, table = seated()
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for attempt in (store.append(whole(log, table)), store.ping()):
                with pytest.raises(Refused) as refused:
                    await attempt
                assert refused.value.code == "no-storage"
            assert await store.load("t") == []
            other.execute("ROLLBACK")
        await store.ping()
        await store.append(whole(log, table))
        assert len(await store.load("t")) == len(log)

    with_store(f"sqlite:///{file}", work)


def test_conflicting_appends_do_not_affect_other_appends_of_the_commit(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated()
        await store.append(whole(log, table))
        before, mine = len(log), list(log)
        after = played(mine, table, seed=1, decisions=1)
        news = entries(mine[before:], first=before + 1)
        append = Append("t", after, news, due_at=5)
        rival = replace(append, entries=tuple(replace(e, actor="ben") for e in append.entries))
        others = [whole(log, table, f"other {number}") for number in range(20)]
        together = [*others[:10], append, rival, *others[10:]]
        done = await asyncio.gather(*map(store.append, together), return_exceptions=True)
        assert [type(each) for each in done if each is not None] == [Conflict]
        assert len(await store.load("t")) == len(mine)
        for number in range(20):
            assert len(await store.load(f"other {number}")) == len(log)

    with_store(url, work)


def test_a_client_id_is_stored_only_once(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated()
        await store.append(whole(log, table))
        again = replace(entries(log)[-1], number=len(log) + 1)
        with pytest.raises(Conflict):
            await store.append(Append("t", table, (again,)))

    with_store(url, work)


def test_many_tables_share_a_commit(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated()
        appends = [store.append(whole(log, table, f"t{number}")) for number in range(100)]
        await asyncio.gather(*appends)
        assert store.commits < 10

    with_store(url, work)


def test_a_due_table_is_claimed_once_until_its_lease_expires(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated(clock=Clock("game", 60))
        await store.append(whole(log, table, "one"))
        mine = replace(whole(log, table, "two"), due_at=1_000, leased_until=2_000)
        await store.append(mine)
        assert await store.claim(59_999, 5_000, 10) == ["two"]
        assert await store.claim(60_000, 5_000, 10) == ["one"]
        assert await store.claim(60_001, 5_000, 10) == []
        assert sorted(await store.claim(65_000, 5_000, 10)) == ["one", "two"]
        both = await asyncio.gather(*[store.claim(80_000, 5_000, 10) for _ in range(5)])
        assert sorted(table_id for each in both for table_id in each) == ["one", "two"]

    with_store(url, work)


def test_finished_games_are_listed_with_verifiable_records(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated("patterns")
        table = played(log, table)
        await store.append(whole(log, table, "done"))
        log, table = seated()
        await store.append(whole(log, table, "running"))
        quiet = msgspec.structs.replace(
            table, opening=msgspec.structs.replace(table.opening, listed=False)
        )
        await store.append(whole(log, quiet, "secret"))
        (done,) = await store.tables("over", name="adA")
        assert (done.id, done.game, done.names) == ("done", "patterns", ("Ada", "Ben"))
        assert await store.tables("over", game="mandala") == []
        assert await store.tables("over", before=0) == []
        assert await store.tables("over", name="%") == []
        assert [each.id for each in await store.tables("running")] == ["running"]
        mine = await store.tables("running", player="ada")
        assert sorted(each.id for each in mine) == ["running", "secret"]
        assert (await store.count_open_tables("ada")).unfinished == 2
        text = await store.record("done")
        assert text is not None
        (record,) = read_records(text.splitlines())
        assert fair.verify(record).draws == 52
        assert await store.record("running") is None

    with_store(url, work)


def test_players_tokens_and_keys(url: str) -> None:
    async def work(store: Store) -> None:
        player = await store.add_player("Ada", 1)
        await store.rename(player.id, "Ada L.")
        assert (found := await store.player(player.id)) is not None
        assert found.name == "Ada L."
        token = await store.add_token(player.id, 1)
        assert await store.player_of_token(token) == found
        assert await store.player_of_token(token[:-1]) is None
        assert await store.key("cookies") == await store.key("cookies") != await store.key("links")
        await store.ping()

    with_store(url, work)


def test_deleting_a_player_removes_their_name_from_every_game(url: str) -> None:
    async def work(store: Store) -> None:
        log, table = seated("patterns")
        table = played(log, table)
        await store.append(whole(log, table, "done"))
        assert await store.delete_player(ADA.player) == ["done"]
        assert await store.player(ADA.player) is None
        (done,) = await store.tables("over")
        assert done.names == (DELETED_NAME, "Ben")
        text = await store.record("done")
        assert text is not None
        assert "Ada" not in text
        fair.verify(next(read_records(text.splitlines())))
        assert all("Ada" not in repr(entry.event) for entry in await store.load("done"))

    with_store(url, work)


def test_tables_by_other_rules_are_found_and_keep_their_records(url: str) -> None:
    async def work(store: Store) -> None:
        with rules_version("patterns", "0"):
            log, table = seated("patterns")
            await store.append(whole(log, table, "running"))
            await store.append(whole(log, played(log, table), "done"))
        await store.append(whole(*seated("mandala"), "other"))
        assert await store.tables_with_unknown_rules() == ["running"]
        await store.clear_due("running")
        assert await store.claim(10**15, 1, 10) == ["other"]
        before = await store.record("done")
        assert before is not None
        assert sorted(await store.delete_player(ADA.player)) == ["done", "other", "running"]
        (done,) = await store.tables("over")
        assert done.names == (DELETED_NAME, "Ben")
        assert await store.record("done") == before.replace('"Ada"', f'"{DELETED_NAME}"')
        assert await store.record("running") is None

    with_store(url, work)


def test_a_commit_is_durable(url: str) -> None:
    async def work(store: Store) -> None:
        settings = await store.durability_settings()
        if store.file:
            assert settings == {"journal_mode": "wal", "synchronous": "2"}  # 2 is FULL
        else:
            assert settings["synchronous_commit"] == "on"
            assert settings["fsync"] == "on"

    with_store(url, work)


def test_the_migrations_lead_to_the_schema(url: str) -> None:
    async def work(store: Store) -> None:
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            differences = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
            )
        await engine.dispose()
        assert differences == []

    with_store(url, work)


# Files


async def nothing(store: Store) -> None:
    await store.ping()


NEXT_STEP = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9000", "0003"


def upgrade():
    op.create_table("later", sa.Column("id", sa.Integer, primary_key=True))
"""


def test_a_file_is_backed_up_before_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = tmp_path / "data", tmp_path / "data" / "mandala.db"
    with_store(f"sqlite+aiosqlite:///{file}", nothing)
    assert [path.name for path in folder.iterdir()] == ["mandala.db"]
    steps = shutil.copytree(upgrading.MIGRATIONS, tmp_path / "migrations")
    (steps / "versions" / "v9000_later.py").write_text(NEXT_STEP)
    monkeypatch.setattr(upgrading, "MIGRATIONS", steps)
    with_store(f"sqlite+aiosqlite:///{file}", nothing)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["mandala.db", "mandala.db.before-9000"]
    for name, version in zip(names, ("9000", "0003"), strict=True):
        connection = sqlite3.connect(folder / name)
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [(version,)]
        connection.close()


def test_tables_migrated_from_the_first_schema_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "mandala.db"
    config = Config()
    config.set_main_option("script_location", str(upgrading.MIGRATIONS))
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.exec_driver_sql(
            "INSERT INTO tables VALUES ('t', 'mandala', 2, 'open', 1, 1, 2, 3, 'Ada', NULL)"
        )
    engine.dispose()

    async def work(store: Store) -> None:
        (found,) = await store.tables("open")
        assert (found.id, found.names, found.kinds) == ("t", ("Ada",), ("person",))
        assert (found.actor, found.clock) == (None, Clock())

    with_store(f"sqlite+aiosqlite:///{file}", work)


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mandala.db"
    with_store(f"sqlite+aiosqlite:///{file}", nothing)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(Refused) as raised:
        with_store(f"sqlite+aiosqlite:///{file}", nothing)
    assert raised.value.code == "newer-database"


def test_a_backup_can_be_restored(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'mandala.db'}"
    log, table = seated()

    async def write(store: Store) -> None:
        await store.append(whole(log, table))
        done = run_command("backup", str(tmp_path / "copy.db"), "--database", url)
        assert done.exit_code == 0, done.output
        await store.append(whole(log, table, "later"))

    async def read(store: Store) -> None:
        assert len(await store.load("t")) == len(log)
        assert await store.load("later") == []

    with_store(url, write)
    assert run_command("backup", str(tmp_path / "copy.db"), "--database", url).exit_code == 1
    done = run_command("restore", str(tmp_path / "copy.db"), "--database", url)
    assert "before-restore" in done.output
    with_store(url, read)
    (tmp_path / "notes.txt").write_text("no database")
    for name in ("notes.txt", "nothing.db"):
        failed = run_command("restore", str(tmp_path / name), "--database", url)
        assert failed.exit_code == 1
        assert name in failed.output
    refused = run_command(
        "backup", str(tmp_path / "x.db"), "--database", "postgresql+asyncpg://h/d"
    )
    assert "pg_dump" in refused.output
    with pytest.raises(FileNotFoundError):
        copy(tmp_path / "nothing.db", tmp_path / "x.db")
    for source, target in (("notes.txt", "x.db"), ("copy.db", "nowhere/x.db")):
        junk = f"sqlite:///{tmp_path / source}"
        failed = run_command("backup", str(tmp_path / target), "--database", junk)
        assert failed.exit_code == 1
        assert f"{tmp_path / source} cannot be copied to {tmp_path / target}: " in failed.output
    assert not (tmp_path / "x.db.part").exists()
    with_store(url, read)
    assert restore(tmp_path / "copy.db", tmp_path / "new" / "mandala.db") is None
