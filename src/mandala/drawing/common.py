"""What the drawings of all games share: cards and tiles as chips, seats, who is to move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.table import Table
from rich.text import Text

from mandala import notation, texts
from mandala.board import Board
from mandala.games.table import COLOUR_COUNT, COLOURS

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


class Labels:
    """The words of a drawing in one language, and how it names the seats of one board."""

    def __init__(self, board: Board, language: str) -> None:
        self.board = board
        self.language = language
        self.viewer: int | None = getattr(board, "seat", None)

    def __call__(self, key: str, **parts: object) -> str:
        return texts.fill("label", key, parts, self.language)

    def seat(self, seat: int) -> str:
        """A seat (from 0) by its name; the owner of a view is `you`."""
        key = "you" if self.viewer == seat + 1 else "seat"
        return self(key, seat=seat + 1)

    def seats_from_top(self) -> list[int]:
        """The seats as drawn, the viewer's own (or seat 1) last, at the bottom."""
        own = (self.viewer or 1) - 1
        return [(own + step) % self.board.seats for step in range(1, self.board.seats + 1)]

    def quiet(self, key: str, **parts: object) -> Text:
        """A label as text in the background."""
        return Text(self(key, **parts), style=QUIET)

    def head(self, doing: str = "to-move", **parts: object) -> Text:
        """The first lines: the game, whose move it is or who won, and the last move."""
        board = self.board
        line = Text(texts.word("games", board.game, self.language), style=STRONG)
        line.append("  ")
        if board.is_over:
            from mandala.game import leaders

            names = [self.seat(seat - 1) for seat in leaders(board, range(board.seats))]
            how = "over" if len(names) == 1 else "over-shared"
            line.append(self(how, who=", ".join(names)), style=STRONG)
        elif board.actor:
            line.append(self(doing, who=self.seat(board.actor - 1), **parts), style=STRONG)
        else:
            line.append(self("chance"))
        if last := self.last_move():
            line.append(f"\n{self('last-move', move=last)}", style=QUIET)
        return line

    def last_move(self) -> str:
        """The last decision with the draws after it, in notation; empty when it is not known."""
        rules, history = self.board.rules, self.board._history or ()
        found: list[str] = []
        for row, _ in reversed(history):
            found.insert(0, rules.moves.texts[row])
            if row < rules.DECISIONS:
                return notation.join_moves(found)
        return ""
