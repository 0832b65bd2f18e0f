"""The levels of the search players, from the weakest to the strongest.

A weak level is short-sighted, like a beginner: it searches few moves ahead with few simulations,
and the first level evaluates points only. No level plays a bad move on purpose. Each game has the
settings of its levels in `levels.toml`; `docs/strength.md` has the results of each level against
the one below.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass

from mandala.games import find_game

from .search import Settings

LEVELS = ("search:1", "search:2", "search:3", "search:4", "search:5")
STRONGEST = LEVELS[-1]


@dataclass(frozen=True)
class Level:
    """The search settings of a level, and its number of simulations when no budget is given."""

    simulations: int
    settings: Settings
    uses_full_time: bool = False  # uses the whole time of a budget, and all its threads


def level_of(name: str, game: str) -> Level:
    """The level of a name such as `search:3` in a game."""
    return _levels(game)[LEVELS.index(name)]


@functools.cache
def _levels(game: str) -> tuple[Level, ...]:
    content = tomllib.loads((find_game(game).folder / "levels.toml").read_text(encoding="utf-8"))
    return tuple(_level(**each) for each in content["level"])


def _level(*, simulations: int, uses_full_time: bool = False, **settings: object) -> Level:
    return Level(simulations, Settings(**settings), uses_full_time)  # type: ignore[arg-type]
