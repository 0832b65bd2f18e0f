"""Types of parameters, and what several resources need of a request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Request
from litestar.datastructures import State
from litestar.params import QueryParameter

from mandala.live.store import Player
from mandala.live.store.rows import Summary
from mandala.server.context import Context, language_of
from mandala.server.messages import TableInfo, info_of

HttpRequest = Request[Any, Any, State]
Status = Annotated[Literal["open", "running", "over"], QueryParameter(name="state")]
SeatNumber = Annotated[int | None, QueryParameter(ge=1, le=4)]


async def table_infos(
    request: HttpRequest, player: Player | None, found: list[Summary]
) -> list[TableInfo]:
    """Return tables as list entries, with the seats of a player."""
    context, language = Context.of(request), language_of(request)
    ids = [each.id for each in found]
    own = await context.store.seats_of(player.id, ids) if player and ids else {}
    return [info_of(each, own.get(each.id, []), language) for each in found]
