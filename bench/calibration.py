"""Hold the search's chances of winning against results: `python -m bench.calibration mandala`.

Plays games of the search with itself, thinks longer about one position of each, and compares by
tenths the share of the win that the seat to move was given there with the one that it got. Prints
the mean gap, weighted by positions, and writes a drawing to `docs/calibration-GAME.svg`.
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
    """From one position of each game: what the seat to move was given, and its share of the win."""
    said, real = [], []
    for _ in range(games):
        kept, _, share = source.play(keep=1.0, mistakes=0.0)
        state = kept[int(source.chance.integers(len(kept)))][0]
        seat = int(state.actor)
        said.append(judge.search(state)[1][seat])
        real.append(share[seat])
    return np.array(said), np.array(real)


def tenths(said: Any, real: Any) -> list[tuple[float, float, int]]:
    """By tenth: the mean of what was said, of what came, and how many positions there are."""
    which = np.minimum((said * 10).astype(int), 9)
    return [
        (float(said[which == tenth].mean()), float(real[which == tenth].mean()), int(count))
        for tenth in range(10)
        if (count := (which == tenth).sum())
    ]


def draw(title: str, found: list[tuple[float, float, int]]) -> str:
    """The tenths as circles, larger for more positions, around the line where both are equal."""
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
        f'<text x="{far}" y="{far + 15}" text-anchor="end">said</text>',
        f'<text x="{MARGIN - 30}" y="{MARGIN + 10}">came</text>',
    ]
    for said, real, count in found:
        x, y = MARGIN + SIDE * said, far - SIDE * real
        size = 3 + 20 * (count / total) ** 0.5
        lines.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="#2a6f97" opacity=".7"/>'
        )
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    """Play, compare, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--simulations", type=int, default=500, help="for a move of a game")
    parser.add_argument("--judging", type=int, default=20_000, help="for the chance of winning")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    source = Source(asked.game, asked.seats, asked.simulations, asked.seed)
    judge = Source(asked.game, asked.seats, asked.judging, asked.seed)
    found = tenths(*collect(source, judge, asked.games))
    gap = sum(abs(said - real) * count for said, real, count in found) / asked.games
    for said, real, count in found:
        print(f"said {said:6.1%}   came {real:6.1%}   {count} positions")
    print(f"{asked.game}: mean gap {100 * gap:.1f} points over {asked.games} positions")
    title = f"{asked.game}, {asked.games} positions, mean gap {100 * gap:.1f} points"
    (DOCS / f"calibration-{asked.game}.svg").write_text(draw(title, found), encoding="utf-8")


if __name__ == "__main__":
    main()
