"""The games, one folder each, and their registry.

Adding a game to this package is one folder here, one under `web/src/boards`, and one entry in
`BUILT_IN`. A game of another package is registered by `register` in one process, or in every
process of the program by the environment variable `MANDALA_GAMES`: packages that have a `GAME`,
separated by commas.
"""

from __future__ import annotations

import importlib
import os

from mandala import engine
from mandala.text import catalogue
from mandala.text.errors import UnknownGame
from mandala.text.notation import shorten

from .spec import Game

__all__ = ["Game", "all_games", "find_game", "game_ids", "register", "require_seats"]

BUILT_IN = ("mandala", "patterns", "flowers")

_games: dict[str, Game] = {}


def register(game: Game) -> None:
    """Add a game, with its sources for the compile cache and its sentences for the catalogue.

    Raises ValueError when the id is taken, ModuleNotFoundError and FileNotFoundError when its
    package or its sentences are missing, and RuntimeError once anything has been compiled.
    """
    if game.id in _games:
        raise ValueError(f"there is a game {game.id!r} already")
    engine.add_sources(game.folder)
    catalogue.add_folder(game.folder)
    _games[game.id] = game


def all_games() -> tuple[Game, ...]:
    """All registered games."""
    return tuple(_games.values())


def game_ids() -> tuple[str, ...]:
    """The ids of all registered games, such as "flowers"."""
    return tuple(_games)


def find_game(game_id: str) -> Game:
    """A game by its id. Raises UnknownGame."""
    game = _games.get(game_id)
    if game is None:
        parts = {"game": shorten(game_id), "games": ", ".join(_games)}
        raise UnknownGame("unknown-game", parts)
    return game


def require_seats(game_id: str, seats: int) -> Game:
    """A game by its id, if it can be played with this number of seats. Raises UnknownGame."""
    game = find_game(game_id)
    if seats not in game.seats:
        wanted = ", ".join(map(str, game.seats))
        raise UnknownGame("wrong-seats", {"game": game_id, "wanted": wanted, "found": seats})
    return game


_packages = [f"{__name__}.{name}" for name in BUILT_IN]
_packages += filter(None, os.environ.get("MANDALA_GAMES", "").split(","))
for _package in _packages:
    register(importlib.import_module(_package).GAME)
