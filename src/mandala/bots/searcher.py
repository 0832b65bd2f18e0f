"""The search players: tree search at one of the levels."""

from __future__ import annotations

import numpy as np

from mandala.core.view import View

from .levels import level_of
from .players import Budget
from .search import SearchResult, Watch, search


class Searcher:
    """Chooses the move with the highest visit count."""

    def __init__(self, name: str, generator: np.random.Generator) -> None:
        self.name = name
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """The best move found within the budget, or within the level's own."""
        return self.search(view, budget).move

    def search(self, view: View, budget: Budget, watch: Watch | None = None) -> SearchResult:
        """The full result of the search; `watch` receives intermediate results and may stop it."""
        level, simulations = level_of(self.name, view.game), budget.simulations
        if simulations is None and not (budget.seconds and level.uses_full_time):
            simulations = level.simulations
        return search(
            view,
            level.settings,
            seed=int(self._generator.integers(2**63)),
            simulations=simulations,
            seconds=budget.seconds,
            threads=budget.threads if level.uses_full_time else 1,
            watch=watch,
        )
