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
        _need(rules.legal(state, rows) > 0, "the seat that decides has no move")
    elif state.actor == CHANCE:
        rows, weights = [0] * len(rules.moves.texts), [0] * len(rules.moves.texts)
        _need(rules.chance(state, rows, weights) > 0, "chance has no move")
    else:
        _need(state.actor == NOBODY, "nobody of that number can move")


def _need(condition: bool | np.bool_, what: str) -> None:
    if not condition:
        raise InvalidPosition("impossible-position", {"what": what})


def _check_cards(rules: Any, state: Any, hidden: bool, hidden_rows: list[Any]) -> None:
    """All cards of each colour are there, and unknown ones only in a view."""
    pool = np.zeros(CARDS, np.int64)
    rules.unseen(state, pool)
    unknown = sum(int(row[UNKNOWN]) for row in hidden_rows)
    listed = [max(0, int(state.pile[colour])) for colour in range(COLOUR_COUNT)]
    for name, field in rules.State.fields.items():
        if field.kind == "i1":
            rows = np.reshape(state[name], (-1, field.shape[-1]))
            _need((rows[:, :COLOUR_COUNT] >= 0).all(), "a number of cards is below zero")
    if hidden:
        _need((pool >= 0).all(), "there are too many cards of a colour")
        _need(int(pool.sum()) == unknown + sum(listed), "cards are missing or too many")
    else:
        _need(unknown == 0 and count(state.drawn.ravel()[UNKNOWN::CARDS]) == 0, "cards are unknown")
        _need(
            [int(each) for each in pool[:COLOUR_COUNT]] == listed, "cards are missing or too many"
        )
    _need(count(state.pile) >= 0, "a number of cards is below zero")


def _check_mandala(seats: int, state: Any, hidden: bool) -> None:
    rules = mandala
    _check_cards(rules, state, hidden, [*state.hand, *state.secret, state.pile])
    _need(state.phase <= rules.OVER, "there is no such phase")
    _need(state.turn < 2 and state.mandala < 2, "there is no such seat or mandala")
    _need(state.last_phase < 2, "the last phase is on or it is not")
    for river in state.river:
        places = sorted(int(place) for place in river if place)
        _need(places == list(range(1, len(places) + 1)), "a river has gaps")
    by_phase = {
        rules.SETUP: state.actor == CHANCE and 0 < state.draws <= rules.SETUP_COUNT,
        rules.ACTION: state.actor == state.turn and state.draws == 0,
        rules.DRAW: state.actor == CHANCE and 0 < state.draws <= rules.HAND_LIMIT,
        rules.DISSOLVE: state.actor < 2 and state.draws == 0,
        rules.REFILLING: state.actor == CHANCE and 0 < state.draws <= rules.REFILL,
        rules.OVER: state.actor == NOBODY,
    }
    _need(by_phase[int(state.phase)], "phase, actor and draws do not fit together")
    for hand in state.hand:
        _need(0 <= count(hand) <= rules.HAND_LIMIT, "a hand is too large")
    if state.phase not in (rules.SETUP, rules.OVER):
        _need(all(count(secret) == 2 for secret in state.secret), "a cup begins with two cards")


def _check_patterns(seats: int, state: Any, hidden: bool) -> None:
    rules = patterns
    _need(state.phase <= rules.OVER, "there is no such phase")
    _need(all(colour <= rules.NO_COLOUR for colour in state.bowl), "a bowl holds no such colour")
    tiles = [int(each) for each in state.tile]
    _need(sum(tiles) == _union(tiles), "two tiles lie on one space")
    laid = rules.SETUP_ORDER[: int(state.laid)]
    _need(
        _union(tiles) == sum(1 << int(space) for space in laid), "tiles and number of tiles differ"
    )
    for colour in range(COLOUR_COUNT):
        there = tiles[colour].bit_count() + int(state.supply[colour]) + int(state.aside[colour])
        there += sum(int(bowl) == colour for bowl in state.bowl)
        _need(there == rules.COPIES_ON_UNMARKED + 1, "tiles are missing or too many")
        groups = [int(state.group[seat, colour]) for seat in range(2)]
        _need(_union(groups) & ~tiles[colour] == 0, "a group lies where its colour does not")
        touching = int(rules.next_to(state.group[0, colour])) | groups[0]
        _need(touching & groups[1] == 0, "two groups of one colour touch")
        for seat in range(2):
            is_open, marker = state.river[seat, colour] > 0, int(state.marker[seat, colour])
            _need(is_open == (groups[seat] != 0), "a river and its groups differ")
            _need(not is_open or groups[seat] >> marker & 1 == 1, "a marker lies outside its group")
    for river in state.river:
        numbers = sorted(int(number) for number in river if number)
        _need(numbers == list(range(1, len(numbers) + 1)), "a river has gaps")
    playing = state.phase in (rules.ACTION, rules.LAST_FLIPS)
    by_phase = {
        rules.SETUP: state.actor == CHANCE and state.laid < rules.SETUP_COUNT,
        rules.GIVING: state.actor == 1 and state.laid == rules.SETUP_COUNT,
        rules.OVER: state.actor == NOBODY,
    }
    _need(playing or by_phase[int(state.phase)], "phase and actor do not fit together")
    if playing:
        _need(state.actor < 2 and rules.NO_COLOUR not in state.bowl, "a bowl is empty")


def _union(sets: list[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union


def _check_flowers(seats: int, state: Any, hidden: bool) -> None:
    rules = flowers
    _need(state.seats == seats, "the number of seats differs")
    _need(state.phase <= rules.OVER, "there is no such phase")
    _check_cards(rules, state, hidden, [*state.hand, state.pile])
    _need(state.turn < seats and state.mandala < rules.MANDALAS, "there is no such seat or mandala")
    _need((state.marker <= seats).all(), "a marker is held by no seat")
    _need((state.owner < rules.FIRST_OWNER + seats).all(), "a tile belongs to no seat")
    _need(
        (state.tile <= rules.TILES).all() and (state.partner <= rules.TILES).all(), "no such tile"
    )
    lying = sorted(int(tile) - 1 for tile in state.tile.ravel() if tile)
    marked = [tile for tile in range(rules.TILES) if state.owner[tile] == rules.IN_MANDALA]
    _need(lying == marked, "the tiles of the mandalas differ")
    for seat in range(rules.MOST_SEATS):
        _need(seat < seats or not _anything_of(state, seat), "a seat that does not play has cards")
        _need((state.shown[seat] <= state.hand[seat][:COLOUR_COUNT]).all() or hidden, "shown cards")
    for tile in range(rules.TILES):
        other = int(state.partner[tile]) - 1
        if other >= 0:
            _need(
                state.partner[other] == tile + 1
                and state.owner[other] == state.owner[tile]
                and rules.colour_of_tile(other) == rules.colour_of_tile(tile),
                "the halves of a flower differ",
            )
    draws = {
        rules.SETUP_TILES: 2,
        rules.SETUP_HANDS: rules.FIRST_HAND + 3,
        rules.DRAW: rules.DRAW_LIMIT,
        rules.NEW_TILES: 2,
    }
    phase = int(state.phase)
    if phase in draws:
        _need(state.actor == CHANCE and 0 < state.draws <= draws[phase], "actor and draws differ")
    elif phase in (rules.ACTION, rules.CLAIM):
        _need(state.actor < seats and state.draws == 0, "phase and actor do not fit together")
        _need(phase == rules.CLAIM or state.actor == state.turn, "it is another seat's turn")
    else:
        wanted = CHANCE if phase == rules.ENDING else NOBODY
        _need(state.actor == wanted, "phase and actor do not fit together")
    if phase == rules.CLAIM:
        _need(state.marker[state.mandala] == state.actor + 1, "the claim is not the holder's")
        _need(state.tile[state.mandala].all(), "the mandala has no tiles to claim")


def _anything_of(state: Any, seat: int) -> bool:
    return bool(state.hand[seat].any() or state.laid[seat].any() or state.shown[seat].any())


_CHECKS = {
    "mandala": _check_mandala,
    "patterns": _check_patterns,
    "flowers": _check_flowers,
}
