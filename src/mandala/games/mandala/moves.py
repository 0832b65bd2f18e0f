"""The moves of Mandala with their parts by name."""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import COLOURS, UNKNOWN
from ..moves import Move
from . import rules

# By the number of the kind in the rules.
KINDS = ("centre", "field", "discard", "take", "draw")


@dataclass(frozen=True)
class MandalaMove(Move):
    """A move of Mandala: action A (centre), B (field) or C (discard), a take, or a draw."""

    colour: str | None = None  # a letter; None for a drawn card that the viewer cannot see
    count: int | None = None  # cards; None for a take, which takes all of its colour
    mandala: int | None = None  # 1 or 2, for centre and field


def make_move(row: int) -> MandalaMove:
    """The move in a row of the move list."""
    kind, colour = int(rules.KIND[row]), int(rules.COLOUR[row])
    return MandalaMove(
        text=rules.moves.texts[row],
        kind=KINDS[kind],
        is_chance=row >= rules.DECISIONS,
        colour=None if colour == UNKNOWN else COLOURS[colour],
        count=int(rules.COUNT[row]) or None,
        mandala=int(rules.MANDALA[row]) + 1 if kind in (rules.CENTRE, rules.FIELD) else None,
    )
