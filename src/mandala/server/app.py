"""The application: all handlers, and what is done for every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from mandala import __version__
from mandala.live.store import Store
from mandala.server import page, responses
from mandala.server.api import games, operations, players, records, tables
from mandala.server.api.requests import HttpRequest
from mandala.server.context import UNSAFE_METHODS, Context
from mandala.server.expiry import expire_guests
from mandala.server.identity import Signer
from mandala.server.limits import Limits
from mandala.server.messages import EMPTY_ABOUT, About
from mandala.text.errors import MandalaError

RESOURCES = (games, players, tables, records, operations)


def make_app(
    url: str,
    limits: Limits | None = None,
    *,
    origins: tuple[str, ...] = (),
    is_secure: bool = False,
    folder: Path = page.FOLDER,
    redis: str | None = None,
    about: About = EMPTY_ABOUT,
) -> Litestar:
    """Return the application for a database URL, with the page in a folder."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        store = await Store.open(url)
        signer = Signer(await store.key("signing"))
        own = {"origins": origins, "is_secure": is_secure, "redis": redis, "about": about}
        context = Context(store, signer, bounds, **own)  # type: ignore[arg-type]
        app.state.context = context
        await context.rooms.start()
        expiry = asyncio.create_task(expire_guests(store, bounds.unplayed_guest_days))
        try:
            yield
        finally:
            expiry.cancel()
            await asyncio.gather(expiry, return_exceptions=True)
            await context.rooms.stop()
            await store.close()

    bounds, answers = limits or Limits(), responses.Responses(is_secure=is_secure)
    return Litestar(
        [handler for resource in RESOURCES for handler in resource.HANDLERS],
        lifespan=[running],
        before_request=_before,
        after_exception=[responses.log_socket_error],
        after_request=answers.add_headers,
        exception_handlers={
            MandalaError: answers.answer_mandala_error,
            HTTPException: answers.answer_http_error,
            Exception: answers.answer_internal_error,
        },
        request_class=responses.JsonRequest,
        request_max_body_size=bounds.max_body_bytes,
        compression_config=CompressionConfig(
            "gzip", minimum_size=1_000, gzip_compress_level=6, exclude_opt_key="no_compression"
        ),
        state=State({"page": page.read_files(folder), "described": None}),
        openapi_config=OpenAPIConfig(
            title="mandala",
            version=__version__,
            path="/schema",
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
    )


async def _before(request: HttpRequest) -> None:
    context = Context.of(request)
    if request.method in UNSAFE_METHODS:
        context.require_same_origin(request)
    context.require_rate(request)
