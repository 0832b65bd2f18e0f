"""The heuristic of Flowers: the value of a move to a seat, without searching.

A mandala is worth the tiles that the seat would get if it were dissolved now; the fewer colours are
missing, the more of that counts. A tile that makes a flower is worth what the flower adds. Cards
are the means, so the cards that a play spends and draws count too.

The heuristic reads only what the seat may know: its view and the full position give the same
values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import rule, rule_with_arrays

from ..cards import COLOUR_COUNT, count
from .rules import (
    CLAIM_TILE,
    COLOUR,
    COUNT,
    DARK,
    DRAW_LIMIT,
    FACE_DOWN,
    FACE_UP,
    FIRST_OWNER,
    FLOWERS_TO_END,
    HAND_LIMIT,
    KIND,
    LIGHT,
    MANDALA,
    MANDALAS,
    PLAY,
    POINTS,
    TILE_OF,
    TRIPLE,
    VALUES,
    State,
    cards_of,
    check_majority,
    colours_in,
    face_up_of,
    flower_points,
    has_tiles,
    is_new_colour,
    legal,
    score,
    second_seat,
)

RECORD = State.dtype
VALUE_COUNT = len(VALUES)

# The index of each weight. A point is worth 1.
(
    FLOWER,  # forming a flower, besides its points
    SINGLE,  # a single tile may become half a flower
    SINGLE_TRIPLE,  # … and a ×3 more so
    OTHERS,  # what another seat gets, divided by the number of its rivals
    ONE_MISSING,  # the part of the dissolving's value that counts while one colour is missing
    TWO_MISSING,
    THREE_MISSING,
    FOUR_MISSING,
    DANGER,  # another seat can complete a mandala that is bad for this seat
    LEAD,  # each card ahead of the best rival, up to three
    PRESENCE,  # a face-up card: without one, cards do not count
    CARD,  # a card in hand
    FITS,  # … that would be new in a mandala
    DRAWN,  # a card drawn
    READY,  # the additional part that counts while the seat holds the last missing colour
    FINISH,  # the third flower, which ends the game: good for the seat that leads
    WEIGHT_COUNT,
) = range(17)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[FLOWER] = 1.26
WEIGHTS[SINGLE] = 2.22
WEIGHTS[SINGLE_TRIPLE] = 4.31
WEIGHTS[OTHERS] = 1.2
WEIGHTS[ONE_MISSING] = 0.24
WEIGHTS[TWO_MISSING] = 0.2
WEIGHTS[THREE_MISSING] = 0.54
WEIGHTS[FOUR_MISSING] = 0.15
WEIGHTS[DANGER] = 0.25
WEIGHTS[LEAD] = 1.69
WEIGHTS[PRESENCE] = 0.28
WEIGHTS[CARD] = 0.28
WEIGHTS[FITS] = 0.07
WEIGHTS[DRAWN] = 1.04
WEIGHTS[READY] = -0.09
WEIGHTS[FINISH] = 2.1


@rule_with_arrays
def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal moves of a seat with their heuristic values; return how many there are."""
    scratch, before = np.empty(1, RECORD), np.empty(MANDALAS)
    scratch[0] = state
    write_mandala_values(state, seat, weights, before)
    found = legal(state, rows)
    for place in range(found):
        values[place] = move_value(scratch[0], seat, rows[place], weights, before)
    return found


@rule
def write_mandala_values(state: Any, seat: int, weights: Any, mandala_values: Any) -> None:
    """Write the value of each mandala to a seat as it is now."""
    for mandala in range(MANDALAS):
        mandala_values[mandala] = 0.0
        if has_tiles(state, mandala):
            mandala_values[mandala] = mandala_value(state, seat, mandala, weights)


@rule
def move_value(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """The change in value that a move makes. The record is changed and restored."""
    if KIND[move] == PLAY:
        return play_value(state, seat, move, weights, before)
    if KIND[move] == CLAIM_TILE:
        runner_up = int(second_seat(state, state.mandala, seat))
        dark = int(state.tile[state.mandala, DARK]) - 1
        light = int(state.tile[state.mandala, LIGHT]) - 1
        taken = dark if TILE_OF[move] == dark else light
        return split_value(state, seat, seat, taken, runner_up, dark + light - taken, weights)
    return 0.0


@rule
def play_value(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """The value of a play: the change of the mandala, plus cards drawn, minus cards played."""
    mandala, colour, number = int(MANDALA[move]), int(COLOUR[move]), int(COUNT[move])
    cards = count(state.hand[seat]) - number
    draws = max(0, min(DRAW_LIMIT, HAND_LIMIT - cards)) if number == 1 else 0
    value = weights[DRAWN] * draws - card_value(state, colour, weights) * number
    side = FACE_UP if is_new_colour(state, mandala, colour) else FACE_DOWN
    last, marker = state.mandala, state.marker[mandala]
    state.hand[seat, colour] -= number
    state.laid[seat, mandala, side, colour] += number
    state.mandala = mandala
    check_majority(state)
    value += mandala_value(state, seat, mandala, weights) - before[mandala]
    state.hand[seat, colour] += number
    state.laid[seat, mandala, side, colour] -= number
    state.mandala = last
    state.marker[mandala] = marker
    return value


@rule
def card_value(state: Any, colour: int, weights: Any) -> float:
    """The value of a card in hand: higher where its colour would be new."""
    value = weights[CARD]
    for mandala in range(MANDALAS):
        if has_tiles(state, mandala) and is_new_colour(state, mandala, colour):
            value += weights[FITS]
    return value


@rule
def mandala_value(state: Any, seat: int, mandala: int, weights: Any) -> float:
    """The value of a mandala to a seat that has just played."""
    missing, held = 0, 0
    colours = colours_in(state, mandala)
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += int(state.hand[seat, colour])
    outcome = 0.0
    if state.marker[mandala] > 0:
        outcome = dissolve_value(state, seat, mandala, int(state.marker[mandala]) - 1, weights)
    if missing == 0:
        return outcome
    value = outcome * weights[ONE_MISSING + missing - 1]
    if missing == 1:
        value += weights[DANGER] * min(0.0, outcome)
        if held > 0:
            value += weights[READY] * max(0.0, outcome)
    own, rival = 0, 0
    for each in range(state.seats):
        if face_up_of(state, each, mandala) > 0:
            if each == seat:
                own = cards_of(state, each, mandala)
            else:
                rival = max(rival, cards_of(state, each, mandala))
    value += weights[LEAD] * max(-3, min(3, own - rival))
    if own > 0:
        value += weights[PRESENCE]
    return value


@rule
def dissolve_value(state: Any, seat: int, mandala: int, holder: int, weights: Any) -> float:
    """The value to a seat of dissolving a mandala whose marker `holder` has."""
    runner_up = int(second_seat(state, mandala, holder))
    dark, light = int(state.tile[mandala, DARK]) - 1, int(state.tile[mandala, LIGHT]) - 1
    best, value = -np.inf, 0.0
    for taken in (dark, light):
        other = dark + light - taken
        appeal = split_value(state, holder, holder, taken, runner_up, other, weights)
        if appeal > best:
            best = appeal
            value = split_value(state, seat, holder, taken, runner_up, other, weights)
    return value


@rule
def split_value(
    state: Any, seat: int, holder: int, taken: int, runner_up: int, other: int, weights: Any
) -> float:
    """The value to a seat when the holder takes one tile and the runner-up the other."""
    harm = weights[OTHERS] / (state.seats - 1)
    total = 0.0
    # A loop, since the same lines twice would take twice as long to compile.
    for owner, tile in ((holder, taken), (runner_up, other)):
        value = tile_value(state, owner, tile, weights)
        total += value if owner == seat else -harm * value
    return total


@rule
def tile_value(state: Any, seat: int, tile: int, weights: Any) -> float:
    """The points that a tile adds, in a flower or single, and the value of a future flower."""
    value = tile % VALUE_COUNT
    first = tile - value
    for half in range(VALUE_COUNT):
        if state.owner[first + half] == FIRST_OWNER + seat and state.partner[first + half] == 0:
            points = flower_points(min(half, value), max(half, value)) - POINTS[half]
            return points + weights[FLOWER] + third_flower_value(state, seat, points, weights)
    potential = weights[SINGLE_TRIPLE] if value == TRIPLE else weights[SINGLE]
    return POINTS[value] + potential


@rule
def third_flower_value(state: Any, seat: int, points: int, weights: Any) -> float:
    """The value of a flower that is a seat's third, which ends the game; 0 if it is not."""
    if state.flowers[seat] + 1 < FLOWERS_TO_END:
        return 0.0
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(state, other))
    return weights[FINISH] if score(state, seat) + points > best else -weights[FINISH]
