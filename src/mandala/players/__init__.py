"""Who can sit on a seat.

A player is an object with a name that chooses a move from what its seat may know:

    >>> import mandala
    >>> from mandala.players import Budget, make_player
    >>> view = mandala.new("mandala", seed=1).view(1)
    >>> player = make_player("random", seed=1)
    >>> player.choose(view, Budget()) in view.legal
    True
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mandala.errors import UnknownPlayer
from mandala.notation import shorten
from mandala.players.levels import LEVELS
from mandala.view import View

THREADS = min(2, os.cpu_count() or 1)  # for a player who thinks while a person waits


@dataclass(frozen=True)
class Budget:
    """How much a player may think about one move; None leaves it to the player."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1  # that it may use, if it is one that takes its time


class Player(Protocol):
    """Anything that can sit on a seat."""

    name: str

    def choose(self, view: View, budget: Budget) -> str:
        """One of `view.legal`; only asked when it is the view's seat that decides."""
        ...


PLAYERS = ("random", "greedy", *LEVELS)


def make_player(name: str, seed: int) -> Player:
    """A player by its name; all its chance comes from the seed. Raises UnknownPlayer."""
    from mandala.players.greedy import Greedy
    from mandala.players.random import Random
    from mandala.players.search import Search

    generator = np.random.default_rng(seed)
    if name == "random":
        return Random(generator)
    if name == "greedy":
        return Greedy(generator)
    if name in LEVELS:
        return Search(name, generator)
    raise UnknownPlayer("unknown-player", {"player": shorten(name), "players": ", ".join(PLAYERS)})
