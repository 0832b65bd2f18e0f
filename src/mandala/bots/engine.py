"""One of our own players as a bot of the protocol: `mandala engine`."""

from __future__ import annotations

import os
import threading
import traceback
from typing import BinaryIO

import msgspec

from mandala.core.record import read_records
from mandala.core.replay import view_of_record
from mandala.core.view import View
from mandala.games import find_game, game_ids

from .levels import LEVELS
from .players import Budget, Player, make_player
from .protocol import (
    PROTOCOL,
    Go,
    Hello,
    Move,
    NewGame,
    Quit,
    Ready,
    Result,
    State,
    Stop,
    decode_for_bot,
    encode,
)
from .search import SearchResult, warm_up
from .searcher import Searcher

CLOCK_SHARE = 30  # of the time left on a clock, one part is used for a move


class Engine:
    """Answers the messages of a host with the moves of a player."""

    def __init__(self, player: str, seed: int | None, threads: int, out: BinaryIO) -> None:
        self._name, self._seed, self._threads, self._out = player, seed, threads, out
        self._player: Player = make_player(player, seed)
        self._seat = 0
        self._view: View | None = None
        self._search: threading.Thread | None = None
        self._stop = threading.Event()

    def run(self, lines: BinaryIO) -> None:
        """Answer messages until `quit` or the end of the input. Raises MandalaError."""
        for line in lines:
            try:
                message = decode_for_bot(line)
            except msgspec.MsgspecError:
                continue  # a type of message that a later version may add
            if isinstance(message, Quit):
                break
            self._handle(message)
        self._stop.set()
        self._finish_search()

    def _handle(self, message: Hello | NewGame | State | Go | Stop | Result) -> None:
        if isinstance(message, Stop):
            self._stop.set()
            return
        self._finish_search()
        if isinstance(message, Hello):
            if message.game in game_ids():
                self._load(message.game)
            self._send(
                Ready(PROTOCOL, f"mandala {self._name}", list(game_ids()), {"player": self._name})
            )
        elif isinstance(message, NewGame):
            find_game(message.game).require_rules(message.rules)
            self._player = make_player(message.options.get("player", self._name), self._seed)
            self._seat = message.seat
        elif isinstance(message, State):
            (record,) = read_records(message.record)
            self._view = view_of_record(record, self._seat)
        elif isinstance(message, Go):
            self._stop.clear()
            self._search = threading.Thread(target=self._answer, args=(message,))
            self._search.start()

    def _load(self, game: str) -> None:
        find_game(game).make_ready()
        if self._name in LEVELS:
            warm_up(game)

    def _finish_search(self) -> None:
        if self._search is not None:
            self._search.join()
            self._search = None

    def _answer(self, request: Go) -> None:
        try:
            self._send(self._choose(request))
        except BaseException:
            # The main thread waits for the next message; a host must not wait for this one.
            traceback.print_exc()
            os._exit(1)

    def _choose(self, request: Go) -> Move:
        assert self._view is not None, "a state comes before go"
        seconds = request.seconds
        if request.time_left is not None:
            seconds = request.time_left / CLOCK_SHARE + (request.increment or 0) / 2
        budget = Budget(seconds, request.simulations, self._threads)
        if isinstance(self._player, Searcher):
            found = self._player.search(self._view, budget, self._goes_on)
            return Move(request.request, found.move, found.value)
        return Move(request.request, self._player.choose(self._view, budget))

    def _goes_on(self, result: SearchResult) -> bool:
        """Whether a search goes on after an intermediate result."""
        return not self._stop.is_set()

    def _send(self, message: Ready | Move) -> None:
        self._out.write(encode(message))
        self._out.flush()
