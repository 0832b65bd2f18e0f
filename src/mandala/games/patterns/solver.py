"""The endgame solver of Patterns: who wins with best play.

Once the tiles lie, nothing in Patterns is left to chance or hidden. Near its end a position can be
solved: alpha-beta on win, draw and loss, with a transposition table. The search uses an explicit
stack, since Numba's cache crashes on recursion. Importing this module loads the compiled rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mandala.engine import buffers, fast, tight, twin_of

_rules: Any = twin_of("mandala.games.patterns.rules")
_heuristic: Any = twin_of("mandala.games.patterns.heuristic")
apply, fronts, legal, score = _rules.apply, _rules.fronts, _rules.legal, _rules.score
last_flips, colour_at = _heuristic.last_flips, _rules.colour_at
ACTION, LAST_FLIPS = _rules.ACTION, _rules.LAST_FLIPS
KIND, SPACE, OPEN, SWAP = _rules.KIND, _rules.SPACE, _rules.OPEN, _rules.SWAP

# Positions with more tiles on their front are not tried.
MAX_FRONTS = 36
MAX_POSITIONS = 1 << 22
# The effort of the solver before the search begins, about half of the search's own.
POSITIONS_PER_SIMULATION = 16
POSITIONS_PER_SECOND = 1_500_000

UNSOLVED = 2  # beside 1, 0 and -1 for a win, a draw and a loss of the seat that decides
MAX_DEPTH = 64
MAX_MOVES = 160
EXACT, AT_LEAST, AT_MOST = 1, 2, 3

ENTRY = np.dtype([("key", "u8"), ("move", "i2"), ("value", "i1"), ("kind", "i1")], align=True)

STEP, MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
BY_29, BY_32, ONE = np.uint64(29), np.uint64(32), np.uint64(1)


@tight
def key_of(state: Any) -> Any:
    """A number for the position, the same for the same and hardly ever for another."""
    key = np.uint64(state.actor) + ONE
    for colour in range(6):
        for part in (state.tile[colour], state.group[0, colour], state.group[1, colour]):
            key = (key ^ part) * STEP
            key ^= key >> BY_29
        numbers = np.uint64(state.river[0, colour]) * np.uint64(16) + np.uint64(
            state.river[1, colour]
        )
        key = (key + numbers) * MIX
        key ^= key >> BY_32
    key = (key + np.uint64(state.bowl[0]) * np.uint64(8) + np.uint64(state.bowl[1])) * STEP
    return key ^ (key >> BY_32)


@tight
def result(state: Any, seat: int) -> int:
    """Who wins when no action is left: 1, 0 or -1 for a seat. All flips still possible are made."""
    mine = score(state, seat) + last_flips(state, seat)
    others = score(state, 1 - seat) + last_flips(state, 1 - seat)
    return int(mine > others) - int(mine < others)


@tight
def promise(state: Any, row: int) -> int:
    """How early a move is tried: those that score most come first, opening comes last."""
    seat = int(state.actor)
    if KIND[row] == OPEN:
        return 0
    if KIND[row] == SWAP:
        return 2 * int(state.river[seat, state.bowl[seat]])
    colour = colour_at(state, ONE << np.uint64(SPACE[row]))
    return 1 + 2 * int(state.river[seat, colour])


@tight
def list_in_order(state: Any, rows: Any, first: int, scratch: Any) -> int:
    """Write the legal moves, the one given first, then by their promise."""
    found = legal(state, rows)
    for place in range(found):
        scratch[place] = 100 if rows[place] == first else promise(state, rows[place])
    for place in range(1, found):
        row, value, to = rows[place], scratch[place], place
        while to > 0 and scratch[to - 1] < value:
            rows[to], scratch[to] = rows[to - 1], scratch[to - 1]
            to -= 1
        rows[to], scratch[to] = row, value
    return int(found)


@tight
def look_up(state: Any, key: Any, seat: int, table: Any, low: int, high: int) -> int:
    """The result for a seat where it is plain or table well enough for the window, or UNSOLVED."""
    if state.phase != ACTION:
        return result(state, seat)
    slot = table[key & np.uint64(len(table) - 1)]
    if slot.key == key:
        if slot.kind == EXACT:
            return int(slot.value)
        if slot.kind == AT_LEAST and slot.value >= high:
            return int(slot.value)
        if slot.kind == AT_MOST and slot.value <= low:
            return int(slot.value)
    return UNSOLVED


@tight
def keep(table: Any, key: Any, value: int, low: int, high: int, move: int) -> None:
    """Remember a result: exact if it lies inside of the window, a bound otherwise."""
    slot = table[key & np.uint64(len(table) - 1)]
    slot.key, slot.move, slot.value = key, move, value
    slot.kind = EXACT
    if value >= high:
        slot.kind = AT_LEAST
    elif value <= low:
        slot.kind = AT_MOST


@fast
def solve(states: Any, table: Any, budget: int, best: Any) -> int:
    """The result with best play for the seat that decides in the first record, or UNSOLVED.

    `best` gets a move that reaches it, and the positions looked at. The other records are room to
    work; `table` is the table, its length a power of two, all zeros at first.
    """
    rows, scratch = np.empty((MAX_DEPTH, MAX_MOVES), np.int16), np.empty(MAX_MOVES, np.int64)
    found, place = np.zeros(MAX_DEPTH, np.int64), np.zeros(MAX_DEPTH, np.int64)
    low, high = np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH, np.int64)
    value, chosen = np.empty(MAX_DEPTH, np.int64), np.empty(MAX_DEPTH, np.int64)
    keys = np.empty(MAX_DEPTH, np.uint64)
    seat, depth, nodes = int(states[0].actor), 0, 0
    low[0], high[0], keys[0] = -1, 1, key_of(states[0])
    value[0] = -2
    found[0] = list_in_order(states[0], rows[0], -1, scratch)
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
            keys[after] = key_of(states[after])
            seat = 1 - seat
            gain = look_up(states[after], keys[after], seat, table, low[after], high[after])
            if gain == UNSOLVED:
                depth = after
                slot = table[keys[depth] & np.uint64(len(table) - 1)]
                first = int(slot.move) if slot.key == keys[depth] else -1
                found[depth] = list_in_order(states[depth], rows[depth], first, scratch)
                place[depth], value[depth], chosen[depth] = 0, -2, -1
                continue
        else:
            keep(table, keys[depth], value[depth], low[depth], high[depth], chosen[depth])
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
    value: float  # the share of the win for the seat that decides: 1, 0.5 or 0
    positions: int  # that were visited


def solve_position(
    states: Any, seat: int, simulations: int | None, seconds: float | None
) -> Solution | None:
    """Solve the position in an array of one record for the seat (from 0) that decides.

    None when it is too early, takes more than the search's budget allows, or is lost: a lost
    position is searched all the same, since the other seat may not see it.
    """
    state = states[0]
    if state.phase == LAST_FLIPS:
        return _flip_on(state, seat)
    if state.phase != ACTION or int(fronts(state)).bit_count() > MAX_FRONTS:
        return None
    budgets = [MAX_POSITIONS]
    if simulations is not None:
        budgets.append(POSITIONS_PER_SIMULATION * simulations)
    if seconds is not None:
        budgets.append(int(POSITIONS_PER_SECOND * seconds))
    solved = run(states, min(budgets))
    if solved is None or solved[0] < 0:
        return None
    result, row, visited = solved
    return Solution(row, 0.5 + 0.5 * result, visited)


def _flip_on(state: Any, seat: int) -> Solution:
    """After the end every flip adds points, also where the winner is certain."""
    rows = np.empty(MAX_MOVES, np.int16)
    legal(state, rows)
    lead = score(state, seat) + last_flips(state, seat) - score(state, 1 - seat)
    return Solution(int(rows[0]), 0.5 + 0.5 * (int(lead > 0) - int(lead < 0)), 1)


def run(states: Any, budget: int) -> tuple[int, int, int] | None:
    """The result (1, 0 or -1), a row that reaches it, and the positions visited; None if unsolved.

    `budget` is the number of positions to visit at most.
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
    run(states, 0)
