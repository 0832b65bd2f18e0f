"""What a seat's record tells about the cards it did not see.

Who drew unseen cards from which pile, and what was played that was not known to be in a hand: the
arrays that `fill` needs to give the unseen cards colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from .games.table import COLOUR_COUNT, UNKNOWN
from .view import View, veiled

NEVER_PLAYED = -1  # the owner of a card in a cup


@dataclass(frozen=True)
class Story:
    """What a view's record tells about hidden cards, as arrays for `fill`."""

    demands: Any
    piles: Any
    owner: Any
    pile_of: Any
    plies: tuple[int, ...]  # the ply of each token's draw


def tell(rules: ModuleType, view: View) -> Story:
    """Read a view's record as a story about hidden cards."""
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    piles = [states[0].pile[:COLOUR_COUNT].astype(np.int64)]
    states = veiled(rules, states, None)
    state, shuffles = states[0], states["shuffles"]
    # Cards known to be in a hand, where the game has such: they are played first.
    has_shown = "shown" in rules.State.fields
    shown = states["shown"][0] if has_shown else np.zeros((view.seats, COLOUR_COUNT))
    demands: list[tuple[int, int, int]] = []
    owner: list[int] = []
    pile_of: list[int] = []
    plies: list[int] = []
    assert view.history is not None
    for ply, (row, drawer) in enumerate(view.history):
        colour, kind = int(rules.COLOUR[row]), rules.KIND[row]
        if kind == rules.CARD and colour == UNKNOWN:
            owner.append(NEVER_PLAYED if _goes_into_a_cup(rules, state) else drawer)
            pile_of.append(len(piles) - 1)
            plies.append(ply)
        elif kind == rules.CARD:
            piles[-1][colour] -= 1
        elif rules.COUNT[row] and int(state.actor) + 1 != view.seat:
            seat, number = int(state.actor), int(rules.COUNT[row])
            unseen = number - min(int(shown[seat, colour]), number)
            demands += [(seat, colour, len(owner))] * unseen
        was = int(shuffles[0])
        rules.apply(state, row)
        if int(shuffles[0]) != was:
            piles.append(state.pile[:COLOUR_COUNT].astype(np.int64))
    return Story(
        np.array(demands, np.int64).reshape(-1, 3),
        np.array(piles),
        np.array(owner, np.int64),
        np.array(pile_of, np.int64),
        tuple(plies),
    )


def _goes_into_a_cup(rules: ModuleType, state: Any) -> bool:
    if rules.NAME != "mandala" or state.phase != rules.SETUP:
        return False
    target = rules.SETUP_DRAWS[rules.SETUP_COUNT - state.draws]
    return target in (rules.TO_CUP_1, rules.TO_CUP_2)
