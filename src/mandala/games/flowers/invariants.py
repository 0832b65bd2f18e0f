"""The invariants of a position of Flowers."""

from __future__ import annotations

from typing import Any

from mandala.engine import CHANCE, NOBODY

from ..cards import COLOUR_COUNT
from ..invariants import require, require_all_cards
from . import rules


def require_valid_state(seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record is a valid position, or with `hidden` a view."""
    require(state.seats == seats, "seat-count")
    require(state.phase <= rules.OVER, "no-such-phase")
    require_all_cards(rules, state, hidden, [*state.hand, state.pile])
    require(state.turn < seats and state.mandala < rules.MANDALAS, "no-such-place")
    require((state.marker <= seats).all(), "marker-seat")
    require((state.owner < rules.FIRST_OWNER + seats).all(), "tile-owner")
    require(
        (state.tile <= rules.TILES).all() and (state.partner <= rules.TILES).all(), "no-such-tile"
    )
    in_mandalas = sorted(int(tile) - 1 for tile in state.tile.ravel() if tile)
    marked = [tile for tile in range(rules.TILES) if state.owner[tile] == rules.IN_MANDALA]
    require(in_mandalas == marked, "mandala-tiles")
    for seat in range(rules.MAX_SEATS):
        require(seat < seats or not _has_cards(state, seat), "idle-seat")
        require(
            (state.shown[seat] <= state.hand[seat][:COLOUR_COUNT]).all() or hidden, "shown-cards"
        )
    for tile in range(rules.TILES):
        other = int(state.partner[tile]) - 1
        if other >= 0:
            require(
                state.partner[other] == tile + 1
                and state.owner[other] == state.owner[tile]
                and rules.colour_of_tile(other) == rules.colour_of_tile(tile),
                "flower-halves",
            )
    draws = {
        rules.SETUP_TILES: 2,
        rules.SETUP_HANDS: rules.FIRST_HAND + 3,
        rules.DRAW: rules.DRAW_LIMIT,
        rules.NEW_TILES: 2,
    }
    phase = int(state.phase)
    if phase in draws:
        require(state.actor == CHANCE and 0 < state.draws <= draws[phase], "actor-draws")
    elif phase in (rules.ACTION, rules.CLAIM):
        require(state.actor < seats and state.draws == 0, "phase-actor")
        require(phase == rules.CLAIM or state.actor == state.turn, "other-turn")
    else:
        wanted = CHANCE if phase == rules.ENDING else NOBODY
        require(state.actor == wanted, "phase-actor")
    if phase == rules.CLAIM:
        require(state.marker[state.mandala] == state.actor + 1, "claim-holder")
        require(state.tile[state.mandala].all(), "no-tiles")


def _has_cards(state: Any, seat: int) -> bool:
    return bool(state.hand[seat].any() or state.laid[seat].any() or state.shown[seat].any())
