"""A rematch is opened even if the server crashes in between."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mandala.live import table as live
from mandala.live.events import Opened
from mandala.live.store import Store
from mandala.server.limits import Limits
from mandala.server.metrics import Metrics
from mandala.server.rooms import SERVER, Decide, Room, Rooms
from tests.tables import just, seated

TIMEOUT_S = 15.0


def asking(seat: int) -> Decide:
    return lambda table, now: live.ask_rematch(table, seat, 0)


def opened_after(file: Path) -> int:
    """Return the number of tables besides the first."""
    with closing(sqlite3.connect(file)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    return int(count) - 1


class Killed(Rooms):
    """A server that crashes after opening the rematch, before the old table refers to it."""

    async def execute(self, room: Room, actor: str, *more: Any, **others: Any) -> int:
        if actor == SERVER:
            raise asyncio.CancelledError
        return await super().execute(room, actor, *more, **others)


@pytest.mark.parametrize("is_open", [False, True])
def test_exactly_one_rematch_is_opened_even_after_a_crash(tmp_path: Path, is_open: bool) -> None:
    file = tmp_path / "mandala.db"

    async def play() -> None:
        store = await Store.open(f"sqlite:///{file}")
        rooms = Killed(store, Limits(), Metrics())
        ((opening, _), *rest), _ = seated()
        assert isinstance(opening, Opened)
        room = await rooms.open(opening, lambda table, now: [], "ada")
        for event, _ in rest:
            await rooms.execute(room, "ada", just(event))
        await rooms.execute(room, "ada", lambda table, now: live.resign(table, 1, 0))
        await rooms.execute(room, "ada", asking(1))
        await rooms.execute(room, "ben", asking(2))
        async with asyncio.timeout(TIMEOUT_S):
            while is_open and not opened_after(file):
                await asyncio.sleep(0.01)
        await rooms.stop()
        assert live.wants_rematch(room.table)
        assert opened_after(file) == is_open
        again = Rooms(store, Limits(), Metrics())
        await again.start()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                while not (await again.room(room.id)).table.rematched:
                    await asyncio.sleep(0.05)
            following = (await again.room(room.id)).table.rematched
            assert (await again.room(following)).table.opening.rematch_of == room.id
            assert opened_after(file) == 1
        finally:
            await again.stop()
            await store.close()

    asyncio.run(play())
