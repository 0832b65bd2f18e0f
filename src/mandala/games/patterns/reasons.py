"""Why a move of Patterns is not legal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cards import COLOURS
from ..reasons import Reason
from . import rules


def why_not(state: Any, move: int) -> Reason | None:
    """The reason why the actor's move is not legal, or None when it is."""
    kind, seat = rules.KIND[move], int(state.actor)
    if state.phase == rules.GIVING or kind == rules.GIVE:
        return _why_not_give(state, int(kind), int(rules.COLOUR[move]))
    if kind == rules.STOP:
        return None if state.phase == rules.LAST_FLIPS else Reason("not-ended")
    if state.phase == rules.LAST_FLIPS and kind != rules.FLIP:
        return Reason("only-flips")
    space = rules.ONE << np.uint64(rules.SPACE[move])
    where = {"space": rules.moves.texts[move][1:]}
    if rules.fronts(state) & space == rules.EMPTY:
        return Reason("back-side", where)
    tile_colour = rules.colour_at(state, space)
    colour = tile_colour if kind == rules.FLIP else int(state.bowl[seat])
    parts = {**where, "colour": COLOURS[colour]}
    is_open = state.river[seat, colour] > 0
    if kind == rules.OPEN:
        if is_open:
            return Reason("already-open", parts)
    elif not is_open:
        return Reason("no-group", parts)
    elif kind == rules.SWAP and tile_colour == colour:
        return Reason("flip-instead", parts)
    elif rules.neighbours(state.group[seat, colour]) & space == rules.EMPTY:
        return Reason("not-next-to-group", parts)
    if rules.blocked_spaces(state, seat, colour) & space != rules.EMPTY:
        return Reason("groups-touch", parts)
    return None


def _why_not_give(state: Any, kind: int, colour: int) -> Reason | None:
    if kind != rules.GIVE:
        return Reason("give-first")
    if state.phase != rules.GIVING:
        return Reason("given-already")
    if state.aside[colour] == 0:
        return Reason("no-starting-tile", {"colour": COLOURS[colour]})
    return None
