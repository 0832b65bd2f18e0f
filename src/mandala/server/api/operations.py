"""The server itself: health, metrics, the API description, and the files of the page."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Litestar, Response, get, route

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


@get("/openapi.json", include_in_schema=False, no_compression=True)
async def document(request: HttpRequest) -> Response[bytes]:
    """Return the API description as an OpenAPI 3.1 document."""
    return _file_response(request, (await _described(request))[0])


@get("/docs", include_in_schema=False, no_compression=True)
async def documentation(request: HttpRequest) -> Response[bytes]:
    """Return the API description as an HTML page."""
    return _file_response(request, (await _described(request))[1])


@route(
    ["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False, no_compression=True
)
async def page_file(request: HttpRequest) -> Response[bytes]:
    """Return a file of the page, or the page itself for its own routes."""
    file = page.find_file(request.app.state.page, request.url.path)
    if file is None:
        raise Refused("not-found")
    return _file_response(request, file)


async def _described(request: HttpRequest) -> tuple[page.File, page.File]:
    """The API description as JSON and as HTML, made in a thread for the first request."""
    state = request.app.state
    if state.described is None:
        state.described = asyncio.ensure_future(asyncio.to_thread(_describe, request.app))
    files: tuple[page.File, page.File] = await asyncio.shield(state.described)
    return files


def _describe(app: Litestar) -> tuple[page.File, page.File]:
    schema = app.openapi_schema.to_schema()
    return (
        page.make_file("/openapi.json", msgspec.json.encode(schema)),
        page.make_file("/docs.html", docs_page(schema).encode()),
    )


def _file_response(request: HttpRequest, file: page.File) -> Response[bytes]:
    headers, body = page.response_parts(file, request.headers)
    if request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    return Response(body, status_code=200, headers=headers, media_type=file.media_type)


HANDLERS = [about_server, alive, ready, metrics, document, documentation, page_file]
