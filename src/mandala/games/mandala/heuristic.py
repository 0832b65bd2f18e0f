"""The heuristic of Mandala: the value of a move to a seat, without searching.

A mandala is worth what its centre would score when it is dissolved; the fewer colours are missing,
the more of that counts. The seat that leads in the fields chooses first. Cards in hand are the
means to both, so the cards that an action spends and draws count too.

The heuristic reads only what the seat may know: its view and the full position give the same
values.
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
SECRET_CARDS_PER_COLOUR = 2 / COLOUR_COUNT  # average of the two secret cards of a cup

# The index of each weight. A point is worth 1.
(
    NEW_COLOUR,  # a colour that enters the river …
    NEW_PLACE,  # … for each place further to the right
    DENY,  # a colour's value to the other seat, which no longer gets it
    WIN,  # winning the game, when this dissolving ends it
    ONE_MISSING,  # the part of the dissolving's value that counts while one colour is missing
    TWO_MISSING,
    THREE_MISSING,
    FOUR_MISSING,
    DANGER,  # the other seat can complete a mandala that is bad for this seat
    LEAD,  # each card that the seat's field is ahead, up to three
    PRESENCE,  # any card in the field: without one, the seat gets nothing
    CARD,  # a card in hand
    FITS_FIELD,  # … that could be played to one of the seat's fields
    FITS_CENTRE,  # … or to a centre
    DRAWN,  # a card drawn
    READY,  # the additional part that counts while the seat holds the last missing colour
    WEIGHT_COUNT,
) = range(17)

WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[NEW_COLOUR] = 0.39
WEIGHTS[NEW_PLACE] = 0.27
WEIGHTS[DENY] = 1.24
WEIGHTS[WIN] = 22.23
WEIGHTS[ONE_MISSING] = 0.21
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
        mandala_values[mandala] = mandala_value(state, seat, mandala, weights)


@rule
def move_value(state: Any, seat: int, move: int, weights: Any, before: Any) -> float:
    """The change in value that a move makes. The record is changed and restored."""
    kind, mandala = KIND[move], int(MANDALA[move])
    colour, number = int(COLOUR[move]), int(COUNT[move])
    if kind == TAKE:
        return dissolve_value(state, seat, int(state.mandala), colour, seat, weights)
    draws = number if kind == DISCARD else 0
    if kind == CENTRE:
        draws = min(CENTRE_DRAW, HAND_LIMIT - count(state.hand[seat]) + 1)
    value = hand_change_value(state, seat, colour, number, draws, weights)
    if kind == DISCARD:
        return value
    area = state.centre[mandala] if kind == CENTRE else state.field[seat, mandala]
    state.hand[seat, colour] -= number
    area[colour] += number
    state.draws = draws
    value += mandala_value(state, seat, mandala, weights) - before[mandala]
    state.draws = 0
    area[colour] -= number
    state.hand[seat, colour] += number
    return value


@rule
def hand_change_value(
    state: Any, seat: int, colour: int, number: int, draws: int, weights: Any
) -> float:
    """The value of the cards drawn, minus that of the cards played."""
    card = weights[CARD]
    for mandala in range(MANDALAS):
        if fits_field(state, seat, mandala, colour):
            card += weights[FITS_FIELD]
        if fits_centre(state, mandala, colour):
            card += weights[FITS_CENTRE]
    return weights[DRAWN] * draws - card * number


@rule
def mandala_value(state: Any, seat: int, mandala: int, weights: Any) -> float:
    """The value of a mandala to a seat that has just played into it."""
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
            outcome += dissolve_value(state, seat, mandala, NO_COLOUR, chooser, weights)
            ways += 1
    outcome /= ways
    if missing == 0:
        return outcome
    value = outcome * weights[ONE_MISSING + min(missing, 4) - 1]
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
def dissolve_value(
    state: Any, seat: int, mandala: int, colour: int, chooser: int, weights: Any
) -> float:
    """The value of dissolving a mandala: what the seat takes, minus what the other seat takes.

    The seats take in turn the colour that is best for them. The first colour is `colour`, unless it
    is NO_COLOUR.
    """
    own_place = next_place(state, seat, mandala)
    other_place = next_place(state, 1 - seat, mandala)
    total, left = 0.0, 0
    for each in range(COLOUR_COUNT):
        if state.centre[mandala, each] > 0:
            left |= 1 << each
    while left != 0:
        if colour == NO_COLOUR:
            colour = preferred_colour(
                state, seat, mandala, left, chooser, own_place, other_place, weights
            )
        left &= ~(1 << colour)
        if chooser == seat:
            total += colour_value(state, seat, seat, mandala, colour, own_place, weights)
            if own_place > 0 and state.river[seat, colour] == 0:
                own_place += 1
        else:
            total -= colour_value(state, seat, 1 - seat, mandala, colour, other_place, weights)
            if other_place > 0 and state.river[1 - seat, colour] == 0:
                other_place += 1
        chooser = 1 - chooser
        colour = NO_COLOUR
    pile_runs_out = 0 < count(state.pile) <= state.draws
    if state.last_phase or pile_runs_out or max(own_place, other_place) > COLOUR_COUNT:
        lead = total + score(state, seat) - estimated_points(state, 1 - seat)
        total += weights[WIN] if lead > 0 else -weights[WIN]
    return total


@rule
def next_place(state: Any, seat: int, mandala: int) -> int:
    """The first free river place; 0 for a seat without a card in its field, which gets nothing."""
    return river_length(state, seat) + 1 if count(state.field[seat, mandala]) > 0 else 0


@rule
def preferred_colour(
    state: Any,
    seat: int,
    mandala: int,
    left: int,
    chooser: int,
    own_place: int,
    other_place: int,
    weights: Any,
) -> int:
    """The colour that the chooser takes: by its own gain and by what it denies the other seat."""
    best, best_appeal = NO_COLOUR, -np.inf
    for colour in range(COLOUR_COUNT):
        if (left >> colour) & 1 == 0:
            continue
        own = colour_value(state, seat, seat, mandala, colour, own_place, weights)
        other = colour_value(state, seat, 1 - seat, mandala, colour, other_place, weights)
        appeal = own + weights[DENY] * other if chooser == seat else other + weights[DENY] * own
        if appeal > best_appeal:
            best, best_appeal = colour, appeal
    return best


@rule
def colour_value(
    state: Any, viewer: int, seat: int, mandala: int, colour: int, place: int, weights: Any
) -> float:
    """The value of a colour of a centre to a seat: points for its cards, or the next river place.

    A new place also makes the secret cards of that colour score. Those of the other seat count as
    their average.
    """
    if place == 0:
        return 0.0
    cards = float(state.centre[mandala, colour])
    if state.river[seat, colour] > 0:
        return cards * float(state.river[seat, colour])
    cards += float(state.secret[seat, colour]) if seat == viewer else SECRET_CARDS_PER_COLOUR
    return (cards - 1.0) * place + weights[NEW_COLOUR] + weights[NEW_PLACE] * place


@rule
def estimated_points(state: Any, seat: int) -> float:
    """The points of a seat as the other seat can estimate them, with average secret cards."""
    points = 0.0
    for colour in range(COLOUR_COUNT):
        cards = float(state.cup[seat, colour]) + SECRET_CARDS_PER_COLOUR
        points += cards * float(state.river[seat, colour])
    return points
