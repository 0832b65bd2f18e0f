"""A game that all want to follow comes, whatever happens to the server in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mandala import table as live
from mandala.events import Opened
from mandala.server.limits import Limits
from mandala.server.metrics import Metrics
from mandala.server.rooms import Decide, Rooms
from mandala.store import Store
from tests.live import just, seated

PATIENCE = 15.0  # seconds


def asking(seat: int) -> Decide:
    return lambda table, now: live.ask_rematch(table, seat)


def test_another_game_is_opened_also_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'mandala.db'}")
        rooms = Rooms(store, Limits(), Metrics())
        ((opening, _), *rest), _ = seated()
        assert isinstance(opening, Opened)
        room = await rooms.open(opening, lambda table, now: [], "ada")
        for event, _ in rest:
            await rooms.act(room, "ada", just(event))
        await rooms.act(room, "ada", lambda table, now: live.resign(table, 1))
        await rooms.act(room, "ada", asking(1))
        await rooms.act(room, "ben", asking(2))
        await rooms.stop()  # before anything else can be done
        assert live.wants_rematch(room.table)
        again = Rooms(store, Limits(), Metrics())
        await again.start()
        try:
            async with asyncio.timeout(PATIENCE):
                while not (await again.room(room.id)).table.rematched:
                    await asyncio.sleep(0.05)
            following = (await again.room(room.id)).table.rematched
            assert following is not None
            assert (await again.room(following)).table.opening.rematch_of == room.id
        finally:
            await again.stop()
            await store.close()

    asyncio.run(play())
