"""The moves of Tiny with their parts by name."""

from __future__ import annotations

from dataclasses import dataclass

from mandala.games.moves import Move

from . import rules

KINDS = ("take", "roll")  # by the number of the kind in the rules


@dataclass(frozen=True)
class TinyMove(Move):
    """A move of Tiny: take counters, or a roll of the die."""

    number: int


def make_move(row: int) -> TinyMove:
    """The move in a row of the move list."""
    return TinyMove(
        text=rules.moves.texts[row],
        kind=KINDS[rules.KIND[row]],
        is_chance=row >= rules.DECISIONS,
        number=int(rules.NUMBER[row]),
    )
