"""What the three games share: the six colours, cards counted by colour, and tables of moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import rule
from mandala.text.notation import CHANCE_SIGNS, split_word

COLOURS = "roygvk"
COLOUR_COUNT = 6
# A card whose colour the owner of a view may not know is counted here, behind the six colours.
UNKNOWN = 6
CARDS = 7

ALL_COLOURS = 0b111111


class MoveTable:
    """The moves of a game, one row each: its notation, and the columns that rules read.

    A move is its row number inside and its notation outside. Decisions come first, then the moves
    of chance, whose notation begins with `*`, `!`, or `+` and a single sign.
    """

    def __init__(self, *columns: str) -> None:
        self.columns = columns
        self.texts: list[str] = []
        self.rows: list[tuple[int, ...]] = []
        self.number: dict[str, int] = {}
        self.decisions = 0

    def add(self, text: str, *row: int) -> int:
        """Append a move and return its row number."""
        assert text not in self.number, text
        assert len(row) == len(self.columns), text
        assert (text[0] in CHANCE_SIGNS) == (self.decisions > 0), text
        assert split_word(text) == [text], text
        self.number[text] = len(self.rows)
        self.texts.append(text)
        self.rows.append(row)
        return self.number[text]

    def close_decisions(self) -> None:
        """Say that all moves from here on are chance's."""
        self.decisions = len(self.rows)

    def column(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """One column as an array that compiled rules can read."""
        place = self.columns.index(name)
        return np.array([row[place] for row in self.rows], dtype=np.uint8)


def row_numbers(*shape: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    """An empty array of row numbers, to be filled while a table is built."""
    return np.full(shape, -1, dtype=np.int16)


@rule
def count(cards: Any) -> int:
    """How many cards lie here, the unknown ones included."""
    cards_here = 0
    for colour in range(len(cards)):
        cards_here += int(cards[colour])
    return cards_here


@rule
def take(cards: Any, colour: int, number: int) -> None:
    """Take cards of a colour away: those known to be here first, the rest from the unknown.

    In a full position every card is known. In a view, the cards that others hold unseen, and the
    draws that others made unseen from a known pile, are counted as unknown.
    """
    known = min(int(cards[colour]), number) if colour != UNKNOWN else 0
    cards[colour] -= known
    cards[UNKNOWN] -= number - known
