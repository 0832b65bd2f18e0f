"""Boards as JSON, encoded once for all who see the same."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mandala.core.state import GameState
from mandala.games import all_games
from mandala.games.board import BoardPart

if TYPE_CHECKING:
    AnyBoard = BoardPart
else:
    # The union of the boards of all games: the API's document and the page's types name each.
    AnyBoard = functools.reduce(
        operator.or_, (game.module("board").BOARD_TYPE for game in all_games())
    )

MAX_CACHED = 16  # boards that are kept, for others who see the same

_encode = msgspec.json.Encoder().encode


class EncodedBoard(NamedTuple):
    """A board as JSON, and the points by seat."""

    text: msgspec.Raw
    scores: list[int]


_cache: dict[tuple[str, int, bytes], EncodedBoard] = {}


def encoded_board(state: GameState) -> EncodedBoard:
    """The board of a view, or of a whole position of a game that is over, as JSON."""
    # Views of several seats that are equal, to the last byte, are encoded once.
    key = (state.game, state.seats, state.states.tobytes())
    if (found := _cache.get(key)) is None:
        board: Any = state.board
        found = EncodedBoard(msgspec.Raw(_encode(board)), [seat.points for seat in board.seats])
        if len(_cache) >= MAX_CACHED:
            _cache.clear()
        _cache[key] = found
    return found
