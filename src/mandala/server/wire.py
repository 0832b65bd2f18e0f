"""A WebSocket that the application writes to at once.

ASGI has a message pass through a queue, a task and five functions on its way out, and stops and
starts reading for each one that comes in: a fifth of all that the server did (ADR 10). So what an
application says here goes to the socket in the same moment, and a short message that came in one
piece is read here too. uvicorn and websockets do all the rest.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, cast

from litestar import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.utils import apply_mask

EXTENSION = "mandala.wire"
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # first bytes of whole frames
MASKED = 0x80
NOT_TEXT = 1007  # a code of WebSocket
HEAD, SHORT, LONG = 6, 126, 1 << 16  # bytes: of a short masked frame's head, and sizes
MOST_UNREAD = 16  # messages of a client that wait to be heard before no more are read


class Wire(WebSocketsSansIOProtocol):
    """The socket of one client. Its application finds it among the extensions of its scope."""

    _is_flushing = False
    _is_whole = True  # all that came since the handshake were short frames, each in one piece

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.queue = cast(Any, Inbox(self.loop))
        self._unsent: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        """Hear what has come."""
        if self.conn.state is not OPEN:
            self._is_whole = data.endswith(b"\r\n\r\n")
        elif self._is_whole:
            self._is_whole = _is_frame(data)
            if self._is_whole and data[0] == TEXT and not self.close_sent:
                text = apply_mask(data[HEAD:], data[2:HEAD])
                if text.isascii():
                    self.frames, self.curr_msg_data_type = [text], "text"
                    self.send_receive_event_to_app()
                    return
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        """Begin, with the socket itself at hand."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        """Let a message be heard, and go on reading unless many wait."""
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            # As uvicorn does, but for the traceback in the log.
            self.conn.send_close(NOT_TEXT)
            self.handle_parser_exception()
            return
        self.read_paused = True  # so that it is left to us
        super().send_receive_event_to_app()
        self.read_paused = self.queue.qsize() >= MOST_UNREAD
        if self.read_paused:
            self.transport.pause_reading()

    def write(self, text: bytes) -> int:
        """Send a message; how many bytes wait because the client does not take them.

        What is said in the same moment goes out together.
        """
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return 0
        if self.conn.extensions:  # browsers ask for compression
            self.conn.send_text(text)
            self._unsent += self.conn.data_to_send()
        else:
            self._unsent += _head(len(text)), text
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        return self.transport.get_write_buffer_size()

    def _flush(self) -> None:
        self._is_flushing = False
        unsent, self._unsent = self._unsent, []
        if unsent and self.conn.state is OPEN:
            self.transport.write(b"".join(unsent))

    def hang_up(self, code: int, reason: str) -> None:
        """Close in good order, as soon as the client has taken what it was sent."""
        self._flush()
        closing = self.send({"type": "websocket.close", "code": code, "reason": reason})
        task = asyncio.create_task(closing)
        self.tasks.add(task)
        task.add_done_callback(self.on_task_complete)

    def cut(self) -> None:
        """Close at once; what the client has not taken is lost to it."""
        self.transport.abort()


class Inbox:
    """What a client has said and nobody has heard yet: a queue with one reader.

    asyncio's queue, which it stands for, serves many and takes three times as long.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    def empty(self) -> bool:
        """Whether none does."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """The next message, as soon as there is one."""
        while not self._messages:
            self._reader = self._loop.create_future()
            await self._reader
        return self._messages.popleft()


def wire_of(socket: WebSocket[Any, Any, Any]) -> Wire:
    """The socket below the application's."""
    found = cast(dict[str, Any], socket.scope["extensions"])[EXTENSION]
    assert isinstance(found, Wire), "the server was started with it"
    return found


def _is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _is_frame(data: bytes) -> bool:
    """Whether these are the bytes of one short frame, and of one that is a message by itself."""
    if len(data) < HEAD or data[0] not in (TEXT, CLOSE, PING, PONG):
        return False
    size = data[1] - MASKED
    return 0 <= size < SHORT and len(data) == HEAD + size


def _head(size: int) -> bytes:
    """The head of a frame with a text of so many bytes."""
    if size < SHORT:
        return bytes((TEXT, size))
    if size < LONG:
        return bytes((TEXT, SHORT, size >> 8, size & 0xFF))
    return bytes((TEXT, SHORT + 1)) + size.to_bytes(8, "big")
