"""Flowers appraised: what a position offers a seat, as numbers to be weighed.

The network that weighs them is in `weights`, and `docs/adr/0004-search.md` tells where it comes
from. All cards
are read, for a search deals the hidden ones before it looks.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import rule

from ..cards import COLOUR_COUNT, count
from .heuristic import WEIGHTS, dissolved
from .rules import (
    ACTION,
    CLAIM,
    FIRST_OWNER,
    FLOWERS_TO_END,
    MANDALAS,
    TILES,
    TRIPLE,
    VALUES,
    cards_of,
    colours_in,
    face_up_of,
    has_tiles,
    score,
)
from .rules import POINTS as TILE_POINTS

VALUE_COUNT = len(VALUES)

# What the numbers tell of a seat.
(
    POINTS,
    FLOWERS,  # formed so far
    SINGLES,  # single tiles, by number
    SINGLE_POINTS,  # … by points: what a flower would add
    SINGLE_TRIPLES,
    HAND,  # cards in hand
    TURN,  # it is this seat that decides
    NEXT_TURN,  # … or the next one
    NOW,  # what the dissolving under way brings
    ALMOST,  # what a mandala would bring that lacks one colour …
    TWO_MISSING,
    THREE_MISSING,  # or more
    LEAD_ALMOST,  # cards ahead of the best rival, up to three, where one colour is missing …
    LEAD_TWO_MISSING,
    LEAD_THREE_MISSING,
    MARKERS,  # majority markers held
    READY,  # what can be completed at once would bring
    HOLDS,  # missing colours held, one for each mandala where they would be new
    LATE,  # how much of the game is over
    SEATS,  # how many play
    FEATURE_COUNT,
) = range(21)


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write what a position offers a seat; return how many numbers that are."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    out[POINTS] = score(state, seat)
    out[FLOWERS] = state.flowers[seat]
    for tile in range(TILES):
        if state.owner[tile] == FIRST_OWNER + seat and state.partner[tile] == 0:
            value = tile % VALUE_COUNT
            out[SINGLES] += 1.0
            out[SINGLE_POINTS] += TILE_POINTS[value]
            out[SINGLE_TRIPLES] += value == TRIPLE
    out[HAND] = count(state.hand[seat])
    out[TURN] = 1.0 if state.actor == seat else 0.0
    out[NEXT_TURN] = 1.0 if (state.turn + 1) % state.seats == seat else 0.0
    for mandala in range(MANDALAS):
        if has_tiles(state, mandala):
            look_at(state, seat, mandala, out)
    most = 0
    for each in range(state.seats):
        most = max(most, int(state.flowers[each]))
    out[LATE] = min(1.0, most / FLOWERS_TO_END)
    out[SEATS] = state.seats
    return FEATURE_COUNT


@rule
def look_at(state: Any, seat: int, mandala: int, out: Any) -> None:
    """Add what one mandala offers a seat."""
    outcome = 0.0
    if state.marker[mandala] > 0:
        outcome = dissolved(state, seat, mandala, int(state.marker[mandala]) - 1, WEIGHTS)
    if state.phase == CLAIM and state.mandala == mandala:
        out[NOW] += outcome
        return
    colours, missing, held = colours_in(state, mandala), 0, 0
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += state.hand[seat, colour] > 0
    own, rival = 0, 0
    for each in range(state.seats):
        if face_up_of(state, each, mandala) > 0:
            if each == seat:
                own = cards_of(state, each, mandala)
            else:
                rival = max(rival, cards_of(state, each, mandala))
    place = max(0, min(missing - 1, 2))
    out[ALMOST + place] += outcome
    out[LEAD_ALMOST + place] += max(-3, min(3, own - rival))
    out[MARKERS] += state.marker[mandala] == seat + 1
    out[HOLDS] += held
    if missing == 1 and held > 0 and state.phase == ACTION and state.actor == seat:
        out[READY] += max(0.0, outcome)
