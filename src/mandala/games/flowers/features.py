"""The evaluation features of Flowers: numbers that describe a position for one seat.

The network that evaluates them is in `weights.npy`; `docs/adr/0004-search.md` says how it was
trained. The features read all cards, since the search samples the hidden ones first.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import rule

from ..cards import COLOUR_COUNT, count
from .heuristic import WEIGHTS, dissolve_value
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

# The index of each feature.
(
    POINTS,
    FLOWERS,  # formed so far
    SINGLES,  # number of single tiles
    SINGLE_POINTS,  # the points of the single tiles
    SINGLE_TRIPLES,
    HAND,  # cards in hand
    TURN,  # 1 if this seat decides
    NEXT_TURN,  # 1 if the next turn is this seat's
    DISSOLVING,  # the value of the dissolving that is under way
    ONE_MISSING,  # the value of dissolving mandalas that lack one colour …
    TWO_MISSING,
    THREE_MISSING,  # or more
    LEAD_ONE_MISSING,  # cards ahead of the best rival, up to three, where one colour is missing …
    LEAD_TWO_MISSING,
    LEAD_THREE_MISSING,
    MARKERS,  # majority markers held
    READY,  # the value of dissolving what the seat can complete with its next move
    HOLDS,  # missing colours in hand, summed over the mandalas
    PROGRESS,  # how much of the game is over, from 0 to 1
    SEATS,  # number of seats
    FEATURE_COUNT,
) = range(21)


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write the evaluation features of a seat; return how many there are."""
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
            add_mandala_features(state, seat, mandala, out)
    most_flowers = 0
    for each in range(state.seats):
        most_flowers = max(most_flowers, int(state.flowers[each]))
    out[PROGRESS] = min(1.0, most_flowers / FLOWERS_TO_END)
    out[SEATS] = state.seats
    return FEATURE_COUNT


@rule
def add_mandala_features(state: Any, seat: int, mandala: int, out: Any) -> None:
    """Add the features of one mandala."""
    outcome = 0.0
    if state.marker[mandala] > 0:
        outcome = dissolve_value(state, seat, mandala, int(state.marker[mandala]) - 1, WEIGHTS)
    if state.phase == CLAIM and state.mandala == mandala:
        out[DISSOLVING] += outcome
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
    out[ONE_MISSING + place] += outcome
    out[LEAD_ONE_MISSING + place] += max(-3, min(3, own - rival))
    out[MARKERS] += state.marker[mandala] == seat + 1
    out[HOLDS] += held
    if missing == 1 and held > 0 and state.phase == ACTION and state.actor == seat:
        out[READY] += max(0.0, outcome)
