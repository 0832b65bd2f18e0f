"""Whether a record can be a position of Tiny."""

from __future__ import annotations

from typing import Any

from mandala.engine import NOBODY
from mandala.games.invariants import require

from . import rules


def require_valid_state(seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record can be a position, or with `hidden` a view."""
    require(state.seats == seats, "seat-count")
    require(state.heap <= rules.COUNTERS, "too-many-counters")
    require(1 <= state.die <= rules.MOST, "no-such-number")
    require(state.turn < seats, "other-turn")
    require(state.actor >= seats or state.actor == state.turn, "other-turn")
    require((state.heap == 0) == (state.actor == NOBODY), "heap-and-end")
