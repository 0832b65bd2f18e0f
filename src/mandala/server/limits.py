"""Rate limits and size limits for clients."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from mandala.text.errors import Refused

Count = Annotated[int, msgspec.Meta(ge=1)]
Rate = Annotated[float, msgspec.Meta(gt=0)]
Duration = Annotated[float, msgspec.Meta(ge=0)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a server; `docs/operating.md` describes each of them."""

    max_message_bytes: Count = 4_096
    max_body_bytes: Count = 65_536
    messages_per_second: Rate = 20  # of one connection
    message_burst: Count = 60
    table_messages_per_second: Rate = 60  # of all connections to one table
    table_burst: Count = 240
    requests_per_second: Rate = 50  # to the API, of one address
    request_burst: Count = 200
    page_requests_per_second: Rate = 100  # for files of the page and the API description
    page_burst: Count = 500
    check_requests_per_second: Rate = 10  # for /healthz, /readyz and /metrics
    check_burst: Count = 50
    max_tracked_clients: Count = 10_000  # for which a rate is kept
    max_connections: Count = 10_000  # of one process
    max_sockets_per_address: Count = 200  # open WebSockets
    max_buffered_bytes: Count = 1_000_000  # not yet read by a slow client
    ping_interval_s: Rate = 5.0  # between the server's pings to a WebSocket client
    ping_timeout_s: Rate = 10.0  # after which a client that does not answer or read is dropped
    new_guests_per_hour: Count = 60  # of one address
    new_guests_per_day: Count = 300
    unplayed_guest_days: Rate = 30  # after which a guest who never played is deleted
    max_tokens: Count = 20  # of one player
    max_open_tables: Count = 50  # unfinished tables that a player opened or sits at
    max_listed_tables: Count = 10  # of these, listed tables that wait for players
    max_background_jobs: Count = 1  # replays, proofs and lessons computed at the same time
    max_waiting_jobs: Count = 50  # the same that wait, of one address
    bot_time_s: Rate = 1.0  # for one move of a search bot
    # Minimum time from the previous event to a bot's move, so that people can follow.
    bot_delay_s: Duration = 0.4
    bot_only_delay_s: Duration = 0.9  # the same in games between bots


def read_limits(file: Path) -> Limits:
    """Read limits from a TOML file; those it does not name have their defaults. Raises Refused."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        return msgspec.convert(values, Limits)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused("bad-limits", {"file": file, "why": error}) from None


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
