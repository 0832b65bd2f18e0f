"""The outgoing side of a WebSocket: a bounded queue of messages, and the loop that sends them."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from mandala.server.messages import Recipient

SERVICE_RESTART = 1012  # WebSocket close code


class Subscriber:
    """A connection that receives the events of a table for a seat or a spectator."""

    def __init__(self, seat: int | None, language: str, max_waiting_bytes: int) -> None:
        self.to = Recipient(seat, language)
        self._max_waiting_bytes = max_waiting_bytes
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self.is_closing = False
        self._send_task: asyncio.Task[None] | None = None

    def send(self, message: bytes) -> None:
        """Queue a message; a client for which too many bytes wait is dropped and may reconnect."""
        if self.is_closing:
            return
        self._waiting.append(message)
        self._waiting_bytes += len(message)
        if self._waiting_bytes > self._max_waiting_bytes:
            self._waiting.clear()
            self.disconnect()
            if self._send_task is not None:
                self._send_task.cancel()
        else:
            self._wake.set()

    def disconnect(self) -> None:
        """Close the connection after the queued messages and ask the client to reconnect."""
        self.is_closing = True
        self._wake.set()

    async def send_loop(self, socket: WebSocket[Any, Any, Any]) -> None:
        """Send queued messages until the connection ends; cancelled if the client is too slow."""
        self._send_task = asyncio.current_task()
        try:
            while True:
                while self._waiting:
                    message = self._waiting.popleft()
                    await socket.send_data(message)  # waits while the client does not read
                    self._waiting_bytes -= len(message)
                if self.is_closing:
                    await socket.close(SERVICE_RESTART, "reconnect")
                    return
                self._wake.clear()
                await self._wake.wait()
        except (OSError, WebSocketDisconnect, RuntimeError):
            # The client has gone; uvicorn raises RuntimeError if its keep-alive closed first.
            return
