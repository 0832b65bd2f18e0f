"""Replaying a record: checks every move against the rules, and the tags against the moves."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import numpy as np

from mandala.engine import CHANCE, NOBODY
from mandala.games import find_game, require_seats
from mandala.games.cards import CARD_KINDS
from mandala.games.reasons import why_not
from mandala.text.errors import IllegalMove, InvalidRecord, MandalaError, Place
from mandala.text.notation import shorten

from .position import Position, new
from .record import Record
from .state import GameState, Ply, leading_seats
from .view import View, visible_states

TERMINATION = re.compile(r"(resigned|time|abandoned) ([1-4])")


def start(record: Record) -> Position:
    """The start of a record's game. Raises InvalidRecord or UnknownGame for wrong tags."""
    tags = record.tags
    if "Game" not in tags:
        raise InvalidRecord("tag-missing", {"tag": "Game"}, place=_first_place(record))
    with _at_tag(record, "Game"):
        game = find_game(tags["Game"])
    with _at_tag(record, "Rules"):
        game.require_rules(tags.get("Rules", game.rules_version))
    seats = tags.get("Seats", "2")
    if not re.fullmatch(r"[1-9][0-9]?", seats):
        raise InvalidRecord("bad-seats", {"text": shorten(seats)}, place=_place_of(record, "Seats"))
    with _at_tag(record, "Game"):
        require_seats(game.id, int(seats))
    return new(game.id, seats=int(seats))


def boards(record: Record) -> Iterator[GameState]:
    """The board before each move of a record, and after the last one.

    A record with hidden cards (`?`) gives views. Raises IllegalMove or InvalidMove with the place
    of the first illegal move.
    """
    game = _start_replay(record)
    yield game.board()
    for ply in range(len(record.moves)):
        game.step(ply)
        yield game.board()
    game.finish()


def decisions(record: Record) -> Iterator[tuple[int, int, list[str]]]:
    """Each decision of a record: its ply, the seat that decides, and its legal moves.

    The decision that an unfinished record leaves open comes last. If the seat's hand is hidden, the
    moves are those that it might allow. Raises at the first illegal move.
    """
    game = _start_replay(record)
    for ply in range(len(record.moves) + 1):
        actor = int(game.actor[0])
        if actor not in (CHANCE, NOBODY):
            yield ply, actor + 1, [game.rules.moves.texts[row] for row in game.possible()]
        if ply < len(record.moves):
            game.step(ply)
    game.finish()


def replay(record: Record) -> GameState:
    """Replay a record and return the last board: a view if cards are hidden."""
    game = _start_replay(record)
    for ply in range(len(record.moves)):
        game.step(ply)
    game.finish()
    return game.board()


def view_of_record(record: Record, seat: int) -> View:
    """Replay a record and return the last board as a seat sees it.

    The record shows all cards, or those that the seat may see. Raises at the first error.
    """
    board = replay(record)
    if isinstance(board, Position):
        return board.view(seat)
    assert isinstance(board, View), "a board is a position or a view"
    return View(board.game, board.seats, board.copy_states(), seat, board.history)


def check(record: Record) -> GameState:
    """Replay a record and check its result tags. Raises at the first error."""
    board = replay(record)
    if isinstance(board, View):
        if record.tags.get("Result", "*") != "*" or "Winner" in record.tags:
            raise InvalidRecord("hidden-result", {}, place=_place_of(record, "Result"))
        _loser(board, record)
        return board
    assert isinstance(board, Position)
    right = result_tags(board, record)
    for tag, code in (("Result", "wrong-result"), ("Winner", "wrong-winner")):
        given = record.tags.get(tag)
        if given is not None and given != right.get(tag):
            parts = {"right": right.get(tag, "*"), "text": shorten(given)}
            raise InvalidRecord(code, parts, place=_place_of(record, tag))
        if given is None and tag in right and "Result" in record.tags:
            raise InvalidRecord("tag-missing", {"tag": tag}, place=_place_of(record, "Result"))
    return board


def result_tags(board: Position, record: Record) -> dict[str, str]:
    """The `Result` and `Winner` tags that follow from a record's moves and `Termination`."""
    points = "-".join(map(str, board.scores))
    loser = _loser(board, record)
    if loser is not None:
        best = leading_seats(board, [seat for seat in range(1, board.seats + 1) if seat != loser])
        return {"Result": points, "Winner": " ".join(map(str, best))}
    if not board.is_over:
        return {"Result": "*"}
    return {"Result": points, "Winner": " ".join(map(str, board.winners))}


def _loser(board: GameState, record: Record) -> int | None:
    """The seat that a record's `Termination` names, from 1, or None when there is no such tag."""
    ending = record.tags.get("Termination")
    if ending is None:
        return None
    found, place = TERMINATION.fullmatch(ending), _place_of(record, "Termination")
    parts = {"text": shorten(ending)}
    if not found:
        raise InvalidRecord("bad-termination", parts, place=place)
    loser = int(found.group(2))
    if loser > board.seats:
        raise InvalidRecord("termination-seat", parts, place=place)
    if not board.actor:
        raise InvalidRecord("termination-too-late", parts, place=place)
    return loser


@contextlib.contextmanager
def _at_tag(record: Record, tag: str) -> Iterator[None]:
    """Give errors raised inside the place of a tag."""
    try:
        yield
    except MandalaError as error:
        raise error.at(_place_of(record, tag)) from None


def _first_place(record: Record) -> Place | None:
    return next(iter([*record.tag_places.values(), *record.places]), None)


def _place_of(record: Record, tag: str) -> Place:
    return record.tag_places.get(tag) or _first_place(record) or Place(1, 1)


def _start_replay(record: Record) -> _Replay:
    """The replay of a record, for hidden cards if the game has them and the record uses them."""
    first = start(record)
    is_hidden = "+?" in record.moves and "+?" in first.rules.moves.number
    return _HiddenReplay(record, first) if is_hidden else _Replay(record, first)


class _Replay:
    """A record being replayed on one state."""

    def __init__(self, record: Record, first: Position) -> None:
        self.record = record
        self.game, self.seats, self.rules = first.game, first.seats, first.rules
        self.spec = first.spec
        self.states = np.array([first.state], self.rules.State.dtype)
        self.state = self.states[0]
        self.actor = self.states["actor"]
        self.history: list[Ply] = []
        self.rows = np.zeros(len(self.rules.moves.texts), np.int16)
        self.weights = np.zeros(len(self.rules.moves.texts), np.int64)

    def step(self, ply: int) -> None:
        """Play one move of the record."""
        try:
            row = self.spec.row_of(self.record.moves[ply])
            if row not in self.possible():
                raise self.illegal_move(row)
        except MandalaError as error:
            places = self.record.places
            raise (error.at(places[ply]) if places else error) from None
        drawer = int(self.rules.drawer(self.state)) if self.actor[0] == CHANCE else NOBODY
        self.rules.apply(self.state, row)
        self.history.append((row, drawer))

    def possible(self) -> list[int]:
        """The rows that can be played now."""
        if self.actor[0] == CHANCE:
            found = self.rules.chance(self.state, self.rows, self.weights)
        else:
            found = self.rules.legal(self.state, self.rows)
        rows: list[int] = self.rows[:found].tolist()
        return rows

    def illegal_move(self, row: int) -> MandalaError:
        """The error for a move that cannot be played now."""
        reason = why_not(self.spec, self.state, row)
        assert reason is not None, "rules and why_not disagree"
        legal = [self.rules.moves.texts[each] for each in self.possible()]
        return IllegalMove(reason.code, reason.parts, legal=legal)

    def finish(self) -> None:
        """Check the record after its last move; raises InvalidRecord."""

    def board(self) -> GameState:
        """The current board."""
        return Position(self.game, self.seats, self.states.copy(), tuple(self.history))


class _HiddenReplay(_Replay):
    """A record with hidden cards: replayed on a view that does not know them."""

    def __init__(self, record: Record, first: Position) -> None:
        super().__init__(record, first)
        self.states[:] = visible_states(self.spec, self.states, None)
        self.state = self.states[0]
        self.unknown = self.rules.moves.number.get("+?")
        self.pool = np.zeros(CARD_KINDS, np.int64)
        self.hides: dict[int, bool] = {}  # for each seat that drew, whether its cards are hidden

    def step(self, ply: int) -> None:
        super().step(ply)
        row, drawer = self.history[-1]
        if drawer != NOBODY and self.hides.setdefault(drawer, row == self.unknown) != (
            row == self.unknown
        ):
            self._fail("mixed-hidden", {"seat": drawer + 1}, ply)
        self.rules.count_unseen(self.state, self.pool)
        if self.pool.min() < 0:
            self._fail("too-many-cards", {}, ply)

    def possible(self) -> list[int]:
        """The rows that can be played now, including any card from an unknown pile."""
        rows = super().possible()
        if self.actor[0] != CHANCE or self.unknown is None:
            return rows
        drawn_unseen = self.rules.drawer(self.state) != NOBODY
        is_known_pile = self.state.pile[: CARD_KINDS - 1].any()
        if rows and rows[0] >= self.rules.CARD_ROW[0] and rows[0] <= self.unknown:
            cards = [row for row in rows if row != self.unknown]
            if not is_known_pile:
                cards = [int(row) for row in self.rules.CARD_ROW[: CARD_KINDS - 1]]
            return [*cards, self.unknown] if drawn_unseen else cards
        return rows

    def illegal_move(self, row: int) -> MandalaError:
        is_card = self.actor[0] == CHANCE and self.unknown in super().possible()
        if row == self.unknown and is_card:
            return InvalidRecord("hidden-in-the-open", {})
        return super().illegal_move(row)

    def finish(self) -> None:
        if list(self.hides.values()).count(False) > 1:
            place = self.record.places[-1] if self.record.places else None
            raise InvalidRecord("hidden-seats", {}, place=place)

    def board(self) -> GameState:
        shown = [seat + 1 for seat, hides in self.hides.items() if not hides]
        seat = shown[0] if len(shown) == 1 else None
        return View(self.game, self.seats, self.states.copy(), seat, tuple(self.history))

    def _fail(self, code: str, parts: dict[str, object], ply: int) -> None:
        place = self.record.places[ply] if self.record.places else None
        raise InvalidRecord(code, parts, place=place)
