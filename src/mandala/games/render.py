"""What the renderings of all games share: cards and tiles as chips, seats, who is to move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from mandala.text import catalogue

from .cards import COLOUR_COUNT, COLOURS
from .spec import Game

# One symbol a colour: different in outline, one column wide, in nearly every font.
SYMBOLS = dict(zip(COLOURS, "●▲★◆✚■", strict=True))
UNKNOWN_SIGN = "?"

# A card in hand or on the table: a filled chip, readable on a dark and on a light terminal.
FILLED = {
    "r": "bold white on #b3261e",
    "o": "bold black on #f08a24",
    "y": "bold black on #f2d024",
    "g": "bold white on #1f7a3d",
    "v": "bold white on #7b3fa0",
    "k": "bold white on #3a3a3a",
    "?": "bold black on #b0b0b0",
}
# A tile that shows its front: only the signs are painted.
OUTLINED = {
    "r": "#d9534a",
    "o": "#e08a30",
    "y": "#c2a500",
    "g": "#2f9e55",
    "v": "#a86bd0",
    "k": "#808080",
}
QUIET = "dim"
STRONG = "bold"


def sign(letter: str) -> str:
    """A colour's letter with its symbol, as in `r●`."""
    return letter + SYMBOLS.get(letter, "")


def chip(letter: str, number: int = 1, tail: str = "") -> Text:
    """Cards of one colour as one chip: `r●`, or `3r●` for three."""
    before = "" if number == 1 else str(number)
    return Text(before + sign(letter) + tail, style=FILLED[letter])


def cards(counts: Any) -> list[Text]:
    """Cards counted by colour, as chips; unknown ones come last."""
    letters = COLOURS + UNKNOWN_SIGN
    return [chip(letters[each], int(held)) for each, held in enumerate(counts) if held > 0]


def joined(parts: Iterable[Text | str], gap: str = " ") -> Text:
    """Parts in one line; a dash when there are none."""
    line = Text(gap).join(Text(part) if isinstance(part, str) else part for part in parts)
    return line if line.plain else Text("–", style=QUIET)


def missing(present: int) -> Text:
    """The colours that are not there yet, given the set of those that are."""
    letters = [COLOURS[each] for each in range(COLOUR_COUNT) if not present >> each & 1]
    return joined(chip(letter) for letter in letters)


def grid(*widths: int | None) -> Table:
    """A table without lines; a width for each column."""
    table = Table.grid(padding=(0, 1))
    for width in widths:
        table.add_column(width=width, no_wrap=False)
    return table


@dataclass(frozen=True)
class Scene:
    """What is to be rendered: a record, with what is known about the game at that moment.

    Seats are counted from 0 here.
    """

    game: Game
    state: Any
    scores: list[int]
    actor: int | None  # the seat that decides, or None
    viewer: int | None  # the seat that looks, or None for everybody
    winners: list[int]  # empty while the game runs
    last_move: str  # in notation, with the draws after it; empty when it is not known
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

    def quiet(self, key: str, **parts: object) -> Text:
        """A label in the style of secondary text."""
        return Text(self.label(key, **parts), style=QUIET)

    def head(self, doing: str = "to-move", **parts: object) -> Text:
        """The first lines: the game, whose move it is or who won, and the last move."""
        line = Text(self.game.text("name", self.language), style=STRONG)
        line.append("  ")
        if self.winners:
            names = ", ".join(self.seat(seat) for seat in self.winners)
            how = "over" if len(self.winners) == 1 else "over-shared"
            line.append(self.label(how, who=names), style=STRONG)
        elif self.actor is not None:
            line.append(self.label(doing, who=self.seat(self.actor), **parts), style=STRONG)
        else:
            line.append(self.label("chance"))
        if self.last_move:
            line.append(f"\n{self.label('last-move', move=self.last_move)}", style=QUIET)
        return line
