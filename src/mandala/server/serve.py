"""Running the server: uvicorn around the app, a stop that loses nothing."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field

import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from mandala.live.bus import check as check_redis
from mandala.live.store import Store
from mandala.live.store.lockfile import held_alone
from mandala.live.store.upgrade import file_of
from mandala.server.app import make_app
from mandala.server.limits import Limits
from mandala.server.logs import log_as_json
from mandala.server.messages import NOTHING_SAID, About
from mandala.server.wire import Wire
from mandala.text.errors import Refused

log = logging.getLogger("mandala.server")
PATIENCE = 5  # seconds that open connections are given when the server stops


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    when_ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started and self.when_ready is not None:
            # On the side: to open a browser may take as long as it likes.
            threading.Thread(target=self.when_ready, daemon=True).start()


def bind(host: str, port: int) -> socket.socket:
    """The socket to listen on; port 0 is any free one. Raises Refused for what cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would not switch off Nagle's algorithm: of two messages sent in a row
    # the second would wait up to 40 ms for the first to be confirmed.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise Refused("port-taken", {"port": port}) from None
        raise Refused("bad-host", {"host": host, "why": error.strerror}) from None
    return listening


def address_of(listening: socket.socket) -> str:
    """Where a server answers."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@dataclass(frozen=True)
class Settings:
    """What a server is told when it starts."""

    database: str
    limits: Limits = field(default_factory=Limits)
    origins: tuple[str, ...] = ()  # other pages that may use it
    is_secure: bool = False  # people come by HTTPS alone
    is_quiet: bool = False
    redis: str | None = None
    workers: int = 1
    about: About = NOTHING_SAID
    proxies: tuple[str, ...] = ()  # who may say for whom they ask

    def check(self) -> None:
        """Raise Refused for what cannot be."""
        is_file = file_of(self.database) is not None
        if self.redis is not None:
            check_redis(self.redis)
        if self.workers > 1 and is_file:
            raise Refused("workers-need-postgresql")
        if self.workers > 1 and self.redis is None:
            raise Refused("workers-need-redis")

    def app(self) -> Litestar:
        """The application; each process calls this once."""
        log_as_json(logging.WARNING if self.is_quiet else logging.INFO)
        # They would name people's addresses, or what only somebody who upgrades wants to know.
        for name in ("uvicorn", "alembic"):
            logging.getLogger(name).setLevel(logging.WARNING)
        log.info("serving")
        return make_app(
            self.database,
            self.limits,
            origins=self.origins,
            is_secure=self.is_secure,
            redis=self.redis,
            about=self.about,
        )


def serve(
    listening: socket.socket, settings: Settings, when_ready: Callable[[], None] | None = None
) -> bool:
    """Serve until a signal says stop; whether it went well. Ctrl-C raises KeyboardInterrupt.

    Raises Refused for settings that cannot be, for a database that cannot be opened, and for a file
    that another server has.
    """
    settings.check()
    file = file_of(settings.database)
    with nullcontext() if file is None else held_alone(file, address_of(listening)):
        # Here, and not where the app starts: a host wants one line, and each worker would say it.
        asyncio.run(_open_once(settings.database))
        return _serve(listening, settings, when_ready)


async def _open_once(database: str) -> None:
    await (await Store.open(database)).close()


def _serve(
    listening: socket.socket, settings: Settings, when_ready: Callable[[], None] | None
) -> bool:
    config = uvicorn.Config(
        settings.app,
        factory=True,
        log_config=None,
        # Addresses may hold what only their owner should know.
        access_log=False,
        lifespan="on",
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
        ws=Wire,
        ws_max_size=settings.limits.message_bytes,
        workers=settings.workers,
    )
    if settings.workers > 1:
        several = Multiprocess(config, [listening])
        if when_ready is not None:
            when_ready()
        several.run()
        return all(each.exitcode == 0 for each in several.processes)
    server = _Server(config)
    server.when_ready = when_ready
    server.run(sockets=[listening])
    log.info("stopped")
    return server.started
