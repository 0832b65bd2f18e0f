"""The compiled part of the search: information set Monte Carlo tree search (ISMCTS) for all games.

A node stands for a sequence of decisions from the view's position. Chance moves and hidden cards
are sampled again in every simulation, so the legal moves of a node differ between simulations: each
child counts how often it was available. Every seat maximizes its own win share.

A simulation descends the tree by prior and value, plays a short random rollout, and evaluates the
position. Nodes are records in one array; the children of a node are a linked list in it. Everything
here runs compiled; importing this module loads Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.core.batch import MAX_ROWS, play_chance, write_result
from mandala.engine import (
    NOBODY,
    apply,
    compiled_module,
    features,
    legal,
    njit,
    njit_inline,
    random_below,
    score_moves,
    set_hidden_cards,
)

_sampling: Any = compiled_module("mandala.hidden.sampling")
sample_hidden, deal_card = _sampling.sample_hidden, _sampling.deal_card
copy_cards = _sampling.copy_cards

MAX_SEATS = 4
MAX_FEATURES = 64
COLOUR_COUNT = 6
CUP_PLACE = 4  # the row of the dealt cards for the cup, after the hands
PLACES = 5
MAX_DEPTH = 256  # of the tree, in decisions
SIMULATIONS_PER_DEAL = 8  # that share a determinization where sampling is slow

NODE = np.dtype(
    [
        ("total", "f4", (MAX_SEATS,)),  # the sum of the values, by seat
        ("visits", "i4"),
        ("available", "i4"),  # how often its move was legal
        ("prior", "f4"),
        ("first", "i4"),  # the first child, 0 for none
        ("next", "i4"),  # the next sibling, 0 for none
        ("move", "i4"),
    ],
    align=True,
)


@njit_inline
def deal_from_pool(
    states: Any, pool: Any, hidden: Any, pile: Any, dealt: Any, generator: Any
) -> None:
    """Sample the hidden cards from one pool: exact until the first reshuffle."""
    for place in range(PLACES):
        for colour in range(COLOUR_COUNT):
            dealt[place, colour] = 0
    for colour in range(COLOUR_COUNT):
        pile[colour] = pool[colour]
    for place in range(PLACES):
        for _ in range(hidden[place]):
            dealt[place, deal_card(pile, generator)] += 1
    states[1] = states[0]
    set_hidden_cards(states[1], dealt, pile)


@njit
def deal_by_constraints(
    states: Any,
    plays: Any,
    piles: Any,
    drawn_by: Any,
    pile_of: Any,
    dealt: Any,
    generator: Any,
) -> None:
    """Sample the hidden cards by the view's constraints, after reshuffles."""
    left, colours = np.empty_like(piles), np.empty(len(drawn_by), np.int64)
    copy_cards(piles, left)
    sample_hidden(plays, left, drawn_by, pile_of, colours, generator)
    dealt[:] = 0
    for draw in range(len(drawn_by)):
        dealt[drawn_by[draw] if drawn_by[draw] >= 0 else CUP_PLACE, colours[draw]] += 1
    for play in range(len(plays)):
        dealt[plays[play, 0], plays[play, 1]] -= 1
    states[1] = states[0]
    set_hidden_cards(states[1], dealt, left[len(left) - 1])


@njit
def write_features(state: Any, seat: int, out: Any) -> int:
    """`features` as a function that is compiled only once per game."""
    return features(state, seat, out)


@njit_inline
def add_row(amount: Any, row: Any, sums: Any) -> None:
    """Add a multiple of a row of weights to the sums."""
    if amount != 0.0:
        for unit in range(len(sums)):
            sums[unit] += amount * row[unit]


@njit
def evaluate(state: Any, seats: int, network: Any, inputs: Any, sums: Any, values: Any) -> None:
    """Write each seat's win probability, as the network evaluates the features of all seats.

    The network's rows are the weights of the seat's own features, the weights of the other seats'
    mean features, the bias, and the output weights of the hidden units.
    """
    found = 0
    for seat in range(seats):
        found = write_features(state, seat, inputs[seat])
    highest = -np.inf
    for seat in range(seats):
        for unit in range(len(sums)):
            sums[unit] = network[2 * found, unit]
        for each in range(found):
            rest = np.float32(0.0)
            for other in range(seats):
                if other != seat:
                    rest += inputs[other, each]
            add_row(inputs[seat, each], network[each], sums)
            add_row(rest / np.float32(seats - 1), network[found + each], sums)
        value = 0.0
        for unit in range(len(sums)):
            if sums[unit] > 0.0:
                value += sums[unit] * network[2 * found + 1, unit]
        values[seat] = value
        highest = max(highest, value)
    total = 0.0
    for seat in range(seats):
        values[seat] = np.exp(values[seat] - highest)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


@njit
def play_and_draw(state: Any, move: int, generator: Any, rows: Any, weights: Any) -> None:
    """Make a move, and chance moves until a seat must decide."""
    apply(state, move)
    play_chance(state, generator, rows, weights)


@njit
def list_moves(state: Any, rows: Any) -> int:
    """`legal` as a function that is compiled only once per game."""
    return legal(state, rows)


@njit_inline
def softmax_priors(values: Any, found: int, temperature: float) -> None:
    """Turn heuristic values into priors by a softmax; equal priors for a temperature of 0."""
    highest, total = -np.inf, 0.0
    for place in range(found):
        highest = max(highest, values[place])
    for place in range(found):
        values[place] = (
            np.exp((values[place] - highest) / temperature) if temperature > 0.0 else 1.0
        )
        total += values[place]
    for place in range(found):
        values[place] /= total


@njit
def add_children(
    state: Any,
    nodes: Any,
    counters: Any,
    node: int,
    rows: Any,
    heuristic_weights: Any,
    values: Any,
    marks: Any,
    temperature: float,
) -> None:
    """Add a child for each legal move that has none yet."""
    if temperature > 0.0:
        found = score_moves(state, state.actor + 0, rows, heuristic_weights, values)
    else:
        found = list_moves(state, rows)
    softmax_priors(values, found, temperature)
    for place in range(found):
        row = rows[place]
        if marks[row] == counters[1] or counters[0] == len(nodes):
            continue
        child = counters[0]
        counters[0] += 1
        for seat in range(MAX_SEATS):
            nodes[child].total[seat] = 0.0
        nodes[child].visits = 0
        nodes[child].available = 0
        nodes[child].prior = values[place]
        nodes[child].first = 0
        nodes[child].move = row
        nodes[child].next = nodes[node].first
        nodes[node].first = child


@njit_inline
def count_known(nodes: Any, node: int, found: int, rows: Any, marks: Any, counters: Any) -> int:
    """Mark the legal moves that have a child, and return how many they are."""
    counters[1] += 2
    for place in range(found):
        marks[rows[place]] = counters[1] - 1
    known, child = 0, nodes[node].first
    while child != 0:
        if marks[nodes[child].move] == counters[1] - 1:
            marks[nodes[child].move] = counters[1]
            known += 1
        child = nodes[child].next
    return known


@njit_inline
def best_child(
    nodes: Any, node: int, actor: int, marks: Any, counters: Any, exploration: float
) -> int:
    """The legal child with the highest value plus exploration bonus (PUCT); 0 if there is none.

    An unvisited child has the value of its parent.
    """
    visits = max(1, nodes[node].visits)
    parent_value = nodes[node].total[actor] / visits
    best, highest = 0, -np.inf
    child = nodes[node].first
    while child != 0:
        if marks[nodes[child].move] == counters[1]:
            nodes[child].available += 1
            tried = nodes[child].visits
            value = nodes[child].total[actor] / tried if tried > 0 else parent_value
            bonus = exploration * nodes[child].prior * np.sqrt(np.float64(nodes[child].available))
            value += bonus / (1 + tried)
            if value > highest:
                best, highest = child, value
        child = nodes[child].next
    return int(best)


@njit
def run_simulations(
    states: Any,
    seats: int,
    plays: Any,
    piles: Any,
    drawn_by: Any,
    pile_of: Any,
    pool: Any,
    hidden: Any,
    nodes: Any,
    counters: Any,
    heuristic_weights: Any,
    network: Any,
    generator: Any,
    simulations: int,
    horizon: int,
    plies: int,
    temperature: float,
    exploration: float,
) -> None:
    """Run simulations. The first record is the view, the others are scratch space.

    The first node is the root. `counters` has the number of nodes used, and the last mark used.
    """
    rows, weights = np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64)
    prior, marks = np.empty(MAX_ROWS), np.zeros(MAX_ROWS, np.int64)
    inputs = np.empty((MAX_SEATS, MAX_FEATURES), np.float32)
    sums, values = np.empty(network.shape[1], np.float32), np.zeros(MAX_SEATS)
    points, path = np.empty(MAX_SEATS, np.int64), np.empty(MAX_DEPTH, np.int64)
    dealt, pile = np.empty((PLACES, COLOUR_COUNT), np.int64), np.empty(COLOUR_COUNT, np.int64)
    state = states[2]
    counters[1] = 0
    for simulation in range(simulations):
        if len(piles) == 1:
            deal_from_pool(states, pool, hidden, pile, dealt, generator)
        elif simulation % SIMULATIONS_PER_DEAL == 0:
            deal_by_constraints(states, plays, piles, drawn_by, pile_of, dealt, generator)
        states[2] = states[1]
        node, depth = 0, 0
        while state.actor != NOBODY and depth < horizon:
            if nodes[node].first == 0 and nodes[node].visits == 0 and depth > 0:
                break
            found = list_moves(state, rows)
            if count_known(nodes, node, found, rows, marks, counters) < found:
                add_children(
                    state, nodes, counters, node, rows, heuristic_weights, prior, marks, temperature
                )
                count_known(nodes, node, found, rows, marks, counters)
            actor = int(state.actor)
            child = best_child(nodes, node, actor, marks, counters, exploration)
            if child == 0:  # the node pool is full
                break
            path[depth] = child
            depth += 1
            node = child
            play_and_draw(state, nodes[child].move, generator, rows, weights)
        for _ in range(plies):
            if state.actor == NOBODY:
                break
            move = rows[random_below(generator, list_moves(state, rows))]
            play_and_draw(state, move, generator, rows, weights)
        if state.actor == NOBODY:
            write_result(state, seats, points, values)
        else:
            evaluate(state, seats, network, inputs, sums, values)
        update_node(nodes, 0, seats, values)
        for place in range(depth):
            update_node(nodes, path[place], seats, values)


@njit_inline
def update_node(nodes: Any, node: int, seats: int, values: Any) -> None:
    """Add the values of a simulation to a node."""
    nodes[node].visits += 1
    for seat in range(seats):
        nodes[node].total[seat] += values[seat]


@njit_inline
def list_root_moves(nodes: Any, seat: int, moves: Any, found: Any) -> int:
    """Write the root's moves with their visit counts and a seat's summed values."""
    count, child = 0, nodes[0].first
    while child != 0:
        moves[count] = nodes[child].move
        found[count, 0] = nodes[child].visits
        found[count, 1] = nodes[child].total[seat]
        count += 1
        child = nodes[child].next
    return count
