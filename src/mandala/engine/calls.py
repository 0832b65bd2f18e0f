"""The rules as Python code calls them: on an array with one record, several steps in one call.

Passing a record from Python to compiled code takes two microseconds, an array a tenth of that,
and most rules take less: for single moves, as at live tables, the passing was most of the time.
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
def veil(states: Any, seen: Any, seat: int) -> None:
    """Add to a seat's view what it may know about hidden fields."""
    dispatch.veil(states[0], seen[0], seat)


@rule_with_arrays
def play(states: Any, row: int) -> int:
    """Make a possible move; return the seat that alone sees the card drawn, else NOBODY."""
    state = states[0]
    seen_by = NOBODY
    if state.actor == CHANCE:
        seen_by = dispatch.drawer(state)
    dispatch.apply(state, row)
    return seen_by


@rule_with_arrays
def weigh(states: Any, rows: Any, weights: Any) -> int:
    """Write the possible chance moves with their weights; return their sum, 0 if a seat decides."""
    state = states[0]
    if state.actor != CHANCE:
        return 0
    total = 0
    for place in range(dispatch.chance(state, rows, weights)):
        total += int(weights[place])
    return total


@rule_with_arrays
def draw(states: Any, number: int, rows: Any, weights: Any) -> tuple[int, int, int]:
    """Make the chance move that a number falls on, of those that `weigh` has written.

    Returns its row, the seat that saw the card, and the sum that `weigh` returns for the position
    after it.
    """
    place = 0
    while number >= weights[place]:
        number -= int(weights[place])
        place += 1
    row = int(rows[place])
    seen_by = play(states, row)
    return row, seen_by, weigh(states, rows, weights)
