"""Mandala appraised: what a position offers a seat, as numbers to be weighed.

The network that weighs them is in `weights`, and `docs/adr/0004-search.md` tells where it comes
from. All cards are read, for a search deals the hidden ones before it looks.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import rule

from ..cards import COLOUR_COUNT, count
from .heuristic import NO_COLOUR, WEIGHTS, WIN, share
from .rules import (
    ACTION,
    COPIES,
    DISSOLVE,
    MANDALAS,
    colours_in,
    fits_centre,
    fits_field,
    river_length,
    score,
)

# What the numbers tell of a seat. Those of mandalas are kept apart by how many colours are missing.
(
    POINTS,
    RIVER,  # colours in the river
    CUP,  # cards in the cup
    SLEEPING,  # … whose colour is not in the river
    HAND,  # cards in hand
    KINDS,  # … by colours
    MOST,  # … of the colour that it holds most of
    FITS_FIELD,  # cards in hand, for each mandala that they fit
    FITS_CENTRE,
    TURN,  # it is this seat that decides
    LATE,  # how much of the game is over
    LAST_PHASE,
    NOW,  # what the dissolving under way brings
    LAST_NOW,  # winning or losing by it
    READY,  # what can be completed at once would bring
    LAST_READY,  # winning or losing by completing a mandala at once
    LAST_LATER,  # … by completing one later
    COUNT,  # mandalas that lack one colour …
    COUNT_TWO,
    COUNT_THREE,
    COUNT_MORE,
    OUTCOME,  # what they would bring
    OUTCOME_TWO,
    OUTCOME_THREE,
    OUTCOME_MORE,
    SWING,  # how much better it would be to choose first than second
    SWING_TWO,
    SWING_THREE,
    SWING_MORE,
    LEAD,  # cards ahead in the field, up to four
    LEAD_TWO,
    LEAD_THREE,
    LEAD_MORE,
    PRESENCE,  # a card in the field
    PRESENCE_TWO,
    PRESENCE_THREE,
    PRESENCE_MORE,
    HELD,  # missing colours in hand
    HELD_TWO,
    HELD_THREE,
    HELD_MORE,
    FEATURE_COUNT,
) = range(42)

PLAIN = WEIGHTS.copy()  # what a dissolving brings, without the worth of winning
PLAIN[WIN] = 0.0


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write what a position offers a seat; return how many numbers that are."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    out[POINTS] = score(state, seat)
    out[RIVER] = river_length(state, seat)
    out[TURN] = 1.0 if state.actor == seat else 0.0
    left = count(state.pile) / (COLOUR_COUNT * COPIES)
    longest = max(river_length(state, 0), river_length(state, 1))
    out[LATE] = 1.0 if state.last_phase else 1.0 - min(left, 1.0 - longest / COLOUR_COUNT)
    out[LAST_PHASE] = state.last_phase
    for colour in range(COLOUR_COUNT):
        cup = int(state.cup[seat, colour]) + int(state.secret[seat, colour])
        out[CUP] += cup
        if state.river[seat, colour] == 0:
            out[SLEEPING] += cup
        look_at_cards(state, seat, colour, out)
    for mandala in range(MANDALAS):
        look_at(state, seat, mandala, out)
    return FEATURE_COUNT


@rule
def look_at_cards(state: Any, seat: int, colour: int, out: Any) -> None:
    """Add what a seat's cards of one colour are good for."""
    held = int(state.hand[seat, colour])
    if held == 0:
        return
    out[HAND] += held
    out[KINDS] += 1.0
    out[MOST] = max(out[MOST], held)
    for mandala in range(MANDALAS):
        if fits_field(state, seat, mandala, colour):
            out[FITS_FIELD] += held
        if fits_centre(state, mandala, colour):
            out[FITS_CENTRE] += held


@rule
def look_at(state: Any, seat: int, mandala: int, out: Any) -> None:
    """Add what one mandala offers a seat."""
    colours, missing, held = colours_in(state, mandala), 0, 0
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += state.hand[seat, colour] > 0
    is_now = state.phase == DISSOLVE and state.mandala == mandala
    own, other = count(state.field[seat, mandala]), count(state.field[1 - seat, mandala])
    chances = 0.5 + 0.5 * ((own > other) - (other > own))  # to choose first
    if is_now:
        chances = 1.0 if state.actor == seat else 0.0
    outcome, swing = 0.0, 0.0
    for chooser in range(2):
        if is_now and chooser != state.actor:
            continue
        brings = share(state, seat, mandala, NO_COLOUR, chooser, PLAIN)
        outcome += brings * (chances if chooser == seat else 1.0 - chances)
        swing += brings if chooser == seat else -brings
    last = decided(state, seat, mandala, outcome)
    if is_now:
        out[NOW] += outcome
        out[LAST_NOW] += last
        return
    place = max(0, min(missing - 1, 3))
    out[COUNT + place] += 1.0
    out[OUTCOME + place] += outcome
    out[SWING + place] += swing
    out[LEAD + place] += max(-4, min(4, own - other))
    out[PRESENCE + place] += own > 0
    out[HELD + place] += held
    if missing == 1 and held > 0 and state.phase == ACTION and state.actor == seat:
        out[READY] += max(0.0, outcome)
        out[LAST_READY] = max(out[LAST_READY], last)
    elif missing <= 2:
        out[LAST_LATER] += last


@rule
def decided(state: Any, seat: int, mandala: int, outcome: float) -> float:
    """Whether a dissolving that ends the game wins (1) or loses (-1) it; 0 if it does not end."""
    ends = bool(state.last_phase)
    for each in range(2):
        if count(state.field[each, mandala]) > 0:
            if river_length(state, each) + new_colours(state, each, mandala) >= COLOUR_COUNT:
                ends = True
    if not ends:
        return 0.0
    lead = outcome + score(state, seat) - score(state, 1 - seat)
    return 1.0 if lead > 0 else -1.0


@rule
def new_colours(state: Any, seat: int, mandala: int) -> int:
    """How many colours of a centre would be new in a river, of those that the seat can take."""
    new, there = 0, 0
    for colour in range(COLOUR_COUNT):
        if state.centre[mandala, colour] > 0:
            there += 1
            if state.river[seat, colour] == 0:
                new += 1
    return min(new, (there + 1) // 2)
