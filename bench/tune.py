"""Tune the weights of a heuristic by self-play: `python -m bench.tune flowers --seats 3`.

Every round tries random changes of the weights in matches against the first and the current
weights, and moves the weights towards the changes that won more (an evolution strategy). Prints the
weights with their win share against the first weights and against random play.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from mandala.core.batch import MAX_ROWS, play_chance, write_result
from mandala.engine import NOBODY, apply, begin, legal, njit, random_below, score_moves
from mandala.games import find_game, game_ids

Weights = np.ndarray[Any, np.dtype[np.float64]]


@njit
def best_of(state: Any, generator: Any, rows: Any, weights: Any, values: Any) -> int:
    """The actor's move with the highest value, ties broken at random; random if weights are NaN."""
    if np.isnan(weights[0]):
        return int(rows[random_below(generator, legal(state, rows))])
    found = score_moves(state, state.actor + 0, rows, weights, values)
    best, ties = 0, 1
    for place in range(1, found):
        if values[place] > values[best]:
            best, ties = place, 1
        elif values[place] == values[best]:
            ties += 1
            if random_below(generator, ties) == 0:
                best = place
    return int(rows[best])


@njit
def match(states: Any, seats: int, generator: Any, games: int, ours: Any, theirs: Any) -> float:
    """Our win share, playing one seat, each seat in turn, against theirs on all others.

    The second record must be all zeros.
    """
    rows, weights = np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64)
    values = np.empty(MAX_ROWS)
    points, win_shares = np.empty(seats, np.int64), np.empty(seats)
    state, total = states[0], 0.0
    for game in range(games):
        states[0] = states[1]
        begin(state, seats)
        play_chance(state, generator, rows, weights)
        while state.actor != NOBODY:
            chosen = ours if state.actor == game % seats else theirs
            apply(state, best_of(state, generator, rows, chosen, values))
            play_chance(state, generator, rows, weights)
        write_result(state, seats, points, win_shares)
        total += win_shares[game % seats]
    return total / games


class Tuner:
    """The first weights of a game, and matches between weights."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        find_game(game).compiled("rules")
        self.seats = seats
        self.first: Weights = find_game(game).compiled("heuristic").WEIGHTS.copy()
        self.random: Weights = np.full_like(self.first, np.nan)
        self.chance = np.random.default_rng(seed)
        self._states = np.zeros(2, find_game(game).compiled("rules").State.dtype)

    def win_share(self, ours: Weights, theirs: Weights, games: int, seed: int) -> float:
        """Our win share in a match; the same seed gives the same deals while moves agree."""
        generator = np.array([seed], np.uint64)
        return float(match(self._states, self.seats, generator, games, ours, theirs))

    def round(self, weights: Weights, step: float, pairs: int, games: int) -> Weights:
        """One round of the evolution strategy: try changes and their opposites."""
        scale = step * np.maximum(np.abs(weights), 0.2)
        gradient = np.zeros_like(weights)
        for pair in range(pairs):
            change = self.chance.standard_normal(len(weights))
            seed = int(self.chance.integers(2**63))
            rival = weights if pair % 2 else self.first
            up = self.win_share(weights + scale * change, rival, games, seed)
            down = self.win_share(weights - scale * change, rival, games, seed)
            gradient += (up - down) * change
        length = float(np.linalg.norm(gradient)) or 1.0
        moved: Weights = weights + scale * gradient / length * np.sqrt(len(weights)) / 2
        return moved


def main() -> None:
    """Tune and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--games", type=int, default=300)
    options = parser.parse_args()
    tuner = Tuner(options.game, options.seats, options.seed)
    weights = tuner.first.copy()
    for number in range(options.rounds):
        step = 0.3 * (1 - number / options.rounds) + 0.05
        weights = tuner.round(weights, step, options.pairs, options.games)
        win_share = tuner.win_share(weights, tuner.first, 2000, 7)
        print(f"round {number + 1}: {win_share:.3f} against the first weights", flush=True)
        print(np.array2string(weights, precision=3, separator=", ", suppress_small=True))
    print(f"against random: {tuner.win_share(weights, tuner.random, 20000, 8):.4f}")
    print(f"against the first weights: {tuner.win_share(weights, tuner.first, 20000, 9):.4f}")


if __name__ == "__main__":
    main()
