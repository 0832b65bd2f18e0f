"""Mandala appraised: what a position offers a seat, as numbers to be weighed.

The weights are in `weights`, and `docs/adr/0004-search.md` tells where they come from. All cards
are read, for a search deals the hidden ones before it looks.
"""

from __future__ import annotations

from typing import Any

from mandala.kernel import rule

from ..games.mandala import (
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
from ..games.table import COLOUR_COUNT, count
from ..heuristics.mandala import NO_COLOUR, WEIGHTS, WIN, share

# What the numbers tell of a seat.
(
    POINTS,
    RIVER,  # colours in the river
    HAND,  # cards in hand
    TURN,  # it is this seat that decides
    NOW,  # what the dissolving under way brings
    ALMOST,  # what a mandala would bring that lacks one colour …
    TWO_MISSING,
    MORE_MISSING,
    LEAD_ALMOST,  # cards ahead in the field, up to three, of a mandala that lacks one colour …
    LEAD_TWO_MISSING,
    LEAD_MORE_MISSING,
    PRESENCE,  # mandalas with a card in the field
    READY,  # what can be completed at once would bring
    LAST_NOW,  # winning or losing by the dissolving under way
    LAST_READY,  # … by completing a mandala at once
    LAST_LATER,  # … by completing one later
    FITS_FIELD,  # cards in hand, for each mandala that they fit
    FITS_CENTRE,
    FEATURE_COUNT,
) = range(19)

PLAIN = WEIGHTS.copy()  # what a dissolving brings, without the worth of winning
PLAIN[WIN] = 0.0


@rule
def features(state: Any, seat: int, out: Any) -> float:
    """Write what a position offers a seat; return how much of the game is still to come."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    out[POINTS] = score(state, seat)
    out[RIVER] = river_length(state, seat)
    out[HAND] = count(state.hand[seat])
    out[TURN] = 1.0 if state.actor == seat else 0.0
    for mandala in range(MANDALAS):
        look_at(state, seat, mandala, out)
    for colour in range(COLOUR_COUNT):
        held = int(state.hand[seat, colour])
        for mandala in range(MANDALAS):
            if held > 0 and fits_field(state, seat, mandala, colour):
                out[FITS_FIELD] += held
            if held > 0 and fits_centre(state, mandala, colour):
                out[FITS_CENTRE] += held
    longest = max(river_length(state, 0), river_length(state, 1))
    left = count(state.pile) / (COLOUR_COUNT * COPIES)
    return 0.0 if state.last_phase else min(left, 1.0 - longest / COLOUR_COUNT)


@rule
def look_at(state: Any, seat: int, mandala: int, out: Any) -> None:
    """Add what one mandala offers a seat."""
    colours, missing, held = colours_in(state, mandala), 0, 0
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += int(state.hand[seat, colour])
    if state.phase == DISSOLVE and state.mandala == mandala:
        outcome = share(state, seat, mandala, NO_COLOUR, int(state.actor), PLAIN)
        out[NOW] += outcome
        out[LAST_NOW] += decided(state, seat, mandala, outcome)
        return
    own, other = count(state.field[seat, mandala]), count(state.field[1 - seat, mandala])
    outcome = share(state, seat, mandala, NO_COLOUR, seat if own > other else 1 - seat, PLAIN)
    if own == other:
        outcome += share(state, seat, mandala, NO_COLOUR, seat, PLAIN)
        outcome *= 0.5
    place = max(0, min(missing - 1, 2))
    out[ALMOST + place] += outcome
    out[LEAD_ALMOST + place] += max(-3, min(3, own - other))
    if own > 0:
        out[PRESENCE] += 1.0
    last = decided(state, seat, mandala, outcome)
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
