"""Oracles: implementations of the games, written from the rules pages alone."""

from .base import COLOURS, Game
from .flowers import Flowers
from .mandala import Mandala
from .patterns import Patterns

__all__ = ["COLOURS", "Flowers", "Game", "Mandala", "Patterns", "new"]


def new(game: str, seats: int = 2) -> Game:
    """A new game, before its first setup draw."""
    if game == "flowers":
        return Flowers(seats)
    if seats != 2:
        raise ValueError(f"{game} is played with two seats")
    if game == "mandala":
        return Mandala()
    if game == "patterns":
        return Patterns()
    raise ValueError(f"unknown game: {game}")
