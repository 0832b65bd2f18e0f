"""Why a move of Mandala is not legal."""

from __future__ import annotations

from typing import Any

from ..cards import COLOURS, count
from ..reasons import Reason, not_in_hand
from . import rules


def why_not(state: Any, move: int) -> Reason | None:
    """The reason why the actor's move is not legal, or None when it is."""
    kind, place, colour = rules.KIND[move], int(rules.MANDALA[move]), int(rules.COLOUR[move])
    number, seat = int(rules.COUNT[move]), int(state.actor)
    parts = {"colour": COLOURS[colour], "mandala": place + 1}
    if state.phase == rules.DISSOLVE:
        dissolving = int(state.mandala)
        if kind != rules.TAKE:
            return Reason("take-a-colour", {"mandala": dissolving + 1})
        if state.centre[dissolving, colour] == 0:
            return Reason("not-in-centre", {**parts, "mandala": dissolving + 1})
        return None
    if kind == rules.TAKE:
        return Reason("not-dissolving")
    if reason := not_in_hand(state, seat, colour, number):
        return reason
    if kind == rules.CENTRE:
        return _why_not_to_centre(state, seat, place, colour)
    if kind == rules.FIELD:
        if state.centre[place, colour] > 0:
            return Reason("in-centre", parts)
        if not rules.fits_field(state, seat, place, colour):
            return Reason("in-other-field", {**parts, "seat": 2 - seat})
        if number >= count(state.hand[seat]):
            return Reason("keep-one-card")
    return None


def _why_not_to_centre(state: Any, seat: int, place: int, colour: int) -> Reason | None:
    for owner in (seat, 1 - seat):
        if state.field[owner, place, colour] > 0:
            code = "in-own-field" if owner == seat else "in-other-field"
            parts = {"colour": COLOURS[colour], "mandala": place + 1, "seat": owner + 1}
            return Reason(code, parts)
    if count(state.hand[seat]) == 1 and rules.are_piles_empty(state):
        return Reason("nothing-to-draw")
    return None
