"""The levels of the players that search, from the weakest to the strongest.

A weak level is short-sighted, like a beginner: it looks few moves ahead, tries few lines, and the
first one only counts points. None plays a bad move on purpose. Each game has the settings of its
levels in `levels.toml`; `docs/strength.md` has what each level scores against the one below.
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
    """How a level searches, and its number of simulations when no budget is given."""

    simulations: int
    settings: Settings
    uses_full_time: bool = False  # given a time, it uses all of it, and all threads it may


def level_of(name: str, game: str) -> Level:
    """The level of a name such as `search:3` in a game."""
    return _levels(game)[LEVELS.index(name)]


@functools.cache
def _levels(game: str) -> tuple[Level, ...]:
    content = tomllib.loads((find_game(game).folder / "levels.toml").read_text(encoding="utf-8"))
    return tuple(_level(**each) for each in content["level"])


def _level(*, simulations: int, uses_full_time: bool = False, **settings: object) -> Level:
    return Level(simulations, Settings(**settings), uses_full_time)  # type: ignore[arg-type]
