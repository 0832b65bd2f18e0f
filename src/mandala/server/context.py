"""What every request needs: the store, the tables, and who is asking."""

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
from mandala.server.messages import NOTHING_SAID, About
from mandala.server.metrics import Metrics
from mandala.server.rooms import Room, Rooms
from mandala.text.catalogue import LANGUAGES
from mandala.text.errors import Refused

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
P = ParamSpec("P")
T = TypeVar("T")
Connection = ASGIConnection[Any, Any, Any, Any]


@dataclass
class Context:
    """One running server."""

    store: Store
    signer: Signer
    limits: Limits = field(default_factory=Limits)
    metrics: Metrics = field(default_factory=Metrics)
    origins: tuple[str, ...] = ()  # besides the server's own
    is_secure: bool = False  # whether people reach it by HTTPS alone
    redis: str | None = None  # the bus to other processes
    about: About = NOTHING_SAID

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.store, self.limits, self.metrics, self.redis)
        limits = self.limits
        self.requests = Buckets(limits.requests, limits.request_burst, limits.clients)
        self.at_tables = Buckets(limits.table_messages, limits.table_burst, limits.clients)
        self._studying = asyncio.Semaphore(limits.studies)

    @staticmethod
    def of(connection: Connection) -> Context:
        """The server that a connection came to."""
        return cast(Context, connection.app.state.context)

    async def person(self, connection: Connection) -> Player | None:
        """Who is asking: by token, or by cookie. Raises Refused for a token that is none."""
        found = await self.identity(connection)
        return await self.store.player(found) if found else None

    async def identity(self, connection: Connection) -> str | None:
        """The id of who is asking, as `person`, also if their data have been deleted since."""
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            player = await self.store.player_of_token(token)
            if player is None:
                raise Refused("who-are-you")
            return player.id
        return self.signer.opened("cookie", connection.cookies.get(COOKIE, ""))

    async def somebody(self, connection: Connection) -> Player:
        """Who is asking. Raises Refused when that is not known."""
        player = await self.person(connection)
        if player is None:
            raise Refused("who-are-you")
        return player

    async def room(self, table_id: str) -> Room:
        """A table by what a client calls it. Raises Refused."""
        if not TABLE_ID.fullmatch(table_id):
            raise Refused("no-such-table")
        return await self.rooms.room(table_id)

    async def study(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Do what takes a while on a thread: few at a time, so that live tables go first."""
        async with self._studying:
            return await asyncio.to_thread(work, *given, **named)

    def check_origin(self, connection: Connection) -> None:
        """Raise Refused for a page of somebody else that acts in a person's name."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self.origins:
            return
        if urlsplit(origin).netloc != connection.headers.get("host"):
            raise Refused("wrong-origin")

    def check_rate(self, connection: Connection) -> None:
        """Raise Refused for a client that asks too often."""
        client = connection.client.host if connection.client else "?"
        if not self.requests.take(client):
            raise Refused("too-fast")


def language_of(connection: Connection) -> str:
    """The language of answers: as asked for, as the browser prefers, else English."""
    asked = connection.query_params.get("language")
    if asked in LANGUAGES:
        return str(asked)
    preferred: str = connection.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES else "en"
