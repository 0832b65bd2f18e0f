"""The invariants of a position of Mandala."""

from __future__ import annotations

from typing import Any

from mandala.engine import CHANCE, NOBODY

from ..cards import count
from ..invariants import require, require_all_cards
from . import rules


def require_valid_state(seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record is a valid position, or with `hidden` a view."""
    require_all_cards(rules, state, hidden, [*state.hand, *state.secret, state.pile])
    require(state.phase <= rules.OVER, "no-such-phase")
    require(state.turn < 2 and state.mandala < 2, "no-such-place")
    require(state.last_phase < 2, "last-phase")
    for river in state.river:
        places = sorted(int(place) for place in river if place)
        require(places == list(range(1, len(places) + 1)), "river-gaps")
    by_phase = {
        rules.SETUP: state.actor == CHANCE and 0 < state.draws <= rules.SETUP_COUNT,
        rules.ACTION: state.actor == state.turn and state.draws == 0,
        rules.DRAW: state.actor == CHANCE and 0 < state.draws <= rules.HAND_LIMIT,
        rules.DISSOLVE: state.actor < 2 and state.draws == 0,
        rules.REFILLING: state.actor == CHANCE and 0 < state.draws <= rules.REFILL,
        rules.OVER: state.actor == NOBODY,
    }
    require(by_phase[int(state.phase)], "phase-draws")
    for hand in state.hand:
        require(0 <= count(hand) <= rules.HAND_LIMIT, "hand-size")
    if state.phase not in (rules.SETUP, rules.OVER):
        require(all(count(secret) == 2 for secret in state.secret), "cup-start")
