"""Live tables: opening, joining and reading them."""

from __future__ import annotations

import secrets
from typing import Annotated

from litestar import MediaType, delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from mandala.bots.players import make_player
from mandala.games import find_game
from mandala.live import table as live
from mandala.live.events import Bot, Person
from mandala.live.table import Applied, Table
from mandala.server.api.requests import HttpRequest, SeatNumber, Status, table_infos
from mandala.server.context import Context, language_of
from mandala.server.messages import (
    NewTable,
    OpenedTable,
    Proof,
    Recipient,
    Replay,
    Sit,
    TableInfo,
    TableState,
)
from mandala.server.names import names_of
from mandala.server.replays import line_of, proof_of, replay_of
from mandala.server.rooms import Room, resolve_seat
from mandala.server.socket import table_socket
from mandala.text.errors import Refused

Name = Annotated[str | None, QueryParameter(max_length=40, pattern=r"^[^\x00]*$")]
Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


@post("/api/tables")
async def open_table(request: HttpRequest, data: JSONBody[NewTable]) -> OpenedTable:
    """Open a table. If all seats are taken, the game starts at once."""
    context = Context.of(request)
    player = await context.require_player(request)
    await _require_quota(context, player.id, data)
    for new_seat in data.seats:
        if new_seat.kind == "bot":
            make_player(new_seat.name, 0)
    line: tuple[str, ...] = ()
    if data.line:
        line = await context.run_in_thread(request, line_of, data.line, data.game, data.ply)
    opening = live.open_table(
        data.game,
        len(data.seats),
        secrets.token_bytes(32),
        data.clock,
        listed=data.listed,
        line=line,
    )
    if line:
        await context.rooms.require_not_running(live.first_position(opening))
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
    return await table_infos(request, await context.find_player(request), found)


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
    return await Context.of(request).run_in_thread(
        request, replay_of, found, as_seen, language, names
    )


@get("/api/tables/{table_id:str}/proof")
async def proof(request: HttpRequest, table_id: FromPath[str]) -> Proof:
    """Return everything needed to verify the deal of a game that is over."""
    table = (await Context.of(request).room(table_id)).table
    live.require_rules(table.opening)
    found = live.record(table, None)
    if found is None or table.ending is None:
        raise Refused("proof-later")
    return await Context.of(request).run_in_thread(request, proof_of, found, table.shares)


async def _require_quota(context: Context, player: str, new: NewTable) -> None:
    """Raise Refused if a player has too many unfinished or too many listed tables."""
    limits, count = context.limits, await context.store.count_open_tables(player)
    if count.unfinished >= limits.max_open_tables:
        raise Refused("too-many-tables", {"most": limits.max_open_tables})
    is_waiting = any(seat.kind == "open" for seat in new.seats)
    is_listed = new.listed and not new.line
    if is_waiting and is_listed and count.listed >= limits.max_listed_tables:
        raise Refused("too-many-listed", {"most": limits.max_listed_tables})


def _state(request: HttpRequest, room: Room, seat: int | None) -> TableState:
    """A table as one seat may see it, in the language of the request."""
    return Context.of(request).rooms.state(room, Recipient(seat, language_of(request)))


def _share(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


HANDLERS = [
    open_table, list_tables, table_state, sit, leave, record, table_replay, proof, table_socket,
]  # fmt: skip
