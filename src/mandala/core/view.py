"""Views: a game state as one seat knows it, with hidden cards unknown.

A view is made by adding what the seat may see to an empty record, never by removing from the full
one. It is a record of the same game, so the rules work on it too.
"""

from __future__ import annotations

import functools
from typing import Any, Self

import numpy as np

from mandala.engine import NOBODY, OWN, PUBLIC, Layout
from mandala.games import Game
from mandala.games.invariants import require_consistent
from mandala.text.errors import InvalidPosition

from .state import GameState, Ply, states_from_bytes


class View(GameState):
    """A seat's view of a position, or a spectator's when `seat` is None."""

    seat: int | None

    def __init__(
        self,
        game: str,
        seats: int,
        states: Any,
        seat: int | None,
        history: tuple[Ply, ...] | None = None,
    ) -> None:
        super().__init__(game, seats, states, history)
        vars(self)["seat"] = seat

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, self.seats, self.states.tobytes(), self.seat, self.history)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """A view from the text that `view.text` returns. Raises InvalidPosition."""
        game, seats, seat, states = cls._read(text)
        if not seat.isdecimal() or int(seat) > seats:
            raise InvalidPosition("impossible-position", {"impossible": "position-not-view"})
        require_consistent(game, seats, states[0], hidden=True)
        return cls(game.id, seats, states, int(seat) or None)

    @property
    def legal(self) -> list[str]:
        """The seat's own legal moves; empty while another seat or chance moves."""
        return super().legal if self.seat is not None and self.actor == self.seat else []

    def _header(self) -> str:
        return f"{super()._header()}@{self.seat or 0}"

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self.seat)


def _unpickle(
    game: str, seats: int, record: bytes, seat: int | None, history: tuple[Ply, ...] | None
) -> View:
    return View(game, seats, states_from_bytes(game, record), seat, history)


def visible_states(game: Game, states: Any, seat: int | None) -> Any:
    """What a seat (from 1, None for a spectator) may see of a record, in an array of one."""
    index, dtype = NOBODY if seat is None else seat - 1, game.rules.State.dtype
    if is_fully_visible(game, states):
        return np.frombuffer(bytearray(states.tobytes()), dtype)
    seen = _visible_bytes(game.rules.State, index)
    shown = (np.frombuffer(states.tobytes(), np.uint8) & seen).view(dtype)
    game.calls.fill_view(states, shown, index)
    return shown


def is_fully_visible(game: Game, states: Any) -> bool:
    """Whether nothing is hidden: in a game without hidden information, or once it is over."""
    return not game.has_hidden_information or bool(states["actor"][0] == NOBODY)


@functools.cache
def _visible_bytes(layout: type[Layout], index: int) -> Any:
    """A mask of the bytes of a record that a seat may see."""
    mask, columns = np.zeros(layout.dtype.itemsize, np.uint8), layout.dtype.fields
    assert columns is not None, "a layout has fields"
    for name, field in layout.fields.items():
        column, offset = columns[name][:2]
        if field.seen == PUBLIC:
            mask[offset : offset + column.itemsize] = 0xFF
        elif field.seen == OWN and index != NOBODY:
            row = column.itemsize // field.shape[0]
            mask[offset + index * row : offset + (index + 1) * row] = 0xFF
    return mask


def visible_history(
    game: Game, history: tuple[Ply, ...] | None, seat: int | None
) -> tuple[Ply, ...] | None:
    """The moves so far as a seat saw them: cards drawn by other seats are `?`."""
    unknown = game.rules.moves.number.get("+?")
    if history is None or unknown is None:  # a game without hidden draws
        return history
    index = NOBODY if seat is None else seat - 1
    return tuple((row if drawer in (NOBODY, index) else unknown, drawer) for row, drawer in history)
