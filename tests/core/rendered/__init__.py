"""Rendered boards: a position of each game as text, in every language.

To write them again, after the rules or the rendering have changed:

    ./run python -m tests.core.rendered

Positions are stored as records with their chance moves, so they do not depend on a random
generator.
"""

from __future__ import annotations

from pathlib import Path

import mandala
from mandala import Position
from mandala.core.render import render_text
from mandala.text.catalogue import LANGUAGES
from tests.cli.tools import random_game

HOME = Path(__file__).parent
SEED = 3
# A game, its number of seats, and the decisions that were made.
CASES = {
    "mandala": ("mandala", 2, 40),
    "patterns": ("patterns", 2, 14),
    "flowers": ("flowers", 2, 40),
    "flowers-4": ("flowers", 4, 90),
}
SEATS = (None, 2)  # who looks at the position; None shows everything


def record_path(case: str) -> Path:
    """The file with the moves up to the position."""
    return HOME / f"{case}.record"


def text_path(case: str, seat: int | None, language: str) -> Path:
    """The file with the rendered position."""
    return HOME / f"{case}.{'all' if seat is None else f'seat{seat}'}.{language}.txt"


def position_of(case: str) -> Position:
    """The stored position."""
    text = record_path(case).read_text(encoding="utf-8")
    position = mandala.replay(next(mandala.read_records(text)))
    assert isinstance(position, Position)
    return position


def rendered(case: str, seat: int | None, language: str) -> str:
    """The stored position as it is rendered now."""
    position = position_of(case)
    return render_text(position if seat is None else position.view(seat), language) + "\n"


def write() -> None:
    """Play to all positions and write their records and texts."""
    for case, (game, seats, decisions) in CASES.items():
        record = random_game(game, SEED, seats, decisions).record()
        record_path(case).write_text(str(record), encoding="utf-8")
        for seat in SEATS:
            for language in LANGUAGES:
                text = rendered(case, seat, language)
                text_path(case, seat, language).write_text(text, encoding="utf-8")
