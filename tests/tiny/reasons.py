"""Why a move of Tiny is not legal."""

from __future__ import annotations

from typing import Any

from mandala.games.reasons import Reason

from . import rules


def why_not(state: Any, move: int) -> Reason | None:
    """The reason why the actor's move is not legal, or None when it is."""
    number = int(rules.NUMBER[move])
    if number > state.die:
        return Reason("above-die", {"count": number, "die": int(state.die)})
    if number > state.heap:
        return Reason("above-heap", {"count": number, "heap": int(state.heap)})
    return None
