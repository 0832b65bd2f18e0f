"""Checks the frames sent to a browser against the view of its seat, from the database."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from mandala.live import table as live
from mandala.live.events import Opened
from mandala.live.store import Store
from mandala.live.table import Table
from tests.browser.people import Frame


async def _tables(database: str, table_id: str) -> list[Table]:
    store = await Store.open(database)
    try:
        entries = await store.load(table_id)
    finally:
        await store.close()
    first = entries[0].event
    assert isinstance(first, Opened)
    tables = [live.opened(first, entries[0].at)]
    for entry in entries[1:]:
        tables.append(live.after(tables[-1], entry.event, entry.at))
    return tables


def check_frames(database: str, table_id: str, frames: list[Frame], own: set[int]) -> int:
    """Assert that every board in the frames matches their seat's view; return the number."""
    # In another thread, because Playwright runs an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        tables = thread.submit(lambda: asyncio.run(_tables(database, table_id))).result()
    checked = 0
    secret = tables[0].opening.secret
    for frame in frames:
        if f"/tables/{table_id}/" not in frame.address:
            continue
        message = json.loads(frame.text)
        state: dict[str, Any] | None = message.get("state")
        if state is None or state["board"] is None:
            assert secret not in frame.text
            continue
        asked = parse_qs(urlsplit(frame.address).query).get("seat")
        seat, table = state["your_seat"], tables[state["number"] - 1]
        assert seat is None or seat in own
        assert asked is None or seat == int(asked[0])
        shown = live.view(table, seat)
        assert shown is not None
        assert state["board"] == msgspec.to_builtins(shown.board)
        if table.ending is None:
            assert secret not in frame.text
            _check_hands(state, seat, table)
        checked += 1
    return checked


def _check_hands(state: dict[str, Any], seat: int | None, table: Table) -> None:
    """Assert that other hands show only their size and cards that everyone saw."""
    if state["game"] == "patterns":
        return
    assert isinstance(state["board"]["pile"], int)
    assert table.position is not None
    for place, other in enumerate(state["board"]["seats"]):
        true = table.position.state["hand"][place].tolist()
        assert sum(other["hand"]) == sum(true)
        if place + 1 == seat:
            assert other["hand"][:6] == true[:6]
        else:
            assert other["hand"][:6] == other.get("shown", [0] * 6)[:6]
            assert "secret" not in other or sum(other["secret"][:6]) == 0
