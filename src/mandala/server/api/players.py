"""Players: signing in, names, and credentials."""

from __future__ import annotations

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody

from mandala.live.store import Player
from mandala.server.api.requests import HttpRequest, Status, table_infos
from mandala.server.context import Context
from mandala.server.identity import COOKIE, COOKIE_MAX_AGE_S
from mandala.server.messages import Credential, Me, NewName, TableInfo, TokenInfo
from mandala.server.names import require_new_name
from mandala.server.rooms import now_ms
from mandala.text.errors import Refused


@post("/api/me")
async def sign_in(request: HttpRequest, data: JSONBody[NewName]) -> Response[Me]:
    """Sign in as a guest with a name; sets a cookie."""
    context = Context.of(request)
    require_new_name(data.name)
    context.require_new_guest(request)
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
    if data.name != player.name:  # which may be longer than new ones
        require_new_name(data.name)
    await context.store.rename(player.id, data.name)
    return Me(id=player.id, name=data.name)


@delete("/api/me")
async def delete_me(request: HttpRequest) -> Response[None]:
    """Delete your player, and your name from all games."""
    context = Context.of(request)
    player = await context.require_player(request)
    await context.rooms.delete_player(player.id)
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(COOKIE)
    return response


@get("/api/me/link")
async def personal_link(request: HttpRequest) -> Credential:
    """Return a credential for using your identity on another device. Keep it secret."""
    context = Context.of(request)
    player = await context.require_player(request)
    return Credential(key=context.credential_of("link", player))


@delete("/api/me/link", status_code=200)
async def revoke_link(request: HttpRequest) -> Response[Me]:
    """Revoke your personal link, and sign out all devices but this one. Tokens stay valid."""
    context = Context.of(request)
    player = await context.require_player(request)
    return _signed_in(context, await context.store.revoke_credentials(player))


@post("/api/me/link")
async def sign_in_by_link(request: HttpRequest, data: JSONBody[Credential]) -> Response[Me]:
    """Sign in with a personal link's key; sets a cookie."""
    context = Context.of(request)
    player = await context.player_by("link", data.key)
    if player is None:
        raise Refused("bad-key")
    return _signed_in(context, player)


@post("/api/me/tokens")
async def new_token(request: HttpRequest) -> Credential:
    """Create a token for a program that plays as you: `Authorization: Bearer TOKEN`."""
    context = Context.of(request)
    player = await context.require_player(request)
    most = context.limits.max_tokens
    return Credential(key=await context.store.add_token(player.id, now_ms(), most))


@get("/api/me/tokens")
async def tokens(request: HttpRequest) -> list[TokenInfo]:
    """List your tokens, without their keys."""
    context = Context.of(request)
    player = await context.require_player(request)
    found = await context.store.tokens(player.id)
    return [TokenInfo(id=each.id, made_at=each.made_at) for each in found]


@delete("/api/me/tokens/{token_id:str}")
async def revoke_token(request: HttpRequest, token_id: FromPath[str]) -> None:
    """Revoke one of your tokens."""
    context = Context.of(request)
    player = await context.require_player(request)
    if not await context.store.delete_token(player.id, token_id):
        raise Refused("no-such-token")


@get("/api/me/tables")
async def my_tables(request: HttpRequest, status: Status = "running") -> list[TableInfo]:
    """List your tables that are open, running or over."""
    context = Context.of(request)
    player = await context.require_player(request)
    return await table_infos(request, player, await context.store.tables(status, player=player.id))


def _signed_in(context: Context, player: Player) -> Response[Me]:
    cookie = Cookie(
        COOKIE,
        value=context.credential_of("cookie", player),
        max_age=COOKIE_MAX_AGE_S,
        httponly=True,
        samesite="lax",
        secure=context.is_secure,
    )
    return Response(Me(id=player.id, name=player.name), cookies=[cookie])


HANDLERS = [
    sign_in, get_me, rename, delete_me, personal_link, revoke_link, sign_in_by_link, new_token,
    tokens, revoke_token, my_tables,
]  # fmt: skip
