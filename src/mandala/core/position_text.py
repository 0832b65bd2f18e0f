"""A position, or a seat's view of one, as one line of text, like FEN in chess.

    mandala/2 2 0 0 0 0 0 0 rk/go ././././ …

First the game and the number of seats, for a view also `@` and the seat (`@0` for a spectator);
then every field of the record in the order it is declared:

- cards as letters with their number behind, `r2k` for two red and a black, `.` for none, `?6` for
  six unknown ones; rows are parted by `/`;
- small numbers as one sign each, 0-9, a-z, A-Z, then `_` for 62 and `~` for 63;
- fields of larger numbers, such as sets of spaces, as hexadecimal numbers parted by `/`.
"""

from __future__ import annotations

import re
import string
from typing import Any

import numpy as np

from mandala.engine import Field, Layout
from mandala.games.cards import CARD_KINDS, COLOUR_COUNT, COLOURS
from mandala.text.errors import InvalidPosition, Place
from mandala.text.notation import shorten

DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase + "_~"
LARGE_KINDS = ("u2", "u4", "u8")
LETTERS = COLOURS + "?"
CARD_GROUP = re.compile(r"([roygvk?])(-?[0-9]{1,3})?")


def write_fields(layout: type[Layout], state: Any) -> str:
    """The text of all fields of a record."""
    return " ".join(_write(each, state[name]) for name, each in layout.fields.items())


def read_fields(game: str, layout: type[Layout], text: str, column: int) -> Any:
    """A record from the text of its fields, in an array of one. Raises InvalidPosition.

    `column` is the column at which the text starts.
    """
    found = list(re.finditer(r"\S+", text))
    if len(found) != len(layout.fields):
        parts = {"game": game, "wanted": len(layout.fields), "found": len(found)}
        raise InvalidPosition("position-length", parts, place=Place(1, column))
    states = np.zeros(1, layout.dtype)
    for word, (name, each) in zip(found, layout.fields.items(), strict=True):
        try:
            states[0][name] = _read(each, word.group())
        except (ValueError, OverflowError):
            parts = {"text": shorten(word.group()), "field": name}
            place = Place(1, column + word.start())
            raise InvalidPosition("bad-position", parts, place=place) from None
    return states


def _write(field: Field, value: Any) -> str:
    if field.kind == "i1":
        return "/".join(_write_cards(row) for row in np.reshape(value, (-1, field.shape[-1])))
    if field.kind in LARGE_KINDS:
        return "/".join(f"{int(each):x}" for each in np.ravel(value))
    if not field.shape:
        return DIGITS[int(value)]
    rows = np.reshape(value, (-1, field.shape[-1]))
    return "/".join("".join(DIGITS[int(each)] for each in row) for row in rows)


def _write_cards(row: Any) -> str:
    groups = [
        letter + ("" if number == 1 else str(number))
        for letter, number in zip(LETTERS, map(int, row), strict=False)
        if number
    ]
    return "".join(groups) or "."


def _read(field: Field, text: str) -> Any:
    if field.kind == "i1":
        rows = [_read_cards(row, field.shape[-1]) for row in text.split("/")]
        return np.reshape(np.array(rows, np.int8), field.shape)
    if field.kind in LARGE_KINDS:
        if not re.fullmatch(r"[0-9a-f]{1,16}(/[0-9a-f]{1,16})*", text):
            raise ValueError(text)
        numbers = [int(each, 16) for each in text.split("/")]
        return np.reshape(np.array(numbers, field.kind), field.shape)
    if not field.shape:
        return _digits(text, 1)[0]
    rows = [_digits(row, field.shape[-1]) for row in text.split("/")]
    return np.reshape(np.array(rows, np.uint8), field.shape)


def _digits(text: str, length: int) -> list[int]:
    if len(text) != length:
        raise ValueError(text)
    return [DIGITS.index(digit) for digit in text]


def _read_cards(text: str, length: int) -> list[int]:
    assert length in (COLOUR_COUNT, CARD_KINDS)
    row = [0] * length
    if text == ".":
        return row
    groups = CARD_GROUP.findall(text)
    if "".join(letter + number for letter, number in groups) != text or not text:
        raise ValueError(text)
    for letter, number in groups:
        place = LETTERS.index(letter)
        cards = int(number) if number else 1
        if place >= length or row[place] or not cards or (cards < 0 and letter != "?"):
            raise ValueError(text)
        row[place] = cards
    return row
