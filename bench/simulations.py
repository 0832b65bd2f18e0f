"""How many simulations a second the strongest level makes: `./run python -m bench.simulations`.

From the opening of each game with two seats, by the clock, one thread and two in turn, so that
other work on the machine hits both alike. The medians of all rounds count. The first line of a game
says how long its search took to load, or to compile where it was not compiled before.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import mandala
from mandala.bots.levels import STRONGEST, level_of
from mandala.bots.search import search, warm_up


def speed(game: str, threads: int, simulations: int, seed: int) -> float:
    """Simulations a second by the clock; the same seed begins at the same opening."""
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
    asked = parser.parse_args()
    for game in mandala.game_ids():
        began = time.perf_counter()
        warm_up(game)
        print(f"{game}: ready after {time.perf_counter() - began:.2f} s", flush=True)
        one, two = [], []
        for seed in range(asked.rounds):
            one.append(speed(game, 1, asked.simulations, seed))
            two.append(speed(game, 2, asked.simulations, seed))
        print(
            f"{game}: {median(one):,.0f} a second with one thread, {median(two):,.0f} with two, "
            f"{median(b / a for a, b in zip(one, two, strict=True)):.2f} times as many",
            flush=True,
        )


if __name__ == "__main__":
    main()
