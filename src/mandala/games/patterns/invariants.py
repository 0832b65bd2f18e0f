"""The invariants of a position of Patterns."""

from __future__ import annotations

from typing import Any

from mandala.engine import CHANCE, NOBODY

from ..cards import COLOUR_COUNT
from ..invariants import require
from . import rules


def require_valid_state(seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record is a valid position, or with `hidden` a view."""
    require(state.phase <= rules.OVER, "no-such-phase")
    require(all(colour <= rules.NO_COLOUR for colour in state.bowl), "bowl-colour")
    tiles = [int(each) for each in state.tile]
    require(sum(tiles) == _union(tiles), "tiles-on-a-space")
    laid = rules.SETUP_ORDER[: int(state.laid)]
    require(_union(tiles) == sum(1 << int(space) for space in laid), "tiles-laid")
    for colour in range(COLOUR_COUNT):
        there = tiles[colour].bit_count() + int(state.supply[colour]) + int(state.aside[colour])
        there += sum(int(bowl) == colour for bowl in state.bowl)
        require(there == rules.COPIES_ON_UNMARKED + 1, "tile-count")
        groups = [int(state.group[seat, colour]) for seat in range(2)]
        require(_union(groups) & ~tiles[colour] == 0, "group-colour")
        touching = int(rules.neighbours(state.group[0, colour])) | groups[0]
        require(touching & groups[1] == 0, "groups-touching")
        for seat in range(2):
            is_open, marker = state.river[seat, colour] > 0, int(state.marker[seat, colour])
            require(is_open == (groups[seat] != 0), "river-groups")
            require(not is_open or groups[seat] >> marker & 1 == 1, "marker-place")
    for river in state.river:
        numbers = sorted(int(number) for number in river if number)
        require(numbers == list(range(1, len(numbers) + 1)), "river-gaps")
    playing = state.phase in (rules.ACTION, rules.LAST_FLIPS)
    by_phase = {
        rules.SETUP: state.actor == CHANCE and state.laid < rules.SETUP_COUNT,
        rules.GIVING: state.actor == 1 and state.laid == rules.SETUP_COUNT,
        rules.OVER: state.actor == NOBODY,
    }
    require(playing or by_phase[int(state.phase)], "phase-actor")
    if playing:
        require(state.actor < 2 and rules.NO_COLOUR not in state.bowl, "bowl-empty")


def _union(sets: list[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union
