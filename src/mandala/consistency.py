"""Whether a record read from a text can be a position at all.

The rules assume a position they made themselves. One that comes from outside is held against what
every position of the game has in common, so that no rule ever runs on nonsense.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import InvalidPosition
from .games import flowers, mandala, patterns
from .games.table import CARDS, COLOUR_COUNT, UNKNOWN, count
from .kernel import CHANCE, NOBODY, interpreted


def check_consistent(game: str, seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record can be a position (or, hidden, a seat's view)."""
    _CHECKS[game](seats, state, hidden)
    rules = interpreted(game)
    if state.actor < seats:
        rows = [0] * len(rules.moves.texts)
        _need(rules.legal(state, rows) > 0, "no-decision")
    elif state.actor == CHANCE:
        rows, weights = [0] * len(rules.moves.texts), [0] * len(rules.moves.texts)
        _need(rules.chance(state, rows, weights) > 0, "no-chance")
    else:
        _need(state.actor == NOBODY, "no-such-actor")


def _need(condition: bool | np.bool_, what: str) -> None:
    """`what` is a key of the catalogue's section `impossible`."""
    if not condition:
        raise InvalidPosition("impossible-position", {"impossible": what})


def _check_cards(rules: Any, state: Any, hidden: bool, hidden_rows: list[Any]) -> None:
    """All cards of each colour are there, and unknown ones only in a view."""
    pool = np.zeros(CARDS, np.int64)
    rules.unseen(state, pool)
    unknown = sum(int(row[UNKNOWN]) for row in hidden_rows)
    listed = [max(0, int(state.pile[colour])) for colour in range(COLOUR_COUNT)]
    for name, field in rules.State.fields.items():
        if field.kind == "i1":
            rows = np.reshape(state[name], (-1, field.shape[-1]))
            _need((rows[:, :COLOUR_COUNT] >= 0).all(), "below-zero")
    if hidden:
        _need((pool >= 0).all(), "too-many-of-a-colour")
        _need(int(pool.sum()) == unknown + sum(listed), "card-count")
    else:
        _need(unknown == 0 and count(state.drawn.ravel()[UNKNOWN::CARDS]) == 0, "cards-unknown")
        _need([int(each) for each in pool[:COLOUR_COUNT]] == listed, "card-count")
    _need(count(state.pile) >= 0, "below-zero")


def _check_mandala(seats: int, state: Any, hidden: bool) -> None:
    rules = mandala
    _check_cards(rules, state, hidden, [*state.hand, *state.secret, state.pile])
    _need(state.phase <= rules.OVER, "no-such-phase")
    _need(state.turn < 2 and state.mandala < 2, "no-such-place")
    _need(state.last_phase < 2, "last-phase")
    for river in state.river:
        places = sorted(int(place) for place in river if place)
        _need(places == list(range(1, len(places) + 1)), "river-gaps")
    by_phase = {
        rules.SETUP: state.actor == CHANCE and 0 < state.draws <= rules.SETUP_COUNT,
        rules.ACTION: state.actor == state.turn and state.draws == 0,
        rules.DRAW: state.actor == CHANCE and 0 < state.draws <= rules.HAND_LIMIT,
        rules.DISSOLVE: state.actor < 2 and state.draws == 0,
        rules.REFILLING: state.actor == CHANCE and 0 < state.draws <= rules.REFILL,
        rules.OVER: state.actor == NOBODY,
    }
    _need(by_phase[int(state.phase)], "phase-draws")
    for hand in state.hand:
        _need(0 <= count(hand) <= rules.HAND_LIMIT, "hand-size")
    if state.phase not in (rules.SETUP, rules.OVER):
        _need(all(count(secret) == 2 for secret in state.secret), "cup-start")


def _check_patterns(seats: int, state: Any, hidden: bool) -> None:
    rules = patterns
    _need(state.phase <= rules.OVER, "no-such-phase")
    _need(all(colour <= rules.NO_COLOUR for colour in state.bowl), "bowl-colour")
    tiles = [int(each) for each in state.tile]
    _need(sum(tiles) == _union(tiles), "tiles-on-a-space")
    laid = rules.SETUP_ORDER[: int(state.laid)]
    _need(_union(tiles) == sum(1 << int(space) for space in laid), "tiles-laid")
    for colour in range(COLOUR_COUNT):
        there = tiles[colour].bit_count() + int(state.supply[colour]) + int(state.aside[colour])
        there += sum(int(bowl) == colour for bowl in state.bowl)
        _need(there == rules.COPIES_ON_UNMARKED + 1, "tile-count")
        groups = [int(state.group[seat, colour]) for seat in range(2)]
        _need(_union(groups) & ~tiles[colour] == 0, "group-colour")
        touching = int(rules.next_to(state.group[0, colour])) | groups[0]
        _need(touching & groups[1] == 0, "groups-touching")
        for seat in range(2):
            is_open, marker = state.river[seat, colour] > 0, int(state.marker[seat, colour])
            _need(is_open == (groups[seat] != 0), "river-groups")
            _need(not is_open or groups[seat] >> marker & 1 == 1, "marker-place")
    for river in state.river:
        numbers = sorted(int(number) for number in river if number)
        _need(numbers == list(range(1, len(numbers) + 1)), "river-gaps")
    playing = state.phase in (rules.ACTION, rules.LAST_FLIPS)
    by_phase = {
        rules.SETUP: state.actor == CHANCE and state.laid < rules.SETUP_COUNT,
        rules.GIVING: state.actor == 1 and state.laid == rules.SETUP_COUNT,
        rules.OVER: state.actor == NOBODY,
    }
    _need(playing or by_phase[int(state.phase)], "phase-actor")
    if playing:
        _need(state.actor < 2 and rules.NO_COLOUR not in state.bowl, "bowl-empty")


def _union(sets: list[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union


def _check_flowers(seats: int, state: Any, hidden: bool) -> None:
    rules = flowers
    _need(state.seats == seats, "seat-count")
    _need(state.phase <= rules.OVER, "no-such-phase")
    _check_cards(rules, state, hidden, [*state.hand, state.pile])
    _need(state.turn < seats and state.mandala < rules.MANDALAS, "no-such-place")
    _need((state.marker <= seats).all(), "marker-seat")
    _need((state.owner < rules.FIRST_OWNER + seats).all(), "tile-owner")
    _need(
        (state.tile <= rules.TILES).all() and (state.partner <= rules.TILES).all(), "no-such-tile"
    )
    lying = sorted(int(tile) - 1 for tile in state.tile.ravel() if tile)
    marked = [tile for tile in range(rules.TILES) if state.owner[tile] == rules.IN_MANDALA]
    _need(lying == marked, "mandala-tiles")
    for seat in range(rules.MOST_SEATS):
        _need(seat < seats or not _anything_of(state, seat), "idle-seat")
        _need((state.shown[seat] <= state.hand[seat][:COLOUR_COUNT]).all() or hidden, "shown-cards")
    for tile in range(rules.TILES):
        other = int(state.partner[tile]) - 1
        if other >= 0:
            _need(
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
        _need(state.actor == CHANCE and 0 < state.draws <= draws[phase], "actor-draws")
    elif phase in (rules.ACTION, rules.CLAIM):
        _need(state.actor < seats and state.draws == 0, "phase-actor")
        _need(phase == rules.CLAIM or state.actor == state.turn, "other-turn")
    else:
        wanted = CHANCE if phase == rules.ENDING else NOBODY
        _need(state.actor == wanted, "phase-actor")
    if phase == rules.CLAIM:
        _need(state.marker[state.mandala] == state.actor + 1, "claim-holder")
        _need(state.tile[state.mandala].all(), "no-tiles")


def _anything_of(state: Any, seat: int) -> bool:
    return bool(state.hand[seat].any() or state.laid[seat].any() or state.shown[seat].any())


_CHECKS = {
    "mandala": _check_mandala,
    "patterns": _check_patterns,
    "flowers": _check_flowers,
}
