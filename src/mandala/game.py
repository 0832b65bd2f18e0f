"""Positions: the one door to the rules.

    >>> import mandala
    >>> position = mandala.new("patterns", seed=7)
    >>> position.actor, position.legal
    (2, ['Gv', 'Gk'])
    >>> position = position.play("Gv")
    >>> position.actor, len(position.legal)
    (1, 52)

A position never changes: `play` returns the next one. It holds no generator and no order of
cards; chance is a player whose moves are played like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Self

import numpy as np

from . import kernel, notation
from .board import Board, Ply, check_seats, rules_of
from .consistency import check_consistent
from .errors import IllegalMove, InvalidPosition
from .view import View, has_no_secrets, veiled, visible_history
from .why import why_not


def new(game: str, *, seats: int = 2, seed: int | None = None) -> Position:
    """The start of a game.

    With a seed, chance has made the moves of the setup and the first seat decides. Without one,
    nothing is dealt: chance's moves are yours to play, one by one or with `deal`.
    """
    check_seats(game, seats)
    rules = rules_of(game)
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], seats)
    start = Position(game, seats, states)
    return start if seed is None else start.deal(np.random.default_rng(seed))


class Position(Board):
    """The whole truth about a game at one moment."""

    def __init__(
        self, game: str, seats: int, states: Any, history: tuple[Ply, ...] | None = ()
    ) -> None:
        super().__init__(game, seats, states, history)
        # What was asked for last: a live table decides, plays and tells from the same positions.
        self._next: tuple[tuple[int, ...], Position] | None = None
        self._views: dict[int | None, View] = {}
        self._outcomes: tuple[list[int], list[int]] | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `position.text` wrote. Raises InvalidPosition."""
        game, seats, seat, states = cls._read(text)
        if seat:
            raise InvalidPosition("impossible-position", {"impossible": "view-not-position"})
        check_consistent(game, seats, states[0], hidden=False)
        return cls(game, seats, states, None)

    @property
    def chance(self) -> dict[str, float]:
        """Chance's possible moves with their probabilities; empty when a seat decides."""
        weights = self.chance_weights
        total = sum(weights.values())
        return {move: weight / total for move, weight in weights.items()}

    @property
    def chance_weights(self) -> dict[str, int]:
        """Chance's possible moves with whole weights, in the order of the game's table."""
        rows, weights = self._chance_rows()
        texts = self.rules.moves.texts
        return {texts[row]: weight for row, weight in zip(rows, weights, strict=True)}

    def play(self, move: str, generator: np.random.Generator | None = None) -> Position:
        """The position after a move, of a seat or of chance.

        With a generator, chance then plays on until a seat must decide. Raises InvalidMove when
        the text is no move of this game and IllegalMove, with the legal ones, when it is not legal.
        """
        row = notation.move_number(self.rules, move)
        after = self.play_row(row)
        return after if generator is None else after.deal(generator)

    def play_row(self, row: int) -> Position:
        """The position after the move in a row of the table. Raises IllegalMove."""
        if self._next is not None and self._next[0] == (row,):
            return self._next[1]
        if row not in self.possible_rows():
            raise self._illegal(row)
        states = self.copy_states()
        drawer = self.calls.play(states, row)
        history = None if self.history is None else (*self.history, (row, drawer))
        self._next = (row,), Position(self.game, self.seats, states, history)
        return self._next[1]

    def play_all(self, moves: Sequence[str]) -> Position:
        """The position after some moves, one after the other. Raises as `play` does."""
        if not moves:
            return self
        rows = tuple(notation.move_number(self.rules, move) for move in moves)
        if self._next is not None and self._next[0] == rows:
            return self._next[1]
        position = self
        for row in rows:
            position = position.play_row(row)
        return position

    def possible_rows(self) -> list[int]:
        """Rows that can be played now: the actor's legal moves, or chance's possible ones."""
        if self.actor == 0:
            return self._chance_rows()[0]
        # Who decides can tell: if their view was asked before, the rules need not be asked again.
        return self._views.get(self.actor, self).legal_rows()

    def _chance_rows(self) -> tuple[list[int], list[int]]:
        """Chance's possible moves as rows, and their weights."""
        if self.actor != 0:
            return [], []
        if self._outcomes is None:
            self._outcomes = _chance(self.rules, self.state, *_room_for_chance(self.rules))
        return self._outcomes

    def deal(self, generator: np.random.Generator) -> Position:
        """Let chance play until a seat must decide or the game is over."""
        return self.draw(lambda limit: int(generator.integers(limit)))

    def draw(self, below: Callable[[int], int]) -> Position:
        """Let chance play on by numbers that are given: `below(6)` is one from 0 to 5.

        The number counts through chance's possible moves, each as often as its weight says.
        """
        if self.actor != 0:
            return self
        calls, states, plies = self.calls, self.copy_states(), []
        rows, weights = _room_for_chance(self.rules)
        total = calls.weigh(states, rows, weights)
        while total:
            row, drawer, total = calls.draw(states, below(total), rows, weights)
            plies.append((row, drawer))
        history = None if self.history is None else (*self.history, *plies)
        rows_played = tuple(row for row, _ in plies)
        self._next = rows_played, Position(self.game, self.seats, states, history)
        return self._next[1]

    def view(self, seat: int | None) -> View:
        """What a seat may know, from 1; None for a spectator. Once the game is over: everything."""
        if seat is not None and not 1 <= seat <= self.seats:
            raise ValueError(f"there is no seat {seat}; seats are 1 to {self.seats}")
        if seat not in self._views:
            states, history = self.states, self.history
            if not has_no_secrets(self.rules, states):
                states = veiled(self.rules, states, seat)
                history = visible_history(self.rules, history, seat)
            self._views[seat] = View(self.game, self.seats, states, seat, history)
        return self._views[seat]

    def _illegal(self, row: int) -> IllegalMove:
        reason = why_not(kernel.interpreted(self.game), self.state, row)
        assert reason is not None, "the rules and why_not must agree"
        legal = [self.rules.moves.texts[each] for each in self.possible_rows()]
        return IllegalMove(reason.code, reason.parts, legal=legal)


def _room_for_chance(rules: ModuleType) -> tuple[Any, Any]:
    """Arrays for chance's possible moves and their weights."""
    return np.zeros(len(rules.moves.texts), np.int16), np.zeros(len(rules.moves.texts), np.int64)


def _chance(rules: ModuleType, state: Any, rows: Any, weights: Any) -> tuple[list[int], list[int]]:
    found = rules.chance(state, rows, weights)
    return rows[:found].tolist(), weights[:found].tolist()
