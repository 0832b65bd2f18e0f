"""A WebSocket that the application writes to at once.

ASGI has a message pass through a queue, a task and five functions on its way out, and stops and
starts reading for each one that comes in: a fifth of all that the server did (ADR 10). So what an
application says here goes to the socket in the same moment. uvicorn does all the rest.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from litestar import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "mandala.wire"
MOST_UNREAD = 16  # messages of a client that wait to be heard before no more are read


class Wire(WebSocketsSansIOProtocol):
    """The socket of one client. Its application finds it among the extensions of its scope."""

    _is_flushing = False

    def handle_connect(self, event: Request) -> None:
        """Begin, with the socket itself at hand."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        """Let a message be heard, and go on reading unless many wait."""
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
        self.conn.send_text(text)
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        return self.transport.get_write_buffer_size()

    def _flush(self) -> None:
        self._is_flushing = False
        if output := self.conn.data_to_send():
            self.transport.write(b"".join(output))

    def hang_up(self, code: int, reason: str) -> None:
        """Close in good order, as soon as the client has taken what it was sent."""
        closing = self.send({"type": "websocket.close", "code": code, "reason": reason})
        task = asyncio.create_task(closing)
        self.tasks.add(task)
        task.add_done_callback(self.on_task_complete)

    def cut(self) -> None:
        """Close at once; what the client has not taken is lost to it."""
        self.transport.abort()


def wire_of(socket: WebSocket[Any, Any, Any]) -> Wire:
    """The socket below the application's."""
    found = cast(dict[str, Any], socket.scope["extensions"])[EXTENSION]
    assert isinstance(found, Wire), "the server was started with it"
    return found
