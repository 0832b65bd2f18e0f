"""Mandala at a glance: what a decision is worth to a seat, before anybody thinks ahead.

The idea: a mandala is worth what its centre would bring when it is dissolved, and the more of its
colours lie there already, the surer that is. Whoever leads in the fields chooses first. Cards in
hand are the means to both, so what an action spends and draws counts too.

Only what the seat may know is read: its view and the full position give the same number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import rule, rule_with_arrays

from ..cards import COLOUR_COUNT, count
from .rules import (
    CENTRE,
    CENTRE_DRAW,
    COLOUR,
    COUNT,
    DISCARD,
    HAND_LIMIT,
    KIND,
    MANDALA,
    MANDALAS,
    TAKE,
    State,
    colours_in,
    fits_centre,
    fits_field,
    legal,
    river_length,
    score,
)

RECORD = State.dtype
NO_COLOUR = COLOUR_COUNT
GUESS = 2 / COLOUR_COUNT  # a cup begins with two secret cards: so many of each colour on average

# What the weights are for. A point is worth 1.
(
    NEW_COLOUR,  # a colour that enters the river …
    NEW_PLACE,  # … for each place it lies further to the right
    DENY,  # what the other seat would have had of a colour
    WIN,  # a game that is won when this dissolving ends it
    ALMOST,  # the share of a dissolving that counts while one colour is missing
    TWO_MISSING,
    THREE_MISSING,
    FOUR_MISSING,
    DANGER,  # the other seat may complete a mandala that is bad for us
    LEAD,  # each card that a field is ahead, up to three
    PRESENCE,  # any card in the field: without one, nothing is won here
    CARD,  # a card in hand
    FITS_FIELD,  # … that could go into an own field
    FITS_CENTRE,  # … or into a centre
    DRAWN,  # a card drawn
    READY,  # the share of a dissolving that counts more when we hold the last missing colour
    WEIGHT_COUNT,
) = range(17)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[NEW_COLOUR] = 0.39
WEIGHTS[NEW_PLACE] = 0.27
WEIGHTS[DENY] = 1.24
WEIGHTS[WIN] = 22.23
WEIGHTS[ALMOST] = 0.21
WEIGHTS[TWO_MISSING] = 0.17
WEIGHTS[THREE_MISSING] = 0.11
WEIGHTS[FOUR_MISSING] = -0.19
WEIGHTS[DANGER] = 0.04
WEIGHTS[LEAD] = 0.58
WEIGHTS[PRESENCE] = 1.35
WEIGHTS[CARD] = 0.02
WEIGHTS[FITS_FIELD] = 0.09
WEIGHTS[FITS_CENTRE] = 0.11
WEIGHTS[DRAWN] = 0.66
WEIGHTS[READY] = 0.18


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
        prospects[mandala] = prospect(state, seat, mandala, weights)


@rule
def weigh(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """What a decision changes, by given weights. The record is changed and put right again."""
    kind, mandala = KIND[move], int(MANDALA[move])
    colour, number = int(COLOUR[move]), int(COUNT[move])
    if kind == TAKE:
        return share(state, seat, int(state.mandala), colour, seat, weights)
    draws = number if kind == DISCARD else 0
    if kind == CENTRE:
        draws = min(CENTRE_DRAW, HAND_LIMIT - count(state.hand[seat]) + 1)
    value = exchange(state, seat, colour, number, draws, weights)
    if kind == DISCARD:
        return value
    area = state.centre[mandala] if kind == CENTRE else state.field[seat, mandala]
    state.hand[seat, colour] -= number
    area[colour] += number
    state.draws = draws
    value += prospect(state, seat, mandala, weights) - before[mandala]
    state.draws = 0
    area[colour] -= number
    state.hand[seat, colour] += number
    return value


@rule
def exchange(state: Any, seat: int, colour: int, number: int, draws: int, weights: Any) -> float:
    """What the hand loses by cards played and wins by cards drawn."""
    card = weights[CARD]
    for mandala in range(MANDALAS):
        if fits_field(state, seat, mandala, colour):
            card += weights[FITS_FIELD]
        if fits_centre(state, mandala, colour):
            card += weights[FITS_CENTRE]
    return weights[DRAWN] * draws - card * number


@rule
def prospect(state: Any, seat: int, mandala: int, weights: Any) -> float:
    """What a mandala promises to a seat that has just played into it."""
    own, other = count(state.field[seat, mandala]), count(state.field[1 - seat, mandala])
    missing, held = 0, 0
    colours = colours_in(state, mandala)
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += int(state.hand[seat, colour])
    outcome, ways = 0.0, 0
    for chooser in range(2):
        may_choose = own > other if chooser == seat else own <= other
        if may_choose or (own == other and missing > 0):
            outcome += share(state, seat, mandala, NO_COLOUR, chooser, weights)
            ways += 1
    outcome /= ways
    if missing == 0:
        return outcome
    value = outcome * weights[ALMOST + min(missing, 4) - 1]
    if missing == 1:
        value += weights[DANGER] * min(0.0, outcome)
        if held > 0:
            value += weights[READY] * max(0.0, outcome)
    value += weights[LEAD] * max(-3, min(3, own - other))
    if own > 0:
        value += weights[PRESENCE]
    if other > 0:
        value -= weights[PRESENCE]
    return value


@rule
def share(state: Any, seat: int, mandala: int, colour: int, chooser: int, weights: Any) -> float:
    """What a seat gets out of a dissolving, less what the other gets.

    Each in turn takes the colour that is best for it; the first one is given unless NO_COLOUR.
    """
    own_place = next_place(state, seat, mandala)
    other_place = next_place(state, 1 - seat, mandala)
    total, left = 0.0, 0
    for each in range(COLOUR_COUNT):
        if state.centre[mandala, each] > 0:
            left |= 1 << each
    while left != 0:
        if colour == NO_COLOUR:
            colour = favourite(state, seat, mandala, left, chooser, own_place, other_place, weights)
        left &= ~(1 << colour)
        if chooser == seat:
            total += gain(state, seat, seat, mandala, colour, own_place, weights)
            if own_place > 0 and state.river[seat, colour] == 0:
                own_place += 1
        else:
            total -= gain(state, seat, 1 - seat, mandala, colour, other_place, weights)
            if other_place > 0 and state.river[1 - seat, colour] == 0:
                other_place += 1
        chooser = 1 - chooser
        colour = NO_COLOUR
    pile_runs_out = 0 < count(state.pile) <= state.draws
    if state.last_phase or pile_runs_out or max(own_place, other_place) > COLOUR_COUNT:
        lead = total + score(state, seat) - seen_points(state, 1 - seat)
        total += weights[WIN] if lead > 0 else -weights[WIN]
    return total


@rule
def next_place(state: Any, seat: int, mandala: int) -> int:
    """The first free river place; 0 for a seat without a card in its field: it wins nothing."""
    return river_length(state, seat) + 1 if count(state.field[seat, mandala]) > 0 else 0


@rule
def favourite(
    state: Any,
    seat: int,
    mandala: int,
    left: int,
    chooser: int,
    own_place: int,
    other_place: int,
    weights: Any,
) -> int:
    """The colour that the chooser takes: good for itself, and too good for the other."""
    best, most = NO_COLOUR, -np.inf
    for colour in range(COLOUR_COUNT):
        if (left >> colour) & 1 == 0:
            continue
        own = gain(state, seat, seat, mandala, colour, own_place, weights)
        other = gain(state, seat, 1 - seat, mandala, colour, other_place, weights)
        appeal = own + weights[DENY] * other if chooser == seat else other + weights[DENY] * own
        if appeal > most:
            best, most = colour, appeal
    return best


@rule
def gain(
    state: Any, viewer: int, seat: int, mandala: int, colour: int, place: int, weights: Any
) -> float:
    """What a colour of a centre brings a seat: points for its cards, or the next river place.

    A new place also makes the secret cards of that colour score; others' ones can only be guessed.
    """
    if place == 0:
        return 0.0
    cards = float(state.centre[mandala, colour])
    if state.river[seat, colour] > 0:
        return cards * float(state.river[seat, colour])
    cards += float(state.secret[seat, colour]) if seat == viewer else GUESS
    return (cards - 1.0) * place + weights[NEW_COLOUR] + weights[NEW_PLACE] * place


@rule
def seen_points(state: Any, seat: int) -> float:
    """The points of a seat as the other may guess them: its two secret cards count on average."""
    points = 0.0
    for colour in range(COLOUR_COUNT):
        cards = float(state.cup[seat, colour]) + GUESS
        points += cards * float(state.river[seat, colour])
    return points
