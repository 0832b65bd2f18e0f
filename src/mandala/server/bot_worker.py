"""The process in which the search thinks: `python -m mandala.server.bot_worker`.

It has an interpreter of its own, so that no thought, and nothing that is compiled or loaded, ever
holds up a person's move, and stands back behind the server where both want the processor. Questions
come as lines of JSON and answers go back as they are found. It is told no more than views, and ends
when the server does.
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
AT_THE_SAME_TIME = 1  # thoughts
EACH_ON = max(1, min(THREADS, (os.cpu_count() or 1) - 1))  # threads; a core is left to people


class Load(msgspec.Struct, frozen=True, tag=True):
    """Compile the search of a game, or load it, so that it can think."""

    game: str


class Think(msgspec.Struct, frozen=True, tag=True):
    """Find a move for the seat of a view; `player` is one that searches."""

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
    """The search of a game can think."""

    game: str


class Thought(msgspec.Struct, frozen=True, tag=True):
    """The move that was found, and the share of the win to hope for, if that is known."""

    number: int
    move: str
    share: float | None


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A question has no answer; why is in the log."""

    number: int


Question = Load | Think
Answer = Loaded | Thought | Failed


def question(number: int, player: str, view: View, seconds: float, seed: int) -> Think:
    """A view put into a question. Its seat must be the one that decides."""
    assert view.seat is not None, "a spectator has no move"
    assert view.history is not None, "a view of a live game knows its moves"
    state = view.state.tobytes()
    seats, history = view.seats, view.history
    return Think(number, player, view.game, seats, view.seat, state, history, seconds, seed)


def answer(asked: Think) -> Thought:
    """Think."""
    states = np.frombuffer(bytearray(asked.state), find_game(asked.game).rules.State.dtype)
    view = View(asked.game, asked.seats, states, asked.seat, asked.history)
    player = make_player(asked.player, asked.seed)
    assert isinstance(player, Searcher), "only who searches is asked here"
    found = player.search(view, Budget(seconds=asked.seconds, threads=EACH_ON))
    return Thought(asked.number, found.move, found.value if found.simulations else None)


def load(game: str) -> bool:
    """Make the search of a game ready; whether it went well."""
    # A child compiles, as else no thought of another game could go on beside it.
    if engine.cache_folder() is not None and not search.is_warm(game):
        task = f"from mandala.bots.search import warm_up; warm_up({game!r})"
        if not engine.compile_in_subprocess(task):
            return False
    search.warm_up(game)
    return True


def _stand_back() -> None:
    """Think only while nobody else wants the processor, where the system knows such a thing."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Answer until nobody asks any more."""
    log_as_json(logging.WARNING)
    if hasattr(os, "nice"):
        os.nice(NICE)
    decode = msgspec.json.Decoder(Question).decode
    one_at_a_time = threading.Lock()

    def say(message: Answer) -> None:
        with one_at_a_time, contextlib.suppress(BrokenPipeError):  # the server is gone
            sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
            sys.stdout.buffer.flush()

    def do_load(asked: Load) -> None:
        try:
            is_loaded = load(asked.game)
        except Exception:
            log.exception("the search could not be loaded", extra={"game": asked.game})
            return
        if is_loaded:
            say(Loaded(asked.game))
        else:
            log.warning("the search could not be compiled", extra={"game": asked.game})

    def do_think(asked: Think) -> None:
        try:
            say(answer(asked))
        except Exception as error:
            # What went wrong may hold cards: only its kind is told.
            log.error("a thought failed: %s", type(error).__name__)
            say(Failed(asked.number))

    loading = ThreadPoolExecutor(1)
    thinking = ThreadPoolExecutor(AT_THE_SAME_TIME, initializer=_stand_back)
    for line in sys.stdin.buffer:
        asked = decode(line)
        if isinstance(asked, Load):
            loading.submit(do_load, asked)
        else:
            thinking.submit(do_think, asked)
    os._exit(0)


if __name__ == "__main__":
    main()
