"""Positions: the entry point to the rules.

    >>> import mandala
    >>> position = mandala.new("patterns", seed=7)
    >>> position.actor, position.legal
    (2, ['Gv', 'Gk'])
    >>> position = position.play("Gv")
    >>> position.actor, len(position.legal)
    (1, 52)

A position is immutable: `play` returns the next one. It holds no random generator and no order of
cards; chance is a player whose moves are played like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from mandala.games import require_seats
from mandala.games.invariants import require_consistent
from mandala.games.moves import Move
from mandala.games.reasons import why_not
from mandala.text.errors import IllegalMove, InvalidPosition

from .state import GameState, Ply, states_from_bytes
from .view import View, is_fully_visible, visible_history, visible_states


def new(game: str, *, seats: int = 2, seed: int | None = None) -> Position:
    """The start of a game. Raises UnknownGame.

    With a seed, the chance moves of the setup are made and the first seat decides. Without one,
    nothing is dealt: play the chance moves one by one, or with `deal`.
    """
    rules = require_seats(game, seats).rules
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], seats)
    start = Position(game, seats, states)
    return start if seed is None else start.deal(np.random.default_rng(seed))


class Position(GameState):
    """The full state of a game, including hidden cards."""

    _views: dict[int | None, View]
    _outcomes: tuple[tuple[int, ...], tuple[int, ...]] | None

    def __init__(
        self, game: str, seats: int, states: Any, history: tuple[Ply, ...] | None = ()
    ) -> None:
        super().__init__(game, seats, states, history)
        vars(self).update(_views={}, _outcomes=None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, self.seats, self.states.tobytes(), self.history)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """A position from the text that `position.text` returns. Raises InvalidPosition."""
        game, seats, seat, states = cls._read(text)
        if seat:
            raise InvalidPosition("impossible-position", {"impossible": "view-not-position"})
        require_consistent(game, seats, states[0], hidden=False)
        return cls(game.id, seats, states, None)

    @property
    def chance(self) -> dict[str, float]:
        """The possible chance moves with their probabilities; empty when a seat decides."""
        weights = self.chance_weights
        total = sum(weights.values())
        return {move: weight / total for move, weight in weights.items()}

    @property
    def chance_weights(self) -> dict[str, int]:
        """The possible chance moves with integer weights, in the order of the move list."""
        rows, weights = self._chance_rows()
        texts = self.rules.moves.texts
        return {texts[row]: weight for row, weight in zip(rows, weights, strict=True)}

    def play(self, move: str | Move, generator: np.random.Generator | None = None) -> Position:
        """The position after a move of a seat or of chance, given as a `Move` or in notation.

        With a generator, chance moves are then made until a seat must decide. Raises InvalidMove
        when the text is not a move of this game and IllegalMove, with the legal moves, when it is
        not legal.
        """
        after = self.play_row(self.spec.row_of(str(move)))
        return after if generator is None else after.deal(generator)

    def play_row(self, row: int) -> Position:
        """The position after the move in a row of the move list. Raises IllegalMove."""
        if row not in self.possible_rows():
            raise self._illegal_move(row)
        states = self.copy_states()
        drawer = self.calls.play(states, row)
        history = None if self.history is None else (*self.history, (row, drawer))
        return Position(self.game, self.seats, states, history)

    def play_all(self, moves: Sequence[str]) -> Position:
        """The position after several moves. Raises as `play` does."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    def possible_rows(self) -> tuple[int, ...]:
        """The rows that can be played now: the actor's legal moves or the possible chance moves."""
        if self.actor == 0:
            return self._chance_rows()[0]
        # The actor's view has the same legal moves, and may have computed them already.
        return self._views.get(self.actor, self).legal_rows()

    def _chance_rows(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The possible chance moves as rows, and their weights."""
        if self.actor != 0:
            return (), ()
        if self._outcomes is None:
            rows, weights = self._chance_buffers()
            found = self.rules.chance(self.state, rows, weights)
            outcomes = tuple(rows[:found].tolist()), tuple(weights[:found].tolist())
            vars(self)["_outcomes"] = outcomes
        assert self._outcomes is not None, "just computed"
        return self._outcomes

    def _chance_buffers(self) -> tuple[Any, Any]:
        """Arrays for the rows and the weights of the possible chance moves."""
        size = len(self.rules.moves.texts)
        return np.zeros(size, np.int16), np.zeros(size, np.int64)

    def deal(self, generator: np.random.Generator) -> Position:
        """Make random chance moves until a seat must decide or the game is over."""
        return self.draw(lambda limit: int(generator.integers(limit)))

    def draw(self, below: Callable[[int], int]) -> Position:
        """Make chance moves selected by given numbers: `below(6)` must return a number from 0 to 5.

        The number selects one of the possible chance moves, each counted as often as its weight.
        """
        if self.actor != 0:
            return self
        calls, states, plies = self.calls, self.copy_states(), []
        rows, weights = self._chance_buffers()
        total = calls.list_chance(states, rows, weights)
        while total:
            row, drawer, total = calls.draw(states, below(total), rows, weights)
            plies.append((row, drawer))
        history = None if self.history is None else (*self.history, *plies)
        return Position(self.game, self.seats, states, history)

    def view(self, seat: int | None) -> View:
        """What a seat (from 1) or a spectator (None) may know; everything once the game is over.

        Raises ValueError for a seat that does not exist.
        """
        if seat is not None and not 1 <= seat <= self.seats:
            raise ValueError(f"there is no seat {seat}; seats are 1 to {self.seats}")
        if seat not in self._views:
            states, history = self.states, self.history
            if not is_fully_visible(self.spec, states):
                states = visible_states(self.spec, states, seat)
                history = visible_history(self.spec, history, seat)
            self._views[seat] = View(self.game, self.seats, states, seat, history)
        return self._views[seat]

    def _illegal_move(self, row: int) -> IllegalMove:
        reason = why_not(self.spec, self.state, row)
        assert reason is not None, "rules and why_not disagree"
        legal = [self.rules.moves.texts[each] for each in self.possible_rows()]
        return IllegalMove(reason.code, reason.parts, legal=legal)


def _unpickle(game: str, seats: int, record: bytes, history: tuple[Ply, ...] | None) -> Position:
    return Position(game, seats, states_from_bytes(game, record), history)
