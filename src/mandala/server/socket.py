"""The WebSocket of a table: wishes in, events out, each as the recipient's seat may know it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery

from mandala.games.reasons import Reason
from mandala.live import table as live
from mandala.live.table import Applied, Table
from mandala.server import thinking
from mandala.server.context import Context, language_of
from mandala.server.limits import Bucket
from mandala.server.messages import (
    Answer,
    Because,
    Done,
    Hint,
    Hinted,
    Move,
    Ping,
    Pong,
    Rematch,
    Request,
    Resign,
    Takeback,
    WhyNot,
    Wish,
    because,
    fault_of,
)
from mandala.server.names import names_of
from mandala.server.rooms import Listener, Room, encode, now_ms, own_seat
from mandala.server.wire import Wire, wire_of
from mandala.text.errors import MandalaError, Refused

Socket = WebSocket[Any, Any, State]
REFUSED, COME_AGAIN = 1008, 1013
PAUSE = 0.05  # seconds that a client waits which sends too much

_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: Socket,
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
    after: FromQuery[int] = 0,
) -> None:
    """Tell a client what happens at a table, and do there what it wishes."""
    context, language = Context.of(socket), language_of(socket)
    await socket.accept()
    try:
        context.check_origin(socket)
        context.check_rate(socket)
        # Who sits where is known to the table: to ask the store for a name would be in vain.
        player = await context.identity(socket)
        room = await context.room(table_id)
        own = own_seat(room, player, seat)
        wire = wire_of(socket)
        listener = Listener(own, language, wire, context.limits.waiting)
        await context.rooms.welcome(room, listener, after)
    except MandalaError as error:
        if error.code == "no-storage":  # not who comes is the reason
            await socket.close(COME_AGAIN, error.code)
            return
        await socket.send_data(encode(fault_of(error, language)), mode="text")
        await socket.close(REFUSED, error.code)
        return
    context.metrics.sockets.inc()
    conversation = Conversation(context, room, listener, player or "")
    try:
        await _receive(wire, conversation)
    finally:
        conversation.end()
        room.leave(listener)
        context.metrics.sockets.dec()


async def _receive(wire: Wire, conversation: Conversation) -> None:
    limits = conversation.context.limits
    bucket = Bucket(limits.messages, limits.message_burst)
    at_tables = conversation.context.at_tables
    while True:
        received: Any = await wire.receive()
        if received["type"] == "websocket.disconnect":
            return
        while not bucket.take():
            await asyncio.sleep(PAUSE)
        while not at_tables.take(conversation.room.id):
            await asyncio.sleep(PAUSE)
        text: str | None = received.get("text")
        await conversation.hear(text if text is not None else received["bytes"])


class Conversation:
    """One client at one table."""

    def __init__(self, context: Context, room: Room, listener: Listener, actor: str) -> None:
        self.context, self.room, self.listener = context, room, listener
        self.actor, self.language = actor, listener.to.language
        self._thinking: asyncio.Task[None] | None = None

    def end(self) -> None:
        """Nobody listens any more."""
        if self._thinking is not None:
            self._thinking.cancel()

    async def hear(self, message: str | bytes) -> None:
        """Do what a message asks for and answer it."""
        began, wish = time.perf_counter(), None
        try:
            request = _decoded(message, self.context.limits.message_bytes)
            wish = getattr(request, "id", None)
            if isinstance(request, Hint):
                self._begin_to_think(request)
                return
            reply = await self._answer(request)
        except MandalaError as error:
            self._refuse(error, wish)
            return
        self.listener.tell(encode(reply))
        self.context.metrics.acknowledge.observe(time.perf_counter() - began)

    def _refuse(self, error: MandalaError, wish: str | None) -> None:
        self.context.metrics.refusals.labels(error.code).inc()
        self.listener.tell(encode(fault_of(error, self.language, wish)))

    def _begin_to_think(self, request: Hint) -> None:
        """Look for a hint on the side, so that a move need not wait for it."""
        if self._thinking is not None and not self._thinking.done():
            raise Refused("hint-open")
        self._thinking = asyncio.create_task(self._hint(request))

    async def _hint(self, request: Hint) -> None:
        seat = self.listener.to.seat
        try:
            if seat is None:
                raise Refused("only-watching")
            number = self.room.table.number
            shown, found = await self.context.rooms.advice(self.room, seat)
        except MandalaError as error:
            self._refuse(error, request.id)
            return
        names = names_of(self.room.table, self.language)
        hinted = Hinted(
            id=request.id,
            number=number,
            move=found.move,
            text=thinking.describe_move(shown, found.move, names, self.language),
            share=found.share,
        )
        self.listener.tell(encode(hinted))

    def _because(self, request: WhyNot, seat: int) -> Because:
        """Why a move is not legal; that it is somebody else's turn is a reason too."""
        why: Reason | Refused | None
        try:
            why = live.why_not(self.room.table, seat, request.move)
        except Refused as error:
            why = error
        return because(request.id, request.move, why, self.language)

    async def _answer(self, request: Wish | WhyNot | Ping) -> Done | Because | Pong:
        if isinstance(request, Ping):
            return Pong(now=now_ms())
        seat = self.listener.to.seat
        if seat is None:
            raise Refused("only-watching")
        if isinstance(request, WhyNot):
            return self._because(request, seat)
        wish = (request.id, request.number)

        def decide(table: Table, now: int) -> list[Applied]:
            return _decide(request, table, seat, now)

        number = await self.context.rooms.act(self.room, self.actor, decide, wish)
        return Done(id=request.id, number=number)


def _decide(request: Wish, table: Table, seat: int, now: int) -> list[Applied]:
    if isinstance(request, Move):
        return live.move(table, seat, request.move, now)
    if isinstance(request, Resign):
        return live.resign(table, seat, now)
    if isinstance(request, Takeback):
        return live.ask_takeback(table, seat, now)
    if isinstance(request, Answer):
        return live.answer_takeback(table, seat, now, agrees=request.agrees)
    assert isinstance(request, Rematch), "every wish is one of these"
    return live.ask_rematch(table, seat, now)


def _decoded(message: str | bytes, most: int) -> Request:
    if len(message) > most:
        raise Refused("bad-message", {"what": f"more than {most} bytes"})
    try:
        return _decoder.decode(message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("bad-message", {"what": str(error)[:200]}) from None
