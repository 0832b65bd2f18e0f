"""Train the network that evaluates positions on self-play games of the search.

    python -m bench.fit play mandala games.npz --minutes 10
    python -m bench.fit fit mandala games.npz more.npz

`play` saves positions of games with their search values and results; some moves are random, so that
unusual positions occur too. `fit` trains the network to predict, from the features of each seat,
the mean of search value and result, and writes it to the file that the search loads. It prints the
loss on held-out games, and that of a constant prediction.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from mandala.bots.levels import STRONGEST, level_of
from mandala.bots.search import tree
from mandala.bots.search.network import network_file, network_of
from mandala.core.batch import MAX_ROWS, play_chance, write_result
from mandala.core.view import visible_states
from mandala.engine import CHANCE, NOBODY, njit
from mandala.games import find_game, game_ids

SAVED_FRACTION = 0.6  # of the positions are saved
RANDOM_FRACTION = 0.08  # of the moves are random
HELD_OUT_FRACTION = 0.1  # of the games are held out


@njit
def play_chance_moves(state: Any, generator: Any) -> None:
    """Make chance moves until a seat must decide or the game is over."""
    play_chance(state, generator, np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64))


@njit
def result_of(state: Any, seats: int, points: Any, win_shares: Any) -> None:
    """Write the points and the win share of each seat."""
    write_result(state, seats, points, win_shares)


@njit
def features_of(states: Any, seats: int, numbers: Any, features: Any) -> None:
    """Write the features of each position for each seat."""
    for place in range(len(states)):
        for seat in range(seats):
            tree.write_features(states[place], seat, numbers)
            for each in range(features.shape[2]):
                features[place, seat, each] = numbers[each]


class Source:
    """Plays self-play games."""

    def __init__(self, game: str, seats: int, simulations: int, seed: int) -> None:
        self.game, self.seats, self.simulations = game, seats, simulations
        self.rules = find_game(game).make_ready()
        self.settings = level_of(STRONGEST, game).settings
        self.chance = np.random.default_rng(seed)
        self.seeds = self.chance.integers(0, 2**64, 1, dtype=np.uint64)
        self.nodes = np.zeros(1000 + 24 * simulations, tree.NODE)

    def search(self, state: Any) -> tuple[int, Any]:
        """The most visited move, and the value of each seat after it, from the actor's view.

        Hidden cards are sampled from all unseen ones, which is not exact after a reshuffle.
        """
        states = np.zeros(3, self.rules.State.dtype)
        pool, hidden = np.zeros(7, np.int64), np.zeros(tree.PLACES, np.int64)
        states[:1] = visible_states(find_game(self.game), state, int(state.actor) + 1)
        if find_game(self.game).has_hidden_information:
            self.rules.count_unseen(states[0], pool)
            hidden[: self.seats] = states["hand"][0, : self.seats, 6]
            hidden[tree.CUP_PLACE] = (
                states["secret"][0, :, 6].sum() if "secret" in self.rules.State.fields else 0
            )
        self.nodes[:1] = np.zeros(1, tree.NODE)
        none, settings = np.zeros(0, np.int64), self.settings
        tree.run_simulations(
            states, self.seats, np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none, none,
            pool[:6].copy(), hidden, self.nodes, np.array([1, 0]),
            find_game(self.game).compiled("heuristic").WEIGHTS, network_of(self.game), self.seeds,
            self.simulations, tree.MAX_DEPTH, settings.plies, settings.temperature,
            settings.exploration,
        )  # fmt: skip
        child, best = int(self.nodes["first"][0]), 0
        while child:
            if best == 0 or self.nodes["visits"][child] > self.nodes["visits"][best]:
                best = child
            child = int(self.nodes["next"][child])
        values = self.nodes["total"][best, : self.seats] / self.nodes["visits"][best]
        return int(self.nodes["move"][best]), values

    def play(
        self, keep: float = SAVED_FRACTION, random_moves: float = RANDOM_FRACTION
    ) -> tuple[list[Any], list[Any], Any]:
        """Play one game; return the saved positions, their search values, and the win shares."""
        states, rows = np.zeros(1, self.rules.State.dtype), np.empty(MAX_ROWS, np.int16)
        state = states[0]
        kept: list[Any] = []
        searched: list[Any] = []
        self.rules.begin(state, self.seats)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                play_chance_moves(state, self.seeds)
                continue
            found = self.rules.legal(state, rows)
            move = int(rows[self.chance.integers(found)])
            if found > 1:
                best, values = self.search(state)
                if self.chance.random() < keep:
                    kept.append(states.copy())
                    searched.append(values)
                if self.chance.random() >= random_moves:
                    move = best
            self.rules.apply(state, move)
        win_shares = np.zeros(self.seats)
        result_of(state, self.seats, np.zeros(self.seats, np.int64), win_shares)
        return kept, searched, win_shares


def play(options: argparse.Namespace) -> None:
    """Play games for some minutes and save their positions."""
    source = Source(options.game, options.seats, options.simulations, options.seed)
    states: list[Any] = []
    values: list[Any] = []
    results: list[Any] = []
    games: list[int] = []
    end, count = time.monotonic() + 60 * options.minutes, 0
    while time.monotonic() < end:
        kept, searched, win_shares = source.play()
        states += kept
        values += searched
        results += [win_shares] * len(kept)
        games += [count] * len(kept)
        count += 1
    np.savez(
        options.files[0],
        states=np.concatenate(states),
        values=np.array(values),
        results=np.array(results),
        game=np.array(games),
    )
    print(f"{count} games, {len(states)} positions")


class Network:
    """A network with one hidden layer of rectified linear units and one output."""

    def __init__(self, numbers: int, units: int, chance: np.random.Generator) -> None:
        self.parts = [
            chance.normal(0, (1 / numbers) ** 0.5, (numbers, units)),
            np.zeros(units),
            chance.normal(0, 0.1, units),
        ]

    def gradients(self, features: Any, targets: Any) -> tuple[float, list[Any]]:
        """The mean cross-entropy loss, and its gradient for each part."""
        first, bias, second = self.parts
        sums = features @ first + bias
        active = np.maximum(sums, 0)
        values = active @ second
        values -= values.max(axis=1, keepdims=True)
        chances = np.exp(values)
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -(targets * np.log(chances + 1e-9)).sum(axis=1).mean()
        gradient = (chances - targets) / len(features)
        back = gradient[:, :, None] * second * (sums > 0)
        numbers = features.shape[2]
        return float(loss), [
            features.reshape(-1, numbers).T @ back.reshape(-1, back.shape[2]),
            back.sum(axis=(0, 1)),
            np.einsum("ps,psu->u", gradient, active),
        ]


def read(options: argparse.Namespace) -> list[tuple[Any, Any, Any]]:
    """By file: features of a seat and the others, targets, and a mask of held-out positions."""
    found = []
    count = 0
    for name in options.files:
        data = np.load(name)
        seats = data["results"].shape[1]
        find_game(options.game).make_ready()
        numbers = np.zeros(tree.MAX_FEATURES, np.float32)
        count = count or tree.write_features(data["states"][0], 0, numbers)
        own = np.zeros((len(data["states"]), seats, count), np.float32)
        features_of(data["states"], seats, numbers, own)
        others = (own.sum(axis=1, keepdims=True) - own) / (seats - 1)
        targets = options.mix * data["results"] + (1 - options.mix) * data["values"]
        validation = np.random.default_rng(5).random(data["game"].max() + 1) < HELD_OUT_FRACTION
        found.append((np.concatenate([own, others], axis=2), targets, validation[data["game"]]))
    return found


def fit(options: argparse.Namespace) -> None:
    """Train with Adam on minibatches in random order, and write the network."""
    chance = np.random.default_rng(options.seed)
    sources = read(options)
    numbers = sources[0][0].shape[2]
    flat = np.concatenate([features.reshape(-1, numbers) for features, _, _ in sources])
    scale = 1 / (flat.std(axis=0) + 1e-3)
    scale[flat.std(axis=0) == 0] = 0
    sources = [(features * scale.astype(np.float32), *rest) for features, *rest in sources]
    network = Network(numbers, options.units, chance)
    means = [np.zeros_like(part) for part in network.parts]
    squares = [np.zeros_like(part) for part in network.parts]
    batches = [
        (source, chosen)
        for source, (_, _, validation) in enumerate(sources)
        for chosen in np.array_split(
            chance.permutation(np.flatnonzero(~validation)), max(1, (~validation).sum() // 256)
        )
    ]
    step, steps = 0, options.rounds * len(batches)
    for number in range(options.rounds):
        for place in chance.permutation(len(batches)):
            source, chosen = batches[place]
            features, targets, _ = sources[source]
            step += 1
            rate = 0.003 * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * step / steps)))
            _, gradients = network.gradients(features[chosen], targets[chosen])
            for part, gradient, mean, square in zip(
                network.parts, gradients, means, squares, strict=True
            ):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                part -= rate * (mean / (1 - 0.9**step) / size + options.pull * part)
        if (number + 1) % 5 == 0 or number + 1 == options.rounds:
            losses = [
                network.gradients(features[validation], targets[validation])[0]
                for features, targets, validation in sources
            ]
            text = ", ".join(f"{each:.4f}" for each in losses)
            print(f"round {number + 1}: loss {text}", flush=True)
    first, bias, second = network.parts
    rows = np.vstack([first * scale[:, None], bias, second]).astype(np.float32)
    np.save(options.out or network_file(options.game), rows)
    for features, targets, _ in sources:
        seats = targets.shape[1]
        print(
            f"{len(features)} positions of {seats} seats, constant prediction {np.log(seats):.4f}"
        )


def main() -> None:
    """Play or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("play", "fit"))
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--units", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--mix", type=float, default=0.5, help="weight of the result in the target")
    parser.add_argument("--pull", type=float, default=1e-3, help="weight decay")
    parser.add_argument("--out", help="output file instead of the game's own")
    options = parser.parse_args()
    (play if options.task == "play" else fit)(options)


if __name__ == "__main__":
    main()
