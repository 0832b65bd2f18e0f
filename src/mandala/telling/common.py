"""A step to be told, and the one who tells it."""

from __future__ import annotations

import functools
from typing import Any

from mandala import texts
from mandala.board import Board
from mandala.games.table import COLOURS, count
from mandala.kernel import interpreted

_plain_rules = functools.cache(interpreted)


class Step:
    """One move of a seat or of chance, with the board before and after it."""

    def __init__(self, before: Board, row: int, drawer: int, after: Board) -> None:
        self.before, self.row, self.drawer, self.after = before, row, drawer, after
        # As plain Python: stories are told one by one.
        self.rules = rules = _plain_rules(before.game)
        self.kind = int(rules.KIND[row])
        self.is_card = before.game != "patterns" and self.kind == rules.CARD

    @property
    def actor(self) -> int:
        """The seat that made the move, from 0."""
        return int(self.before.plain.actor)

    @property
    def colour(self) -> str:
        """The letter of the colour that the move names."""
        return COLOURS[int(self.rules.COLOUR[self.row])]


class Teller:
    """Finds the words: `you` for the seat that listens, `seat n` for the others."""

    def __init__(self, board: Board, language: str) -> None:
        self.language = language
        self.listener: int | None = getattr(board, "seat", None)

    def say(self, code: str, **parts: object) -> str:
        """A sentence about nobody."""
        return texts.fill("tell", code, parts, self.language)

    def by(self, code: str, seat: int, **parts: object) -> str:
        """A sentence about a seat, from 0."""
        who = "you" if self.listener == seat + 1 else "seat"
        return texts.fill("tell", f"{code}-{who}", {"seat": seat + 1, **parts}, self.language)


def was_shuffled(before: Any, after: Any) -> bool:
    """Whether the discard pile became the draw pile."""
    return bool(count(before.discard) > 0 and count(after.discard) == 0)
