"""How much a client may ask for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The bounds of a server; rates are for each second, with a burst on top."""

    message_bytes: int = 4_096
    body_bytes: int = 65_536
    messages: float = 20
    message_burst: int = 60
    table_messages: float = 60  # from all who are at one table
    table_burst: int = 240
    requests: float = 50
    request_burst: int = 200
    tables_each: int = 50  # tables that are not over, for one person
    clients: int = 10_000  # whose rate is remembered
    waiting: int = 1_000_000  # bytes that a slow client may be behind
    studies: int = 1  # replays, proofs and lessons that are worked on at the same time
    bot_seconds: float = 1.0
    # Seconds that a bot lets pass after the event before its move, so that people can follow.
    bot_pace: float = 0.4
    bot_pace_alone: float = 0.9  # where bots play among themselves


@dataclass
class Bucket:
    """A bucket of permissions that fills up by itself."""

    rate: float
    size: float
    clock: Callable[[], float] = time.monotonic
    level: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.at = self.size, self.clock()

    def take(self) -> bool:
        """Whether one more is permitted now."""
        now = self.clock()
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """One bucket a client; the one not used for longest is forgotten first."""

    def __init__(self, rate: float, size: float, most: int) -> None:
        self.rate, self.size, self.most = rate, size, most
        self._by_client: dict[str, Bucket] = {}

    def take(self, client: str) -> bool:
        """Whether a client may do one more thing now."""
        bucket = self._by_client.pop(client, None) or Bucket(self.rate, self.size)
        self._by_client[client] = bucket
        if len(self._by_client) > self.most:
            del self._by_client[next(iter(self._by_client))]
        return bucket.take()
