"""The player that chooses any legal move."""

from __future__ import annotations

import numpy as np

from mandala.core.view import View

from .players import Budget


class Random:
    """Chooses every legal move equally often."""

    name = "random"

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """Any of the legal moves."""
        rows = view.legal_rows()
        text: str = view.rules.moves.texts[rows[int(self._generator.integers(len(rows)))]]
        return text
