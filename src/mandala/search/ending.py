"""Patterns played to its end: who wins with best play, found by trying everything.

Once the tiles lie, nothing in Patterns is left to chance or hidden. Near its end a position can be
solved: alpha-beta on win, draw and loss, with a table of positions met before. The search goes down
by a stack of its own, for Numba's cache crashes on recursion. Everything here runs compiled.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from mandala.kernel import COMPILED, fast, tight

_rules: Any = importlib.import_module(f"{COMPILED}.games.patterns")
_heuristic: Any = importlib.import_module(f"{COMPILED}.heuristics.patterns")
apply, fronts, legal, score = _rules.apply, _rules.fronts, _rules.legal, _rules.score
last_flips, colour_at = _heuristic.last_flips, _rules.colour_at
ACTION = _rules.ACTION
KIND, SPACE, OPEN, SWAP = _rules.KIND, _rules.SPACE, _rules.OPEN, _rules.SWAP

UNSOLVED = 2  # beside 1, 0 and -1 for a win, a draw and a loss of the seat that decides
DEEPEST = 64
WIDEST = 160
EXACT, AT_LEAST, AT_MOST = 1, 2, 3

KNOWN = np.dtype([("key", "u8"), ("move", "i2"), ("value", "i1"), ("kind", "i1")], align=True)

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
def look_up(state: Any, key: Any, seat: int, known: Any, low: int, high: int) -> int:
    """The result for a seat where it is plain or known well enough for the window, or UNSOLVED."""
    if state.phase != ACTION:
        return result(state, seat)
    slot = known[key & np.uint64(len(known) - 1)]
    if slot.key == key:
        if slot.kind == EXACT:
            return int(slot.value)
        if slot.kind == AT_LEAST and slot.value >= high:
            return int(slot.value)
        if slot.kind == AT_MOST and slot.value <= low:
            return int(slot.value)
    return UNSOLVED


@tight
def keep(known: Any, key: Any, value: int, low: int, high: int, move: int) -> None:
    """Remember a result: exact if it lies inside of the window, a bound otherwise."""
    slot = known[key & np.uint64(len(known) - 1)]
    slot.key, slot.move, slot.value = key, move, value
    slot.kind = EXACT
    if value >= high:
        slot.kind = AT_LEAST
    elif value <= low:
        slot.kind = AT_MOST


@fast
def solve(states: Any, known: Any, budget: int, best: Any) -> int:
    """The result with best play for the seat that decides in the first record, or UNSOLVED.

    `best` gets a move that reaches it, and the positions looked at. The other records are room to
    work; `known` is the table, its length a power of two, all zeros at first.
    """
    rows, scratch = np.empty((DEEPEST, WIDEST), np.int16), np.empty(WIDEST, np.int64)
    found, place = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    low, high = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    value, chosen = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    keys = np.empty(DEEPEST, np.uint64)
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
            gain = look_up(states[after], keys[after], seat, known, low[after], high[after])
            if gain == UNSOLVED:
                depth = after
                slot = known[keys[depth] & np.uint64(len(known) - 1)]
                first = int(slot.move) if slot.key == keys[depth] else -1
                found[depth] = list_in_order(states[depth], rows[depth], first, scratch)
                place[depth], value[depth], chosen[depth] = 0, -2, -1
                continue
        else:
            keep(known, keys[depth], value[depth], low[depth], high[depth], chosen[depth])
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
