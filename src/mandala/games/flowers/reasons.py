"""Why a move of Flowers is not legal."""

from __future__ import annotations

from typing import Any

from ..cards import count
from ..reasons import Reason, not_in_hand
from . import rules


def why_not(state: Any, move: int) -> Reason | None:
    """The reason why the actor's move is not legal, or None when it is."""
    kind, seat = rules.KIND[move], int(state.actor)
    if state.phase == rules.CLAIM:
        place = int(state.mandala)
        if kind != rules.CLAIM_TILE:
            return Reason("claim-a-tile", {"mandala": place + 1})
        if rules.TILE_OF[move] + 1 not in state.tile[place]:
            return Reason(
                "tile-not-here", {"tile": rules.moves.texts[move][1:], "mandala": place + 1}
            )
        return None
    if kind == rules.CLAIM_TILE:
        return Reason("not-dissolving")
    if kind == rules.PASS:
        rows = [0] * rules.DECISIONS
        return Reason("can-play") if rules.legal_plays(state, seat, rows) > 0 else None
    if not rules.has_tiles(state, int(rules.MANDALA[move])):
        return Reason("no-mandala", {"mandala": int(rules.MANDALA[move]) + 1})
    number = int(rules.COUNT[move])
    if reason := not_in_hand(state, seat, int(rules.COLOUR[move]), number):
        return reason
    if count(state.hand[seat]) == 1 and rules.are_piles_empty(state):
        return Reason("nothing-to-draw")
    if number > 1 and number == count(state.hand[seat]):
        return Reason("keep-one-card")
    return None
