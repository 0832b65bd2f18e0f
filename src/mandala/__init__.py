"""Mandala, Patterns and Flowers: three board games with rules in compiled Python.

>>> import mandala
>>> position = mandala.new("mandala", seed=1)
>>> position.actor
1
"""

from typing import TYPE_CHECKING

from .core.position import Position, new
from .core.record import Record, read_records
from .core.replay import boards, check, replay
from .core.view import View
from .games import Game, all_games, find_game, game_ids
from .games.moves import Move
from .games.reasons import Reason
from .hidden.determinization import determinize
from .text.errors import (
    IllegalMove,
    InvalidArgument,
    InvalidMove,
    InvalidPosition,
    InvalidRecord,
    MandalaError,
    Place,
    Refused,
    UnknownGame,
    UnknownPlayer,
)

if TYPE_CHECKING:
    from .core.batch import Batch

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Game",
    "IllegalMove",
    "InvalidArgument",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "MandalaError",
    "Move",
    "Place",
    "Position",
    "Reason",
    "Record",
    "Refused",
    "UnknownGame",
    "UnknownPlayer",
    "View",
    "all_games",
    "boards",
    "check",
    "determinize",
    "find_game",
    "game_ids",
    "new",
    "read_records",
    "replay",
]


def __getattr__(name: str) -> object:
    """Import `Batch` when it is first used, since it loads the compiler."""
    if name == "Batch":
        from .core.batch import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
