"""The rules as Python calls them: on an array of one record, and what belongs together at once.

Compiled code takes a record from Python in two microseconds and an array in a tenth of that, and a
rule itself takes less: where moves are played one by one, as at live tables, the taking was most.
"""

from __future__ import annotations

from typing import Any

from mandala import kernel
from mandala.kernel import CHANCE, NOBODY, rule_with_arrays


@rule_with_arrays
def legal(states: Any, rows: Any) -> int:
    """Write the actor's legal moves and return how many there are."""
    return kernel.legal(states[0], rows)


@rule_with_arrays
def score(states: Any, seat: int) -> int:
    """The points of a seat."""
    return kernel.score(states[0], seat)


@rule_with_arrays
def veil(states: Any, seen: Any, seat: int) -> None:
    """Add to what a seat sees of a record what may be told of the rest."""
    kernel.veil(states[0], seen[0], seat)


@rule_with_arrays
def play(states: Any, row: int) -> int:
    """Make a possible move; return who sees the card when chance draws one, else NOBODY."""
    state = states[0]
    seen_by = NOBODY
    if state.actor == CHANCE:
        seen_by = kernel.drawer(state)
    kernel.apply(state, row)
    return seen_by


@rule_with_arrays
def weigh(states: Any, rows: Any, weights: Any) -> int:
    """Write chance's possible moves with their weights; return the sum, 0 if a seat decides."""
    state = states[0]
    if state.actor != CHANCE:
        return 0
    total = 0
    for place in range(kernel.chance(state, rows, weights)):
        total += int(weights[place])
    return total


@rule_with_arrays
def draw(states: Any, number: int, rows: Any, weights: Any) -> tuple[int, int, int]:
    """Make the move of chance that a number falls on, of those that `weigh` has written.

    Returns its row, who saw the card, and what `weigh` returns for what comes next.
    """
    place = 0
    while number >= weights[place]:
        number -= int(weights[place])
        place += 1
    row = int(rows[place])
    seen_by = play(states, row)
    return row, seen_by, weigh(states, rows, weights)
