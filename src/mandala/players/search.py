"""The players that think ahead: a tree search at one of the levels."""

from __future__ import annotations

import numpy as np

from mandala.players import Budget
from mandala.players.levels import level_of
from mandala.search import Found, Watch, search
from mandala.view import View


class Search:
    """Chooses the move that its search tried most."""

    def __init__(self, name: str, generator: np.random.Generator) -> None:
        self.name = name
        self._generator = generator

    def choose(self, view: View, budget: Budget) -> str:
        """The move found best within the budget, or within the level's own."""
        return self.think(view, budget).move

    def think(self, view: View, budget: Budget, watch: Watch | None = None) -> Found:
        """All that the search found; `watch` sees it grow and may stop it."""
        level, simulations = level_of(self.name, view.game), budget.simulations
        if simulations is None and not (budget.seconds and level.takes_its_time):
            simulations = level.simulations
        return search(
            view,
            level.settings,
            seed=int(self._generator.integers(2**63)),
            simulations=simulations,
            seconds=budget.seconds,
            threads=budget.threads if level.takes_its_time else 1,
            watch=watch,
        )
