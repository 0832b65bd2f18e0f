"""What a person types in a terminal game: words, moves by notation, and the list of moves."""

from __future__ import annotations

from itertools import groupby

from rich.text import Text

from mandala.core.state import GameState
from mandala.games import find_game

# Every word works in both languages, whatever the language of the game.
WORDS = {
    "help": ("?", "help", "h", "hilfe"),
    "moves": ("moves", "züge", "zuege"),
    "why": ("why", "warum"),
    "hint": ("hint", "tip", "tipp"),
    "undo": ("undo", "u", "zurück", "zurueck"),
    "save": ("save", "speichern"),
    "quit": ("quit", "q", "exit", "ende"),
}
WIDTH = 80
INDENT = "   "


def command_of(line: str) -> tuple[str | None, str]:
    """The command that a line begins with, or None, and what stands behind it."""
    word, _, rest = line.strip().partition(" ")
    for command, words in WORDS.items():
        if word.lower() in words:
            return command, rest.strip()
    return None, line


def move_of(state: GameState, typed: str) -> str:
    """The move that was meant: capitals do not matter, blanks are ignored. Raises InvalidMove."""
    plain = "".join(typed.split()).lower()
    spelt: dict[str, str] = {text.lower(): text for text in state.rules.moves.texts}
    move = spelt.get(plain, typed)
    state.spec.row_of(move)
    return move


def in_order(state: GameState) -> list[str]:
    """The legal moves as they are listed and numbered: in the order of the game's move list."""
    return sorted(state.legal, key=state.rules.moves.number.__getitem__)


def listed(game: str, legal: list[str], language: str) -> Text:
    """The legal moves in groups by their first sign, each with its number in the list."""
    lines, words = Text(), find_game(game).move_texts(language)
    numbered = enumerate(legal, start=1)
    digits, width = len(str(len(legal))), max(map(len, legal))
    per_line = max(1, (WIDTH - len(INDENT)) // (digits + width + 3))
    for first, group in groupby(numbered, lambda each: each[1][0]):
        lines.append(f" {words[first]}\n", style="bold")
        for place, (number, move) in enumerate(group):
            lines.append(("\n" if place else "") + INDENT if place % per_line == 0 else "")
            lines.append(f"{number:>{digits}} ", style="dim")
            lines.append(f"{move:<{width}}  ")
        lines.append("\n")
    lines.rstrip()
    return lines
