"""Mandala, Patterns and Flowers: three games whose rules are Python at the speed of C.

>>> import mandala
>>> position = mandala.new("mandala", seed=1)
>>> position.actor
1
"""

from .board import GAMES, seats_of
from .errors import (
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    InvalidRecord,
    MandalaError,
    Place,
    Refused,
    UnknownGame,
    UnknownPlayer,
)
from .game import Position, new
from .record import Record, read_records
from .redeal import redeal
from .replay import boards, check, replay
from .view import View
from .why import Reason

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "IllegalMove",
    "InvalidMove",
    "InvalidPosition",
    "InvalidRecord",
    "MandalaError",
    "Place",
    "Position",
    "Reason",
    "Record",
    "Refused",
    "UnknownGame",
    "UnknownPlayer",
    "View",
    "boards",
    "check",
    "new",
    "read_records",
    "redeal",
    "replay",
    "seats_of",
]
