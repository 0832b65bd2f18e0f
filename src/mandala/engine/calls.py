"""The rules for Python callers: on an array of one record, several steps in one call.

Passing a record from Python to compiled code takes two microseconds, passing an array a tenth of
that. Most rules run faster than that, so single moves, as at live tables, call these functions.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import dispatch
from mandala.engine.jit import rule_with_arrays
from mandala.engine.layout import CHANCE, NOBODY


@rule_with_arrays
def legal(states: Any, rows: Any) -> int:
    """Write the actor's legal moves and return how many there are."""
    return dispatch.legal(states[0], rows)


@rule_with_arrays
def score(states: Any, seat: int) -> int:
    """The points of a seat."""
    return dispatch.score(states[0], seat)


@rule_with_arrays
def fill_view(states: Any, seen: Any, seat: int) -> None:
    """Add to a seat's view what it may know about hidden fields."""
    dispatch.fill_view(states[0], seen[0], seat)


@rule_with_arrays
def play(states: Any, row: int) -> int:
    """Make a possible move; return the one seat that sees the card drawn, or NOBODY."""
    state = states[0]
    seen_by = NOBODY
    if state.actor == CHANCE:
        seen_by = dispatch.drawer(state)
    dispatch.apply(state, row)
    return seen_by


@rule_with_arrays
def list_chance(states: Any, rows: Any, weights: Any) -> int:
    """Write the possible chance moves and their weights; return the sum, 0 if a seat decides."""
    state = states[0]
    if state.actor != CHANCE:
        return 0
    total = 0
    for place in range(dispatch.chance(state, rows, weights)):
        total += int(weights[place])
    return total


@rule_with_arrays
def draw(states: Any, number: int, rows: Any, weights: Any) -> tuple[int, int, int]:
    """Make the chance move that a random number selects, from the moves that `list_chance` wrote.

    Returns its row, the one seat that sees the card, and the sum that `list_chance` returns for the
    position after it.
    """
    place = 0
    while number >= weights[place]:
        number -= int(weights[place])
        place += 1
    row = int(rows[place])
    seen_by = play(states, row)
    return row, seen_by, list_chance(states, rows, weights)
