"""The levels of the players that search, from the weakest to the strongest, for each game.

A weak level is short-sighted, like a beginner: it looks few moves ahead, tries few lines, and the
first one only counts points. None plays a bad move on purpose. `docs/strength.md` has what each
level scores against the one below.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mandala.search import Settings


@dataclass(frozen=True)
class Level:
    """How a level thinks, and for how many simulations when nobody says otherwise."""

    simulations: int
    settings: Settings
    takes_its_time: bool = False  # given a time, it uses all of it, and all threads it may


LEVELS = ("search:1", "search:2", "search:3", "search:4", "search:5")
STRONGEST = LEVELS[-1]

# The settings with which each game is searched best.
BEST = {
    "mandala": Settings(),
    "patterns": Settings(plies=2),
    "flowers": Settings(),
}


def level_of(name: str, game: str) -> Level:
    """How a level thinks in a game."""
    return _LADDERS[game][LEVELS.index(name)]


def _ladder(
    best: Settings, naive_simulations: int, naive_plies: int, glances: int
) -> tuple[Level, ...]:
    """Five levels: one who counts points, one who sees one move ahead, three who search.

    In Mandala points come late: who counts them a few moves ahead would discard all the time.
    """
    weak = replace(best, solves=False)
    glance = replace(weak, horizon=1, temperature=0.0)
    return (
        Level(naive_simulations, replace(glance, plies=naive_plies, is_naive=True)),
        Level(glances, replace(glance, plies=0)),
        Level(80, weak),
        Level(500, weak),
        Level(40_000, best, takes_its_time=True),
    )


_LADDERS = {
    "mandala": _ladder(BEST["mandala"], 300, 10, 30),
    "patterns": _ladder(BEST["patterns"], 60, 4, 100),
    "flowers": _ladder(BEST["flowers"], 60, 4, 100),
}
