"""The base class of positions and views: one record of a game, and its queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from mandala.engine import CHANCE, NOBODY, PlainRecord, plain_record
from mandala.games import Game, find_game, require_seats
from mandala.games.moves import Move
from mandala.games.reasons import Reason, why_not
from mandala.text.errors import InvalidPosition

from . import position_text
from .record import Record

if TYPE_CHECKING:
    from mandala.games.board import BoardPart

# A move that was made: its row in the move list, and the seat (from 0) that alone saw the card
# drawn by chance, or NOBODY.
Ply = tuple[int, int]


class GameState:
    """Base class of `Position` and `View`: an immutable value.

    States are equal when their records are, whatever moves led to them. They can be hashed, copied
    and pickled, and hold no reference to any other position.
    """

    game: str  # the id of the game
    seats: int
    states: Any  # the record in a read-only array of one
    history: tuple[Ply, ...] | None  # the moves so far; None if read from a text
    actor: int | None  # the seat that decides, from 1; 0 for chance; None when the game is over
    _record: bytes
    _legal: tuple[int, ...] | None

    def __init__(
        self, game: str, seats: int, states: Any, history: tuple[Ply, ...] | None = ()
    ) -> None:
        record = states.tobytes()
        # An array on a bytes object is read-only, and cannot be made writable.
        frozen = np.frombuffer(record, states.dtype)
        actor = int(frozen["actor"][0])
        vars(self).update(
            game=game,
            seats=seats,
            states=frozen,
            history=history,
            actor=None if actor == NOBODY else 0 if actor == CHANCE else actor + 1,
            _record=record,
            _legal=None,
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    @property
    def spec(self) -> Game:
        """The game, as registered."""
        return find_game(self.game)

    @property
    def rules(self) -> ModuleType:
        """The rules module of the game."""
        return self.spec.rules

    @property
    def calls(self) -> ModuleType:
        """The rules for Python callers: see `mandala.engine.calls`."""
        return self.spec.calls

    @property
    def state(self) -> Any:
        """The record itself, read-only."""
        return self.states[0]

    @property
    def plain(self) -> PlainRecord:
        """The fields of the record as Python numbers and tuples, which are quick to read singly."""
        return plain_record(self.spec.plain_rules.State, self._record)

    @property
    def board(self) -> BoardPart:
        """The position as structures with named fields: see `games/<game>/board.py`."""
        board: BoardPart = self.spec.module("board").make_board(
            self.plain, self.states, self.scores
        )
        return board

    def copy_states(self) -> Any:
        """A copy of the record in an array of one, for the caller to change."""
        # NumPy copies a record field by field, which takes ten times as long.
        return np.frombuffer(bytearray(self._record), self.states.dtype)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor is None

    @property
    def legal(self) -> list[str]:
        """The legal moves of the seat that decides; empty when no seat does."""
        texts = self.rules.moves.texts
        return [texts[row] for row in self.legal_rows()]

    def legal_rows(self) -> tuple[int, ...]:
        """The legal moves as rows of the game's move list."""
        if self._legal is None:
            rows = np.empty(len(self.rules.moves.texts), np.int16)
            found = self.calls.legal(self.states, rows)
            vars(self)["_legal"] = tuple(rows[:found].tolist())
        assert self._legal is not None, "just computed"
        return self._legal

    @property
    def legal_moves(self) -> list[Move]:
        """The moves of `legal` with named parts, such as `move.kind` and `move.colour`."""
        return [self.spec.move(text) for text in self.legal]

    @property
    def scores(self) -> list[int]:
        """The current points by seat."""
        score = self.calls.score
        return [score(self.states, seat) for seat in range(self.seats)]

    def why_not(self, move: str | Move) -> Reason | None:
        """Why a move is not legal, or None when it is. Raises InvalidMove if it is not a move."""
        return why_not(self.spec, self.state, self.spec.row_of(str(move)))

    @property
    def moves(self) -> list[str]:
        """The moves so far, with chance moves. Raises ValueError for a state read from a text."""
        if self.history is None:
            raise ValueError("a position read from its text does not know the moves before it")
        return [self.rules.moves.texts[row] for row, _ in self.history]

    @property
    def winners(self) -> list[int]:
        """The winning seats, several when the win is shared; empty until the game is over."""
        return leading_seats(self, range(1, self.seats + 1)) if self.is_over else []

    def record(self, tags: Mapping[str, str] | None = None) -> Record:
        """The game so far as a record; `tags` adds to or replaces its own tags.

        In a view's record of a running game, a card that the seat may not see is `?`.
        """
        own = {
            "Game": self.game,
            "Rules": self.spec.rules_version,
            "Seats": str(self.seats),
            "Result": "-".join(map(str, self.scores)) if self.is_over else "*",
        }
        if self.is_over:
            own["Winner"] = " ".join(map(str, self.winners))
        return Record({**own, **(tags or {})}, tuple(self.moves))

    @property
    def text(self) -> str:
        """The state as one line of text, as `position_text` describes it."""
        fields = position_text.write_fields(self.rules.State, self.state)
        return f"{self._header()} {fields}"

    def _header(self) -> str:
        return f"{self.game}/{self.seats}"

    @staticmethod
    def _read(text: str) -> tuple[Game, int, str, Any]:
        """The game, the number of seats, the text after `@`, and the record of a line of text."""
        head, _, fields = text.strip().partition(" ")
        if not head:
            raise InvalidPosition("empty-position", {})
        name, _, rest = head.partition("/")
        seats, _, seat = rest.partition("@")
        number = int(seats) if seats.isdecimal() and len(seats) < 3 else 0
        game = require_seats(name, number)
        column = text.index(head) + len(head) + 2
        states = position_text.read_fields(name, game.rules.State, fields, column)
        return game, number, seat, states

    def __str__(self) -> str:
        from .render import render_text

        return render_text(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_text({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.game, self.seats, self._record)

    def __copy__(self) -> GameState:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> GameState:
        return self


def states_from_bytes(game: str, record: bytes) -> Any:
    """The record of a pickled state, in an array of one."""
    return np.frombuffer(record, find_game(game).plain_rules.State.dtype)


def leading_seats(state: GameState, seats: Iterable[int]) -> list[int]:
    """Those of the given seats (from 1) that lead by points and then by the tie-break."""
    rules, record = state.rules, state.state
    standing = {
        seat: (rules.score(record, seat - 1), rules.tie_break(record, seat - 1)) for seat in seats
    }
    return [seat for seat in standing if standing[seat] == max(standing.values())]
