"""Patterns at a glance: what a decision is worth to a seat, before anybody thinks ahead.

The idea: look at the board after the decision. A group is worth its points and, for each tile that
it could still turn or swap in, a part of its number; late markers count more, so opening is an
investment. What the other seat has counts against it, so closing its groups in is worth a move.
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
    closed,
    fronts,
    legal,
    next_to,
    score,
)

RECORD = State.dtype

# What the weights are for. A point is worth 1; those of hopes are parts of a group's number. A hope
# has two weights: at the start of the game, and when no tile shows its front any more.
(
    WIN,  # a game that is over
    OTHER,  # what the other seat has, in parts of what we have
    MOVES,  # a tile that could be turned, whatever its group's number: a move in reserve
    FLIP,  # a tile that the group could turn, now or after others
    FLIP_LATE,
    FRONTIER,  # a neighbour that could be swapped, up to three
    FRONTIER_LATE,
    OPENED,  # a marker that is on the board
    OPENED_LATE,
    TO_OPEN,  # an exchange tile that can open the next group …
    TO_OPEN_LATE,
    ROOM,  # … for each front of its colour
    ROOM_LATE,
    TO_SWAP,  # an exchange tile that can join a group
    TO_SWAP_LATE,
    NEXT,  # the best number among the tiles that this swap could take
    NEXT_LATE,
    AT_ONCE,  # the best number that could score in the next turn
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
def worth(state: Any, seat: int, move: int) -> float:
    """What a legal decision of a seat is worth at a glance; higher is better."""
    scratch = np.empty(1, RECORD)
    return weigh(state, scratch, seat, move, WEIGHTS)


@rule_with_arrays
def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
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
    if after.phase == LAST_FLIPS or after.phase == OVER:
        lead = score(after, seat) + last_flips(after, seat) - score(after, 1 - seat)
        if lead != 0:
            value += weights[WIN] if lead > 0 else -weights[WIN]
    return value


@rule
def last_flips(state: Any, seat: int) -> int:
    """The points that a seat can still turn over after the end."""
    points = 0
    for colour in range(COLOUR_COUNT):
        if state.phase == LAST_FLIPS and state.river[seat, colour] > 0:
            group = state.group[seat, colour]
            free = fronts(state) & ~closed(state, seat, colour)
            flips = bit_count(reach(group, free & state.tile[colour])) - bit_count(group)
            points += int(state.river[seat, colour]) * flips
    return points


@rule
def standing(state: Any, seat: int, weights: Any) -> float:
    """What a seat has and can hope for."""
    facing = fronts(state)
    early = bit_count(facing) / SETUP_COUNT
    bowl = int(state.bowl[seat])
    value, opened, at_once = float(score(state, seat)), 0, 0
    for colour in range(COLOUR_COUNT):
        number = int(state.river[seat, colour])
        if number == 0:
            continue
        opened += 1
        free = facing & ~closed(state, seat, colour)
        group = state.group[seat, colour]
        flips = bit_count(reach(group, free & state.tile[colour])) - bit_count(group)
        beside = next_to(group) & free & ~state.tile[colour]
        hope = at(weights, OPENED, early) + at(weights, FLIP, early) * flips
        hope += at(weights, FRONTIER, early) * min(bit_count(beside), 3)
        if bowl == colour and beside != EMPTY:
            hope += at(weights, TO_SWAP, early)
            value += at(weights, NEXT, early) * best_number(state, seat, beside)
        if flips > 0 or (bowl == colour and beside != EMPTY):
            at_once = max(at_once, number)
        value += number * hope + weights[MOVES] * flips
    if bowl != NO_COLOUR and state.river[seat, bowl] == 0:
        room = bit_count(facing & state.tile[bowl] & ~closed(state, seat, bowl))
        hope = at(weights, TO_OPEN, early) + at(weights, ROOM, early) * room
        value += hope * (opened + 1)
    return value + at(weights, AT_ONCE, early) * at_once


@rule
def best_number(state: Any, seat: int, spaces: Any) -> int:
    """The highest number of a seat's groups in the colours that lie on these spaces."""
    best = 0
    for colour in range(COLOUR_COUNT):
        if spaces & state.tile[colour] != EMPTY:
            best = max(best, int(state.river[seat, colour]))
    return best


@rule
def at(weights: Any, which: int, early: float) -> float:
    """A weight at this time of the game: it goes evenly from its early to its late value."""
    return weights[which] * early + weights[which + 1] * (1.0 - early)


@rule
def reach(group: Any, tiles: Any) -> Any:
    """The group with all tiles that it can come to by turning one after the other."""
    grown = group | (next_to(group) & tiles)
    while grown != group:
        group = grown
        grown = group | (next_to(group) & tiles)
    return group
