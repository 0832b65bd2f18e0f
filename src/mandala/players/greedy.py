"""The player that takes what looks best at a glance, without thinking ahead."""

from __future__ import annotations

import numpy as np

from mandala import kernel
from mandala.players import Budget
from mandala.view import View


class Greedy:
    """Chooses the move that the game's heuristic values most; equals are drawn by lot."""

    name = "greedy"

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """The move worth most."""
        assert view.seat is not None, "a spectator does not choose"
        texts = view.rules.moves.texts
        heuristic = kernel.heuristic(view.game)
        rows, values = np.empty(len(texts), np.int16), np.empty(len(texts))
        found = heuristic.worths(view.state, view.seat - 1, rows, heuristic.WEIGHTS, values)
        best = np.flatnonzero(values[:found] == values[:found].max())
        place = best[self._generator.integers(len(best))] if len(best) > 1 else best[0]
        text: str = texts[rows[place]]
        return text
