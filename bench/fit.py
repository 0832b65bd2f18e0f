"""Fit the weights of an appraisal to the results of games: `python -m bench.fit flowers`.

Games are played by a search that sees everything, or for `--simulations 0` by the heuristic, with
some moves at random. A few positions of each are kept, with what they offer each seat and who won.
The weights are those that make the results most likely, with a little pull towards 0. Prints them,
and the mean loss beside that of knowing nothing.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from scipy.optimize import minimize

from mandala import kernel
from mandala.appraisal.weights import EVALUATION
from mandala.batch import MOST_ROWS, note_result, play_chance
from mandala.kernel import CHANCE, NOBODY, fast, features
from mandala.search import Settings, tree

KEEP = 0.12  # the share of positions that is kept
MISTAKES = 0.1  # the share of moves that are made at random


@fast
def features_of(state: Any, seat: int, out: Any) -> float:
    return features(state, seat, out)


@fast
def chance_plays(state: Any, generator: Any) -> None:
    play_chance(state, generator, np.empty(MOST_ROWS, np.int16), np.empty(MOST_ROWS, np.int64))


@fast
def result_of(state: Any, seats: int, points: Any, share: Any) -> None:
    note_result(state, seats, points, share)


class Source:
    """Games, and the positions kept of them."""

    def __init__(self, game: str, seats: int, simulations: int, seed: int) -> None:
        self.game, self.seats, self.simulations = game, seats, simulations
        self.rules = kernel.compiled(game)
        self.heuristic = kernel.compiled_heuristic(game)
        self.chance = np.random.default_rng(seed)
        self.seeds = self.chance.integers(0, 2**64, 1, dtype=np.uint64)
        self.states = np.zeros(3, self.rules.State.dtype)
        self.rows, self.values = np.empty(MOST_ROWS, np.int16), np.empty(MOST_ROWS)
        self.room = np.zeros(1000 + 40 * simulations, tree.NODE)

    def decide(self) -> int:
        """A move of the seat that decides."""
        state = self.states[0]
        found = self.rules.legal(state, self.rows)
        if found == 1 or self.chance.random() < MISTAKES:
            return int(self.rows[self.chance.integers(found)])
        weights = self.heuristic.WEIGHTS
        if self.simulations == 0:
            found = self.heuristic.worths(state, int(state.actor), self.rows, weights, self.values)
            return int(self.rows[self.values[:found].argmax()])
        return self.search(weights)

    def search(self, weights: Any) -> int:
        """The move most tried by a search to which nothing is hidden."""
        none, settings = np.zeros(0, np.int64), Settings()
        pool = np.zeros(6, np.int64)
        if self.game != "patterns":
            pool = self.states["pile"][0, :6].astype(np.int64)
        self.room[:1] = np.zeros(1, tree.NODE)
        tree.grow(
            self.states, self.seats, np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none,
            none, pool, np.zeros(tree.PLACES, np.int64), self.room, np.array([1, 0]), weights,
            EVALUATION[self.game], self.seeds, self.simulations, tree.DEEPEST, settings.plies,
            settings.temperature, settings.exploration, settings.caution,
        )  # fmt: skip
        child, visits = int(self.room["first"][0]), {}
        while child:
            visits[int(self.room["move"][child])] = int(self.room["visits"][child])
            child = int(self.room["next"][child])
        return max(visits, key=lambda row: visits[row])

    def play(self) -> tuple[list[Any], Any]:
        """One game: what the kept positions offered, by seat, and the shares of the win."""
        self.states[:] = np.zeros(3, self.rules.State.dtype)
        state, kept = self.states[0], []
        self.rules.begin(state, self.seats)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                chance_plays(state, self.seeds)
                continue
            if self.chance.random() < KEEP:
                kept.append(self.offers())
            self.rules.apply(state, self.decide())
        share = np.zeros(self.seats)
        result_of(state, self.seats, np.zeros(self.seats, np.int64), share)
        return kept, share

    def offers(self) -> Any:
        """What the position offers each seat, split by how much is still to come."""
        count = len(EVALUATION[self.game]) // 2
        split = np.empty((self.seats, 2 * count))
        for seat in range(self.seats):
            out = np.zeros(tree.MOST_FEATURES)
            early = features_of(self.states[0], seat, out)
            split[seat, :count] = out[:count] * early
            split[seat, count:] = out[:count] * (1 - early)
        return split


def fit(offers: Any, shares: Any, pull: float) -> tuple[Any, float]:
    """The weights that make the shares most likely, and the mean loss."""
    scale = offers.std(axis=(0, 1)) + 1e-9

    def loss(weights: Any) -> tuple[float, Any]:
        values = offers / scale @ weights
        values -= values.max(axis=1, keepdims=True)
        chances = np.exp(values)
        chances /= chances.sum(axis=1, keepdims=True)
        cost = -(shares * np.log(chances + 1e-12)).sum(axis=1).mean()
        slope = np.einsum("ps,psf->f", chances - shares, offers / scale) / len(offers)
        return float(cost + pull * (weights**2).sum()), slope + 2 * pull * weights

    done = minimize(loss, np.zeros(offers.shape[2]), jac=True, method="L-BFGS-B")
    return done.x / scale, float(done.fun)


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=("mandala", "patterns", "flowers"))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--pull", type=float, default=1e-4)
    asked = parser.parse_args()
    source = Source(asked.game, asked.seats, asked.simulations, asked.seed)
    offers: list[Any] = []
    shares: list[Any] = []
    for _ in range(asked.games):
        kept, share = source.play()
        offers += kept
        shares += [share] * len(kept)
    weights, loss = fit(np.array(offers), np.array(shares), asked.pull)
    print(f"{len(offers)} positions, loss {loss:.4f}, of nothing {np.log(asked.seats):.4f}")
    print(np.array2string(weights, precision=4, separator=", ", suppress_small=True))


if __name__ == "__main__":
    main()
