"""The player that chooses the move with the best heuristic value, without searching."""

from __future__ import annotations

import numpy as np

from mandala.core.view import View

from .players import Budget


class Greedy:
    """Chooses the move with the highest heuristic value; ties are broken at random."""

    name = "greedy"

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """The move with the highest value."""
        assert view.seat is not None, "a spectator does not choose"
        texts = view.rules.moves.texts
        heuristic = view.spec.current("heuristic")
        rows, values = np.empty(len(texts), np.int16), np.empty(len(texts))
        found = heuristic.score_moves(view.state, view.seat - 1, rows, heuristic.WEIGHTS, values)
        best = np.flatnonzero(values[:found] == values[:found].max())
        place = best[self._generator.integers(len(best))] if len(best) > 1 else best[0]
        text: str = texts[rows[place]]
        return text
