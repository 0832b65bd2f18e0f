"""Running the server: settings, the listening socket, uvicorn, and graceful shutdown."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar

from mandala.live.bus import require_redis_url
from mandala.live.store import Store
from mandala.live.store.lockfile import hold_lock
from mandala.live.store.upgrade import sqlite_path
from mandala.server.app import make_app
from mandala.server.file_limit import raise_file_limit
from mandala.server.limits import Limits
from mandala.server.logs import is_not_client_error, log_as_json
from mandala.server.messages import EMPTY_ABOUT, About
from mandala.text.errors import Refused

log = logging.getLogger("mandala.server")
SHUTDOWN_TIMEOUT_S = 5  # for open connections
BACKLOG = 2_048  # connections that wait to be accepted
SETTINGS_VARIABLE = "MANDALA_SETTINGS"  # passes settings to worker processes


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 picks a free one. Raises Refused if it cannot be bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Accepted connections inherit it. Otherwise the second of two messages sent in a row would wait
    # up to 40 ms for the acknowledgement of the first.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise Refused("port-taken", {"port": port}) from None
        raise Refused("bad-host", {"host": host, "why": error.strerror}) from None
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the URL of a server by its listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    database: str  # URL
    limits: Limits = field(default_factory=Limits)
    origins: tuple[str, ...] = ()  # allowed besides the server's own
    is_secure: bool = False  # whether the server is reached by HTTPS only
    is_quiet: bool = False
    redis: str | None = None  # URL
    workers: int = 1  # processes
    about: About = EMPTY_ABOUT
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For header is trusted

    def require_valid(self) -> None:
        """Raise Refused for invalid URLs, and for several workers without what they need."""
        is_file = sqlite_path(self.database) is not None
        if self.redis is not None:
            require_redis_url(self.redis)
        if self.workers > 1 and is_file:
            raise Refused("workers-need-postgresql")
        if self.workers > 1 and self.redis is None:
            raise Refused("workers-need-redis")

    def app(self) -> Litestar:
        """Return the ASGI application; called once in each process."""
        log_as_json(logging.WARNING if self.is_quiet else logging.INFO)
        # uvicorn would log addresses of clients, alembic details of migrations.
        for name in ("uvicorn", "alembic"):
            logging.getLogger(name).setLevel(logging.WARNING)
        logging.getLogger("uvicorn.error").addFilter(is_not_client_error)
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
    listening: socket.socket, settings: Settings, on_ready: Callable[[], None] | None = None
) -> bool:
    """Serve until stopped by a signal; return whether the server started and stopped normally.

    Ctrl-C raises KeyboardInterrupt. Raises Refused for invalid settings, and for a database that
    cannot be opened or is in use by another server.
    """
    settings.require_valid()
    raise_file_limit(settings.limits.max_connections)
    file = sqlite_path(settings.database)
    with nullcontext() if file is None else hold_lock(file, address_of(listening)):
        # Opened here first, so that an error is reported once and not by each worker.
        asyncio.run(_open_once(settings.database))
        return _serve(listening, settings, on_ready)


async def _open_once(database: str) -> None:
    store = await Store.open(database)
    try:
        await store.check()
    finally:
        await store.close()


def _serve(
    listening: socket.socket, settings: Settings, on_ready: Callable[[], None] | None
) -> bool:
    _drop_stalled_connections(listening, settings.limits.ping_timeout_s)
    options: dict[str, Any] = {
        "factory": True,
        "log_config": None,
        "access_log": False,  # URLs may contain seat keys
        "lifespan": "on",
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "server_header": False,
        "timeout_graceful_shutdown": SHUTDOWN_TIMEOUT_S,
        "ws": "websockets-sansio",  # ADR 10
        "ws_max_size": settings.limits.max_message_bytes,
        "ws_ping_interval": settings.limits.ping_interval_s,
        "ws_ping_timeout": settings.limits.ping_timeout_s,
        "limit_concurrency": settings.limits.max_connections,
        "backlog": BACKLOG,
    }
    if settings.workers > 1:
        os.environ[SETTINGS_VARIABLE] = msgspec.json.encode(settings).decode()
        if on_ready is not None:
            on_ready()
        name = f"{__name__}:{_app_of_worker.__name__}"
        uvicorn.run(name, workers=settings.workers, fd=listening.fileno(), **options)
        return True
    has_started = False

    async def note_start() -> None:
        nonlocal has_started
        has_started = True
        if on_ready is not None:
            # In a thread, because opening a browser can take long.
            threading.Thread(target=on_ready, daemon=True).start()

    def make() -> Litestar:
        app = settings.app()
        app.on_startup.append(note_start)
        return app

    uvicorn.Server(uvicorn.Config(make, **options)).run(sockets=[listening])
    log.info("stopped")
    return has_started


def _app_of_worker() -> Litestar:
    """Return the application of a worker process."""
    return msgspec.json.decode(os.environ[SETTINGS_VARIABLE], type=Settings).app()


def _drop_stalled_connections(listening: socket.socket, timeout_s: float) -> None:
    """Let the system drop accepted connections whose client has not read for so long."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        milliseconds = int(1000 * timeout_s)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
