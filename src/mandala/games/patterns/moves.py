"""The moves of Patterns with their parts by name."""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import COLOURS
from ..moves import Move
from . import rules

# By the number of the kind in the rules.
KINDS = ("give", "open", "flip", "swap", "stop", "tile")


@dataclass(frozen=True)
class PatternsMove(Move):
    """A move of Patterns: give, open, flip, swap or stop, or a tile that is laid in the setup."""

    colour: str | None = None  # a letter, for give and for a tile of the setup
    space: str | None = None  # such as "d4", for open, flip and swap


def make_move(row: int) -> PatternsMove:
    """The move in a row of the move list."""
    kind, text = int(rules.KIND[row]), rules.moves.texts[row]
    return PatternsMove(
        text=text,
        kind=KINDS[kind],
        is_chance=row >= rules.DECISIONS,
        colour=COLOURS[int(rules.COLOUR[row])] if kind in (rules.GIVE, rules.TILE) else None,
        space=text[1:] if kind in (rules.OPEN, rules.FLIP, rules.SWAP) else None,
    )
