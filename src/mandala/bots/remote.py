"""One of our players on a seat of a server elsewhere: what `mandala bot` does.

It uses the same API as everybody's programs and is told no more than its seat: the view it thinks
on is what the moves it was told replay into.
"""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from mandala.bots.players import Budget, Player
from mandala.core.position import Position
from mandala.core.record import Record
from mandala.core.replay import replay
from mandala.core.view import View
from mandala.games import find_game
from mandala.text.errors import Refused

PATIENCE = 10  # seconds for an answer
SHORTEST, LONGEST = 0.2, 10.0  # seconds until a server that is gone is tried again
AGAIN = 1.0  # seconds until a server that cannot save is asked again
LOOK = 30  # seconds after which a quiet server is asked whether it is there


@dataclass(frozen=True)
class Seat:
    """A seat of a table of a server."""

    server: str
    table: str
    seat: int
    key: str = ""  # lets its owner sit down


def seat_of_link(link: str) -> Seat:
    """The seat that a link leads to: `https://HOST/t/ID?seat=2&key=…`. Raises Refused."""
    parts = urlsplit(link)
    asked = parse_qs(parts.query)
    before, _, table = parts.path.rstrip("/").rpartition("/t/")
    seat = asked.get("seat", [""])[0]
    if not (parts.scheme in ("http", "https") and parts.netloc and table and seat.isdecimal()):
        raise Refused("bad-link")
    server = f"{parts.scheme}://{parts.netloc}{before}"
    return Seat(server, table, int(seat), asked.get("key", [""])[0])


class Remote:
    """A player on a seat, from sitting down to the end of the game."""

    def __init__(
        self, seat: Seat, token: str, player: Player, budget: Budget, say: Callable[[str], None]
    ) -> None:
        self.seat, self.token, self.player, self.budget, self.say = seat, token, player, budget, say
        self._moves: list[str] = []
        self._pending: dict[str, Any] | None = None
        self._wishes = secrets.token_hex(4)
        self._count = 0

    def play(self) -> dict[str, Any]:
        """Play until the game is over and return the last state. Raises Refused."""
        pause = SHORTEST
        while True:
            began = time.monotonic()
            try:
                return self._play_on()
            except (OSError, WebSocketException) as error:
                if isinstance(error, InvalidStatus) and error.response.status_code < 500:
                    raise Refused("no-mandala-server", {"url": self.seat.server}) from None
                if time.monotonic() - began > LONGEST:
                    pause = SHORTEST
                self.say(f"the connection is gone ({type(error).__name__}), trying again")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST)

    def sit_down(self) -> str:
        """Sit down, unless the seat is ours already, and return the game.

        Raises Refused, or UnknownGame for a game or rules that this program does not have.
        """
        self._ask("GET", "/api/me")
        here, number = f"/api/tables/{self.seat.table}", self.seat.seat
        seen = self._ask("GET", here)
        find_game(seen["game"]).require_rules(rules_of(seen))
        try:
            state = self._ask("GET", f"{here}?seat={number}")
        except Refused as error:
            if error.parts.get("code") != "not-your-seat":
                raise
            body = {"share": secrets.token_hex(32), "key": self.seat.key}
            state = self._ask("POST", f"{here}/seats/{number}", body)
        self.say(f"{self.player.name} sits at {self.seat.table}, seat {number}")
        return str(state["game"])

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask by HTTP. Raises Refused, with the server's own words where it has some."""
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
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error.read(), self.seat.server) from None
        except (OSError, ValueError):
            raise Refused("no-mandala-server", {"url": self.seat.server}) from None

    def _play_on(self) -> dict[str, Any]:
        """Play through one connection until the game is over."""
        address = self.seat.server.rstrip("/").replace("http", "ws", 1)
        url = f"{address}/api/tables/{self.seat.table}/socket?seat={self.seat.seat}"
        headers = {"Authorization": f"Bearer {self.token}"}
        with connect(url, additional_headers=headers, open_timeout=PATIENCE) as socket:
            state: dict[str, Any] = {}
            while True:
                message = self._hear(socket)
                state = message.get("state") or state
                self._follow(message)
                if state.get("state") == "over":
                    return state
                if message["type"] == "welcome" and self._pending is not None:
                    socket.send(json.dumps(self._pending))
                elif state.get("actor") == self.seat.seat and self._pending is None:
                    self._decide(state)
                    socket.send(json.dumps(self._pending))

    def _hear(self, socket: ClientConnection) -> dict[str, Any]:
        """The next message; a server that says nothing for long must answer a ping."""
        try:
            message = socket.recv(LOOK)
        except TimeoutError:
            socket.send('{"type": "ping"}')
            message = socket.recv(PATIENCE)
        heard: dict[str, Any] = json.loads(message)
        return heard

    def _follow(self, message: dict[str, Any]) -> None:
        """Keep the moves as told, and know which wish is answered."""
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
                time.sleep(AGAIN)

    def _decide(self, state: dict[str, Any]) -> None:
        game, seats = state["game"], len(state["seats"])
        view = view_of(game, rules_of(state), seats, self._moves, self.seat.seat)
        move = self.player.choose(view, self.budget)
        self._count += 1
        wish = {"id": f"{self._wishes}-{self._count}", "number": state["number"], "move": move}
        self._pending = {"type": "move", **wish}


def rules_of(state: dict[str, Any]) -> str:
    """The version of the rules that a table is played by; older servers do not say it."""
    return str(state.get("rules", "1"))


def view_of(game: str, rules: str, seats: int, moves: list[str], seat: int) -> View:
    """What a seat may know, from the moves as it was told them. Raises UnknownGame."""
    tags = {"Game": game, "Rules": rules, "Seats": str(seats)}
    board = replay(Record(tags, tuple(moves)))
    if isinstance(board, Position):
        return board.view(seat)
    assert isinstance(board, View), "a board is a position or a view"
    return View(game, seats, board.copy_states(), seat, board.history)


def _refusal(body: bytes, server: str) -> Refused:
    try:
        told = json.loads(body)
        return Refused("server-refuses", {"code": told["code"], "text": told["text"]})
    except (ValueError, KeyError, TypeError):
        return Refused("no-mandala-server", {"url": server})
