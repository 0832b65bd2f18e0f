"""What the renderers of all games share: chips for cards and tiles, seats, the header."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from mandala.text import catalogue

from .cards import COLOUR_COUNT, COLOURS
from .spec import Game

# One symbol per colour, of different outlines, one column wide, and in nearly every font.
SYMBOLS = dict(zip(COLOURS, "●▲★◆✚■", strict=True))
UNKNOWN_LETTER = "?"

# A card: a filled chip, readable on a dark and on a light terminal.
FILLED = {
    "r": "bold white on #b3261e",
    "o": "bold black on #f08a24",
    "y": "bold black on #f2d024",
    "g": "bold white on #1f7a3d",
    "v": "bold white on #7b3fa0",
    "k": "bold white on #3a3a3a",
    "?": "bold black on #b0b0b0",
}
# A tile that shows its front: only its letter and symbol are coloured.
OUTLINED = {
    "r": "#d9534a",
    "o": "#e08a30",
    "y": "#c2a500",
    "g": "#2f9e55",
    "v": "#a86bd0",
    "k": "#808080",
}
DIM = "dim"
BOLD = "bold"


def letter_and_symbol(letter: str) -> str:
    """A colour's letter with its symbol, as in `r●`."""
    return letter + SYMBOLS.get(letter, "")


def chip(letter: str, number: int = 1, tail: str = "") -> Text:
    """Cards of one colour as one chip: `r●`, or `3r●` for three cards."""
    before = "" if number == 1 else str(number)
    return Text(before + letter_and_symbol(letter) + tail, style=FILLED[letter])


def cards(counts: Any) -> list[Text]:
    """Card counts by colour as chips, unknown cards last."""
    letters = COLOURS + UNKNOWN_LETTER
    return [chip(letters[each], int(held)) for each, held in enumerate(counts) if held > 0]


def join_parts(parts: Iterable[Text | str], gap: str = " ") -> Text:
    """Parts joined in one line; a dash when there are none."""
    line = Text(gap).join(Text(part) if isinstance(part, str) else part for part in parts)
    return line if line.plain else Text("–", style=DIM)


def missing_chips(present: int) -> Text:
    """The missing colours as chips, given the bit set of those that are present."""
    letters = [COLOURS[each] for each in range(COLOUR_COUNT) if not present >> each & 1]
    return join_parts(chip(letter) for letter in letters)


def grid(*widths: int | None) -> Table:
    """A Rich table without lines, with a width for each column."""
    table = Table.grid(padding=(0, 1))
    for width in widths:
        table.add_column(width=width, no_wrap=False)
    return table


@dataclass(frozen=True)
class Scene:
    """A record to be rendered, with what else is known about the game at that moment.

    Seats are counted from 0 here.
    """

    game: Game
    state: Any
    scores: list[int]
    actor: int | None  # the seat that decides, or None
    viewer: int | None  # the seat whose view it is, or None
    winners: list[int]  # empty until the game is over
    last_move: str  # in notation, with the draws after it; empty if unknown
    language: str

    def label(self, key: str, **parts: object) -> str:
        """A word or phrase of the catalogue's section `label`."""
        return catalogue.fill("label", key, parts, self.language)

    def seat(self, seat: int) -> str:
        """The name of a seat; the viewer's own is "you"."""
        key = "you" if self.viewer == seat else "seat"
        return self.label(key, seat=seat + 1)

    def seats_from_top(self) -> list[int]:
        """The seats from top to bottom, the viewer's own (or the first) last."""
        own, seats = self.viewer or 0, len(self.scores)
        return [(own + step) % seats for step in range(1, seats + 1)]

    def dim_label(self, key: str, **parts: object) -> Text:
        """A label in the style of secondary text."""
        return Text(self.label(key, **parts), style=DIM)

    def header(self, doing: str = "to-move", **parts: object) -> Text:
        """The first lines: the game, whose move it is or who won, and the last move."""
        line = Text(self.game.text("name", self.language), style=BOLD)
        line.append("  ")
        if self.winners:
            names = ", ".join(self.seat(seat) for seat in self.winners)
            how = "over" if len(self.winners) == 1 else "over-shared"
            line.append(self.label(how, who=names), style=BOLD)
        elif self.actor is not None:
            line.append(self.label(doing, who=self.seat(self.actor), **parts), style=BOLD)
        else:
            line.append(self.label("chance"))
        if self.last_move:
            line.append(f"\n{self.label('last-move', move=self.last_move)}", style=DIM)
        return line
