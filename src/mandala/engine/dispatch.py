"""The rules of the game that a record belongs to, for code that works with all games.

The record's type selects the game: at compile time in compiled code, at each call in plain Python.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from .layout import plain_modules


def begin(state: Any, seats: int) -> None:
    """Set up a record of zeros as the start of its game."""
    raise TypeError("only for compiled code")


def legal(state: Any, rows: Any) -> int:
    """Write the actor's legal moves and return how many there are."""
    return int(_rules(state).legal(state, rows))


def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible chance moves with their weights and return how many there are."""
    return int(_rules(state).chance(state, rows, weights))


def apply(state: Any, move: int) -> None:
    """Make a legal move."""
    _rules(state).apply(state, move)


def drawer(state: Any) -> int:
    """The seat that alone sees the next card drawn, or NOBODY when all may see it."""
    return int(_rules(state).drawer(state))


def fill_view(state: Any, view: Any, seat: int) -> None:
    """Add to a seat's view what it may know about hidden fields, such as their card counts."""
    _rules(state).fill_view(state, view, seat)


def score(state: Any, seat: int) -> int:
    """The points of a seat."""
    return int(_rules(state).score(state, seat))


def tie_break(state: Any, seat: int) -> int:
    """The value that decides between seats with equal points: more is better."""
    raise TypeError("only for compiled code")


def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write a seat's legal moves with their heuristic values; return how many there are."""
    raise TypeError("only for compiled code")


def set_hidden_cards(state: Any, dealt: Any, pile: Any) -> None:
    """Turn a view into a full position, given the hidden cards by place and the draw pile."""
    raise TypeError("only for compiled code")


def features(state: Any, seat: int, out: Any) -> int:
    """Write the evaluation features of a seat; return how many there are."""
    raise TypeError("only for compiled code")


def _rules(state: Any) -> ModuleType:
    """The plain rules module of the game that a record belongs to."""
    return importlib.import_module(plain_modules[state.dtype])
