"""What the three games share: the six colours, cards counted by colour, and move lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import rule
from mandala.text.notation import CHANCE_PREFIXES, split_word

COLOURS = "roygvk"
COLOUR_COUNT = 6
UNKNOWN = 6  # the index of cards whose colour the viewer does not know, after the six colours
CARD_KINDS = 7

ALL_COLOURS = 0b111111


class MoveList:
    """The moves of a game, one per row: their notation, and the columns that the rules read.

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
        assert (text[0] in CHANCE_PREFIXES) == (self.decisions > 0), text
        assert split_word(text) == [text], text
        self.number[text] = len(self.rows)
        self.texts.append(text)
        self.rows.append(row)
        return self.number[text]

    def close_decisions(self) -> None:
        """End the decisions: all moves added after this are chance moves."""
        self.decisions = len(self.rows)

    def column(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """One column as an array that compiled rules can read."""
        place = self.columns.index(name)
        return np.array([row[place] for row in self.rows], dtype=np.uint8)


def row_numbers(*shape: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    """An array of row numbers, all -1, to be filled while a move list is built."""
    return np.full(shape, -1, dtype=np.int16)


@rule
def count(cards: Any) -> int:
    """The number of cards in an area, including unknown ones."""
    cards_here = 0
    for colour in range(len(cards)):
        cards_here += int(cards[colour])
    return cards_here


@rule
def take(cards: Any, colour: int, number: int) -> None:
    """Remove cards of a colour from an area: known ones first, the rest from the unknown ones.

    In a full position every card is known. In a view, cards that other seats hold unseen, and cards
    that they drew unseen from a known pile, are counted as unknown.
    """
    known = min(int(cards[colour]), number) if colour != UNKNOWN else 0
    cards[colour] -= known
    cards[UNKNOWN] -= number - known
