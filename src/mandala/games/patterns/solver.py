"""The endgame solver of Patterns: the result with best play.

After the setup, Patterns has no chance moves and no hidden information, so late positions can be
solved: alpha-beta search for win, draw or loss with a transposition table. It uses an explicit
stack, since Numba's cache crashes on recursion. Importing this module loads the compiled rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mandala.engine import buffers, compiled_module, njit, njit_inline

_rules: Any = compiled_module("mandala.games.patterns.rules")
_heuristic: Any = compiled_module("mandala.games.patterns.heuristic")
apply, fronts, legal, score = _rules.apply, _rules.fronts, _rules.legal, _rules.score
last_flip_points, colour_at = _heuristic.last_flip_points, _rules.colour_at
ACTION, LAST_FLIPS = _rules.ACTION, _rules.LAST_FLIPS
KIND, SPACE, OPEN, SWAP = _rules.KIND, _rules.SPACE, _rules.OPEN, _rules.SWAP

# Positions with more front tiles are not solved.
MAX_FRONTS = 36
MAX_POSITIONS = 1 << 22
# The solver may spend about half as long as the search itself.
POSITIONS_PER_SIMULATION = 16
POSITIONS_PER_SECOND = 1_500_000

UNSOLVED = 2  # other results: 1, 0 and -1 for a win, a draw and a loss
MAX_DEPTH = 64
MAX_MOVES = 160
EXACT, LOWER_BOUND, UPPER_BOUND = 1, 2, 3

ENTRY = np.dtype([("key", "u8"), ("move", "i2"), ("value", "i1"), ("kind", "i1")], align=True)

HASH_STEP, HASH_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
BY_29, BY_32, ONE = np.uint64(29), np.uint64(32), np.uint64(1)


@njit_inline
def position_key(state: Any) -> Any:
    """The hash of a position for the transposition table."""
    key = np.uint64(state.actor) + ONE
    for colour in range(6):
        for part in (state.tile[colour], state.group[0, colour], state.group[1, colour]):
            key = (key ^ part) * HASH_STEP
            key ^= key >> BY_29
        numbers = np.uint64(state.river[0, colour]) * np.uint64(16) + np.uint64(
            state.river[1, colour]
        )
        key = (key + numbers) * HASH_MIX
        key ^= key >> BY_32
    key = (key + np.uint64(state.bowl[0]) * np.uint64(8) + np.uint64(state.bowl[1])) * HASH_STEP
    return key ^ (key >> BY_32)


@njit_inline
def final_result(state: Any, seat: int) -> int:
    """The result for a seat when no action is left and all flips are made: 1, 0 or -1."""
    own = score(state, seat) + last_flip_points(state, seat)
    other = score(state, 1 - seat) + last_flip_points(state, 1 - seat)
    return int(own > other) - int(own < other)


@njit_inline
def move_order_score(state: Any, row: int) -> int:
    """The priority of a move in move ordering: by the points it scores, opening last."""
    seat = int(state.actor)
    if KIND[row] == OPEN:
        return 0
    if KIND[row] == SWAP:
        return 2 * int(state.river[seat, state.bowl[seat]])
    colour = colour_at(state, ONE << np.uint64(SPACE[row]))
    return 1 + 2 * int(state.river[seat, colour])


@njit_inline
def list_ordered_moves(state: Any, rows: Any, first: int, scratch: Any) -> int:
    """Write the legal moves in search order, `first` before all others; return their number."""
    found = legal(state, rows)
    for place in range(found):
        scratch[place] = 100 if rows[place] == first else move_order_score(state, rows[place])
    for place in range(1, found):
        row, value, to = rows[place], scratch[place], place
        while to > 0 and scratch[to - 1] < value:
            rows[to], scratch[to] = rows[to - 1], scratch[to - 1]
            to -= 1
        rows[to], scratch[to] = row, value
    return int(found)


@njit_inline
def probe(state: Any, key: Any, seat: int, table: Any, low: int, high: int) -> int:
    """The result for a seat if the game is over or the table settles the window, else UNSOLVED."""
    if state.phase != ACTION:
        return final_result(state, seat)
    slot = table[key & np.uint64(len(table) - 1)]
    if slot.key == key:
        if slot.kind == EXACT:
            return int(slot.value)
        if slot.kind == LOWER_BOUND and slot.value >= high:
            return int(slot.value)
        if slot.kind == UPPER_BOUND and slot.value <= low:
            return int(slot.value)
    return UNSOLVED


@njit_inline
def store(table: Any, key: Any, value: int, low: int, high: int, move: int) -> None:
    """Store a result in the table: exact if it is inside the window, otherwise a bound."""
    slot = table[key & np.uint64(len(table) - 1)]
    slot.key, slot.move, slot.value = key, move, value
    slot.kind = EXACT
    if value >= high:
        slot.kind = LOWER_BOUND
    elif value <= low:
        slot.kind = UPPER_BOUND


@njit
def solve(states: Any, table: Any, budget: int, best: Any) -> int:
    """The result with best play for the seat that decides in the first record, or UNSOLVED.

    Writes a move that reaches it and the number of positions visited to `best`. The other records
    are the search stack. `table` is the transposition table, all zeros at first; its length is a
    power of two.
    """
    rows, scratch = np.empty((MAX_DEPTH, MAX_MOVES), np.int16), np.empty(MAX_MOVES, np.int64)
    found, place = np.zeros(MAX_DEPTH, np.int64), np.zeros(MAX_DEPTH, np.int64)
    low, high = np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH, np.int64)
    value, chosen = np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH, np.int64)
    keys = np.empty(MAX_DEPTH, np.uint64)
    seat, depth, nodes = int(states[0].actor), 0, 0
    low[0], high[0], keys[0] = -1, 1, position_key(states[0])
    value[0] = -2
    found[0] = list_ordered_moves(states[0], rows[0], -1, scratch)
    while True:
        if place[depth] < found[depth] and value[depth] < high[depth]:
            row = rows[depth, place[depth]]
            place[depth] += 1
            nodes += 1
            if nodes > budget:
                best[1] = nodes
                return UNSOLVED
            after = depth + 1
            states[after] = states[depth]
            apply(states[after], row)
            low[after], high[after] = -high[depth], -max(low[depth], value[depth])
            keys[after] = position_key(states[after])
            seat = 1 - seat
            gain = probe(states[after], keys[after], seat, table, low[after], high[after])
            if gain == UNSOLVED:
                depth = after
                slot = table[keys[depth] & np.uint64(len(table) - 1)]
                first = int(slot.move) if slot.key == keys[depth] else -1
                found[depth] = list_ordered_moves(states[depth], rows[depth], first, scratch)
                place[depth], value[depth], chosen[depth] = 0, -2, -1
                continue
        else:
            store(table, keys[depth], value[depth], low[depth], high[depth], chosen[depth])
            if depth == 0:
                best[0], best[1] = chosen[0], nodes
                return int(value[0])
            gain = value[depth]
            depth -= 1
        seat = 1 - seat
        gain = -gain
        if gain > value[depth]:
            value[depth] = gain
            chosen[depth] = rows[depth, place[depth] - 1]


class Solution(NamedTuple):
    """A move that reaches the result of best play, and that result."""

    row: int
    value: float  # the win share of the seat that decides: 1, 0.5 or 0
    positions: int  # visited by the solver


def solve_position(
    states: Any, seat: int, simulations: int | None, seconds: float | None
) -> Solution | None:
    """Solve the position in an array of one record for the seat (from 0) that decides.

    Returns None if it is too early, if solving exceeds the search's budget, or if the position is
    lost: a lost position is searched as usual, since the other seat may make a mistake.
    """
    state = states[0]
    if state.phase == LAST_FLIPS:
        return _solve_last_flips(state, seat)
    if state.phase != ACTION or int(fronts(state)).bit_count() > MAX_FRONTS:
        return None
    budgets = [MAX_POSITIONS]
    if simulations is not None:
        budgets.append(POSITIONS_PER_SIMULATION * simulations)
    if seconds is not None:
        budgets.append(int(POSITIONS_PER_SECOND * seconds))
    solved = solve_within(states, min(budgets))
    if solved is None or solved[0] < 0:
        return None
    result, row, visited = solved
    return Solution(row, 0.5 + 0.5 * result, visited)


def _solve_last_flips(state: Any, seat: int) -> Solution:
    """The next flip after the end: every flip adds points, even if the winner is certain."""
    rows = np.empty(MAX_MOVES, np.int16)
    legal(state, rows)
    lead = score(state, seat) + last_flip_points(state, seat) - score(state, 1 - seat)
    return Solution(int(rows[0]), 0.5 + 0.5 * (int(lead > 0) - int(lead < 0)), 1)


def solve_within(states: Any, budget: int) -> tuple[int, int, int] | None:
    """The result (1, 0 or -1), a row that reaches it, and the positions visited; None if unsolved.

    `budget` is the maximum number of positions to visit.
    """
    stack = np.zeros(MAX_DEPTH, states.dtype)
    stack[:1] = states
    best = np.zeros(2, np.int64)
    size = 1 << max(10, (budget - 1).bit_length())
    with buffers.borrow(ENTRY, size, MAX_POSITIONS) as table:
        table.view(np.uint8).fill(0)
        result = solve(stack, table, budget, best)
    return None if result == UNSOLVED else (result, int(best[0]), int(best[1]))


def warm_up(states: Any) -> None:
    """Compile the solver for an array of one record, or load it from the cache."""
    solve_within(states, 0)
