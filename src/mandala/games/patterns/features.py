"""Patterns appraised: what a position offers a seat, as numbers to be weighed.

The network that weighs them is in `weights`, and `docs/adr/0004-search.md` tells where it comes
from.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import bit_count, rule

from ..cards import COLOUR_COUNT
from .heuristic import best_number, last_flips, reach
from .rules import (
    EMPTY,
    LAST_FLIPS,
    NO_COLOUR,
    SETUP_COUNT,
    closed,
    fronts,
    next_to,
    score,
)

# What the numbers tell of a seat.
(
    POINTS,
    TURN,  # it is this seat that decides
    OPENED,  # groups on the board
    HIGH,  # … by their numbers
    FLIPS,  # tiles that can be turned, now or after others
    FLIP_POINTS,  # … by the numbers of their groups
    BESIDE,  # neighbours that could be swapped, up to three a group
    BESIDE_POINTS,
    TO_SWAP,  # the number of the group that the exchange tile can join
    NEXT,  # the best number among the tiles that this swap could take
    TO_OPEN,  # the number that the exchange tile can open …
    ROOM,  # … for each front of its colour
    STUCK,  # an exchange tile that can do nothing
    LAST,  # points still to be turned over after the end
    LATE,  # how much of the game is over
    FEATURE_COUNT,
) = range(16)


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write what a position offers a seat; return how many numbers that are."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    facing, bowl = fronts(state), int(state.bowl[seat])
    out[POINTS] = score(state, seat)
    out[TURN] = 1.0 if state.actor == seat else 0.0
    for colour in range(COLOUR_COUNT):
        number = int(state.river[seat, colour])
        if number == 0:
            continue
        free = facing & ~closed(state, seat, colour)
        group = state.group[seat, colour]
        flips = bit_count(reach(group, free & state.tile[colour])) - bit_count(group)
        beside = next_to(group) & free & ~state.tile[colour]
        out[OPENED] += 1.0
        out[HIGH] += number
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
        room = bit_count(facing & state.tile[bowl] & ~closed(state, seat, bowl))
        out[TO_OPEN] = out[OPENED] + 1.0
        out[ROOM] = (out[OPENED] + 1.0) * room
    if state.phase == LAST_FLIPS and state.actor == seat:
        out[LAST] = last_flips(state, seat)
    out[LATE] = 1.0 - bit_count(facing) / SETUP_COUNT
    return FEATURE_COUNT
