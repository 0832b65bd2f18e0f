"""Notifying other server processes of new events: not needed with one process, Redis with several.

A message is a table's id and the number of its last event, never an event: the receiver loads the
events from the store, which stays the source of truth. A lost message therefore only causes a short
delay, and the server keeps working while Redis is unavailable.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mandala.text.errors import Refused

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger("mandala.bus")

CHANNEL = "mandala"
MIN_RETRY_S, MAX_RETRY_S = 0.1, 5.0
TIMEOUT_S = 5.0  # after which a Redis that does not answer counts as unavailable
RELOAD = 0  # instead of an event number: earlier events of the log have changed

OnEvent = Callable[[str, int], None]


class Bus:
    """Publishes event numbers to the other processes and receives theirs.

    `on_event` is called with the table and number of each message, including this process's own;
    `on_reconnect` after each connect, when messages may have been lost.
    """

    def __init__(self, redis: Redis, on_event: OnEvent, on_reconnect: Callable[[], None]) -> None:
        self._redis, self._on_event, self._on_reconnect = redis, on_event, on_reconnect
        self._pending: dict[str, int] = {}  # to be published: the last number by table
        self._has_pending = asyncio.Event()
        self.is_up = False
        self._task = asyncio.create_task(self._stay_connected(), name="bus")

    def publish(self, table_id: str, number: int) -> None:
        """Queue a message without waiting; it is dropped while Redis is unavailable."""
        if self.is_up:
            self._pending[table_id] = number
            self._has_pending.set()

    async def close(self) -> None:
        """Publish what is queued and disconnect."""
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._publish_pending(), 1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._redis.aclose()

    async def _stay_connected(self) -> None:
        from redis.exceptions import RedisError

        delay = MIN_RETRY_S
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(CHANNEL)
                    await subscription.get_message(timeout=TIMEOUT_S)
                    log.info("bus connected")
                    self.is_up, delay = True, MIN_RETRY_S
                    self._on_reconnect()
                    await self._run_until_disconnected(subscription)
            except (RedisError, OSError) as error:
                if self.is_up or delay == MIN_RETRY_S:
                    log.warning("bus unavailable", extra={"why": type(error).__name__})
            self.is_up = False
            self._pending.clear()
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_RETRY_S)

    async def _run_until_disconnected(self, subscription: Any) -> None:
        loops = (self._publish_loop(), self._receive_loop(subscription))
        tasks = [asyncio.create_task(loop) for loop in loops]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _publish_loop(self) -> None:
        while True:
            await self._has_pending.wait()
            self._has_pending.clear()
            await self._publish_pending()

    async def _publish_pending(self) -> None:
        pending, self._pending = self._pending, {}
        if not pending or not self.is_up:
            return
        async with self._redis.pipeline(transaction=False) as pipeline:
            for table_id, number in pending.items():
                pipeline.publish(CHANNEL, f"{table_id} {number}")
            await pipeline.execute()

    async def _receive_loop(self, subscription: Any) -> None:
        async for message in subscription.listen():
            if message["type"] != "message":
                continue
            table_id, _, number = message["data"].decode(errors="replace").partition(" ")
            if number.isdecimal():
                self._on_event(table_id, int(number))


def connect(url: str, on_event: OnEvent, on_reconnect: Callable[[], None]) -> Bus:
    """Return a bus on the Redis at a URL. Raises Refused for an invalid URL."""
    return Bus(_redis(url), on_event, on_reconnect)


def require_redis_url(url: str) -> None:
    """Raise Refused unless this is a valid Redis URL; the Redis need not be running."""
    _redis(url)


def _redis(url: str) -> Redis:
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise Refused("no-redis-driver") from None
    try:
        # The client must not reconnect by itself: we need to know that messages were lost.
        return Redis.from_url(
            url,
            socket_connect_timeout=TIMEOUT_S,
            socket_timeout=TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError:
        raise Refused("bad-redis") from None
