"""What a seat's record implies about the cards it did not see.

Who drew unseen cards from which pile, and which cards were played that were not known to be in a
hand: the arrays that `sampling` needs to give the unseen cards colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mandala.core.view import View, veiled
from mandala.games.cards import COLOUR_COUNT, UNKNOWN

NEVER_PLAYED = -1  # the owner of a card in a cup


@dataclass(frozen=True)
class Constraints:
    """What a view's record implies about hidden cards, as arrays for `sample_hidden`."""

    demands: Any
    piles: Any
    owner: Any
    pile_of: Any
    plies: tuple[int, ...]  # the ply of each token's draw


def constraints_of(view: View) -> Constraints:
    """The constraints that a view's record puts on the hidden cards."""
    rules = view.rules
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    piles = [states[0].pile[:COLOUR_COUNT].astype(np.int64)]
    states = veiled(view.spec, states, None)
    state, shuffles = states[0], states["shuffles"]
    # Cards known to be in a hand, where the game has such: they are played first.
    has_shown = "shown" in rules.State.fields
    shown = states["shown"][0] if has_shown else np.zeros((view.seats, COLOUR_COUNT))
    demands: list[tuple[int, int, int]] = []
    owner: list[int] = []
    pile_of: list[int] = []
    plies: list[int] = []
    assert view.history is not None, "constraints come from the moves"
    for ply, (row, drawer) in enumerate(view.history):
        colour, kind = int(rules.COLOUR[row]), rules.KIND[row]
        if kind == rules.CARD and colour == UNKNOWN:
            owner.append(NEVER_PLAYED if rules.is_set_aside(state) else drawer)
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
    return Constraints(
        np.array(demands, np.int64).reshape(-1, 3),
        np.array(piles),
        np.array(owner, np.int64),
        np.array(pile_of, np.int64),
        tuple(plies),
    )
