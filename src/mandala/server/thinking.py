"""Bots and hints: who thinks, and who stands in while the search is being compiled.

Compiling takes up to a minute, once on a machine, and nobody waits for it: a child process does it
at low priority, and until the result is loaded `greedy` plays for the players that search.
"""

from __future__ import annotations

import gc
import logging
import threading
from dataclasses import dataclass

from mandala import search
from mandala.events import Bot
from mandala.kernel import cache_folder, compile_on_the_side, make_ready_in_background
from mandala.notation import move_number
from mandala.players import THREADS, Budget, Player, make_player
from mandala.players.levels import LEVELS, STRONGEST
from mandala.players.search import Search
from mandala.table import Table
from mandala.telling import steps_seen, tell
from mandala.view import View

log = logging.getLogger("mandala.server")

HINTS_BY = STRONGEST
STAND_IN = "greedy"
_begun: set[str] = set()
_ready: set[str] = set()
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Advice:
    """A move, and the share of the win that it lets a seat hope for, if that is known."""

    move: str
    share: float | None


def warm_up(game: str) -> None:
    """Compile the rules and the search of a game on the side; plain Python plays until then."""
    if game not in _begun:
        _begun.add(game)
        threading.Thread(target=_compile, args=(game,), name=f"warm {game}", daemon=True).start()


def is_ready(game: str) -> bool:
    """Whether the search of a game can think without compiling anything first."""
    return game in _ready


def is_warming(table: Table) -> bool:
    """Whether another player stands in for one who searches, until the search is compiled."""
    if table.ending is not None or is_ready(table.opening.game):
        return False
    return any(isinstance(sitter, Bot) and sitter.name in LEVELS for sitter in table.sitters)


def player_for(name: str, game: str, seed: int) -> Player:
    """A player who can choose at once: the one of this name, or who stands in."""
    is_late = name in LEVELS and not is_ready(game)
    return make_player(STAND_IN if is_late else name, seed)


def advise(view: View, seconds: float, seed: int) -> Advice:
    """What a strong player might do on a view's seat."""
    player = player_for(HINTS_BY, view.game, seed)
    if not isinstance(player, Search):
        return Advice(player.choose(view, Budget()), None)
    found = player.think(view, Budget(seconds=seconds, threads=THREADS))
    return Advice(found.move, found.value if found.simulations else None)


def told(view: View, move: str, language: str) -> str:
    """What a move of a view's seat would do, in sentences."""
    assert view.history is not None, "a view of a live game knows its moves"
    row, states = move_number(view.rules, move), view.copy_states()
    drawer = int(view.rules.drawer(view.state))
    view.rules.apply(states[0], row)
    after = View(view.game, view.seats, states, view.seat, (*view.history, (row, drawer)))
    return " ".join(tell(steps_seen(view, after), language))


def _compile(game: str) -> None:
    make_ready_in_background(game).join()
    with _one_at_a_time:
        if cache_folder() is not None and not search.is_warm(game):
            task = f"from mandala.search import warm_up; warm_up({game!r})"
            if not compile_on_the_side(task):
                log.warning("the search could not be compiled", extra={"game": game})
                return
        search.warm_up(game)
        gc.freeze()  # what was loaded stays: the collector need not look at it ever again
        _ready.add(game)
