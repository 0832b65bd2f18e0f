"""Boards encoded as JSON, with a cache because several recipients often see the same board."""

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
    # The union of all games' boards, as named in the OpenAPI document and the page's types.
    AnyBoard = functools.reduce(
        operator.or_, (game.module("board").BOARD_TYPE for game in all_games())
    )

MAX_CACHED = 16  # boards

_encode = msgspec.json.Encoder().encode


class EncodedBoard(NamedTuple):
    """A board as JSON, and the scores by seat."""

    text: msgspec.Raw
    scores: list[int]


_cache: dict[tuple[str, int, bytes], EncodedBoard] = {}


def encoded_board(state: GameState) -> EncodedBoard:
    """Return the board of a view, or of a finished game's position, as JSON."""
    key = (state.game, state.seats, state.states.tobytes())
    if (found := _cache.get(key)) is None:
        board: Any = state.board
        found = EncodedBoard(msgspec.Raw(_encode(board)), [seat.points for seat in board.seats])
        if len(_cache) >= MAX_CACHED:
            _cache.clear()
        _cache[key] = found
    return found
