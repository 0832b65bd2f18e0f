"""The player that chooses random legal moves."""

from __future__ import annotations

import numpy as np

from mandala.core.view import View

from .players import Budget


class Random:
    """Chooses every legal move with the same probability."""

    name = "random"

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """A random legal move."""
        rows = view.legal_rows()
        text: str = view.rules.moves.texts[rows[int(self._generator.integers(len(rows)))]]
        return text
