"""The evaluation features of Patterns: numbers that describe a position for one seat.

The network that evaluates them is in `weights.npy`; `docs/adr/0004-search.md` says how it was
trained.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import bit_count, rule

from ..cards import COLOUR_COUNT
from .heuristic import best_number, flip_reach, last_flip_points
from .rules import (
    EMPTY,
    LAST_FLIPS,
    NO_COLOUR,
    SETUP_COUNT,
    blocked_spaces,
    fronts,
    neighbours,
    score,
)

# The index of each feature.
(
    POINTS,
    TURN,  # 1 if this seat decides
    OPENED,  # groups on the board
    NUMBERS,  # the sum of their numbers
    FLIPS,  # tiles that can be flipped, now or after others
    FLIP_POINTS,  # … times the numbers of their groups
    BESIDE,  # neighbours that could be swapped, up to three per group
    BESIDE_POINTS,
    TO_SWAP,  # the number of the group that the exchange tile can join
    NEXT,  # the best number among the tiles that this swap could take
    TO_OPEN,  # the number that the exchange tile can open …
    ROOM,  # … for each front of its colour
    STUCK,  # 1 if the exchange tile cannot be used
    LAST,  # points still to be flipped after the end
    PROGRESS,  # how much of the game is over, from 0 to 1
    FEATURE_COUNT,
) = range(16)


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write the evaluation features of a seat; return how many there are."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    facing, bowl = fronts(state), int(state.bowl[seat])
    out[POINTS] = score(state, seat)
    out[TURN] = 1.0 if state.actor == seat else 0.0
    for colour in range(COLOUR_COUNT):
        number = int(state.river[seat, colour])
        if number == 0:
            continue
        free = facing & ~blocked_spaces(state, seat, colour)
        group = state.group[seat, colour]
        flips = bit_count(flip_reach(group, free & state.tile[colour])) - bit_count(group)
        beside = neighbours(group) & free & ~state.tile[colour]
        out[OPENED] += 1.0
        out[NUMBERS] += number
        out[FLIPS] += flips
        out[FLIP_POINTS] += number * flips
        out[BESIDE] += min(bit_count(beside), 3)
        out[BESIDE_POINTS] += number * min(bit_count(beside), 3)
        if bowl == colour:
            if beside != EMPTY:
                out[TO_SWAP] = number
                out[NEXT] = best_number(state, seat, beside)
            else:
                out[STUCK] = 1.0
    if bowl != NO_COLOUR and state.river[seat, bowl] == 0:
        room = bit_count(facing & state.tile[bowl] & ~blocked_spaces(state, seat, bowl))
        out[TO_OPEN] = out[OPENED] + 1.0
        out[ROOM] = (out[OPENED] + 1.0) * room
    if state.phase == LAST_FLIPS and state.actor == seat:
        out[LAST] = last_flip_points(state, seat)
    out[PROGRESS] = 1.0 - bit_count(facing) / SETUP_COUNT
    return FEATURE_COUNT
