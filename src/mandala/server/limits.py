"""Rate limits and size limits for clients."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits of a server."""

    max_message_bytes: int = 4_096
    max_body_bytes: int = 65_536
    messages_per_second: float = 20  # of one connection
    message_burst: int = 60
    table_messages_per_second: float = 60  # of all connections to one table
    table_burst: int = 240
    requests_per_second: float = 50
    request_burst: int = 200
    max_open_tables: int = 50  # unfinished tables of one player
    max_tracked_clients: int = 10_000  # for which a rate is kept
    max_buffered_bytes: int = 1_000_000  # not yet read by a slow client
    ping_interval_s: float = 5.0  # between the server's pings to a WebSocket client
    ping_timeout_s: float = 10.0  # after which a client that does not answer or read is dropped
    max_background_jobs: int = 1  # replays, proofs and lessons computed at the same time
    bot_time_s: float = 1.0  # for one move of a search bot
    # Minimum time from the previous event to a bot's move, so that people can follow.
    bot_delay_s: float = 0.4
    bot_only_delay_s: float = 0.9  # the same in games between bots


@dataclass
class Bucket:
    """A token bucket: refills at `rate` tokens per second up to `size`."""

    rate: float
    size: float
    clock: Callable[[], float] = time.monotonic
    level: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.at = self.size, self.clock()

    def take(self) -> bool:
        """Take a token; return False if there is none."""
        now = self.clock()
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """A token bucket for each client; beyond `max_clients` the least recently used is dropped."""

    def __init__(self, rate: float, size: float, max_clients: int) -> None:
        self.rate, self.size, self.max_clients = rate, size, max_clients
        self._by_client: dict[str, Bucket] = {}

    def take(self, client: str) -> bool:
        """Take a token from a client's bucket; return False if there is none."""
        bucket = self._by_client.pop(client, None) or Bucket(self.rate, self.size)
        self._by_client[client] = bucket
        if len(self._by_client) > self.max_clients:
            del self._by_client[next(iter(self._by_client))]
        return bucket.take()
