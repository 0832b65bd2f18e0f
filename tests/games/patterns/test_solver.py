"""The endgame solver of Patterns agrees with brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mandala
from mandala.bots.players import Budget, make_player
from mandala.bots.search import Settings, search
from mandala.engine import CHANCE, NOBODY
from mandala.games import find_game
from tests.samples import PATTERNS_END, text_of

MAX_POSITIONS = 1000  # larger trees are left out


def late_positions(games: int, seed: int, last: int) -> list[Any]:
    """The last decisions of games of Patterns with half greedy moves, each in an array of one."""
    rules, heuristic = (
        find_game("patterns").make_ready(),
        find_game("patterns").compiled("heuristic"),
    )
    generator = np.random.default_rng(seed)
    rows, values = np.empty(200, np.int16), np.empty(200)
    weights = np.empty(200, np.int64)
    found = []
    for _ in range(games):
        states = np.zeros(1, rules.State.dtype)
        state, path = states[0], []
        rules.begin(state, 2)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                count = rules.chance(state, rows, weights)
                probabilities = weights[:count] / weights[:count].sum()
                rules.apply(state, int(generator.choice(rows[:count], p=probabilities)))
                continue
            if state.phase == rules.ACTION:
                path.append(states.copy())
            count = heuristic.score_moves(state, int(state.actor), rows, heuristic.WEIGHTS, values)
            place = values[:count].argmax() if generator.random() < 0.5 else None
            place = generator.integers(count) if place is None else place
            rules.apply(state, int(rows[place]))
        found += path[-last:]
    return found


class TooManyPositions(Exception):
    """The game tree is too large."""


def brute_force(rules: Any, states: Any, seat: int, seen: dict[bytes, int]) -> int:
    """The result for a seat, 1, 0 or -1, by trying every move to the end."""
    state, key = states[0], states.tobytes()
    if key not in seen:
        if len(seen) > MAX_POSITIONS:
            raise TooManyPositions
        if state.actor == NOBODY:
            points = rules.score(state, seat), rules.score(state, 1 - seat)
            return int(points[0] > points[1]) - int(points[0] < points[1])
        rows = np.empty(200, np.int16)
        results = []
        for row in rows[: rules.legal(state, rows)].tolist():
            after = states.copy()
            rules.apply(after[0], row)
            results.append(brute_force(rules, after, seat, seen))
        seen[key] = max(results) if state.actor == seat else min(results)
    return seen[key]


@pytest.mark.parametrize("games", [60, pytest.param(900, marks=pytest.mark.slow)])
def test_the_solver_agrees_with_brute_force(games: int) -> None:
    rules = find_game("patterns").make_ready()
    results = {-1: 0, 0: 0, 1: 0}
    for states in late_positions(games, 1, 8):
        seat = int(states[0].actor)
        seen: dict[bytes, int] = {}
        try:
            expected = brute_force(rules, states, seat, seen)
        except TooManyPositions:
            continue
        solved = find_game("patterns").module("solver").solve_within(states, 1_000_000)
        assert solved is not None
        assert solved[0] == expected
        after = states.copy()
        rules.apply(after[0], solved[1])
        assert brute_force(rules, after, seat, seen) == expected
        results[expected] += 1
    assert sum(results.values()) >= 3 * games, results
    assert min(results[-1], results[1]) > games / 2, results
    assert results[0] > 0, results


def test_all_flips_are_made_even_if_the_winner_is_certain() -> None:
    """Stopping would win too, but looks odd."""
    (record,) = mandala.read_records(text_of("patterns", PATTERNS_END).splitlines())
    position = mandala.replay(record)
    assert isinstance(position, mandala.Position)
    while not position.is_over:
        found = search(position.view(position.actor), Settings(), seed=1, simulations=50)
        assert found.move != "E"
        position = position.play(found.move)


def test_the_solver_respects_its_budget() -> None:
    (states,) = late_positions(1, 2, 40)[:1]
    assert find_game("patterns").module("solver").solve_within(states, 1000) is None


def test_a_solved_win_is_won() -> None:
    """Once the search returns a value of 1, the seat wins against greedy play."""
    won = 0
    for seed in range(12):
        generator = np.random.default_rng(seed)
        ours, theirs = make_player("greedy", seed), make_player("greedy", seed + 1)
        position, sure = mandala.new("patterns", seed=seed), 0
        while actor := position.actor:
            view = position.view(actor)
            if actor == 1 and len(view.legal) > 1:
                found = search(view, Settings(), seed=seed, simulations=3000)
                sure = sure or int(found.value == 1.0)
                move = found.move
            else:
                move = (ours if actor == 1 else theirs).choose(view, Budget())
            position = position.play(move, generator)
        if sure:
            won += 1
            assert position.winners == [1], seed
    assert won >= 6
