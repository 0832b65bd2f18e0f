"""The moves of Flowers with their parts by name."""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import COLOURS, UNKNOWN
from ..moves import Move
from . import rules

# By the number of the kind in the rules.
KINDS = ("play", "claim", "pass", "draw", "tile", "dissolve")


@dataclass(frozen=True)
class FlowersMove(Move):
    """A move of Flowers: play, claim or pass; or a draw, a new tile, or the next dissolving."""

    colour: str | None = None  # a letter, for play and draw; None for a card that cannot be seen
    count: int | None = None  # cards, for play and draw
    mandala: int | None = None  # 1 to 3, for play and dissolve
    tile: str | None = None  # such as "k7", for claim and tile


def make_move(row: int) -> FlowersMove:
    """The move in a row of the move list."""
    kind, text = int(rules.KIND[row]), rules.moves.texts[row]
    colour = int(rules.COLOUR[row])
    has_cards = kind in (rules.PLAY, rules.CARD)
    return FlowersMove(
        text=text,
        kind=KINDS[kind],
        is_chance=row >= rules.DECISIONS,
        colour=COLOURS[colour] if has_cards and colour != UNKNOWN else None,
        count=int(rules.COUNT[row]) if has_cards else None,
        mandala=int(rules.MANDALA[row]) + 1 if kind in (rules.PLAY, rules.NEXT_MANDALA) else None,
        tile=text[1:] if kind in (rules.CLAIM_TILE, rules.TILE) else None,
    )
