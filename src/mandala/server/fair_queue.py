"""A queue for slow work in which every client waits for its own work first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mandala.text.errors import Refused


class FairQueue:
    """Lets few jobs run at a time, and one of each client, in the order of their arrival.

    A client that queues many jobs delays others by one of them at most.
    """

    def __init__(self, max_running: int, max_waiting: int) -> None:
        self._running, self._max_waiting = asyncio.Semaphore(max_running), max_waiting
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()  # by client, including the one that runs

    @asynccontextmanager
    async def slot(self, client: str) -> AsyncIterator[None]:
        """Wait for a client's turn. Raises Refused if too many of its jobs wait already."""
        if self._waiting[client] >= self._max_waiting:
            raise Refused("too-fast")
        self._waiting[client] += 1
        try:
            async with self._turns.setdefault(client, asyncio.Lock()), self._running:
                yield
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client], self._turns[client]
