"""Patterns at a glance: what a decision is worth to a seat, before anybody thinks ahead.

The idea: look at the board after the decision. A group is worth its points and, for each tile that
it could still turn or swap in, a part of its number; late markers count more, so opening is an
investment. What the other seat has counts against it, so closing its groups in is worth a move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.kernel import NOBODY, bit_count, rule, rule_with_arrays

from ..games.patterns import (
    LAST_FLIPS,
    NO_COLOUR,
    State,
    apply,
    closed,
    fronts,
    legal,
    next_to,
    score,
)
from ..games.table import COLOUR_COUNT

RECORD = State.dtype

# What the weights are for. A point is worth 1; all but the first two are parts of a group's number.
(
    WIN,  # a game that is over
    OTHER,  # what the other seat has, in parts of what we have
    FLIP,  # a tile that the group could turn, now or after others
    FRONTIER,  # a neighbour that could be swapped, up to three
    OPENED,  # a marker that is on the board
    TO_OPEN,  # an exchange tile that can open the next group
    TO_SWAP,  # an exchange tile that can join a group
    WEIGHT_COUNT,
) = range(8)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[WIN] = 100.0
WEIGHTS[OTHER] = 0.8
WEIGHTS[FLIP] = 0.5
WEIGHTS[FRONTIER] = 0.4
WEIGHTS[OPENED] = 1.0
WEIGHTS[TO_OPEN] = 1.0
WEIGHTS[TO_SWAP] = 0.5


@rule_with_arrays
def worth(state: Any, seat: int, move: int) -> float:
    """What a legal decision of a seat is worth at a glance; higher is better."""
    scratch = np.empty(1, RECORD)
    return weigh(state, scratch, seat, move, WEIGHTS)


@rule_with_arrays
def worths(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal decisions of a seat and what each is worth; return how many there are."""
    scratch = np.empty(1, RECORD)
    found = legal(state, rows)
    for place in range(found):
        values[place] = weigh(state, scratch, seat, rows[place], weights)
    return found


@rule
def weigh(state: Any, scratch: Any, seat: int, move: int, weights: Any) -> float:
    """The same by given weights; the move is made in the scratch record."""
    scratch[0] = state
    after = scratch[0]
    apply(after, move)
    value = standing(after, seat, weights) - weights[OTHER] * standing(after, 1 - seat, weights)
    if after.actor == NOBODY or after.phase == LAST_FLIPS:
        lead = score(after, seat) - score(after, 1 - seat)
        if lead != 0:
            value += weights[WIN] if lead > 0 else -weights[WIN]
    return value


@rule
def standing(state: Any, seat: int, weights: Any) -> float:
    """What a seat has and can hope for."""
    facing = fronts(state)
    value = float(score(state, seat))
    bowl = int(state.bowl[seat])
    opened = 0
    for colour in range(COLOUR_COUNT):
        number = float(state.river[seat, colour])
        if number == 0.0:
            continue
        opened += 1
        free = facing & ~closed(state, seat, colour)
        group = state.group[seat, colour]
        flips = bit_count(reach(group, free & state.tile[colour])) - bit_count(group)
        frontier = bit_count(next_to(group) & free & ~state.tile[colour])
        hope = weights[FLIP] * flips + weights[FRONTIER] * min(frontier, 3)
        if bowl == colour and frontier > 0:
            hope += weights[TO_SWAP]
        value += number * hope + weights[OPENED] * number
    if bowl != NO_COLOUR and state.river[seat, bowl] == 0:
        value += weights[TO_OPEN] * (opened + 1)
    return value


@rule
def reach(group: Any, tiles: Any) -> Any:
    """The group with all tiles that it can come to by turning one after the other."""
    grown = group | (next_to(group) & tiles)
    while grown != group:
        group = grown
        grown = group | (next_to(group) & tiles)
    return group
