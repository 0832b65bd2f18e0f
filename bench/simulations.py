"""Simulations per second of the strongest level: `./run python -m bench.simulations`.

Searches the opening of each game with two seats, alternating one thread and two, so that other work
on the machine affects both alike. Prints the medians over all rounds. The first line of a game says
how long its search took to load, or to compile if it was not in the cache.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import mandala
from mandala.bots.levels import STRONGEST, level_of
from mandala.bots.search import search, warm_up


def speed(game: str, threads: int, simulations: int, seed: int) -> float:
    """Simulations per second of wall time from the opening that the seed deals."""
    position = mandala.new(game, seats=2, seed=seed)
    assert position.actor
    view = position.view(position.actor)
    settings = level_of(STRONGEST, game).settings
    found = search(view, settings, seed=seed, simulations=simulations * threads, threads=threads)
    return found.simulations / found.seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--simulations", type=int, default=30_000)
    options = parser.parse_args()
    for game in mandala.game_ids():
        began = time.perf_counter()
        warm_up(game)
        print(f"{game}: ready after {time.perf_counter() - began:.2f} s", flush=True)
        one, two = [], []
        for seed in range(options.rounds):
            one.append(speed(game, 1, options.simulations, seed))
            two.append(speed(game, 2, options.simulations, seed))
        print(
            f"{game}: {median(one):,.0f} per second with one thread, {median(two):,.0f} with two, "
            f"{median(b / a for a, b in zip(one, two, strict=True)):.2f} times as many",
            flush=True,
        )


if __name__ == "__main__":
    main()
