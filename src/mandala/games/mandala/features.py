"""The evaluation features of Mandala: numbers that describe a position for one seat.

The network that evaluates them is in `weights.npy`; `docs/adr/0004-search.md` says how it was
trained. The features read all cards, since the search samples the hidden ones first.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import rule

from ..cards import COLOUR_COUNT, count
from .heuristic import NO_COLOUR, WEIGHTS, WIN, dissolve_value
from .rules import (
    ACTION,
    COPIES,
    DISSOLVE,
    MANDALAS,
    colours_in,
    fits_centre,
    fits_field,
    river_length,
    score,
)

# The index of each feature. Those of mandalas have one entry per number of missing colours.
(
    POINTS,
    RIVER,  # colours in the river
    CUP,  # cards in the cup
    CUP_UNSCORED,  # … whose colour is not in the river
    HAND,  # cards in hand
    HAND_COLOURS,  # different colours in hand
    HAND_MAX,  # cards in hand of the most frequent colour
    FITS_FIELD,  # cards in hand, for each mandala that they fit
    FITS_CENTRE,
    TURN,  # 1 if this seat decides
    PROGRESS,  # how much of the game is over, from 0 to 1
    LAST_PHASE,
    DISSOLVING,  # the value of the dissolving that is under way
    ENDS_NOW,  # 1 or -1 if it ends the game with a win or a loss
    READY,  # the value of dissolving what the seat can complete with its next move
    ENDS_READY,  # 1 or -1 if completing a mandala with the next move ends the game
    ENDS_LATER,  # … or completing one later
    COUNT,  # mandalas that lack one colour; next two, three, and more
    COUNT_TWO,
    COUNT_THREE,
    COUNT_MORE,
    OUTCOME,  # the value of dissolving them
    OUTCOME_TWO,
    OUTCOME_THREE,
    OUTCOME_MORE,
    SWING,  # the advantage of choosing first over choosing second
    SWING_TWO,
    SWING_THREE,
    SWING_MORE,
    LEAD,  # cards ahead in the field, up to four
    LEAD_TWO,
    LEAD_THREE,
    LEAD_MORE,
    PRESENCE,  # 1 with a card in the field
    PRESENCE_TWO,
    PRESENCE_THREE,
    PRESENCE_MORE,
    HELD,  # missing colours in hand
    HELD_TWO,
    HELD_THREE,
    HELD_MORE,
    FEATURE_COUNT,
) = range(42)

WEIGHTS_WITHOUT_WIN = WEIGHTS.copy()  # for the value of a dissolving apart from winning
WEIGHTS_WITHOUT_WIN[WIN] = 0.0


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write the evaluation features of a seat; return how many there are."""
    for each in range(FEATURE_COUNT):
        out[each] = 0.0
    out[POINTS] = score(state, seat)
    out[RIVER] = river_length(state, seat)
    out[TURN] = 1.0 if state.actor == seat else 0.0
    left = count(state.pile) / (COLOUR_COUNT * COPIES)
    longest = max(river_length(state, 0), river_length(state, 1))
    out[PROGRESS] = 1.0 if state.last_phase else 1.0 - min(left, 1.0 - longest / COLOUR_COUNT)
    out[LAST_PHASE] = state.last_phase
    for colour in range(COLOUR_COUNT):
        cup = int(state.cup[seat, colour]) + int(state.secret[seat, colour])
        out[CUP] += cup
        if state.river[seat, colour] == 0:
            out[CUP_UNSCORED] += cup
        add_hand_features(state, seat, colour, out)
    for mandala in range(MANDALAS):
        add_mandala_features(state, seat, mandala, out)
    return FEATURE_COUNT


@rule
def add_hand_features(state: Any, seat: int, colour: int, out: Any) -> None:
    """Add the features of a seat's cards of one colour."""
    held = int(state.hand[seat, colour])
    if held == 0:
        return
    out[HAND] += held
    out[HAND_COLOURS] += 1.0
    out[HAND_MAX] = max(out[HAND_MAX], held)
    for mandala in range(MANDALAS):
        if fits_field(state, seat, mandala, colour):
            out[FITS_FIELD] += held
        if fits_centre(state, mandala, colour):
            out[FITS_CENTRE] += held


@rule
def add_mandala_features(state: Any, seat: int, mandala: int, out: Any) -> None:
    """Add the features of one mandala."""
    colours, missing, held = colours_in(state, mandala), 0, 0
    for colour in range(COLOUR_COUNT):
        if (colours >> colour) & 1 == 0:
            missing += 1
            held += state.hand[seat, colour] > 0
    is_now = state.phase == DISSOLVE and state.mandala == mandala
    own, other = count(state.field[seat, mandala]), count(state.field[1 - seat, mandala])
    chances = 0.5 + 0.5 * ((own > other) - (other > own))  # of choosing first
    if is_now:
        chances = 1.0 if state.actor == seat else 0.0
    outcome, swing = 0.0, 0.0
    for chooser in range(2):
        if is_now and chooser != state.actor:
            continue
        value = dissolve_value(state, seat, mandala, NO_COLOUR, chooser, WEIGHTS_WITHOUT_WIN)
        outcome += value * (chances if chooser == seat else 1.0 - chances)
        swing += value if chooser == seat else -value
    last = final_result(state, seat, mandala, outcome)
    if is_now:
        out[DISSOLVING] += outcome
        out[ENDS_NOW] += last
        return
    place = max(0, min(missing - 1, 3))
    out[COUNT + place] += 1.0
    out[OUTCOME + place] += outcome
    out[SWING + place] += swing
    out[LEAD + place] += max(-4, min(4, own - other))
    out[PRESENCE + place] += own > 0
    out[HELD + place] += held
    if missing == 1 and held > 0 and state.phase == ACTION and state.actor == seat:
        out[READY] += max(0.0, outcome)
        out[ENDS_READY] = max(out[ENDS_READY], last)
    elif missing <= 2:
        out[ENDS_LATER] += last


@rule
def final_result(state: Any, seat: int, mandala: int, outcome: float) -> float:
    """1 or -1 if dissolving a mandala ends the game with a win or a loss; 0 if it does not end."""
    ends = bool(state.last_phase)
    for each in range(2):
        if count(state.field[each, mandala]) > 0:
            if river_length(state, each) + new_colours(state, each, mandala) >= COLOUR_COUNT:
                ends = True
    if not ends:
        return 0.0
    lead = outcome + score(state, seat) - score(state, 1 - seat)
    return 1.0 if lead > 0 else -1.0


@rule
def new_colours(state: Any, seat: int, mandala: int) -> int:
    """How many new colours a seat can take into its river when a mandala is dissolved."""
    new, there = 0, 0
    for colour in range(COLOUR_COUNT):
        if state.centre[mandala, colour] > 0:
            there += 1
            if state.river[seat, colour] == 0:
                new += 1
    return min(new, (there + 1) // 2)
