"""Moves with named parts besides their notation, like `Move` in python-chess.

Each game has a subclass in `games/<game>/moves.py` that names the parts of its moves.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    """A move of a seat or of chance: `str(move)` is its notation."""

    text: str  # the notation, such as "A1r"
    kind: str  # what kind of move it is, such as "centre"
    is_chance: bool

    def __str__(self) -> str:
        return self.text
