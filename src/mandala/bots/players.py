"""The players that can take a seat, by name.

A player has a name and chooses a move from the view of its seat:

    >>> import mandala
    >>> from mandala.bots.players import Budget, make_player
    >>> view = mandala.new("mandala", seed=1).view(1)
    >>> player = make_player("random", seed=1)
    >>> player.choose(view, Budget()) in view.legal
    True

`register_player` adds a player of your own to `make_player`, and so to the arena and the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mandala.core.view import View
from mandala.text.errors import UnknownPlayer
from mandala.text.notation import shorten

from .levels import LEVELS

THREADS = min(2, os.cpu_count() or 1)  # for a search while a person waits


@dataclass(frozen=True)
class Budget:
    """How long a player may search for one move; None means the player's own default."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1  # for levels that use their full time
    time_left: float | None = None  # seconds on the player's clock, if it decides how to use them
    increment: float = 0.0  # seconds that a move adds to the clock


class Player(Protocol):
    """Anything that can choose moves for a seat."""

    name: str

    def choose(self, view: View, budget: Budget) -> str:
        """One of `view.legal`; only called when the view's seat decides."""
        ...


Factory = Callable[[np.random.Generator], Player]


def register_player(name: str, factory: Factory) -> None:
    """Add a player: `factory` makes one from a random generator. Raises ValueError if it exists."""
    if name in _factories:
        raise ValueError(f"there is a player {name!r} already")
    _factories[name] = factory


def player_names() -> list[str]:
    """The names of all players, from the weakest to the strongest, then those registered."""
    return list(_factories)


def make_player(name: str, seed: int | None = None) -> Player:
    """A player by its name. Raises UnknownPlayer.

    All its randomness comes from the seed; without one, it plays differently each time.
    """
    factory = _factories.get(name)
    if factory is None:
        parts = {"player": shorten(name), "players": ", ".join(_factories)}
        raise UnknownPlayer("unknown-player", parts)
    return factory(np.random.default_rng(seed))


def _random(generator: np.random.Generator) -> Player:
    from .random import Random

    return Random(generator)


def _greedy(generator: np.random.Generator) -> Player:
    from .greedy import Greedy

    return Greedy(generator)


def _searcher(level: str) -> Factory:
    def make(generator: np.random.Generator) -> Player:
        from .searcher import Searcher

        return Searcher(level, generator)

    return make


_factories: dict[str, Factory] = {
    "random": _random,
    "greedy": _greedy,
    **{level: _searcher(level) for level in LEVELS},
}
