"""Fit the network of an appraisal to games of the search with itself.

    python -m bench.fit play mandala games.npz --minutes 10
    python -m bench.fit fit mandala games.npz more.npz

`play` keeps positions of games, with what the search thought of each and how the game ended; now
and then a move is made at random, so that odd positions are known too. `fit` finds the network
that says best, from what a position offers each seat, half the one and half the other, and writes
it where the search looks for it. It prints the loss on games that it did not learn from, beside
that of knowing nothing.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from mandala.bots.levels import STRONGEST, level_of
from mandala.bots.search import tree
from mandala.bots.search.network import network_file, network_of
from mandala.core.batch import MAX_ROWS, note_result, play_chance
from mandala.core.view import veiled
from mandala.engine import CHANCE, NOBODY, fast
from mandala.games import find_game, game_ids

KEEP = 0.6  # the share of positions that is kept
MISTAKES = 0.08  # the share of moves that are made at random
CHECKED = 0.1  # the share of games that is held back


@fast
def chance_plays(state: Any, generator: Any) -> None:
    play_chance(state, generator, np.empty(MAX_ROWS, np.int16), np.empty(MAX_ROWS, np.int64))


@fast
def result_of(state: Any, seats: int, points: Any, share: Any) -> None:
    note_result(state, seats, points, share)


@fast
def offers_of(states: Any, seats: int, numbers: Any, offers: Any) -> None:
    """What each position offers each seat, as many numbers as there is room for."""
    for place in range(len(states)):
        for seat in range(seats):
            tree.look(states[place], seat, numbers)
            for each in range(offers.shape[2]):
                offers[place, seat, each] = numbers[each]


class Source:
    """Games, and the positions kept of them."""

    def __init__(self, game: str, seats: int, simulations: int, seed: int) -> None:
        self.game, self.seats, self.simulations = game, seats, simulations
        self.rules = find_game(game).make_ready()
        self.settings = level_of(STRONGEST, game).settings
        self.chance = np.random.default_rng(seed)
        self.seeds = self.chance.integers(0, 2**64, 1, dtype=np.uint64)
        self.room = np.zeros(1000 + 24 * simulations, tree.NODE)

    def search(self, state: Any) -> tuple[int, Any]:
        """The move most tried, and what each seat can hope for after it, as the actor sees it.

        Hidden cards are dealt from all unseen ones, also after a shuffle, where that is not exact.
        """
        states = np.zeros(3, self.rules.State.dtype)
        pool, hidden = np.zeros(7, np.int64), np.zeros(tree.PLACES, np.int64)
        states[:1] = veiled(find_game(self.game), state, int(state.actor) + 1)
        if find_game(self.game).has_hidden_information:
            self.rules.unseen(states[0], pool)
            hidden[: self.seats] = states["hand"][0, : self.seats, 6]
            hidden[tree.CUP_PLACE] = (
                states["secret"][0, :, 6].sum() if "secret" in self.rules.State.fields else 0
            )
        self.room[:1] = np.zeros(1, tree.NODE)
        none, settings = np.zeros(0, np.int64), self.settings
        tree.grow(
            states, self.seats, np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none, none,
            pool[:6].copy(), hidden, self.room, np.array([1, 0]),
            find_game(self.game).compiled("heuristic").WEIGHTS, network_of(self.game), self.seeds,
            self.simulations, tree.MAX_DEPTH, settings.plies, settings.temperature,
            settings.exploration,
        )  # fmt: skip
        child, best = int(self.room["first"][0]), 0
        while child:
            if best == 0 or self.room["visits"][child] > self.room["visits"][best]:
                best = child
            child = int(self.room["next"][child])
        hopes = self.room["total"][best, : self.seats] / self.room["visits"][best]
        return int(self.room["move"][best]), hopes

    def play(
        self, keep: float = KEEP, mistakes: float = MISTAKES
    ) -> tuple[list[Any], list[Any], Any]:
        """One game: positions, what was thought of them, and the shares of the win."""
        states, rows = np.zeros(1, self.rules.State.dtype), np.empty(MAX_ROWS, np.int16)
        state = states[0]
        kept: list[Any] = []
        thought: list[Any] = []
        self.rules.begin(state, self.seats)
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                chance_plays(state, self.seeds)
                continue
            found = self.rules.legal(state, rows)
            move = int(rows[self.chance.integers(found)])
            if found > 1:
                best, hopes = self.search(state)
                if self.chance.random() < keep:
                    kept.append(states.copy())
                    thought.append(hopes)
                if self.chance.random() >= mistakes:
                    move = best
            self.rules.apply(state, move)
        share = np.zeros(self.seats)
        result_of(state, self.seats, np.zeros(self.seats, np.int64), share)
        return kept, thought, share


def play(asked: argparse.Namespace) -> None:
    """Play for some minutes and write the positions."""
    source = Source(asked.game, asked.seats, asked.simulations, asked.seed)
    states: list[Any] = []
    values: list[Any] = []
    results: list[Any] = []
    games: list[int] = []
    end, count = time.monotonic() + 60 * asked.minutes, 0
    while time.monotonic() < end:
        kept, thought, share = source.play()
        states += kept
        values += thought
        results += [share] * len(kept)
        games += [count] * len(kept)
        count += 1
    np.savez(
        asked.files[0],
        states=np.concatenate(states),
        values=np.array(values),
        results=np.array(results),
        game=np.array(games),
    )
    print(f"{count} games, {len(states)} positions")


class Network:
    """A layer of units, each a weighted sum of numbers cut off below 0, and their weighted sum."""

    def __init__(self, numbers: int, units: int, chance: np.random.Generator) -> None:
        self.parts = [
            chance.normal(0, (1 / numbers) ** 0.5, (numbers, units)),
            np.zeros(units),
            chance.normal(0, 0.1, units),
        ]

    def slopes(self, offers: Any, targets: Any) -> tuple[float, list[Any]]:
        """The mean loss, and how it changes with each part."""
        first, bias, second = self.parts
        sums = offers @ first + bias
        active = np.maximum(sums, 0)
        values = active @ second
        values -= values.max(axis=1, keepdims=True)
        chances = np.exp(values)
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -(targets * np.log(chances + 1e-9)).sum(axis=1).mean()
        slope = (chances - targets) / len(offers)
        back = slope[:, :, None] * second * (sums > 0)
        numbers = offers.shape[2]
        return float(loss), [
            offers.reshape(-1, numbers).T @ back.reshape(-1, back.shape[2]),
            back.sum(axis=(0, 1)),
            np.einsum("ps,psu->u", slope, active),
        ]


def read(asked: argparse.Namespace) -> list[tuple[Any, Any, Any]]:
    """By file: what positions offer a seat and the others, targets, and which are for checking."""
    found = []
    count = 0
    for name in asked.files:
        data = np.load(name)
        seats = data["results"].shape[1]
        find_game(asked.game).make_ready()
        numbers = np.zeros(tree.MAX_FEATURES, np.float32)
        count = count or tree.look(data["states"][0], 0, numbers)
        own = np.zeros((len(data["states"]), seats, count), np.float32)
        offers_of(data["states"], seats, numbers, own)
        others = (own.sum(axis=1, keepdims=True) - own) / (seats - 1)
        targets = asked.mix * data["results"] + (1 - asked.mix) * data["values"]
        checked = np.random.default_rng(5).random(data["game"].max() + 1) < CHECKED
        found.append((np.concatenate([own, others], axis=2), targets, checked[data["game"]]))
    return found


def fit(asked: argparse.Namespace) -> None:
    """Fit by Adam, in small steps over all positions in random order, and write the network."""
    chance = np.random.default_rng(asked.seed)
    sources = read(asked)
    numbers = sources[0][0].shape[2]
    flat = np.concatenate([offers.reshape(-1, numbers) for offers, _, _ in sources])
    scale = 1 / (flat.std(axis=0) + 1e-3)
    scale[flat.std(axis=0) == 0] = 0
    sources = [(offers * scale.astype(np.float32), *rest) for offers, *rest in sources]
    network = Network(numbers, asked.units, chance)
    means = [np.zeros_like(part) for part in network.parts]
    squares = [np.zeros_like(part) for part in network.parts]
    batches = [
        (source, chosen)
        for source, (_, _, checked) in enumerate(sources)
        for chosen in np.array_split(
            chance.permutation(np.flatnonzero(~checked)), max(1, (~checked).sum() // 256)
        )
    ]
    step, steps = 0, asked.rounds * len(batches)
    for number in range(asked.rounds):
        for place in chance.permutation(len(batches)):
            source, chosen = batches[place]
            offers, targets, _ = sources[source]
            step += 1
            rate = 0.003 * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * step / steps)))
            _, slopes = network.slopes(offers[chosen], targets[chosen])
            for part, slope, mean, square in zip(
                network.parts, slopes, means, squares, strict=True
            ):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                part -= rate * (mean / (1 - 0.9**step) / size + asked.pull * part)
        if (number + 1) % 5 == 0 or number + 1 == asked.rounds:
            losses = [
                network.slopes(offers[checked], targets[checked])[0]
                for offers, targets, checked in sources
            ]
            told = ", ".join(f"{each:.4f}" for each in losses)
            print(f"round {number + 1}: loss {told}", flush=True)
    first, bias, second = network.parts
    rows = np.vstack([first * scale[:, None], bias, second]).astype(np.float32)
    np.save(asked.out or network_file(asked.game), rows)
    for offers, targets, _ in sources:
        seats = targets.shape[1]
        print(f"{len(offers)} positions of {seats} seats, nothing known {np.log(seats):.4f}")


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
    parser.add_argument("--mix", type=float, default=0.5, help="the part of the result")
    parser.add_argument("--pull", type=float, default=1e-3, help="towards 0")
    parser.add_argument("--out", help="another file for the network")
    asked = parser.parse_args()
    (play if asked.task == "play" else fit)(asked)


if __name__ == "__main__":
    main()
