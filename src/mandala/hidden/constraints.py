"""The constraints that a seat's record puts on the cards it did not see.

They list who drew unseen cards from which pile, and which cards were played that were not known to
be in the hand. `sampling` uses them to sample the colours of the unseen cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mandala.core.view import View, visible_states
from mandala.games.cards import COLOUR_COUNT, UNKNOWN

NEVER_PLAYED = -1  # in `drawn_by`: a card in a cup


@dataclass(frozen=True)
class Constraints:
    """The constraints of a view as arrays for `sample_hidden`, which describes them."""

    plays: Any
    piles: Any
    drawn_by: Any
    pile_of: Any
    draw_plies: tuple[int, ...]  # the ply of each unseen draw


def constraints_of(view: View) -> Constraints:
    """The constraints that a view's record puts on the hidden cards."""
    rules = view.rules
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    piles = [states[0].pile[:COLOUR_COUNT].astype(np.int64)]
    states = visible_states(view.spec, states, None)
    state, shuffles = states[0], states["shuffles"]
    # Cards known to be in a hand, if the game has them: they are played first.
    has_shown = "shown" in rules.State.fields
    shown = states["shown"][0] if has_shown else np.zeros((view.seats, COLOUR_COUNT))
    plays: list[tuple[int, int, int]] = []
    drawn_by: list[int] = []
    pile_of: list[int] = []
    plies: list[int] = []
    assert view.history is not None, "constraints need the moves"
    for ply, (row, drawer) in enumerate(view.history):
        colour, kind = int(rules.COLOUR[row]), rules.KIND[row]
        if kind == rules.CARD and colour == UNKNOWN:
            drawn_by.append(NEVER_PLAYED if rules.is_set_aside(state) else drawer)
            pile_of.append(len(piles) - 1)
            plies.append(ply)
        elif kind == rules.CARD:
            piles[-1][colour] -= 1
        elif rules.COUNT[row] and int(state.actor) + 1 != view.seat:
            seat, number = int(state.actor), int(rules.COUNT[row])
            unseen = number - min(int(shown[seat, colour]), number)
            plays += [(seat, colour, len(drawn_by))] * unseen
        shuffles_before = int(shuffles[0])
        rules.apply(state, row)
        if int(shuffles[0]) != shuffles_before:
            piles.append(state.pile[:COLOUR_COUNT].astype(np.int64))
    return Constraints(
        np.array(plays, np.int64).reshape(-1, 3),
        np.array(piles),
        np.array(drawn_by, np.int64),
        np.array(pile_of, np.int64),
        tuple(plies),
    )
