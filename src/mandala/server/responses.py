"""Headers of all responses, and responses to errors."""

from __future__ import annotations

import logging
from typing import Any

from litestar import MediaType, Response
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, LitestarException
from litestar.types import Scope

from mandala.server.api.requests import HttpRequest
from mandala.server.context import language_of
from mandala.server.messages import ErrorMessage, error_message
from mandala.text.errors import MandalaError, Refused

log = logging.getLogger("mandala.server")

STATUS = {
    "who-are-you": 401,
    "not-your-seat": 403,
    "wrong-origin": 403,
    "bad-key": 403,
    "no-such-table": 404,
    "no-record-yet": 404,
    "proof-later": 404,
    "no-such-step": 404,
    "not-found": 404,
    "has-started": 409,
    "seat-taken": 409,
    "too-late": 409,
    "too-fast": 429,
    "too-many-tables": 429,
    "server-stops": 503,
    "no-storage": 503,
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'; script-src 'self'; style-src 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


async def add_headers(response: Response[Any]) -> Response[Any]:
    """Add the headers of all responses."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def answer_mandala_error(request: HttpRequest, error: MandalaError) -> Response[ErrorMessage]:
    """Answer an error that has a code, with the status of that code."""
    status = STATUS.get(error.code, 400)
    message = error_message(error, language_of(request))
    return Response(message, status_code=status, headers=HEADERS, media_type=MediaType.JSON)


def answer_http_error(request: HttpRequest, error: HTTPException) -> Response[ErrorMessage]:
    """Answer an error that Litestar raised, such as a body of another shape."""
    if error.status_code == 404:
        refused = Refused("not-found")
    else:
        refused = Refused("bad-request", {"what": str(error.detail)[:200]})
    headers = {**HEADERS, **(error.headers or {})}
    message = error_message(refused, language_of(request))
    return Response(
        message, status_code=error.status_code, headers=headers, media_type=MediaType.JSON
    )


def answer_internal_error(request: HttpRequest, error: Exception) -> Response[ErrorMessage]:
    """Log an unexpected error and answer without its details."""
    log.error("request failed", exc_info=error)
    message = error_message(Refused("internal"), language_of(request))
    return Response(message, status_code=500, headers=HEADERS, media_type=MediaType.JSON)


async def log_socket_error(error: Exception, scope: Scope) -> None:
    """Log an error that ended a WebSocket; those of requests are logged by their handlers."""
    if scope["type"] == ScopeType.WEBSOCKET and not isinstance(error, LitestarException):
        log.error("socket failed", exc_info=error)
