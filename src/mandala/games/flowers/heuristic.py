"""Flowers at a glance: what a decision is worth to a seat, before anybody thinks ahead.

The idea: a mandala is worth the tiles that would be won if it were dissolved as it lies, and the
fewer colours are missing, the surer that is. A tile that makes a flower is worth what the flower
adds. Cards are the means, so what a play spends and draws counts too.

Only what the seat may know is read: its view and the full position give the same number.
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
    is_new,
    legal,
    score,
    second,
)

RECORD = State.dtype
VALUE_COUNT = len(VALUES)

# What the weights are for. A point is worth 1.
(
    FLOWER,  # forming a flower, besides its points
    SINGLE,  # a single tile may become half a flower
    SINGLE_TRIPLE,  # … and a ×3 more so
    OTHERS,  # what another seat gets, shared by all that it harms
    ALMOST,  # the share of a dissolving that counts while one colour is missing
    TWO_MISSING,
    THREE_MISSING,
    FOUR_MISSING,
    DANGER,  # another seat may complete a mandala that is bad for us
    LEAD,  # each card ahead of the best rival, up to three
    PRESENCE,  # a face-up card: without one, cards do not count
    CARD,  # a card in hand
    FITS,  # … that would be new in a mandala
    DRAWN,  # a card drawn
    READY,  # the share of a dissolving that counts more when we hold the last missing colour
    FINISH,  # the third flower ends the game: good for the seat that leads
    WEIGHT_COUNT,
) = range(17)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[FLOWER] = 1.26
WEIGHTS[SINGLE] = 2.22
WEIGHTS[SINGLE_TRIPLE] = 4.31
WEIGHTS[OTHERS] = 1.2
WEIGHTS[ALMOST] = 0.24
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
def worth(state: Any, seat: int, move: int) -> float:
    """What a legal decision of a seat is worth at a glance; higher is better."""
    scratch, before = np.empty(1, RECORD), np.empty(MANDALAS)
    scratch[0] = state
    look_at_all(state, seat, WEIGHTS, before)
    return weigh(scratch[0], seat, move, WEIGHTS, before)


@rule_with_arrays
def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal decisions of a seat and what each is worth; return how many there are."""
    scratch, before = np.empty(1, RECORD), np.empty(MANDALAS)
    scratch[0] = state
    look_at_all(state, seat, weights, before)
    found = legal(state, rows)
    for place in range(found):
        values[place] = weigh(scratch[0], seat, rows[place], weights, before)
    return found


@rule
def look_at_all(state: Any, seat: int, weights: Any, prospects: Any) -> None:
    """Write what each mandala promises to a seat as it lies."""
    for mandala in range(MANDALAS):
        prospects[mandala] = 0.0
        if has_tiles(state, mandala):
            prospects[mandala] = prospect(state, seat, mandala, weights)


@rule
def weigh(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """What a decision changes, by given weights. The record is changed and put right again."""
    if KIND[move] == PLAY:
        return weigh_play(state, seat, move, weights, before)
    if KIND[move] == CLAIM_TILE:
        runner_up = int(second(state, state.mandala, seat))
        dark = int(state.tile[state.mandala, DARK]) - 1
        light = int(state.tile[state.mandala, LIGHT]) - 1
        taken = dark if TILE_OF[move] == dark else light
        return settled(state, seat, seat, taken, runner_up, dark + light - taken, weights)
    return 0.0


@rule
def weigh_play(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """What the mandala promises after the play and before it, and what the hand loses and draws."""
    mandala, colour, number = int(MANDALA[move]), int(COLOUR[move]), int(COUNT[move])
    cards = count(state.hand[seat]) - number
    draws = max(0, min(DRAW_LIMIT, HAND_LIMIT - cards)) if number == 1 else 0
    value = weights[DRAWN] * draws - card_worth(state, colour, weights) * number
    side = FACE_UP if is_new(state, mandala, colour) else FACE_DOWN
    last, marker = state.mandala, state.marker[mandala]
    state.hand[seat, colour] -= number
    state.laid[seat, mandala, side, colour] += number
    state.mandala = mandala
    check_majority(state)
    value += prospect(state, seat, mandala, weights) - before[mandala]
    state.hand[seat, colour] += number
    state.laid[seat, mandala, side, colour] -= number
    state.mandala = last
    state.marker[mandala] = marker
    return value


@rule
def card_worth(state: Any, colour: int, weights: Any) -> float:
    """What a card in hand is worth: more where it could still lie face up."""
    value = weights[CARD]
    for mandala in range(MANDALAS):
        if has_tiles(state, mandala) and is_new(state, mandala, colour):
            value += weights[FITS]
    return value


@rule
def prospect(state: Any, seat: int, mandala: int, weights: Any) -> float:
    """What a mandala promises to a seat that has just played."""
    missing, held = 0, 0
    colours = colours_in(state, mandala)
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += int(state.hand[seat, colour])
    outcome = 0.0
    if state.marker[mandala] > 0:
        outcome = dissolved(state, seat, mandala, int(state.marker[mandala]) - 1, weights)
    if missing == 0:
        return outcome
    value = outcome * weights[ALMOST + missing - 1]
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
def dissolved(state: Any, seat: int, mandala: int, holder: int, weights: Any) -> float:
    """What a seat gets out of a dissolving, less what others get; the holder takes the best."""
    runner_up = int(second(state, mandala, holder))
    dark, light = int(state.tile[mandala, DARK]) - 1, int(state.tile[mandala, LIGHT]) - 1
    best, brings = -np.inf, 0.0
    for taken in (dark, light):
        other = dark + light - taken
        appeal = settled(state, holder, holder, taken, runner_up, other, weights)
        if appeal > best:
            best = appeal
            brings = settled(state, seat, holder, taken, runner_up, other, weights)
    return brings


@rule
def settled(
    state: Any, seat: int, holder: int, taken: int, runner_up: int, other: int, weights: Any
) -> float:
    """What it is worth to a seat that the holder takes one tile and the runner-up the other."""
    harm = weights[OTHERS] / (state.seats - 1)
    total = 0.0
    # A loop, for the same lines twice take twice as long to compile.
    for owner, tile in ((holder, taken), (runner_up, other)):
        value = tile_worth(state, owner, tile, weights)
        total += value if owner == seat else -harm * value
    return total


@rule
def tile_worth(state: Any, seat: int, tile: int, weights: Any) -> float:
    """What a tile adds to a seat's points: in a flower, or single with the hope of one."""
    value = tile % VALUE_COUNT
    first = tile - value
    for half in range(VALUE_COUNT):
        if state.owner[first + half] == FIRST_OWNER + seat and state.partner[first + half] == 0:
            points = flower_points(min(half, value), max(half, value)) - POINTS[half]
            return points + weights[FLOWER] + finish(state, seat, points, weights)
    hope = weights[SINGLE_TRIPLE] if value == TRIPLE else weights[SINGLE]
    return POINTS[value] + hope


@rule
def finish(state: Any, seat: int, points: int, weights: Any) -> float:
    """What it is worth to a seat that a flower with these points may be its third."""
    if state.flowers[seat] + 1 < FLOWERS_TO_END:
        return 0.0
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, score(state, other))
    return weights[FINISH] if score(state, seat) + points > best else -weights[FINISH]
