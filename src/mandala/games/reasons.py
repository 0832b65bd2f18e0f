"""Why a move is not legal: a stable code with its parts, for any move of a game.

The sentences for the codes are in the catalogue; `games/<game>/reasons.py` knows each game's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from mandala.engine import CHANCE, NOBODY
from mandala.text import catalogue

from .cards import COLOURS, UNKNOWN
from .spec import Game


@dataclass(frozen=True)
class Reason:
    """Why a move is not legal: a code, and the parts that its sentence names."""

    code: str
    parts: Mapping[str, object] = field(default_factory=dict)

    def say(self, language: str = "en") -> str:
        """The reason as a sentence."""
        return catalogue.say(self.code, self.parts, language)


def why_not(game: Game, state: Any, move: int) -> Reason | None:
    """The reason why the move in a row is not legal now, or None when it is."""
    rules = game.plain_rules
    is_chance_move = move >= rules.DECISIONS
    if state.actor == NOBODY:
        return Reason("game-over")
    if state.actor == CHANCE:
        return _why_not_chance(rules, state, move) if is_chance_move else Reason("chance-moves")
    if is_chance_move:
        return Reason("seat-moves", {"seat": int(state.actor) + 1})
    reason: Reason | None = game.module("reasons").why_not(state, move)
    return reason


def _why_not_chance(rules: ModuleType, state: Any, move: int) -> Reason | None:
    rows, weights = [0] * len(rules.moves.texts), [0] * len(rules.moves.texts)
    possible = rows[: rules.chance(state, rows, weights)]
    return (
        None if move in possible else Reason("cannot-be-drawn", {"move": rules.moves.texts[move]})
    )


def not_in_hand(state: Any, seat: int, colour: int, number: int) -> Reason | None:
    """The reason why a seat cannot play a number of cards of a colour, or None when it has them.

    Cards of unknown colour count for every colour.
    """
    held = int(state.hand[seat, colour]) + int(state.hand[seat, UNKNOWN])
    if held == 0:
        return Reason("none-in-hand", {"colour": COLOURS[colour]})
    if held < number:
        return Reason("too-few-in-hand", {"colour": COLOURS[colour], "held": held, "count": number})
    return None
