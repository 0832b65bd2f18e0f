"""The rules of Tiny: two or three seats, a heap of counters, and a die."""

from __future__ import annotations

from typing import Any

from mandala.engine import CHANCE, NOBODY, Layout, public, rule
from mandala.games.cards import MoveList

COUNTERS = 12
MOST = 3  # counters that can be taken at once, and the highest number of the die

# Kinds of moves.
TAKE, ROLL = range(2)


class State(Layout):
    """A position of Tiny. Everything is public."""

    heap = public()  # counters left
    die = public()  # the number it shows
    turn = public()  # the seat that takes next, or took the last counter
    seats = public()
    actor = public()  # who moves next: a seat, CHANCE or NOBODY


moves = MoveList("kind", "number")
for _number in range(1, MOST + 1):
    moves.add(f"T{_number}", TAKE, _number)
moves.close_decisions()
for _number in range(1, MOST + 1):
    moves.add(f"+{_number}", ROLL, _number)

DECISIONS = moves.decisions
KIND = moves.column("kind")
NUMBER = moves.column("number")


@rule
def begin(state: Any, seats: int) -> None:
    """All counters lie on the heap, and the die shows its highest number."""
    state.heap = COUNTERS
    state.die = MOST
    state.seats = seats


@rule
def legal(state: Any, rows: Any) -> int:
    """Write the rows of the actor's legal moves and return how many there are."""
    found = min(int(state.heap), int(state.die)) if state.actor < state.seats else 0
    for row in range(found):
        rows[row] = row
    return found


@rule
def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write the rows of the die's numbers, which are equally likely; return how many there are."""
    for number in range(MOST):
        rows[number] = DECISIONS + number
        weights[number] = 1
    return MOST


@rule
def drawer(state: Any) -> int:
    """Everybody sees the die."""
    return NOBODY


@rule
def apply(state: Any, move: int) -> None:
    """Make a legal move: take counters, or roll the die."""
    if KIND[move] == ROLL:
        state.die = NUMBER[move]
        state.actor = state.turn
    else:
        take(state, NUMBER[move])


@rule
def take(state: Any, number: int) -> None:
    """Take counters; the game ends with the last one, else the die is rolled for the next seat."""
    state.heap -= number
    if state.heap == 0:
        state.actor = NOBODY
    else:
        state.turn = (state.turn + 1) % state.seats
        state.actor = CHANCE


@rule
def score(state: Any, seat: int) -> int:
    """The seat that took the last counter has the only point."""
    return 1 if state.heap == 0 and state.turn == seat else 0


@rule
def tie_break(state: Any, seat: int) -> int:
    """There is never more than one winner."""
    return 0


@rule
def fill_view(state: Any, view: Any, seat: int) -> None:
    """Nothing is hidden."""


@rule
def set_hidden_cards(view: Any, dealt: Any, pile: Any) -> None:
    """A view is the whole position already."""
