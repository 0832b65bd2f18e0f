"""The state shared by all requests: store, tables, limits, and identification of the player."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any, ParamSpec, TypeVar, cast

from litestar.connection import ASGIConnection

from mandala.live.store import Player, Store
from mandala.server.fair_queue import FairQueue
from mandala.server.identity import COOKIE, Signer
from mandala.server.limits import Buckets, Limits
from mandala.server.messages import EMPTY_ABOUT, About
from mandala.server.metrics import Metrics
from mandala.server.rooms import Room, Rooms
from mandala.text.catalogue import LANGUAGES
from mandala.text.errors import Refused

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
CHECKS = ("/healthz", "/readyz", "/metrics")
IPV6_PREFIX = 64  # bits of an address that name a network
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
        self.table_rates = self._buckets(limits.table_messages_per_second, limits.table_burst)
        self._api_rates = self._buckets(limits.requests_per_second, limits.request_burst)
        self._page_rates = self._buckets(limits.page_requests_per_second, limits.page_burst)
        self._check_rates = self._buckets(limits.check_requests_per_second, limits.check_burst)
        hourly, daily = limits.new_guests_per_hour, limits.new_guests_per_day
        self._guest_rates = (
            self._buckets(hourly / 3_600, hourly),
            self._buckets(daily / 86_400, daily),
        )
        self._jobs = FairQueue(limits.max_background_jobs, limits.max_waiting_jobs)
        self._sockets: Counter[str] = Counter()  # open ones, by address

    def _buckets(self, rate: float, size: float) -> Buckets:
        return Buckets(rate, size, self.limits.max_tracked_clients)

    @staticmethod
    def of(connection: Connection) -> Context:
        """Return the context of the server that a connection belongs to."""
        return cast(Context, connection.app.state.context)

    async def find_player(self, connection: Connection) -> Player | None:
        """Return the player making a request, by token or cookie, None if unknown.

        Raises Refused for an invalid token.
        """
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            player = await self.store.player_of_token(token)
            if player is None:
                raise Refused("who-are-you")
            return player
        return await self.player_by("cookie", connection.cookies.get(COOKIE, ""))

    async def player_id(self, connection: Connection) -> str | None:
        """Return the id of the player making a request. Raises Refused for an invalid token."""
        player = await self.find_player(connection)
        return player.id if player else None

    async def player_by(self, kind: str, credential: str) -> Player | None:
        """Return the player of a signed cookie or link, None if it is invalid or revoked."""
        signed = self.signer.unsign(kind, credential)
        if signed is None:
            return None
        player = await self.store.player(signed.partition(".")[0])
        return player if player is not None and signed == _signed_text(player) else None

    def credential_of(self, kind: str, player: Player) -> str:
        """Return a signed cookie or link of a player, valid until the player revokes it."""
        return self.signer.sign(kind, _signed_text(player))

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

    async def run_in_thread(
        self, connection: Connection, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a slow function in a thread; few run at a time, and one of each address.

        Raises Refused when too many of one address wait.
        """
        async with self._jobs.slot(address_of(connection)):
            return await asyncio.to_thread(work, *args, **kwargs)

    def require_same_origin(self, connection: Connection) -> None:
        """Raise Refused for a cross-origin request, except from an allowed origin."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self.origins:
            return
        is_secure = self.is_secure or connection.scope["scheme"] in ("https", "wss")
        own = f"{'https' if is_secure else 'http'}://{connection.headers.get('host')}"
        if origin != own:
            raise Refused("wrong-origin")

    def require_rate(self, connection: Connection) -> None:
        """Raise Refused for a client that exceeds its request rate for a kind of path.

        Health checks have a rate of their own, so that players behind the same address as the
        load balancer cannot make them fail.
        """
        path, rates = connection.scope["path"], self._page_rates
        if path.startswith("/api/"):
            rates = self._api_rates
        elif path in CHECKS:
            rates = self._check_rates
        if not rates.take(address_of(connection)):
            raise Refused("too-fast")

    def require_new_guest(self, connection: Connection) -> None:
        """Raise Refused for an address that has made too many guests."""
        for rates in self._guest_rates:
            if not rates.take(address_of(connection)):
                raise Refused("too-many-guests")

    def require_few_sockets(self, connection: Connection) -> None:
        """Raise Refused if an address has too many open WebSockets, this one included."""
        most = self.limits.max_sockets_per_address
        if self._sockets[address_of(connection)] > most:
            raise Refused("too-many-sockets", {"most": most})

    @contextmanager
    def counted_socket(self, connection: Connection) -> Iterator[None]:
        """Count a WebSocket as open."""
        address = address_of(connection)
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def address_of(connection: Connection) -> str:
    """Return the address that limits count: of IPv6 the network, which one client has whole."""
    host = connection.client.host if connection.client else "?"
    try:
        address = ip_address(host)
    except ValueError:  # a socket file
        return host
    if address.version == 4:
        return host
    mapped = address.ipv4_mapped
    return str(mapped or ip_network((address, IPV6_PREFIX), strict=False).network_address)


def language_of(connection: Connection) -> str:
    """Return the language for texts: the `language` parameter, the browser's, or English."""
    requested = connection.query_params.get("language")
    if requested in LANGUAGES:
        return str(requested)
    preferred: str = connection.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES else "en"


def _signed_text(player: Player) -> str:
    """The text of cookies and links, which changes when they are revoked."""
    return f"{player.id}.{player.revocations}" if player.revocations else player.id
