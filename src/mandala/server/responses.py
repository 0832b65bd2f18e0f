"""Headers of all responses, and responses to errors."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, LitestarException
from litestar.types import Scope

from mandala.server.api.requests import HttpRequest
from mandala.server.context import Context, language_of
from mandala.server.messages import ErrorMessage, error_message
from mandala.text.errors import MandalaError, Refused

log = logging.getLogger("mandala.server")

Error = Response[ErrorMessage]
UNROUTED = (404, 405)  # statuses of requests that no handler takes

STATUS = {
    "who-are-you": 401,
    "not-your-seat": 403,
    "wrong-origin": 403,
    "bad-key": 403,
    "no-such-table": 404,
    "no-record-yet": 404,
    "proof-later": 404,
    "no-such-step": 404,
    "no-such-token": 404,
    "not-found": 404,
    "has-started": 409,
    "seat-taken": 409,
    "too-late": 409,
    "line-running": 409,
    "too-fast": 429,
    "too-many-tables": 429,
    "too-many-listed": 429,
    "too-many-guests": 429,
    "too-many-tokens": 429,
    "damaged-table": 500,
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


# For a server that is reached by HTTPS only: browsers then never try HTTP for a year.
HSTS = {"Strict-Transport-Security": "max-age=31536000"}
NO_STORE = {"Cache-Control": "no-store"}  # unless a response says otherwise


class JsonRequest(Request[Any, Any, State]):
    """A request whose body may contain anything."""

    async def json(self) -> Any:
        """Return the decoded body. Raises Refused for invalid UTF-8 and too deep nesting."""
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError) as error:
            raise Refused("bad-request", {"what": str(error)[:200]}) from None


class Responses:
    """Adds the headers of all responses, and makes the responses to errors."""

    def __init__(self, *, is_secure: bool) -> None:
        self.headers = {**HEADERS, **NO_STORE, **(HSTS if is_secure else {})}

    async def add_headers(self, response: Response[Any]) -> Response[Any]:
        """Add the headers that a response does not have."""
        for name, value in self.headers.items():
            response.headers.setdefault(name, value)
        return response

    def answer_mandala_error(self, request: HttpRequest, error: MandalaError) -> Error:
        """Answer an error that has a code, with the status of that code."""
        return self._error(request, error, STATUS.get(error.code, 400))

    def answer_http_error(self, request: HttpRequest, error: HTTPException) -> Error:
        """Answer an error that Litestar raised, such as a body of another shape."""
        if error.status_code in UNROUTED:  # no handler has counted it
            try:
                Context.of(request).require_rate(request)
            except Refused as too_fast:
                return self.answer_mandala_error(request, too_fast)
        refused = Refused("bad-request", {"what": str(error.detail)[:200]})
        if error.status_code == 404:
            refused = Refused("not-found")
        return self._error(request, refused, error.status_code, error.headers)

    def answer_internal_error(self, request: HttpRequest, error: Exception) -> Error:
        """Log an unexpected error and answer without its details."""
        log.error("request failed", exc_info=error)
        return self._error(request, Refused("internal"), 500)

    def _error(
        self,
        request: HttpRequest,
        error: MandalaError,
        status: int,
        headers: Mapping[str, str] | None = None,
    ) -> Error:
        message = error_message(error, language_of(request))
        own = {**self.headers, **(headers or {})}
        return Response(message, status_code=status, headers=own, media_type=MediaType.JSON)


async def log_socket_error(error: Exception, scope: Scope) -> None:
    """Log an error that ended a WebSocket; those of requests are logged by their handlers."""
    if scope["type"] == ScopeType.WEBSOCKET and not isinstance(error, LitestarException):
        log.error("socket failed", exc_info=error)
