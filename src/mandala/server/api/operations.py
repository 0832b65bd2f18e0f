"""The server itself: health, metrics, the API description, and the files of the page."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, route

from mandala.server import page
from mandala.server.api.requests import HttpRequest
from mandala.server.api_docs import docs_page
from mandala.server.context import Context
from mandala.server.messages import About, Health
from mandala.text.errors import Refused


@get("/api/about")
async def about_server(request: HttpRequest) -> About:
    """Return the operator's imprint and privacy policy."""
    return Context.of(request).about


@get("/healthz", include_in_schema=False)
async def alive() -> Health:
    """Liveness: the process answers."""
    return Health(status="ok")


@get("/readyz", include_in_schema=False)
async def ready(request: HttpRequest) -> Health:
    """Readiness: the database answers."""
    await Context.of(request).store.ping()
    return Health(status="ok")


@get("/metrics", include_in_schema=False, media_type="text/plain; version=0.0.4")
async def metrics(request: HttpRequest) -> bytes:
    """Return metrics in Prometheus's text format."""
    return Context.of(request).metrics.text()


@get("/openapi.json", include_in_schema=False)
async def document(request: HttpRequest) -> dict[str, Any]:
    """Return the API description as an OpenAPI 3.1 document."""
    return request.app.openapi_schema.to_schema()


@get("/docs", include_in_schema=False, media_type=MediaType.HTML)
async def documentation(request: HttpRequest) -> str:
    """Return the API description as an HTML page."""
    return docs_page(request.app.openapi_schema.to_schema())


@route(
    ["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False, no_compression=True
)
async def page_file(request: HttpRequest) -> Response[bytes]:
    """Return a file of the page, or the page itself for its own routes."""
    file = page.find_file(request.app.state.page, request.url.path)
    if file is None:
        raise Refused("not-found")
    headers, body = page.response_parts(file, request.headers)
    if request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    return Response(body, status_code=200, headers=headers, media_type=file.media_type)


HANDLERS = [about_server, alive, ready, metrics, document, documentation, page_file]
