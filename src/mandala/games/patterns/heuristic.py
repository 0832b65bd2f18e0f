"""The heuristic of Patterns: the value of a move to a seat, without searching.

It evaluates the board after the move. A group is worth its points and, for each tile that it could
still flip or swap in, a part of its number. Late markers count more, so opening is an investment.
What the other seat has is subtracted, so blocking its groups is worth a move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import bit_count, rule, rule_with_arrays

from ..cards import COLOUR_COUNT
from .rules import (
    EMPTY,
    LAST_FLIPS,
    NO_COLOUR,
    OVER,
    SETUP_COUNT,
    State,
    apply,
    blocked_spaces,
    fronts,
    legal,
    neighbours,
    score,
)

RECORD = State.dtype

# The index of each weight. A point is worth 1; what a group can still get is worth a part of its
# number. Most weights are pairs: at the start of the game, and when no front is left.
(
    WIN,  # a game that is over
    OTHER,  # the factor for what the other seat has
    MOVES,  # a tile that could be flipped, whatever its group's number: a spare move
    FLIP,  # a tile that the group could flip, now or after others
    FLIP_LATE,
    FRONTIER,  # a neighbour that could be swapped, up to three
    FRONTIER_LATE,
    OPENED,  # an opened group
    OPENED_LATE,
    TO_OPEN,  # an exchange tile that can open the next group …
    TO_OPEN_LATE,
    ROOM,  # … for each front of its colour
    ROOM_LATE,
    TO_SWAP,  # an exchange tile that can join a group
    TO_SWAP_LATE,
    NEXT,  # the best number among the tiles that this swap could take
    NEXT_LATE,
    AT_ONCE,  # the best number that can score in the next turn
    AT_ONCE_LATE,
    WEIGHT_COUNT,
) = range(20)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[WIN] = 193.28
WEIGHTS[OTHER] = 1.09
WEIGHTS[MOVES] = -0.04
WEIGHTS[FLIP] = 0.59
WEIGHTS[FLIP_LATE] = 1.38
WEIGHTS[FRONTIER] = 0.81
WEIGHTS[FRONTIER_LATE] = 0.16
WEIGHTS[OPENED] = 3.1
WEIGHTS[OPENED_LATE] = 0.32
WEIGHTS[TO_OPEN] = 0.36
WEIGHTS[TO_OPEN_LATE] = 0.15
WEIGHTS[ROOM] = 0.17
WEIGHTS[ROOM_LATE] = 0.11
WEIGHTS[TO_SWAP] = 1.22
WEIGHTS[TO_SWAP_LATE] = 1.09
WEIGHTS[NEXT] = 0.92
WEIGHTS[NEXT_LATE] = 0.45
WEIGHTS[AT_ONCE] = 0.1
WEIGHTS[AT_ONCE_LATE] = -0.12


@rule_with_arrays
def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal moves of a seat with their heuristic values; return how many there are."""
    scratch = np.empty(1, RECORD)
    found = legal(state, rows)
    for place in range(found):
        values[place] = move_value(state, scratch, seat, rows[place], weights)
    return found


@rule
def move_value(state: Any, scratch: Any, seat: int, move: int, weights: Any) -> float:
    """The value of a move; the move is made in the scratch record."""
    scratch[0] = state
    after = scratch[0]
    apply(after, move)
    value = seat_value(after, seat, weights) - weights[OTHER] * seat_value(after, 1 - seat, weights)
    if after.phase == LAST_FLIPS or after.phase == OVER:
        lead = score(after, seat) + last_flip_points(after, seat) - score(after, 1 - seat)
        if lead != 0:
            value += weights[WIN] if lead > 0 else -weights[WIN]
    return value


@rule
def last_flip_points(state: Any, seat: int) -> int:
    """The points that a seat can still get by its flips after the end."""
    points = 0
    for colour in range(COLOUR_COUNT):
        if state.phase == LAST_FLIPS and state.river[seat, colour] > 0:
            group = state.group[seat, colour]
            free = fronts(state) & ~blocked_spaces(state, seat, colour)
            flips = bit_count(flip_reach(group, free & state.tile[colour])) - bit_count(group)
            points += int(state.river[seat, colour]) * flips
    return points


@rule
def seat_value(state: Any, seat: int, weights: Any) -> float:
    """The value of what a seat has and of what it can still get."""
    facing = fronts(state)
    early = bit_count(facing) / SETUP_COUNT
    bowl = int(state.bowl[seat])
    value, opened, at_once = float(score(state, seat)), 0, 0
    for colour in range(COLOUR_COUNT):
        number = int(state.river[seat, colour])
        if number == 0:
            continue
        opened += 1
        free = facing & ~blocked_spaces(state, seat, colour)
        group = state.group[seat, colour]
        flips = bit_count(flip_reach(group, free & state.tile[colour])) - bit_count(group)
        beside = neighbours(group) & free & ~state.tile[colour]
        potential = weight_at(weights, OPENED, early) + weight_at(weights, FLIP, early) * flips
        potential += weight_at(weights, FRONTIER, early) * min(bit_count(beside), 3)
        if bowl == colour and beside != EMPTY:
            potential += weight_at(weights, TO_SWAP, early)
            value += weight_at(weights, NEXT, early) * best_number(state, seat, beside)
        if flips > 0 or (bowl == colour and beside != EMPTY):
            at_once = max(at_once, number)
        value += number * potential + weights[MOVES] * flips
    if bowl != NO_COLOUR and state.river[seat, bowl] == 0:
        room = bit_count(facing & state.tile[bowl] & ~blocked_spaces(state, seat, bowl))
        potential = weight_at(weights, TO_OPEN, early) + weight_at(weights, ROOM, early) * room
        value += potential * (opened + 1)
    return value + weight_at(weights, AT_ONCE, early) * at_once


@rule
def best_number(state: Any, seat: int, spaces: Any) -> int:
    """The highest number of a seat's groups in the colours on these spaces."""
    best = 0
    for colour in range(COLOUR_COUNT):
        if spaces & state.tile[colour] != EMPTY:
            best = max(best, int(state.river[seat, colour]))
    return best


@rule
def weight_at(weights: Any, which: int, early: float) -> float:
    """A weight at this time of the game: interpolated between its early and its late value."""
    return weights[which] * early + weights[which + 1] * (1.0 - early)


@rule
def flip_reach(group: Any, tiles: Any) -> Any:
    """The group with all tiles that it can reach by flipping one after the other."""
    grown = group | (neighbours(group) & tiles)
    while grown != group:
        group = grown
        grown = group | (neighbours(group) & tiles)
    return group
