"""Players: signing in, names, and credentials."""

from __future__ import annotations

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from mandala.live import table as live
from mandala.live.store import Player
from mandala.server.api.requests import HttpRequest, Status, table_infos
from mandala.server.context import Context
from mandala.server.identity import COOKIE, COOKIE_MAX_AGE_S
from mandala.server.messages import Credential, Me, NewName, TableInfo
from mandala.server.rooms import now_ms
from mandala.text.errors import Refused


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
    return await table_infos(request, player, await context.store.tables(status, player=player.id))


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


HANDLERS = [
    sign_in, get_me, rename, delete_me, personal_link, sign_in_by_link, new_token, my_tables,
]  # fmt: skip
