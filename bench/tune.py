"""Tune the weights of a heuristic by self-play: `python -m bench.tune flowers --seats 3`.

Every round tries random changes of the weights in matches against the weights it began with and
those it has now; the changes that won more pull the weights their way.
Prints the weights found with their share of the points against the old ones and against random.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from mandala.core.batch import MAX_ROWS, note_result, play_chance
from mandala.engine import NOBODY, apply, begin, below, fast, legal, score_moves
from mandala.games import find_game, game_ids

Weights = np.ndarray[Any, np.dtype[np.float64]]


@fast
def best_of(state: Any, generator: Any, rows: Any, weights: Any, values: Any) -> int:
    """The actor's move that is worth most, equals drawn by lot; any move for weights of NaN."""
    if np.isnan(weights[0]):
        return int(rows[below(generator, legal(state, rows))])
    found = score_moves(state, state.actor + 0, rows, weights, values)
    best, equals = 0, 1
    for place in range(1, found):
        if values[place] > values[best]:
            best, equals = place, 1
        elif values[place] == values[best]:
            equals += 1
            if below(generator, equals) == 0:
                best = place
    return int(rows[best])


@fast
def match(states: Any, seats: int, generator: Any, games: int, ours: Any, theirs: Any) -> float:
    """Our share of the points on one seat, each in turn, against theirs on all others.

    The second record must be all zeros.
    """
    rows, weights = np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64)
    values = np.empty(MAX_ROWS)
    points, share = np.empty(seats, np.int64), np.empty(seats)
    state, total = states[0], 0.0
    for game in range(games):
        states[0] = states[1]
        begin(state, seats)
        play_chance(state, generator, rows, weights)
        while state.actor != NOBODY:
            chosen = ours if state.actor == game % seats else theirs
            apply(state, best_of(state, generator, rows, chosen, values))
            play_chance(state, generator, rows, weights)
        note_result(state, seats, points, share)
        total += share[game % seats]
    return total / games


class Tuner:
    """Weights under way, and the matches that judge them."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        find_game(game).compiled("rules")
        self.seats = seats
        self.first: Weights = find_game(game).compiled("heuristic").WEIGHTS.copy()
        self.random: Weights = np.full_like(self.first, np.nan)
        self.chance = np.random.default_rng(seed)
        self._states = np.zeros(2, find_game(game).compiled("rules").State.dtype)

    def share(self, ours: Weights, theirs: Weights, games: int, seed: int) -> float:
        """Our share of the points; the same seed gives the same deals as far as moves agree."""
        generator = np.array([seed], np.uint64)
        return float(match(self._states, self.seats, generator, games, ours, theirs))

    def round(self, weights: Weights, step: float, pairs: int, games: int) -> Weights:
        """One round of evolution: try changes and their opposites, follow those that won."""
        scale = step * np.maximum(np.abs(weights), 0.2)
        pull = np.zeros_like(weights)
        for pair in range(pairs):
            change = self.chance.standard_normal(len(weights))
            seed = int(self.chance.integers(2**63))
            rival = weights if pair % 2 else self.first
            up = self.share(weights + scale * change, rival, games, seed)
            down = self.share(weights - scale * change, rival, games, seed)
            pull += (up - down) * change
        length = float(np.linalg.norm(pull)) or 1.0
        moved: Weights = weights + scale * pull / length * np.sqrt(len(weights)) / 2
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
    asked = parser.parse_args()
    tuner = Tuner(asked.game, asked.seats, asked.seed)
    weights = tuner.first.copy()
    for number in range(asked.rounds):
        step = 0.3 * (1 - number / asked.rounds) + 0.05
        weights = tuner.round(weights, step, asked.pairs, asked.games)
        share = tuner.share(weights, tuner.first, 2000, 7)
        print(f"round {number + 1}: {share:.3f} against the first weights", flush=True)
        print(np.array2string(weights, precision=3, separator=", ", suppress_small=True))
    print(f"against random: {tuner.share(weights, tuner.random, 20000, 8):.4f}")
    print(f"against the first weights: {tuner.share(weights, tuner.first, 20000, 9):.4f}")


if __name__ == "__main__":
    main()
