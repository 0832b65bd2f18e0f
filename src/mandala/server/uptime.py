"""The server's time, and its sign of life in the database.

Times of events come from one clock: the wall clock at the start of the process, advanced by a
monotonic clock. So a wall clock that is set anew flags nobody. The last time at which a server ran
is in the database: after a longer silence, the time since then is excluded from all running turns.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from mandala.live.store import Store

HEARTBEAT_INTERVAL_MS = 1_000
MAX_SILENCE_MS = 5_000  # between heartbeats; after more, the server is taken to have been down


class ServerClock:
    """Wall-clock time in milliseconds since 1970 at the start, advanced by a monotonic clock."""

    def __init__(self) -> None:
        self.set(time.time_ns() // 1_000_000)

    def set(self, now: int) -> None:
        """Continue from another time."""
        self._origin = now - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._origin + time.monotonic_ns() // 1_000_000


SERVER_CLOCK = ServerClock()


class Heartbeat:
    """Notes in the database that a server runs, and handles the time in which none did."""

    def __init__(
        self, store: Store, clock: ServerClock, resume: Callable[[int], Awaitable[None]]
    ) -> None:
        self._store, self._clock = store, clock
        self._resume = resume  # called with the time at which the last server stopped
        self._lock = asyncio.Lock()
        self._at: int | None = None  # of the last heartbeat of this process

    async def start(self) -> None:
        """Choose the time to start with, and resume all tables if no server was running."""
        last = await self._store.last_heartbeat()
        if last is not None and self._store.is_shared and self._is_silence(last):
            await asyncio.sleep(2 * HEARTBEAT_INTERVAL_MS / 1000)
            current = await self._store.last_heartbeat()
            if current is not None and current != last:
                self._clock.set(current)  # another process runs: its time counts
                last = current
        if last is not None and last > self._clock.now_ms():
            self._clock.set(last)  # time never goes back
        await self.beat_if_due()

    async def beat_if_due(self) -> None:
        """Note that this server runs, unless that was done just before. Raises Refused."""
        async with self._lock:
            if self._at is not None and self._clock.now_ms() < self._at + HEARTBEAT_INTERVAL_MS:
                return
            last = await self._store.last_heartbeat()
            if last is not None and self._is_silence(last):
                await self._resume(last)
            await self._beat()

    async def stop(self) -> None:
        """Note when this server stopped. Raises Refused."""
        async with self._lock:
            await self._beat()

    async def ensure(self) -> None:
        """Wait for a heartbeat if there was none for long, so that no lost time is counted."""
        if self._at is not None and self._is_silence(self._at):
            await self.beat_if_due()

    async def _beat(self) -> None:
        now = self._clock.now_ms()
        await self._store.set_heartbeat(now)
        self._at = now

    def _is_silence(self, last: int) -> bool:
        return abs(self._clock.now_ms() - last) > MAX_SILENCE_MS
