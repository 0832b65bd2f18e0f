"""The compiled tree: information-set Monte Carlo tree search, one for all games.

A node is a line of decisions from the view's position; what chance does in between is drawn anew
each time, and so are the hidden cards. So the moves of a node are not always all legal: each child
counts how often it could have been chosen. Every seat goes for its own share of the win.

A simulation walks down by prior and results so far, plays a few moves at random, and evaluates
what it finds. Nodes are records in one array, children a chain of places in it. Everything here
runs compiled; importing this module loads Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.core.batch import MAX_ROWS, note_result, play_chance
from mandala.engine import (
    NOBODY,
    apply,
    below,
    fast,
    features,
    legal,
    score_moves,
    settle,
    tight,
    twin_of,
)

_sampling: Any = twin_of("mandala.hidden.sampling")
sample_hidden, deal_card = _sampling.sample_hidden, _sampling.deal_card
copy_cards = _sampling.copy_cards

MAX_SEATS = 4
MAX_FEATURES = 64
COLOUR_COUNT = 6
CUP_PLACE = 4  # the row of dealt cards behind the hands
PLACES = 5
MAX_DEPTH = 256  # decisions in a line of the tree
SIMULATIONS_PER_DEAL = 8  # simulations that share a deal where dealing is slow

NODE = np.dtype(
    [
        ("total", "f4", (MAX_SEATS,)),  # the shares of the win found below, by seat
        ("visits", "i4"),
        ("available", "i4"),  # how often it could have been chosen
        ("prior", "f4"),
        ("first", "i4"),  # its first child, 0 for none
        ("next", "i4"),  # the next child of its parent, 0 for none
        ("move", "i4"),
    ],
    align=True,
)


@tight
def deal_from_pool(
    states: Any, pool: Any, hidden: Any, pile: Any, dealt: Any, generator: Any
) -> None:
    """Deal the hidden cards from one pool: exact as long as no pile was shuffled."""
    for place in range(PLACES):
        for colour in range(COLOUR_COUNT):
            dealt[place, colour] = 0
    for colour in range(COLOUR_COUNT):
        pile[colour] = pool[colour]
    for place in range(PLACES):
        for _ in range(hidden[place]):
            dealt[place, deal_card(pile, generator)] += 1
    states[1] = states[0]
    settle(states[1], dealt, pile)


@fast
def deal_by_constraints(
    states: Any,
    demands: Any,
    piles: Any,
    owner: Any,
    pile_of: Any,
    dealt: Any,
    generator: Any,
) -> None:
    """Deal the hidden cards in agreement with all constraints, through all shuffles."""
    left, colours = np.empty_like(piles), np.empty(len(owner), np.int64)
    copy_cards(piles, left)
    sample_hidden(demands, left, owner, pile_of, colours, generator)
    dealt[:] = 0
    for token in range(len(owner)):
        dealt[owner[token] if owner[token] >= 0 else CUP_PLACE, colours[token]] += 1
    for demand in range(len(demands)):
        dealt[demands[demand, 0], demands[demand, 1]] -= 1
    states[1] = states[0]
    settle(states[1], dealt, left[len(left) - 1])


@fast
def look(state: Any, seat: int, out: Any) -> int:
    """What a position offers a seat, compiled once for all who ask."""
    return features(state, seat, out)


@tight
def add_row(amount: Any, row: Any, sums: Any) -> None:
    """Add a multiple of a row of weights to sums."""
    if amount != 0.0:
        for unit in range(len(sums)):
            sums[unit] += amount * row[unit]


@fast
def evaluate(state: Any, seats: int, network: Any, numbers: Any, sums: Any, values: Any) -> None:
    """Write each seat's chance to win, by what the position offers it and the others.

    The network's rows are the weights of the seat's own numbers, those of the mean of the others,
    a row added to both, and what each unit counts for.
    """
    found = 0
    for seat in range(seats):
        found = look(state, seat, numbers[seat])
    most = -np.inf
    for seat in range(seats):
        for unit in range(len(sums)):
            sums[unit] = network[2 * found, unit]
        for each in range(found):
            rest = np.float32(0.0)
            for other in range(seats):
                if other != seat:
                    rest += numbers[other, each]
            add_row(numbers[seat, each], network[each], sums)
            add_row(rest / np.float32(seats - 1), network[found + each], sums)
        value = 0.0
        for unit in range(len(sums)):
            if sums[unit] > 0.0:
                value += sums[unit] * network[2 * found + 1, unit]
        values[seat] = value
        most = max(most, value)
    total = 0.0
    for seat in range(seats):
        values[seat] = np.exp(values[seat] - most)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


@fast
def go_on(state: Any, move: int, generator: Any, rows: Any, weights: Any) -> None:
    """Make a move and let chance play until a seat must decide."""
    apply(state, move)
    play_chance(state, generator, rows, weights)


@fast
def list_moves(state: Any, rows: Any) -> int:
    """The legal moves, compiled once for all who ask."""
    return legal(state, rows)


@tight
def soften(values: Any, found: int, temperature: float) -> None:
    """Turn what moves are worth into shares of one: all equal for a temperature of 0."""
    most, total = -np.inf, 0.0
    for place in range(found):
        most = max(most, values[place])
    for place in range(found):
        values[place] = np.exp((values[place] - most) / temperature) if temperature > 0.0 else 1.0
        total += values[place]
    for place in range(found):
        values[place] /= total


@fast
def add_children(
    state: Any,
    nodes: Any,
    used: Any,
    node: int,
    rows: Any,
    worth: Any,
    values: Any,
    marks: Any,
    temperature: float,
) -> None:
    """Give a node a child for each legal move that has none yet: those not marked as known."""
    if temperature > 0.0:
        found = score_moves(state, state.actor + 0, rows, worth, values)
    else:
        found = list_moves(state, rows)
    soften(values, found, temperature)
    for place in range(found):
        row = rows[place]
        if marks[row] == used[1] or used[0] == len(nodes):
            continue
        child = used[0]
        used[0] += 1
        for seat in range(MAX_SEATS):
            nodes[child].total[seat] = 0.0
        nodes[child].visits = 0
        nodes[child].available = 0
        nodes[child].prior = values[place]
        nodes[child].first = 0
        nodes[child].move = row
        nodes[child].next = nodes[node].first
        nodes[node].first = child


@tight
def count_known(nodes: Any, node: int, found: int, rows: Any, marks: Any, used: Any) -> int:
    """How many of the legal moves have a child; those are marked."""
    used[1] += 2
    for place in range(found):
        marks[rows[place]] = used[1] - 1
    known, child = 0, nodes[node].first
    while child != 0:
        if marks[nodes[child].move] == used[1] - 1:
            marks[nodes[child].move] = used[1]
            known += 1
        child = nodes[child].next
    return known


@tight
def best_child(nodes: Any, node: int, actor: int, marks: Any, used: Any, exploration: float) -> int:
    """The legal child with the best result for the actor, or the best promise; 0 for none.

    A move never tried is thought as good as what this node brought so far.
    """
    visits = max(1, nodes[node].visits)
    urgency = nodes[node].total[actor] / visits
    best, most = 0, -np.inf
    child = nodes[node].first
    while child != 0:
        if marks[nodes[child].move] == used[1]:
            nodes[child].available += 1
            tried = nodes[child].visits
            value = nodes[child].total[actor] / tried if tried > 0 else urgency
            bonus = exploration * nodes[child].prior * np.sqrt(np.float64(nodes[child].available))
            value += bonus / (1 + tried)
            if value > most:
                best, most = child, value
        child = nodes[child].next
    return int(best)


@fast
def grow(
    states: Any,
    seats: int,
    demands: Any,
    piles: Any,
    owner: Any,
    pile_of: Any,
    pool: Any,
    hidden: Any,
    nodes: Any,
    used: Any,
    worth: Any,
    network: Any,
    generator: Any,
    simulations: int,
    horizon: int,
    plies: int,
    temperature: float,
    exploration: float,
) -> None:
    """Run simulations. The first record is the view, the others are room to work.

    The first node is the root. `used` counts the nodes made, and the marks given out.
    """
    rows, weights = np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64)
    prior, marks = np.empty(MAX_ROWS), np.zeros(MAX_ROWS, np.int64)
    numbers = np.empty((MAX_SEATS, MAX_FEATURES), np.float32)
    sums, values = np.empty(network.shape[1], np.float32), np.zeros(MAX_SEATS)
    points, path = np.empty(MAX_SEATS, np.int64), np.empty(MAX_DEPTH, np.int64)
    dealt, pile = np.empty((PLACES, COLOUR_COUNT), np.int64), np.empty(COLOUR_COUNT, np.int64)
    state = states[2]
    used[1] = 0
    for simulation in range(simulations):
        if len(piles) == 1:
            deal_from_pool(states, pool, hidden, pile, dealt, generator)
        elif simulation % SIMULATIONS_PER_DEAL == 0:
            deal_by_constraints(states, demands, piles, owner, pile_of, dealt, generator)
        states[2] = states[1]
        node, depth = 0, 0
        while state.actor != NOBODY and depth < horizon:
            if nodes[node].first == 0 and nodes[node].visits == 0 and depth > 0:
                break
            found = list_moves(state, rows)
            if count_known(nodes, node, found, rows, marks, used) < found:
                add_children(state, nodes, used, node, rows, worth, prior, marks, temperature)
                count_known(nodes, node, found, rows, marks, used)
            actor = int(state.actor)
            child = best_child(nodes, node, actor, marks, used, exploration)
            if child == 0:  # no more room for nodes
                break
            path[depth] = child
            depth += 1
            node = child
            go_on(state, nodes[child].move, generator, rows, weights)
        for _ in range(plies):
            if state.actor == NOBODY:
                break
            move = rows[below(generator, list_moves(state, rows))]
            go_on(state, move, generator, rows, weights)
        if state.actor == NOBODY:
            note_result(state, seats, points, values)
        else:
            evaluate(state, seats, network, numbers, sums, values)
        note(nodes, 0, seats, values)
        for place in range(depth):
            note(nodes, path[place], seats, values)


@tight
def note(nodes: Any, node: int, seats: int, values: Any) -> None:
    """Add the result of a simulation to a node."""
    nodes[node].visits += 1
    for seat in range(seats):
        nodes[node].total[seat] += values[seat]


@tight
def list_children(nodes: Any, seat: int, moves: Any, found: Any) -> int:
    """Write the root's moves, with visits and the shares of the win that a seat found."""
    count, child = 0, nodes[0].first
    while child != 0:
        moves[count] = nodes[child].move
        found[count, 0] = nodes[child].visits
        found[count, 1] = nodes[child].total[seat]
        count += 1
        child = nodes[child].next
    return count
