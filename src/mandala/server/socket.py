"""The WebSocket of a table: receives commands and sends events as the recipient may see them."""

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
from mandala.server import bot_service
from mandala.server.context import Context, language_of
from mandala.server.limits import Bucket
from mandala.server.messages import (
    Answer,
    Command,
    Done,
    Explanation,
    Hint,
    HintMessage,
    Move,
    Ping,
    Pong,
    Rematch,
    Request,
    Resign,
    Takeback,
    WhyNot,
    error_message,
    explanation,
)
from mandala.server.names import names_of
from mandala.server.rooms import Room, encode, now_ms, resolve_seat
from mandala.server.subscriber import Subscriber
from mandala.text.errors import MandalaError, Refused

Socket = WebSocket[Any, Any, State]
POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013  # WebSocket close codes
RATE_LIMIT_PAUSE_S = 0.05

_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: Socket,
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
    after: FromQuery[int] = 0,
) -> None:
    """Send a client the events of a table, and run its commands."""
    with Context.of(socket).counted_socket(socket):
        await _serve_client(socket, table_id, seat, after)


async def _serve_client(socket: Socket, table_id: str, seat: int | None, after: int) -> None:
    context, language = Context.of(socket), language_of(socket)
    await socket.accept()
    try:
        context.require_same_origin(socket)
        context.require_rate(socket)
        context.require_few_sockets(socket)
        # The id is enough: loading the player from the store would cost a query.
        player = await context.player_id(socket)
        room = await context.room(table_id)
        own = resolve_seat(room, player, seat)
        subscriber = Subscriber(own, language, context.limits.max_buffered_bytes)
        await context.rooms.subscribe(room, subscriber, after)
    except MandalaError as error:
        if error.code == "no-storage":  # the client may retry
            await socket.close(TRY_AGAIN_LATER, error.code)
            return
        await socket.send_data(encode(error_message(error, language)), mode="text")
        await socket.close(POLICY_VIOLATION, error.code)
        return
    context.metrics.sockets.inc()
    session = Session(context, room, subscriber, player or "")
    try:
        await session.run(socket)
    finally:
        room.unsubscribe(subscriber)
        context.metrics.sockets.dec()


class Session:
    """One client's connection to one table."""

    def __init__(self, context: Context, room: Room, subscriber: Subscriber, actor: str) -> None:
        self.context, self.room, self.subscriber = context, room, subscriber
        self.actor, self.language = actor, subscriber.to.language
        self._hint_task: asyncio.Task[None] | None = None
        self._is_handling = False  # a message

    async def run(self, socket: Socket) -> None:
        """Send and receive until the client leaves, or is dropped because it is too slow."""
        sending = asyncio.create_task(self.subscriber.send_loop(socket))
        receiving = asyncio.create_task(self._receive_loop(socket))
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.subscriber.disconnect()
            sending.cancel()
            if not self._is_handling:  # else it ends after the message, so that no commit is lost
                receiving.cancel()
            if self._hint_task is not None:
                self._hint_task.cancel()
            await asyncio.wait((sending, receiving))
        for task in (sending, receiving):
            if not task.cancelled():
                task.result()

    async def _receive_loop(self, socket: Socket) -> None:
        limits, table_rates = self.context.limits, self.context.table_rates
        bucket = Bucket(limits.messages_per_second, limits.message_burst)
        while not self.subscriber.is_closing:
            received: Any = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            while not bucket.take():
                await asyncio.sleep(RATE_LIMIT_PAUSE_S)
            while not table_rates.take(self.room.id):
                await asyncio.sleep(RATE_LIMIT_PAUSE_S)
            text: str | None = received.get("text")
            self._is_handling = True
            await self.handle(text if text is not None else received["bytes"])
            self._is_handling = False

    async def handle(self, message: str | bytes) -> None:
        """Handle a message from the client and send the reply."""
        began, request_id = time.perf_counter(), None
        try:
            request = _decode(message, self.context.limits.max_message_bytes)
            request_id = getattr(request, "id", None)
            if isinstance(request, Hint):
                self._start_hint(request)
                return
            reply = await self._reply(request)
        except MandalaError as error:
            self._refuse(error, request_id)
            return
        self.subscriber.send(encode(reply))
        self.context.metrics.acknowledge.observe(time.perf_counter() - began)

    def _refuse(self, error: MandalaError, request_id: str | None) -> None:
        self.context.metrics.refusals.labels(error.code).inc()
        self.subscriber.send(encode(error_message(error, self.language, request_id)))

    def _start_hint(self, request: Hint) -> None:
        """Compute a hint in the background, so that a move need not wait for it."""
        if self._hint_task is not None and not self._hint_task.done():
            raise Refused("hint-open")
        self._hint_task = asyncio.create_task(self._send_hint(request))

    async def _send_hint(self, request: Hint) -> None:
        seat = self.subscriber.to.seat
        try:
            if seat is None:
                raise Refused("only-watching")
            number = self.room.table.number
            view, advice = await self.context.rooms.advice(self.room, seat)
        except MandalaError as error:
            self._refuse(error, request.id)
            return
        names = names_of(self.room.table, self.language)
        hint = HintMessage(
            id=request.id,
            number=number,
            move=advice.move,
            text=bot_service.describe_move(view, advice.move, names, self.language),
            share=advice.share,
        )
        self.subscriber.send(encode(hint))

    def _explain(self, request: WhyNot, seat: int) -> Explanation:
        """Explain why a move is not legal, for example because it is another seat's turn."""
        reason: Reason | Refused | None
        try:
            reason = live.why_not(self.room.table, seat, request.move)
        except Refused as error:
            reason = error
        return explanation(request.id, request.move, reason, self.language)

    async def _reply(self, request: Command | WhyNot | Ping) -> Done | Explanation | Pong:
        if isinstance(request, Ping):
            return Pong(now=now_ms())
        seat = self.subscriber.to.seat
        if seat is None:
            raise Refused("only-watching")
        if isinstance(request, WhyNot):
            return self._explain(request, seat)
        command = (request.id, request.number)

        def decide(table: Table, now: int) -> list[Applied]:
            return _decide(request, table, seat, now)

        number = await self.context.rooms.execute(self.room, self.actor, decide, command)
        return Done(id=request.id, number=number)


def _decide(request: Command, table: Table, seat: int, now: int) -> list[Applied]:
    if isinstance(request, Move):
        return live.move(table, seat, request.move, now)
    if isinstance(request, Resign):
        return live.resign(table, seat, now)
    if isinstance(request, Takeback):
        return live.ask_takeback(table, seat, now)
    if isinstance(request, Answer):
        return live.answer_takeback(table, seat, now, agrees=request.agrees)
    assert isinstance(request, Rematch), "every command is one of these"
    return live.ask_rematch(table, seat, now)


def _decode(message: str | bytes, max_bytes: int) -> Request:
    if len(message) > max_bytes:
        raise Refused("bad-message", {"what": f"more than {max_bytes} bytes"})
    try:
        return _decoder.decode(message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("bad-message", {"what": str(error)[:200]}) from None
