"""Compare the win probabilities of the search with results: `python -m bench.calibration mandala`.

Plays self-play games, searches one position of each for longer, and compares, in ten bins, the
predicted win share of the seat to move with the actual one. Prints the mean gap, weighted by
positions, and writes a plot to `docs/calibration-GAME.svg`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit import Source
from mandala.games import game_ids

SIDE, MARGIN = 300, 40
DOCS = Path(__file__).parent.parent / "docs"


def collect(source: Source, judge: Source, games: int) -> tuple[Any, Any]:
    """The predicted and the actual win shares of the seat to move, for one position per game."""
    predicted, actual = [], []
    for _ in range(games):
        kept, _, win_shares = source.play(keep=1.0, random_moves=0.0)
        state = kept[int(source.chance.integers(len(kept)))][0]
        seat = int(state.actor)
        predicted.append(judge.search(state)[1][seat])
        actual.append(win_shares[seat])
    return np.array(predicted), np.array(actual)


def bin_results(predicted: Any, actual: Any) -> list[tuple[float, float, int]]:
    """By bin: the mean predicted and the mean actual win share, and the number of positions."""
    bins = np.minimum((predicted * 10).astype(int), 9)
    return [
        (float(predicted[bins == tenth].mean()), float(actual[bins == tenth].mean()), int(count))
        for tenth in range(10)
        if (count := (bins == tenth).sum())
    ]


def plot(title: str, found: list[tuple[float, float, int]]) -> str:
    """The bins as an SVG: circles, larger for more positions, and the line of equality."""
    total = sum(count for _, _, count in found)
    far = MARGIN + SIDE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {far + 20} {far + 20}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{far + 20}" height="{far + 20}" fill="white"/>',
        f'<path d="M{MARGIN} 20V{far - 20}H{far}" transform="translate(0 20)" fill="none" '
        'stroke="black"/>',
        f'<path d="M{MARGIN} {far}L{far} {MARGIN}" stroke="#999" stroke-dasharray="4"/>',
        f'<text x="{MARGIN}" y="24">{title}</text>',
        f'<text x="{far}" y="{far + 15}" text-anchor="end">predicted</text>',
        f'<text x="{MARGIN - 30}" y="{MARGIN + 10}">actual</text>',
    ]
    for predicted, actual, count in found:
        x, y = MARGIN + SIDE * predicted, far - SIDE * actual
        size = 3 + 20 * (count / total) ** 0.5
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="#2a6f97" opacity=".7"/>'
        )
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    """Play, compare, print and plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--simulations", type=int, default=500, help="per move of a game")
    parser.add_argument("--judging", type=int, default=20_000, help="for the predicted win share")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = Source(options.game, options.seats, options.simulations, options.seed)
    judge = Source(options.game, options.seats, options.judging, options.seed)
    found = bin_results(*collect(source, judge, options.games))
    gap = sum(abs(predicted - actual) * count for predicted, actual, count in found) / options.games
    for predicted, actual, count in found:
        print(f"predicted {predicted:6.1%}   actual {actual:6.1%}   {count} positions")
    print(f"{options.game}: mean gap {100 * gap:.1f} points over {options.games} positions")
    title = f"{options.game}, {options.games} positions, mean gap {100 * gap:.1f} points"
    (DOCS / f"calibration-{options.game}.svg").write_text(plot(title, found), encoding="utf-8")


if __name__ == "__main__":
    main()
