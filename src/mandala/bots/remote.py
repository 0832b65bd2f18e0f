"""A bot that plays on a seat of a remote server: `mandala bot`.

It uses the same API as other clients and knows only what its seat may know: it replays the moves
that it received into a view.
"""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from mandala.bots.external import ExternalPlayer
from mandala.bots.players import Budget, Player
from mandala.core.record import Record
from mandala.core.replay import view_of_record
from mandala.core.view import View
from mandala.games import find_game
from mandala.text.errors import BotFailed, Refused

REPLY_TIMEOUT_S = 10
MIN_RETRY_S, MAX_RETRY_S = 0.2, 10.0  # pauses between attempts to reconnect
STORAGE_RETRY_S = 1.0  # pause after the server could not save a move
PING_AFTER_S = 30  # silence after which the server is pinged


@dataclass(frozen=True)
class RemoteSeat:
    """A seat of a table on a server."""

    server: str
    table: str
    seat: int
    key: str = ""  # the invitation key


def seat_of_link(link: str) -> RemoteSeat:
    """The seat of an invitation link: `https://HOST/t/ID?seat=2&key=…`. Raises Refused."""
    parts = urlsplit(link)
    query = parse_qs(parts.query)
    before, _, table = parts.path.rstrip("/").rpartition("/t/")
    seat = query.get("seat", [""])[0]
    if not (parts.scheme in ("http", "https") and parts.netloc and table and seat.isdecimal()):
        raise Refused("bad-link")
    server = f"{parts.scheme}://{parts.netloc}{before}"
    return RemoteSeat(server, table, int(seat), query.get("key", [""])[0])


class RemotePlayer:
    """Plays one seat from sitting down to the end of the game."""

    def __init__(
        self,
        seat: RemoteSeat,
        token: str,
        player: Player,
        budget: Budget,
        log: Callable[[str], None],
    ) -> None:
        self.seat, self.token, self.player, self.budget, self.log = seat, token, player, budget, log
        self._moves: list[str] = []
        self._pending: dict[str, Any] | None = None
        self._command_prefix = secrets.token_hex(4)
        self._count = 0
        self._failure: BotFailed | None = None

    def play(self) -> dict[str, Any]:
        """Play until the game is over and return the last state.

        Raises Refused, and BotFailed after a bot that has failed has resigned.
        """
        pause = MIN_RETRY_S
        while True:
            began = time.monotonic()
            try:
                state = self._play_connected()
                break
            except (OSError, WebSocketException) as error:
                if isinstance(error, InvalidStatus) and error.response.status_code < 500:
                    raise Refused("no-mandala-server", {"url": self.seat.server}) from None
                if time.monotonic() - began > MAX_RETRY_S:
                    pause = MIN_RETRY_S
                self.log(f"the connection is gone ({type(error).__name__}), trying again")
            time.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_S)
        if isinstance(self.player, ExternalPlayer):
            self.player.end_game(state["scores"] or [], state["ending"]["winners"])
        if self._failure is not None:
            raise self._failure
        return state

    def sit_down(self) -> str:
        """Sit down, unless the seat is ours already, and return the game.

        Raises Refused, or UnknownGame for a game or rules that this program does not have.
        """
        self._request("GET", "/api/me")
        here, number = f"/api/tables/{self.seat.table}", self.seat.seat
        seen = self._request("GET", here)
        find_game(seen["game"]).require_rules(rules_of(seen))
        try:
            state = self._request("GET", f"{here}?seat={number}")
        except Refused as error:
            if error.parts.get("code") != "not-your-seat":
                raise
            body = {"share": secrets.token_hex(32), "key": self.seat.key}
            state = self._request("POST", f"{here}/seats/{number}", body)
        self.log(f"{self.player.name} sits at {self.seat.table}, seat {number}")
        return str(state["game"])

    def _request(self, method: str, path: str, body: object = None) -> Any:
        """The JSON answer to an HTTP request. Raises Refused, with the server's own error."""
        try:
            request = urllib.request.Request(
                self.seat.server.rstrip("/") + path,
                method=method,
                data=None if body is None else json.dumps(body).encode(),
                headers={
                    "Authorization": f"Bearer {self.token}",
                    "Content-Type": "application/json",
                },
            )
            with urllib.request.urlopen(request, timeout=REPLY_TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error.read(), self.seat.server) from None
        except (OSError, ValueError):
            raise Refused("no-mandala-server", {"url": self.seat.server}) from None

    def _play_connected(self) -> dict[str, Any]:
        """Play over one connection until the game is over; return the last state."""
        address = self.seat.server.rstrip("/").replace("http", "ws", 1)
        url = f"{address}/api/tables/{self.seat.table}/socket?seat={self.seat.seat}"
        headers = {"Authorization": f"Bearer {self.token}"}
        with connect(url, additional_headers=headers, open_timeout=REPLY_TIMEOUT_S) as socket:
            state: dict[str, Any] = {}
            while True:
                message = self._receive(socket)
                state = message.get("state") or state
                self._handle(message)
                if state.get("state") == "over":
                    return state
                if message["type"] == "welcome" and self._pending is not None:
                    socket.send(json.dumps(self._pending))
                elif state.get("actor") == self.seat.seat and self._pending is None:
                    self._choose_move(state)
                    socket.send(json.dumps(self._pending))

    def _receive(self, socket: ClientConnection) -> dict[str, Any]:
        """The next message; pings the server after a long silence."""
        try:
            message = socket.recv(PING_AFTER_S)
        except TimeoutError:
            socket.send('{"type": "ping"}')
            message = socket.recv(REPLY_TIMEOUT_S)
        received: dict[str, Any] = json.loads(message)
        return received

    def _handle(self, message: dict[str, Any]) -> None:
        """Update the moves and the pending command from a message. Raises Refused."""
        kind, state = message["type"], message.get("state")
        if state is not None and state["moves"] is not None:
            self._moves = list(state["moves"])
        elif kind == "event":
            self._moves += message["plies"]
        if kind == "done":
            self._pending = None
        elif kind == "error":
            self._pending = None
            if message["code"] not in ("too-late", "server-stops", "no-storage"):
                raise Refused("server-refuses", {"code": message["code"], "text": message["text"]})
            if message["code"] == "no-storage":
                time.sleep(STORAGE_RETRY_S)

    def _choose_move(self, state: dict[str, Any]) -> None:
        game, seats = state["game"], len(state["seats"])
        view = view_of(game, rules_of(state), seats, self._moves, self.seat.seat)
        try:
            move = self.player.choose(view, self._budget_of(state))
            self._pending = {"type": "move", "move": move, **self._command(state)}
        except BotFailed as error:
            self._failure = error
            self._pending = {"type": "resign", **self._command(state)}

    def _command(self, state: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        return {"id": f"{self._command_prefix}-{self._count}", "number": state["number"]}

    def _budget_of(self, state: dict[str, Any]) -> Budget:
        """The budget for a move: the given one, or what is left on the clock."""
        left = state["seats"][self.seat.seat - 1]["time_left"]
        if self.budget.seconds is not None or left is None:
            return self.budget
        return replace(self.budget, time_left=left / 1000, increment=state["clock"]["increment"])


def rules_of(state: dict[str, Any]) -> str:
    """The version of the rules that a table is played by; older servers do not say it."""
    return str(state.get("rules", "1"))


def view_of(game: str, rules: str, seats: int, moves: list[str], seat: int) -> View:
    """What a seat may know, from the moves as it was told them. Raises UnknownGame."""
    tags = {"Game": game, "Rules": rules, "Seats": str(seats)}
    return view_of_record(Record(tags, tuple(moves)), seat)


def _refused(body: bytes, server: str) -> Refused:
    try:
        content = json.loads(body)
        return Refused("server-refuses", {"code": content["code"], "text": content["text"]})
    except (ValueError, KeyError, TypeError):
        return Refused("no-mandala-server", {"url": server})
