"""The deletion of guests who never played."""

from __future__ import annotations

import asyncio
import logging

from mandala.live.store import Store
from mandala.server.rooms import now_ms
from mandala.text.errors import Refused

log = logging.getLogger("mandala.server")

EXPIRY_INTERVAL_S = 3_600.0  # between two searches
DAY_MS = 86_400_000


async def expire_guests(store: Store, days: float) -> None:
    """Delete guests who have not played within some days of signing in, until cancelled."""
    while True:
        try:
            count = await store.delete_unplayed_guests(now_ms() - int(days * DAY_MS))
            if count:
                log.info("guests expired", extra={"count": count})
        except Refused:  # the store has logged the reason
            log.debug("guests not expired")
        await asyncio.sleep(EXPIRY_INTERVAL_S)
