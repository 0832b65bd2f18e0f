"""The state shared by all requests: store, tables, limits, and identification of the player."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar, cast
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

from mandala.live.store import Player, Store
from mandala.server.identity import COOKIE, Signer
from mandala.server.limits import Buckets, Limits
from mandala.server.messages import EMPTY_ABOUT, About
from mandala.server.metrics import Metrics
from mandala.server.rooms import Room, Rooms
from mandala.text.catalogue import LANGUAGES
from mandala.text.errors import Refused

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
UNSAFE_METHODS = ("POST", "PUT", "PATCH", "DELETE")
P = ParamSpec("P")
T = TypeVar("T")
Connection = ASGIConnection[Any, Any, Any, Any]


@dataclass
class Context:
    """The state of a running server process."""

    store: Store
    signer: Signer
    limits: Limits = field(default_factory=Limits)
    metrics: Metrics = field(default_factory=Metrics)
    origins: tuple[str, ...] = ()  # allowed besides the server's own
    is_secure: bool = False  # whether the server is reached by HTTPS only
    redis: str | None = None  # URL, for the bus to other processes
    about: About = EMPTY_ABOUT

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.store, self.limits, self.metrics, self.redis)
        limits = self.limits
        max_clients = limits.max_tracked_clients
        self.request_rates = Buckets(limits.requests_per_second, limits.request_burst, max_clients)
        self.table_rates = Buckets(
            limits.table_messages_per_second, limits.table_burst, max_clients
        )
        self._background_jobs = asyncio.Semaphore(limits.max_background_jobs)

    @staticmethod
    def of(connection: Connection) -> Context:
        """Return the context of the server that a connection belongs to."""
        return cast(Context, connection.app.state.context)

    async def find_player(self, connection: Connection) -> Player | None:
        """Return the player making a request, by token or cookie, None if unknown.

        Raises Refused for an invalid token.
        """
        found = await self.player_id(connection)
        return await self.store.player(found) if found else None

    async def player_id(self, connection: Connection) -> str | None:
        """Return the id of the player making a request, who may have been deleted since.

        Raises Refused for an invalid token.
        """
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            player = await self.store.player_of_token(token)
            if player is None:
                raise Refused("who-are-you")
            return player.id
        return self.signer.unsign("cookie", connection.cookies.get(COOKIE, ""))

    async def require_player(self, connection: Connection) -> Player:
        """Return the player making a request. Raises Refused if unknown."""
        player = await self.find_player(connection)
        if player is None:
            raise Refused("who-are-you")
        return player

    async def room(self, table_id: str) -> Room:
        """Return a table by the id that a client sent. Raises Refused."""
        if not TABLE_ID.fullmatch(table_id):
            raise Refused("no-such-table")
        return await self.rooms.room(table_id)

    async def run_in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a slow function in a thread; few run at a time, so that live tables go first."""
        async with self._background_jobs:
            return await asyncio.to_thread(work, *args, **kwargs)

    def require_same_origin(self, connection: Connection) -> None:
        """Raise Refused for a cross-origin request, except from an allowed origin."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self.origins:
            return
        if urlsplit(origin).netloc != connection.headers.get("host"):
            raise Refused("wrong-origin")

    def require_rate(self, connection: Connection) -> None:
        """Raise Refused for a client that exceeds its request rate."""
        client = connection.client.host if connection.client else "?"
        if not self.request_rates.take(client):
            raise Refused("too-fast")


def language_of(connection: Connection) -> str:
    """Return the language for texts: the `language` parameter, the browser's, or English."""
    requested = connection.query_params.get("language")
    if requested in LANGUAGES:
        return str(requested)
    preferred: str = connection.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES else "en"
