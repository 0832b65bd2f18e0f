"""Flowers at a glance: what a decision is worth to a seat, before anybody thinks ahead.

The idea: a mandala is worth the tiles that would be won if it were dissolved as it lies, and the
fewer colours are missing, the surer that is. A tile that makes a flower is worth what the flower
adds. Cards are the means, so what a play spends and draws counts too.

Only what the seat may know is read: its view and the full position give the same number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.kernel import rule

from ..games.flowers import (
    CLAIM_TILE,
    COLOUR,
    COUNT,
    DARK,
    DRAW_LIMIT,
    FACE_DOWN,
    FACE_UP,
    FIRST_OWNER,
    HAND_LIMIT,
    KIND,
    LIGHT,
    MANDALA,
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
    is_new,
    legal,
    second,
)
from ..games.table import COLOUR_COUNT, count

RECORD = State.dtype
VALUE_COUNT = len(VALUES)

# What the weights are for. A point is worth 1.
(
    FLOWER,  # forming a flower, besides its points
    SINGLE,  # a single tile may become half a flower
    SINGLE_TRIPLE,  # … and a ×3 more so
    OTHERS,  # what another seat gets
    ALMOST,  # the share of a dissolving that counts while one colour is missing
    TWO_MISSING,
    THREE_MISSING,
    FOUR_MISSING,
    DANGER,  # another seat may complete a mandala that is bad for us
    LEAD,  # each card ahead of the best rival, up to three
    PRESENCE,  # a face-up card: without one, cards do not count
    CARD,  # a card in hand
    DRAWN,  # a card drawn
    WEIGHT_COUNT,
) = range(14)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[FLOWER] = 3.0
WEIGHTS[SINGLE] = 1.5
WEIGHTS[SINGLE_TRIPLE] = 5.0
WEIGHTS[OTHERS] = 0.7
WEIGHTS[ALMOST] = 0.6
WEIGHTS[TWO_MISSING] = 0.4
WEIGHTS[THREE_MISSING] = 0.3
WEIGHTS[FOUR_MISSING] = 0.2
WEIGHTS[DANGER] = 0.3
WEIGHTS[LEAD] = 0.5
WEIGHTS[PRESENCE] = 0.5
WEIGHTS[CARD] = 1.0
WEIGHTS[DRAWN] = 1.0


@rule
def worth(state: Any, seat: int, move: int) -> float:
    """What a legal decision of a seat is worth at a glance; higher is better."""
    scratch = np.empty(1, RECORD)
    scratch[0] = state
    return weigh(scratch[0], seat, move, WEIGHTS)


@rule
def worths(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal decisions of a seat and what each is worth; return how many there are."""
    scratch = np.empty(1, RECORD)
    scratch[0] = state
    found = legal(state, rows)
    for place in range(found):
        values[place] = weigh(scratch[0], seat, rows[place], weights)
    return found


@rule
def weigh(state: Any, seat: int, move: int, weights: Any) -> float:
    """The same by given weights. The record is changed and put right again."""
    if KIND[move] == PLAY:
        mandala, colour, number = int(MANDALA[move]), int(COLOUR[move]), int(COUNT[move])
        return weigh_play(state, seat, mandala, colour, number, weights)
    if KIND[move] == CLAIM_TILE:
        runner_up = second(state, state.mandala, seat)
        dark = int(state.tile[state.mandala, DARK]) - 1
        light = int(state.tile[state.mandala, LIGHT]) - 1
        taken = int(TILE_OF[move])
        other = light if taken == dark else dark
        return settled(state, seat, seat, taken, runner_up, other, weights)
    return 0.0


@rule
def weigh_play(
    state: Any, seat: int, mandala: int, colour: int, number: int, weights: Any
) -> float:
    """What the mandala promises after the play and before it, and what the hand loses and draws."""
    cards = count(state.hand[seat]) - number
    draws = max(0, min(DRAW_LIMIT, HAND_LIMIT - cards)) if number == 1 else 0
    side = FACE_UP if is_new(state, mandala, colour) else FACE_DOWN
    last, marker = state.mandala, state.marker[mandala]
    before = prospect(state, seat, mandala, weights)
    state.laid[seat, mandala, side, colour] += number
    state.mandala = mandala
    check_majority(state)
    after = prospect(state, seat, mandala, weights)
    state.laid[seat, mandala, side, colour] -= number
    state.mandala = last
    state.marker[mandala] = marker
    return after - before + weights[DRAWN] * draws - weights[CARD] * number


@rule
def prospect(state: Any, seat: int, mandala: int, weights: Any) -> float:
    """What a mandala promises to a seat that has just played."""
    missing = 0
    colours = colours_in(state, mandala)
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
    outcome = 0.0
    if state.marker[mandala] > 0:
        outcome = dissolved(state, seat, mandala, int(state.marker[mandala]) - 1, weights)
    if missing == 0:
        return outcome
    value = outcome * weights[ALMOST + missing - 1]
    if missing == 1:
        value += weights[DANGER] * min(0.0, outcome)
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
def dissolved(state: Any, seat: int, mandala: int, holder: int, weights: Any) -> float:
    """What a seat gets out of a dissolving, less what others get; the holder takes the best."""
    runner_up = second(state, mandala, holder)
    dark, light = int(state.tile[mandala, DARK]) - 1, int(state.tile[mandala, LIGHT]) - 1
    by_dark = settled(state, holder, holder, dark, runner_up, light, weights)
    by_light = settled(state, holder, holder, light, runner_up, dark, weights)
    if holder == seat:
        return max(by_dark, by_light)
    if by_dark >= by_light:
        return settled(state, seat, holder, dark, runner_up, light, weights)
    return settled(state, seat, holder, light, runner_up, dark, weights)


@rule
def settled(
    state: Any, seat: int, holder: int, taken: int, runner_up: int, other: int, weights: Any
) -> float:
    """What it is worth to a seat that the holder takes one tile and the runner-up the other."""
    value = tile_worth(state, holder, taken, weights)
    if holder != seat:
        value *= -weights[OTHERS]
    rest = tile_worth(state, runner_up, other, weights)
    if runner_up != seat:
        rest *= -weights[OTHERS]
    return value + rest


@rule
def tile_worth(state: Any, seat: int, tile: int, weights: Any) -> float:
    """What a tile adds to a seat's points: in a flower, or single with the hope of one."""
    value = tile % VALUE_COUNT
    first = tile - value
    for half in range(VALUE_COUNT):
        if state.owner[first + half] == FIRST_OWNER + seat and state.partner[first + half] == 0:
            points = flower_points(min(half, value), max(half, value)) - POINTS[half]
            return points + weights[FLOWER]
    hope = weights[SINGLE_TRIPLE] if value == TRIPLE else weights[SINGLE]
    return POINTS[value] + hope
