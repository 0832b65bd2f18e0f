"""The board of Tiny as structures with named fields."""

from __future__ import annotations

from typing import Any

from mandala.engine import PlainRecord
from mandala.games.board import BoardPart


class TinySeat(BoardPart, frozen=True):
    """What belongs to a seat."""

    points: int


class TinyBoard(BoardPart, frozen=True, tag="tiny"):
    """A position of Tiny: the counters left, the number that the die shows, and the seats."""

    heap: int
    die: int
    seats: list[TinySeat]


def make_board(record: PlainRecord, states: Any, scores: list[int]) -> TinyBoard:
    """The board of a position or view."""
    seats = [TinySeat(points=points) for points in scores]
    return TinyBoard(heap=record.heap, die=record.die, seats=seats)


BOARD_TYPE = TinyBoard
