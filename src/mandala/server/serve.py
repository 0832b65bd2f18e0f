"""Running the server: uvicorn around the app, logs as JSON lines, a stop that loses nothing."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import uvicorn

from mandala.errors import Refused

from .app import make_app
from .limits import Limits

log = logging.getLogger("mandala.server")
OWN_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
PATIENCE = 5  # seconds that open connections are given when the server stops


class JsonLines(logging.Formatter):
    """One line of JSON for each thing that happens. Nobody logs a card, a key or an address."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in OWN_FIELDS}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


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
    """The socket to listen on; port 0 is any free one. Raises Refused when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise Refused("port-taken", {"port": port}) from None
    return listening


def serve(
    listening: socket.socket,
    database: str,
    limits: Limits | None = None,
    *,
    origins: tuple[str, ...] = (),
    is_secure: bool = False,
    is_quiet: bool = False,
    when_ready: Callable[[], None] | None = None,
) -> bool:
    """Serve until a signal says stop; whether it went well. Ctrl-C raises KeyboardInterrupt."""
    limits = limits or Limits()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(
        level=logging.WARNING if is_quiet else logging.INFO, handlers=[handler], force=True
    )
    # They would name people's addresses, or what only somebody who upgrades wants to know.
    for name in ("uvicorn", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    config = uvicorn.Config(
        make_app(database, limits, origins=origins, is_secure=is_secure),
        log_config=None,
        # Addresses may hold what only their owner should know.
        access_log=False,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
        ws="websockets-sansio",
        ws_max_size=limits.message_bytes,
    )
    server = _Server(config)
    server.when_ready = when_ready
    log.info("serving")
    server.run(sockets=[listening])
    log.info("stopped")
    return server.started
