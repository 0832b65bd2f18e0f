"""A board: a game's record with the words to ask it. Positions and views are boards."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from struct import Struct
from types import ModuleType
from typing import Any

import numpy as np

from . import kernel, notation, state_text
from .errors import InvalidPosition, UnknownGame
from .kernel import CHANCE, NOBODY, Layout
from .record import RULES_VERSION, Record
from .why import Reason, why_not

GAMES = ("mandala", "patterns", "flowers")

# A move made: its row in the table, and who saw the card when chance drew one (a seat from 0, or
# NOBODY when everybody did).
Ply = tuple[int, int]

STRUCT_CODES = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q"}


def rules_of(game: str) -> ModuleType:
    """The rules module of a game by its name. Raises UnknownGame."""
    if game not in GAMES:
        names = ", ".join(GAMES)
        raise UnknownGame("unknown-game", {"game": notation.shorten(game), "games": names})
    return kernel.rules(game)


def seats_of(game: str) -> tuple[int, ...]:
    """For how many seats a game is. Raises UnknownGame."""
    seats: tuple[int, ...] = rules_of(game).SEATS
    return seats


def check_seats(game: str, seats: int) -> None:
    """Raise UnknownGame unless there is such a game for so many seats."""
    if seats not in seats_of(game):
        wanted = ", ".join(map(str, seats_of(game)))
        raise UnknownGame("wrong-seats", {"game": game, "wanted": wanted, "found": seats})


class Board:
    """What positions and views have in common: a record, and how it came about."""

    def __init__(
        self, game: str, seats: int, states: Any, history: tuple[Ply, ...] | None = ()
    ) -> None:
        self.game = game
        self.seats = seats
        self.states = states  # the record in an array of one, to be read, not written
        # The moves so far, or None when the board was read from a text.
        self.history = history
        actor = int(states["actor"][0])
        # The seat that decides, from 1; 0 when chance moves next; None when the game is over.
        self.actor = None if actor == NOBODY else 0 if actor == CHANCE else actor + 1
        self._plain: _Plain | None = None
        self._legal: list[int] | None = None

    @property
    def rules(self) -> ModuleType:
        """The rules module of the game."""
        return kernel.rules(self.game)

    @property
    def calls(self) -> ModuleType:
        """The rules as Python calls them."""
        return kernel.calls(self.game)

    @property
    def state(self) -> Any:
        """The record itself, to be read, not written."""
        return self.states[0]

    @property
    def plain(self) -> Any:
        """The fields of the record as numbers and tuples: quicker to read one by one."""
        if self._plain is None:
            self._plain = _plain_of(self.rules.State, self.states.tobytes())
        return self._plain

    def copy_states(self) -> Any:
        """The record in an array of one, to be changed by the caller."""
        # NumPy copies a record field by field, which takes ten times as long.
        return np.frombuffer(bytearray(self.states.tobytes()), self.states.dtype)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor is None

    @property
    def legal(self) -> list[str]:
        """The legal moves of the seat that decides; empty when nobody does."""
        texts = self.rules.moves.texts
        return [texts[row] for row in self.legal_rows()]

    def legal_rows(self) -> list[int]:
        """The legal moves as rows of the game's table, to be read, not written."""
        if self._legal is None:
            rows = np.empty(len(self.rules.moves.texts), np.int16)
            self._legal = rows[: self.calls.legal(self.states, rows)].tolist()
        return self._legal

    @property
    def scores(self) -> list[int]:
        """The points by seat, as they stand."""
        score = self.calls.score
        return [score(self.states, seat) for seat in range(self.seats)]

    def why_not(self, move: str) -> Reason | None:
        """Why a move is not legal, or None when it is. Raises InvalidMove for what is no move."""
        row = notation.move_number(self.rules, move)
        return why_not(kernel.interpreted(self.game), self.state, row)

    @property
    def moves(self) -> list[str]:
        """The moves so far, chance's included. Raises ValueError for a board read from a text."""
        if self.history is None:
            raise ValueError("a position read from its text does not know the moves before it")
        return [self.rules.moves.texts[row] for row, _ in self.history]

    @property
    def winners(self) -> list[int]:
        """The winning seats, several when the win is shared; empty while the game is on."""
        return leaders(self, range(self.seats)) if self.is_over else []

    def record(self, tags: Mapping[str, str] | None = None) -> Record:
        """The game so far as a record; `tags` adds to or replaces what is known by itself.

        In a view's record of a running game, a card that the seat may not see is `?`.
        """
        own = {
            "Game": self.game,
            "Rules": RULES_VERSION,
            "Seats": str(self.seats),
            "Result": "-".join(map(str, self.scores)) if self.is_over else "*",
        }
        if self.is_over:
            own["Winner"] = " ".join(map(str, self.winners))
        return Record({**own, **(tags or {})}, tuple(self.moves))

    @property
    def text(self) -> str:
        """The board as one line of text, as `state_text` describes it."""
        fields = state_text.write_fields(self.rules.State, self.state)
        return f"{self._head()} {fields}"

    def _head(self) -> str:
        return f"{self.game}/{self.seats}"

    @staticmethod
    def _read(text: str) -> tuple[str, int, str, Any]:
        """Game, seats, what stands behind `@`, and the record of a line of text."""
        head, _, fields = text.strip().partition(" ")
        if not head:
            raise InvalidPosition("empty-position", {})
        name, _, rest = head.partition("/")
        seats, _, seat = rest.partition("@")
        rules_of(name)
        check_seats(name, int(seats) if seats.isdecimal() and len(seats) < 3 else 0)
        column = text.index(head) + len(head) + 2
        states = state_text.read_fields(name, rules_of(name).State, fields, column)
        return name, int(seats), seat, states

    def __str__(self) -> str:
        from .drawing import draw

        return draw(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_text({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.game, self.seats, self.states.tobytes())


class _Plain:
    """The fields of a record as they are asked for: numbers, tuples, tuples of tuples."""

    def __init__(self, layout: Any, record: bytes) -> None:
        reader, self._fields = _reader(layout)
        self._values = reader.unpack(record)

    def __getattr__(self, name: str) -> Any:
        value = self._fields[name](self._values)
        setattr(self, name, value)
        return value


@functools.lru_cache(maxsize=16)
def _plain_of(layout: Any, record: bytes) -> _Plain:
    """Several seats may see the same: it is read once."""
    return _Plain(layout, record)


@functools.cache
def _reader(layout: type[Layout]) -> tuple[Struct, dict[str, Callable[[tuple[int, ...]], Any]]]:
    """How the bytes of a record are read, and how each field is found among the numbers then."""
    codes, fields, start = "<", {}, 0
    for name, field in layout.fields.items():
        size = math.prod(field.shape)
        codes += f"{size}{STRUCT_CODES[field.kind]}"
        fields[name] = _getter(start, field.shape)
        start += size
    return Struct(codes), fields


def _getter(start: int, shape: tuple[int, ...]) -> Callable[[tuple[int, ...]], Any]:
    """What gets a field of a shape from the numbers of a record."""
    if not shape:
        return itemgetter(start)
    if len(shape) == 1:
        return itemgetter(slice(start, start + shape[0]))
    size = math.prod(shape[1:])
    starts = range(start, start + size * shape[0], size)
    if len(shape) == 2 and len(starts) > 1:
        return itemgetter(*(slice(each, each + size) for each in starts))
    rows = [_getter(each, shape[1:]) for each in starts]
    return lambda values: tuple([row(values) for row in rows])


def leaders(board: Board, seats: Iterable[int]) -> list[int]:
    """Of these seats (from 0), the ones that lead by points and then by the tie-break, from 1."""
    standing = {
        seat: (board.rules.score(board.state, seat), board.rules.tie_break(board.state, seat))
        for seat in seats
    }
    return [seat + 1 for seat in standing if standing[seat] == max(standing.values())]
