"""Tables in memory: each is loaded by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mandala.live.store import Store
from mandala.live.store.rows import Append, Entry
from mandala.server.limits import Limits
from mandala.server.metrics import Metrics
from mandala.server.rooms import Rooms
from tests.tables import ADA, BEN, seated


def test_a_table_that_loads_slowly_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'mandala.db'}")
        log, table = seated("patterns", (ADA, BEN))
        entries = tuple(
            Entry(number, at, "ada", None, event) for number, (event, at) in enumerate(log, start=1)
        )
        for name in ("slow", "fast"):
            await store.append(Append(name, table, entries))
        load, loads, may_go_on = store.load, [], asyncio.Event()

        async def load_slowly(table_id: str, after: int = 0) -> list[Entry]:
            loads.append(table_id)
            if table_id == "slow":
                await may_go_on.wait()
            return await load(table_id, after)

        monkeypatch.setattr(store, "load", load_slowly)
        rooms = Rooms(store, Limits(), Metrics())
        slow = [asyncio.create_task(rooms.room("slow")) for _ in range(3)]
        async with asyncio.timeout(20):
            assert (await rooms.room("fast")).table.number == table.number
        slow[0].cancel()  # a client that leaves does not stop the others
        may_go_on.set()
        assert (await slow[1]) is (await slow[2])
        assert sorted(loads) == ["fast", "slow"]
        await rooms.stop()
        await store.close()

    asyncio.run(work())
