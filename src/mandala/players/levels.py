"""The levels of the players that search: each a named setting, from the weakest to the strongest.

A weak level is short-sighted, like a beginner: it looks few moves ahead, tries few lines, and the
first ones only count points. None plays a bad move on purpose. `docs/strength.md` has what each
level scores against the one below.
"""

from __future__ import annotations

from dataclasses import dataclass

from mandala.search import Settings


@dataclass(frozen=True)
class Level:
    """How a level thinks, and for how many simulations when nobody says otherwise."""

    simulations: int
    settings: Settings
    takes_its_time: bool = False  # given a time, it uses all of it


LEVELS = {
    "search:1": Level(60, Settings(horizon=1, temperature=0.0, is_naive=True)),
    "search:2": Level(200, Settings(horizon=2, plies=0, temperature=0.0, is_naive=True)),
    "search:3": Level(100, Settings(horizon=1, plies=0, temperature=0.0)),
    "search:4": Level(100, Settings(horizon=4)),
    "search:5": Level(800, Settings()),
    "search:6": Level(5_000, Settings()),
    "search:7": Level(40_000, Settings(), takes_its_time=True),
}
STRONGEST = list(LEVELS)[-1]
