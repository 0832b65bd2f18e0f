"""The worker process that runs searches for bots: `python -m mandala.server.bot_worker`.

In a separate process with low priority, searching and compiling cannot delay people's moves.
Requests are lines of JSON on stdin, responses lines of JSON on stdout. The worker receives only
views, and exits when the server does.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import numpy as np

from mandala import engine
from mandala.bots import search
from mandala.bots.players import THREADS, Budget, make_player
from mandala.bots.searcher import Searcher
from mandala.core.state import Ply
from mandala.core.view import View
from mandala.games import find_game
from mandala.server.logs import log_as_json

log = logging.getLogger("mandala.server")

NICE = 19
MAX_CONCURRENT_SEARCHES = 1
THREADS_PER_SEARCH = max(1, min(THREADS, (os.cpu_count() or 1) - 1))  # one core is left to people


class LoadRequest(msgspec.Struct, frozen=True, tag=True):
    """Compile or load the search of a game."""

    game: str


class SearchRequest(msgspec.Struct, frozen=True, tag=True):
    """Choose a move for the seat of a view; `player` is the name of a search player."""

    number: int
    player: str
    game: str
    seats: int
    seat: int
    state: bytes
    history: tuple[Ply, ...]
    seconds: float
    seed: int


class Loaded(msgspec.Struct, frozen=True, tag=True):
    """The search of a game is ready."""

    game: str


class Searched(msgspec.Struct, frozen=True, tag=True):
    """The chosen move, and the expected share of the win, None if unknown."""

    number: int
    move: str
    share: float | None


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A search failed; the reason is in the log."""

    number: int


Request = LoadRequest | SearchRequest
Response = Loaded | Searched | Failed


def search_request(
    number: int, player: str, view: View, seconds: float, seed: int
) -> SearchRequest:
    """Return a request for a view whose seat is to move; `number` identifies the response."""
    assert view.seat is not None, "a spectator has no move"
    assert view.history is not None, "a view of a live game knows its moves"
    return SearchRequest(
        number=number,
        player=player,
        game=view.game,
        seats=view.seats,
        seat=view.seat,
        state=view.state.tobytes(),
        history=view.history,
        seconds=seconds,
        seed=seed,
    )


def run_search(request: SearchRequest) -> Searched:
    """Search for a move and return it."""
    states = np.frombuffer(bytearray(request.state), find_game(request.game).rules.State.dtype)
    view = View(request.game, request.seats, states, request.seat, request.history)
    player = make_player(request.player, request.seed)
    assert isinstance(player, Searcher), "the worker runs only search players"
    found = player.search(view, Budget(seconds=request.seconds, threads=THREADS_PER_SEARCH))
    return Searched(request.number, found.move, found.value if found.simulations else None)


def load(game: str) -> bool:
    """Compile or load the search of a game; return whether it succeeded."""
    # Compiled in a subprocess, because compiling here would block searches of other games.
    if engine.cache_folder() is not None and not search.is_warm(game):
        task = f"from mandala.bots.search import warm_up; warm_up({game!r})"
        if not engine.compile_in_subprocess(task):
            return False
    search.warm_up(game)
    return True


def _lower_priority() -> None:
    """Let this thread run only while the processor is otherwise idle, where that is supported."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Respond to requests until stdin is closed."""
    log_as_json(logging.WARNING)
    if hasattr(os, "nice"):
        os.nice(NICE)
    decode = msgspec.json.Decoder(Request).decode
    stdout_lock = threading.Lock()

    def respond(response: Response) -> None:
        with stdout_lock, contextlib.suppress(BrokenPipeError):  # the server has exited
            sys.stdout.buffer.write(msgspec.json.encode(response) + b"\n")
            sys.stdout.buffer.flush()

    def handle_load(request: LoadRequest) -> None:
        try:
            is_loaded = load(request.game)
        except Exception:
            log.exception("loading the search failed", extra={"game": request.game})
            return
        if is_loaded:
            respond(Loaded(request.game))
        else:
            log.warning("compiling the search failed", extra={"game": request.game})

    def handle_search(request: SearchRequest) -> None:
        try:
            respond(run_search(request))
        except Exception as error:
            # The message may contain hidden cards: only the type is logged.
            log.error("search failed: %s", type(error).__name__)
            respond(Failed(request.number))

    load_pool = ThreadPoolExecutor(1)
    search_pool = ThreadPoolExecutor(MAX_CONCURRENT_SEARCHES, initializer=_lower_priority)
    for line in sys.stdin.buffer:
        request = decode(line)
        if isinstance(request, LoadRequest):
            load_pool.submit(handle_load, request)
        else:
            search_pool.submit(handle_search, request)
    os._exit(0)


if __name__ == "__main__":
    main()
