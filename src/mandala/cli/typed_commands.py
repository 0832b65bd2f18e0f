"""The commands and moves that a person types in a terminal game, and the list of legal moves."""

from __future__ import annotations

from itertools import groupby

from rich.text import Text

from mandala.core.state import GameState
from mandala.games import find_game

# Every word works in both languages.
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
    """Return the command at the start of a line and the rest, or None and the line."""
    word, _, rest = line.strip().partition(" ")
    for command, words in WORDS.items():
        if word.lower() in words:
            return command, rest.strip()
    return None, line


def move_of(state: GameState, typed: str) -> str:
    """Return a typed move in its notation; case and blanks are ignored. Raises InvalidMove."""
    key = "".join(typed.split()).lower()
    by_key: dict[str, str] = {text.lower(): text for text in state.rules.moves.texts}
    move = by_key.get(key, typed)
    state.spec.row_of(move)
    return move


def sorted_moves(state: GameState) -> list[str]:
    """Return the legal moves in the order of the game's move list, in which they are numbered."""
    return sorted(state.legal, key=state.rules.moves.number.__getitem__)


def format_moves(game: str, legal: list[str], language: str) -> Text:
    """Format the legal moves, numbered, in groups by their first character."""
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
