"""The HTTP API, described at `/openapi.json`."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from litestar import Litestar, MediaType, Request, Response, delete, get, patch, post, route
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Cookie, State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, LitestarException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.types import Scope

from mandala import __version__
from mandala.bots.players import make_player, player_names
from mandala.games import all_games, find_game
from mandala.live import table as live
from mandala.live.events import Bot, Person
from mandala.live.store import Player, Store
from mandala.live.store.rows import Summary
from mandala.live.table import Applied, Table
from mandala.server import page
from mandala.server.api_docs import docs_page
from mandala.server.context import UNSAFE_METHODS, Context, language_of
from mandala.server.identity import COOKIE, COOKIE_MAX_AGE_S, Signer
from mandala.server.lessons import answer_to, lesson_of, rules_for
from mandala.server.limits import Limits
from mandala.server.messages import (
    EMPTY_ABOUT,
    About,
    Credential,
    ErrorMessage,
    Explanation,
    GameInfo,
    Health,
    LessonAnswer,
    LessonInfo,
    LessonMove,
    Me,
    NewName,
    NewTable,
    OpenedTable,
    Proof,
    Recipient,
    Replay,
    ReplayRequest,
    RulesInfo,
    Sit,
    TableInfo,
    TableState,
    WhyRequest,
    error_message,
    info_of,
)
from mandala.server.names import names_of
from mandala.server.replays import line_of, proof_of, read_one, replay_of, why_not_at
from mandala.server.rooms import Room, now_ms, resolve_seat
from mandala.server.socket import table_socket
from mandala.text.errors import MandalaError, Refused

log = logging.getLogger("mandala.server")

HttpRequest = Request[Any, Any, State]
Status = Annotated[Literal["open", "running", "over"], QueryParameter(name="state")]
Name = Annotated[str | None, QueryParameter(max_length=40, pattern=r"^[^\x00]*$")]
Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
SeatNumber = Annotated[int | None, QueryParameter(ge=1, le=4)]

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


# Games and players


@get("/api/games")
async def games() -> list[GameInfo]:
    """List the games and their possible numbers of seats."""
    return [GameInfo(id=game.id, seats=list(game.seats)) for game in all_games()]


@get("/api/players")
async def players() -> list[str]:
    """List the names of bots."""
    return player_names()


# Players


@post("/api/me")
async def sign_in(request: HttpRequest, data: JSONBody[NewName]) -> Response[Me]:
    """Sign in as a guest with a name; sets a cookie."""
    context = Context.of(request)
    live.require_name(data.name)
    player = await context.store.add_player(data.name, now_ms())
    return _signed_in(context, player)


@get("/api/me")
async def get_me(request: HttpRequest) -> Me:
    """Return your player id and name."""
    player = await Context.of(request).require_player(request)
    return Me(id=player.id, name=player.name)


@patch("/api/me")
async def rename(request: HttpRequest, data: JSONBody[NewName]) -> Me:
    """Change your name."""
    context = Context.of(request)
    player = await context.require_player(request)
    live.require_name(data.name)
    await context.store.rename(player.id, data.name)
    return Me(id=player.id, name=data.name)


@delete("/api/me")
async def delete_me(request: HttpRequest) -> Response[None]:
    """Delete your player, and your name from all games."""
    context = Context.of(request)
    player = await context.require_player(request)
    context.rooms.reload(await context.store.delete_player(player.id))
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(COOKIE)
    return response


@get("/api/me/link")
async def personal_link(request: HttpRequest) -> Credential:
    """Return a credential for using your identity on another device. Keep it secret."""
    context = Context.of(request)
    player = await context.require_player(request)
    return Credential(key=context.signer.sign("link", player.id))


@post("/api/me/link")
async def sign_in_by_link(request: HttpRequest, data: JSONBody[Credential]) -> Response[Me]:
    """Sign in with a personal link's key; sets a cookie."""
    context = Context.of(request)
    found = context.signer.unsign("link", data.key)
    player = await context.store.player(found) if found else None
    if player is None:
        raise Refused("bad-key")
    return _signed_in(context, player)


@post("/api/me/tokens")
async def new_token(request: HttpRequest) -> Credential:
    """Create a token for a program that plays as you: `Authorization: Bearer TOKEN`."""
    context = Context.of(request)
    player = await context.require_player(request)
    return Credential(key=await context.store.add_token(player.id, now_ms()))


@get("/api/me/tables")
async def my_tables(request: HttpRequest, status: Status = "running") -> list[TableInfo]:
    """List your tables that are open, running or over."""
    context = Context.of(request)
    player = await context.require_player(request)
    return await _listed(request, player, await context.store.tables(status, player=player.id))


# Tables


@post("/api/tables")
async def open_table(request: HttpRequest, data: JSONBody[NewTable]) -> OpenedTable:
    """Open a table. If all seats are taken, the game starts at once."""
    context = Context.of(request)
    player = await context.require_player(request)
    if await context.store.count_open_tables(player.id) >= context.limits.max_open_tables:
        raise Refused("too-many-tables", {"most": context.limits.max_open_tables})
    for new_seat in data.seats:
        if new_seat.kind == "bot":
            make_player(new_seat.name, 0)
    line: tuple[str, ...] = ()
    if data.line:
        line = await context.run_in_thread(line_of, data.line, data.game, data.ply)
    opening = live.open_table(
        data.game,
        len(data.seats),
        secrets.token_bytes(32),
        data.clock,
        listed=data.listed,
        line=line,
    )
    share = _share(data.share)

    def sit_down(table: Table, now: int) -> list[Applied]:
        applied: list[Applied] = []
        for seat, new_seat in enumerate(data.seats, start=1):
            if new_seat.kind == "open":
                continue
            sitter = (
                Bot(new_seat.name) if new_seat.kind == "bot" else Person(player.id, player.name)
            )
            applied += live.sit(table, seat, sitter, share if new_seat.kind == "me" else b"", now)
            table = applied[-1].table
        return applied

    room = await context.rooms.open(opening, sit_down, player.id)
    open_seats = [seat for seat, new_seat in enumerate(data.seats, 1) if new_seat.kind == "open"]
    return OpenedTable(
        state=_state(request, room, resolve_seat(room, player.id, None)),
        keys={str(seat): context.signer.seat_key(room.id, seat) for seat in open_seats},
    )


@get("/api/tables")
async def list_tables(
    request: HttpRequest,
    status: Status = "open",
    game: FromQuery[str | None] = None,
    name: Name = None,
    before: Before = None,
) -> list[TableInfo]:
    """List tables to join (open), to watch (running), or to replay (over).

    `name` matches part of a player's name; `before` is a time in milliseconds, for paging.
    """
    if game is not None:
        find_game(game)
    context = Context.of(request)
    found = await context.store.tables(status, game=game, name=name, before=before)
    return await _listed(request, await context.find_player(request), found)


@get("/api/tables/{table_id:str}")
async def table_state(
    request: HttpRequest, table_id: FromPath[str], seat: SeatNumber = None
) -> TableState:
    """Return the state of a table from your seat or as a spectator."""
    context = Context.of(request)
    room, player = await context.room(table_id), await context.find_player(request)
    return _state(request, room, resolve_seat(room, player.id if player else None, seat))


@post("/api/tables/{table_id:str}/seats/{seat:int}")
async def sit(
    request: HttpRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[Sit]
) -> TableState:
    """Take an open seat. When the last seat is taken, the game starts."""
    context = Context.of(request)
    player, room = await context.require_player(request), await context.room(table_id)
    is_invited = context.signer.is_seat_key(table_id, seat, data.key)
    is_expected = any(
        isinstance(each, Person) and each.player == player.id
        for each in room.table.opening.reserved
    )
    if not (room.table.opening.listed or is_invited or is_expected):
        raise Refused("bad-key")
    share = _share(data.share)

    def decide(table: Table, now: int) -> list[Applied]:
        return live.sit(table, seat, Person(player.id, player.name), share, now)

    await context.rooms.execute(room, player.id, decide)
    return _state(request, room, seat)


@delete("/api/tables/{table_id:str}/seats/{seat:int}")
async def leave(request: HttpRequest, table_id: FromPath[str], seat: FromPath[int]) -> None:
    """Leave a seat before the game has started."""
    context = Context.of(request)
    player, room = await context.require_player(request), await context.room(table_id)
    resolve_seat(room, player.id, seat)

    def decide(table: Table, now: int) -> list[Applied]:
        return live.leave(table, seat, now) if seat in table.seats_of(player.id) else []

    await context.rooms.execute(room, player.id, decide)


@get("/api/tables/{table_id:str}/record", media_type=MediaType.TEXT)
async def record(request: HttpRequest, table_id: FromPath[str], seat: SeatNumber = None) -> str:
    """Return the game as a record: what you may see while it runs, everything when it is over."""
    context = Context.of(request)
    room, player = await context.room(table_id), await context.find_player(request)
    found = live.record(room.table, resolve_seat(room, player.id if player else None, seat))
    if found is None:
        raise Refused("no-record-yet")
    return str(found)


@get("/api/tables/{table_id:str}/replay")
async def table_replay(
    request: HttpRequest, table_id: FromPath[str], view: SeatNumber = None, seat: SeatNumber = None
) -> Replay:
    """Return a game ply by ply: what you may see while it runs, everything when it is over.

    When it is over, `view` selects the view of a seat.
    """
    context = Context.of(request)
    room, player = await context.room(table_id), await context.find_player(request)
    own = resolve_seat(room, player.id if player else None, seat)
    found = live.record(room.table, own)
    if found is None:
        raise Refused("no-record-yet")
    as_seen, language = view if room.table.ending is not None else None, language_of(request)
    names = names_of(room.table, language)
    return await Context.of(request).run_in_thread(replay_of, found, as_seen, language, names)


@get("/api/tables/{table_id:str}/proof")
async def proof(request: HttpRequest, table_id: FromPath[str]) -> Proof:
    """Return everything needed to verify the deal of a game that is over."""
    table = (await Context.of(request).room(table_id)).table
    live.require_rules(table.opening)
    found = live.record(table, None)
    if found is None or table.ending is None:
        raise Refused("proof-later")
    return await Context.of(request).run_in_thread(proof_of, found, table.shares)


# Records


@post("/api/replays", status_code=200)
async def replay(request: HttpRequest, data: JSONBody[ReplayRequest]) -> Replay:
    """Return a record ply by ply, with all cards or from the view of a seat."""
    record = read_one(data.record)
    return await Context.of(request).run_in_thread(
        replay_of, record, data.view, language_of(request)
    )


@post("/api/why", status_code=200)
async def why(request: HttpRequest, data: JSONBody[WhyRequest]) -> Explanation:
    """Explain why a move is not legal after a ply of a record."""
    record, language = read_one(data.record), language_of(request)
    return await Context.of(request).run_in_thread(
        why_not_at, record, data.ply, data.move, language
    )


# Rules and lessons


@get("/api/rules/{game:str}")
async def rules(request: HttpRequest, game: FromPath[str]) -> RulesInfo:
    """Return a summary of a game's rules."""
    return rules_for(game, language_of(request))


@get("/api/lessons/{game:str}")
async def lesson(request: HttpRequest, game: FromPath[str]) -> LessonInfo:
    """Return a game's lesson: positions in status the learner makes a move."""
    return await Context.of(request).run_in_thread(lesson_of, game, language_of(request))


@post("/api/lessons/{game:str}/{step:int}", status_code=200)
async def lesson_move(
    request: HttpRequest, game: FromPath[str], step: FromPath[int], data: JSONBody[LessonMove]
) -> LessonAnswer:
    """Submit a learner's move; the response says whether it is accepted, and why not."""
    return await Context.of(request).run_in_thread(
        answer_to, game, step, data.move, language_of(request)
    )


# The server itself


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


# The application


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
        context = Context(store, signer, limits or Limits(), **own)  # type: ignore[arg-type]
        app.state.context = context
        await context.rooms.start()
        try:
            yield
        finally:
            await context.rooms.stop()
            await store.close()

    bounds = limits or Limits()
    handlers: list[Any] = [
        games, players, sign_in, get_me, rename, delete_me, personal_link, sign_in_by_link,
        new_token, my_tables, open_table, list_tables, table_state, sit, leave, record,
        table_replay, proof, replay, why, rules, lesson, lesson_move, about_server, alive,
        ready, metrics, document, documentation, table_socket, page_file,
    ]  # fmt: skip
    return Litestar(
        handlers,
        lifespan=[running],
        before_request=_before,
        after_exception=[_log_socket_error],
        after_request=_with_headers,
        exception_handlers={
            MandalaError: _mandala_error,
            HTTPException: _http_error,
            Exception: _internal_error,
        },
        request_max_body_size=bounds.max_body_bytes,
        compression_config=CompressionConfig(
            "gzip", minimum_size=1_000, gzip_compress_level=6, exclude_opt_key="no_compression"
        ),
        state=State({"page": page.read_files(folder)}),
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
    if request.url.path.startswith("/api/"):
        context.require_rate(request)


async def _with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _mandala_error(request: HttpRequest, error: MandalaError) -> Response[ErrorMessage]:
    status = STATUS.get(error.code, 400)
    message = error_message(error, language_of(request))
    return Response(message, status_code=status, headers=HEADERS, media_type=MediaType.JSON)


def _http_error(request: HttpRequest, error: HTTPException) -> Response[ErrorMessage]:
    if error.status_code == 404:
        refused = Refused("not-found")
    else:
        refused = Refused("bad-request", {"what": str(error.detail)[:200]})
    headers = {**HEADERS, **(error.headers or {})}
    message = error_message(refused, language_of(request))
    return Response(
        message, status_code=error.status_code, headers=headers, media_type=MediaType.JSON
    )


def _internal_error(request: HttpRequest, error: Exception) -> Response[ErrorMessage]:
    log.error("request failed", exc_info=error)
    message = error_message(Refused("internal"), language_of(request))
    return Response(message, status_code=500, headers=HEADERS, media_type=MediaType.JSON)


async def _log_socket_error(error: Exception, scope: Scope) -> None:
    """Log an error that ended a WebSocket; those of requests are logged by their handlers."""
    if scope["type"] == ScopeType.WEBSOCKET and not isinstance(error, LitestarException):
        log.error("socket failed", exc_info=error)


def _signed_in(context: Context, player: Player) -> Response[Me]:
    value = context.signer.sign("cookie", player.id)
    cookie = Cookie(
        COOKIE,
        value=value,
        max_age=COOKIE_MAX_AGE_S,
        httponly=True,
        samesite="lax",
        secure=context.is_secure,
    )
    return Response(Me(id=player.id, name=player.name), cookies=[cookie])


def _state(request: HttpRequest, room: Room, seat: int | None) -> TableState:
    """A table as one seat may see it, in the language of the request."""
    return Context.of(request).rooms.state(room, Recipient(seat, language_of(request)))


def _share(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


async def _listed(
    request: HttpRequest, player: Player | None, found: list[Summary]
) -> list[TableInfo]:
    context, language = Context.of(request), language_of(request)
    ids = [each.id for each in found]
    own = await context.store.seats_of(player.id, ids) if player and ids else {}
    return [info_of(each, own.get(each.id, []), language) for each in found]
