"""Telling the other processes that a table moved: with one process nothing, with several Redis.

A message is a table's id and the number of its last event, never an event: whoever hears it loads
the rest from the store, which stays the arbiter. So a lost message costs a moment and nothing else,
and a Redis that is away stops nobody.
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
SHORTEST, LONGEST = 0.1, 5.0  # seconds until Redis is tried again
PATIENCE = 5.0  # seconds after which a Redis that does not answer counts as away
ANEW = 0  # instead of a number: what was in the log has changed

Moved = Callable[[str, int], None]


class Bus:
    """The way to the other processes.

    `moved` is called for each table that another process, or this one, said had moved; `missed`
    when messages may have been lost.
    """

    def __init__(self, redis: Redis, moved: Moved, missed: Callable[[], None]) -> None:
        self._redis, self._moved, self._missed = redis, moved, missed
        self._news: dict[str, int] = {}  # what is still to be said: the last number by table
        self._is_news = asyncio.Event()
        self.is_up = False
        self._task = asyncio.create_task(self._stay_connected(), name="bus")

    def tell(self, table_id: str, number: int) -> None:
        """Say that a table moved. Never waits; while Redis is away, nobody hears it."""
        if self.is_up:
            self._news[table_id] = number
            self._is_news.set()

    async def close(self) -> None:
        """Say what is still to be said and leave."""
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._say_all(), 1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._redis.aclose()

    async def _stay_connected(self) -> None:
        from redis.exceptions import RedisError

        pause = SHORTEST
        while True:
            try:
                async with self._redis.pubsub() as heard:
                    await heard.subscribe(CHANNEL)
                    await heard.get_message(timeout=PATIENCE)
                    log.info("the bus is there")
                    self.is_up, pause = True, SHORTEST
                    self._missed()
                    await self._talk(heard)
            except (RedisError, OSError) as error:
                if self.is_up or pause == SHORTEST:
                    log.warning("the bus is away", extra={"why": type(error).__name__})
            self.is_up = False
            self._news.clear()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)

    async def _talk(self, heard: Any) -> None:
        """Say and hear until the connection breaks."""
        both = [asyncio.create_task(work) for work in (self._say_on(), self._hear_on(heard))]
        try:
            await asyncio.gather(*both)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)

    async def _say_on(self) -> None:
        while True:
            await self._is_news.wait()
            self._is_news.clear()
            await self._say_all()

    async def _say_all(self) -> None:
        news, self._news = self._news, {}
        if not news or not self.is_up:
            return
        async with self._redis.pipeline(transaction=False) as together:
            for table_id, number in news.items():
                together.publish(CHANNEL, f"{table_id} {number}")
            await together.execute()

    async def _hear_on(self, heard: Any) -> None:
        async for message in heard.listen():
            if message["type"] != "message":
                continue
            table_id, _, number = message["data"].decode(errors="replace").partition(" ")
            if number.isdecimal():
                self._moved(table_id, int(number))


def connect(url: str, moved: Moved, missed: Callable[[], None]) -> Bus:
    """A bus by the address of a Redis. Raises Refused for what is none."""
    return Bus(_redis(url), moved, missed)


def check(url: str) -> None:
    """Raise Refused unless this is the address of a Redis, which need not be there yet."""
    _redis(url)


def _redis(url: str) -> Redis:
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise Refused("no-redis-driver") from None
    try:
        # It must not come back by itself: we want to know that messages were lost.
        return Redis.from_url(
            url,
            socket_connect_timeout=PATIENCE,
            socket_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError:
        raise Refused("bad-redis") from None
