"""The rules of Mandala (2019): two seats, hidden hands.

Read it beside `docs/rules/mandala.md`: the names are the same. A turn is one action (A, B or C);
a completed mandala is dissolved by taking colours in turn; cards are drawn by chance.
"""

from __future__ import annotations

from typing import Any

from mandala.engine import CHANCE, NOBODY, Layout, hidden, own, public, rule

from ..cards import (
    ALL_COLOURS,
    CARD_KINDS,
    COLOUR_COUNT,
    COLOURS,
    UNKNOWN,
    MoveList,
    count,
    row_numbers,
    take,
)

MANDALAS = 2
COPIES = 18  # cards of each colour
HAND_LIMIT = 8
CENTRE_DRAW = 3  # action A draws at most this many cards
REFILL = 2  # cards of a new centre
DISCARDS_TO_END = 40  # house rule: this many actions C in a row end the game

# The values of `state.phase`.
SETUP, ACTION, DRAW, DISSOLVE, REFILLING, OVER = range(6)

# Kinds of moves.
CENTRE, FIELD, DISCARD, TAKE, CARD = range(5)

# Where the cards of the setup go, in the order they are drawn.
TO_CENTRE_1, TO_CENTRE_2, TO_HAND_1, TO_CUP_1, TO_HAND_2, TO_CUP_2 = range(6)
SETUP_DRAWS = (
    *[TO_CENTRE_1] * 2,
    *[TO_CENTRE_2] * 2,
    *[TO_HAND_1] * 6,
    *[TO_CUP_1] * 2,
    *[TO_HAND_2] * 6,
    *[TO_CUP_2] * 2,
)
SETUP_COUNT = len(SETUP_DRAWS)

CUP_PLACE = 4  # row of `dealt` for the other seat's secret cup cards; rows 0 to 3 are hands


class State(Layout):
    """A position of Mandala. Cards are counts by colour; index order: seat, mandala, colour."""

    phase = public()
    actor = public()  # who moves next: a seat, CHANCE or NOBODY
    turn = public()  # the seat whose action is being carried out
    mandala = public()  # the mandala last played into, which may be dissolving or refilling
    draws = public()  # how many cards are still to be drawn now
    last_phase = public()  # 1 once the draw pile has run out
    discards = public()  # actions C in a row, both seats together
    centre = public(MANDALAS, COLOUR_COUNT, kind="i1")
    field = public(2, MANDALAS, COLOUR_COUNT, kind="i1")
    river = public(2, COLOUR_COUNT)  # the place of a colour, 1 to 6; 0 if it has none
    cup = public(2, COLOUR_COUNT, kind="i1")  # cards from a centre, which both seats saw
    secret = own(2, CARD_KINDS)  # the two cards the cup began with
    hand = own(2, CARD_KINDS)
    discard = public(COLOUR_COUNT, kind="i1")
    pile = hidden(CARD_KINDS)
    shuffles = public()  # 0 until the discard pile is shuffled, then 1 and 2 in turn
    drawn = own(2, CARD_KINDS)  # cards drawn into a hand since the last shuffle


moves = MoveList("kind", "mandala", "colour", "count")
CENTRE_ROW = row_numbers(MANDALAS, COLOUR_COUNT)
FIELD_ROW = row_numbers(MANDALAS, COLOUR_COUNT, HAND_LIMIT)
DISCARD_ROW = row_numbers(COLOUR_COUNT, HAND_LIMIT + 1)
TAKE_ROW = row_numbers(COLOUR_COUNT)
CARD_ROW = row_numbers(CARD_KINDS)
for _m in range(MANDALAS):
    for _c, _letter in enumerate(COLOURS):
        CENTRE_ROW[_m, _c] = moves.add(f"A{_m + 1}{_letter}", CENTRE, _m, _c, 1)
for _m in range(MANDALAS):
    for _c, _letter in enumerate(COLOURS):
        for _n in range(1, HAND_LIMIT):
            FIELD_ROW[_m, _c, _n] = moves.add(f"B{_m + 1}{_letter * _n}", FIELD, _m, _c, _n)
for _c, _letter in enumerate(COLOURS):
    for _n in range(1, HAND_LIMIT + 1):
        DISCARD_ROW[_c, _n] = moves.add(f"C{_letter * _n}", DISCARD, 0, _c, _n)
for _c, _letter in enumerate(COLOURS):
    TAKE_ROW[_c] = moves.add(f"T{_letter}", TAKE, 0, _c, 0)
moves.close_decisions()
for _c, _letter in enumerate(COLOURS + "?"):
    CARD_ROW[_c] = moves.add(f"+{_letter}", CARD, 0, _c, 1)

DECISIONS = moves.decisions
KIND = moves.column("kind")
MANDALA = moves.column("mandala")
COLOUR = moves.column("colour")
COUNT = moves.column("count")


@rule
def begin(state: Any, seats: int) -> None:
    """Setup: all cards form the draw pile. The record must be all zeros."""
    for colour in range(COLOUR_COUNT):
        state.pile[colour] = COPIES
    state.phase = SETUP
    state.actor = CHANCE
    state.draws = SETUP_COUNT


# Legal moves


@rule
def fits_centre(state: Any, mandala: int, colour: int) -> bool:
    """Golden rule: a colour in a field may not be played to the centre."""
    return state.field[0, mandala, colour] == 0 and state.field[1, mandala, colour] == 0


@rule
def fits_field(state: Any, seat: int, mandala: int, colour: int) -> bool:
    """Golden rule: a colour in the centre or the other field may not be played to a field."""
    return state.centre[mandala, colour] == 0 and state.field[1 - seat, mandala, colour] == 0


@rule
def are_piles_empty(state: Any) -> bool:
    """Whether draw pile and discard pile are both empty."""
    return count(state.pile) == 0 and count(state.discard) == 0


@rule
def legal(state: Any, rows: Any) -> int:
    """Write the rows of the actor's legal moves and return how many there are."""
    if state.phase == DISSOLVE:
        return legal_takes(state, rows)
    if state.phase != ACTION:
        return 0
    seat = state.actor
    cards = count(state.hand[seat])
    may_play_last = cards > 1 or not are_piles_empty(state)
    unknown = state.hand[seat, UNKNOWN]
    found = 0
    for colour in range(COLOUR_COUNT):
        held = state.hand[seat, colour] + unknown
        if held == 0:
            continue
        for mandala in range(MANDALAS):
            if may_play_last and fits_centre(state, mandala, colour):
                rows[found] = CENTRE_ROW[mandala, colour]
                found += 1
            if fits_field(state, seat, mandala, colour):
                for number in range(1, min(held, cards - 1) + 1):
                    rows[found] = FIELD_ROW[mandala, colour, number]
                    found += 1
        for number in range(1, held + 1):
            rows[found] = DISCARD_ROW[colour, number]
            found += 1
    return found


@rule
def legal_takes(state: Any, rows: Any) -> int:
    """While dissolving, any colour of the centre may be taken."""
    found = 0
    for colour in range(COLOUR_COUNT):
        if state.centre[state.mandala, colour] > 0:
            rows[found] = TAKE_ROW[colour]
            found += 1
    return found


@rule
def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible draws with their weights, the cards of the draw pile by colour."""
    found = 0
    for colour in range(CARD_KINDS):
        if state.pile[colour] > 0:
            rows[found] = CARD_ROW[colour]
            weights[found] = state.pile[colour]
            found += 1
    return found


@rule
def drawer(state: Any) -> int:
    """The seat that alone sees the card that chance draws next, or NOBODY when all may see it."""
    if state.phase == DRAW:
        return int(state.turn)
    if state.phase == SETUP:
        target = SETUP_DRAWS[SETUP_COUNT - state.draws]
        if target == TO_HAND_1 or target == TO_CUP_1:
            return 0
        if target == TO_HAND_2 or target == TO_CUP_2:
            return 1
    return NOBODY


@rule
def is_set_aside(state: Any) -> bool:
    """Whether the card that chance draws next goes into a cup, from which it is never played."""
    if state.phase != SETUP:
        return False
    target = SETUP_DRAWS[SETUP_COUNT - state.draws]
    return target == TO_CUP_1 or target == TO_CUP_2


# Moves


@rule
def apply(state: Any, move: int) -> None:
    """Make one legal move: an action, a take, or a card drawn by chance."""
    kind = KIND[move]
    if kind == CARD:
        draw(state, COLOUR[move])
    elif kind == CENTRE:
        play_to_centre(state, MANDALA[move], COLOUR[move])
    elif kind == FIELD:
        play_to_field(state, MANDALA[move], COLOUR[move], COUNT[move])
    elif kind == DISCARD:
        discard_cards(state, COLOUR[move], COUNT[move])
    else:
        take_colour(state, COLOUR[move])


@rule
def play_to_centre(state: Any, mandala: int, colour: int) -> None:
    """Action A: one card to a centre, then draw up to three, never above HAND_LIMIT."""
    take(state.hand[state.turn], colour, 1)
    state.centre[mandala, colour] += 1
    state.mandala = mandala
    state.discards = 0
    state.draws = min(CENTRE_DRAW, HAND_LIMIT - count(state.hand[state.turn]))
    state.phase = DRAW
    continue_draw(state)


@rule
def play_to_field(state: Any, mandala: int, colour: int, number: int) -> None:
    """Action B: cards of one colour to the seat's own field; no draw."""
    take(state.hand[state.turn], colour, number)
    state.field[state.turn, mandala, colour] += number
    state.mandala = mandala
    state.discards = 0
    check_completion(state)


@rule
def discard_cards(state: Any, colour: int, number: int) -> None:
    """Action C: discard cards of one colour, then draw as many."""
    take(state.hand[state.turn], colour, number)
    state.discard[colour] += number
    state.discards += 1
    state.draws = number
    state.phase = DRAW
    continue_draw(state)


# Drawing


@rule
def start_draw(state: Any) -> bool:
    """Let chance draw the next card; return False when no card is due or none is left."""
    if state.draws > 0 and count(state.pile) == 0:
        shuffle_discard_pile(state)
    if state.draws == 0 or count(state.pile) == 0:
        state.draws = 0
        return False
    state.actor = CHANCE
    return True


@rule
def continue_draw(state: Any) -> None:
    """Draw the next card of an action; after the last one, check completion or end the turn."""
    if start_draw(state):
        return
    if state.discards > 0:
        end_turn(state)
    else:
        check_completion(state)


@rule
def continue_refill(state: Any) -> None:
    """Draw the next card of a new centre; after the last one, the turn ends."""
    if not start_draw(state):
        end_turn(state)


@rule
def draw(state: Any, colour: int) -> None:
    """Chance draws a card. The moment the pile is empty, the last phase begins."""
    take(state.pile, colour, 1)
    if state.phase == DRAW:
        state.hand[state.turn, colour] += 1
        if state.shuffles > 0:
            state.drawn[state.turn, colour] += 1
    elif state.phase == REFILLING:
        state.centre[state.mandala, colour] += 1
    else:
        deal_setup_card(state, colour)
    state.draws -= 1
    if count(state.pile) == 0:
        state.last_phase = 1
        shuffle_discard_pile(state)
    if state.phase == DRAW:
        continue_draw(state)
    elif state.phase == REFILLING:
        continue_refill(state)
    elif state.draws == 0:
        state.phase = ACTION
        state.actor = 0


@rule
def deal_setup_card(state: Any, colour: int) -> None:
    """Deal one card of the setup."""
    target = SETUP_DRAWS[SETUP_COUNT - state.draws]
    if target == TO_CENTRE_1:
        state.centre[0, colour] += 1
    elif target == TO_CENTRE_2:
        state.centre[1, colour] += 1
    elif target == TO_HAND_1:
        state.hand[0, colour] += 1
    elif target == TO_CUP_1:
        state.secret[0, colour] += 1
    elif target == TO_HAND_2:
        state.hand[1, colour] += 1
    else:
        state.secret[1, colour] += 1


@rule
def shuffle_discard_pile(state: Any) -> None:
    """The discard pile becomes the draw pile. Its contents are public, its order is random."""
    if count(state.discard) == 0:
        return
    state.shuffles = 1 + state.shuffles % 2
    state.pile[UNKNOWN] = 0
    for colour in range(COLOUR_COUNT):
        state.pile[colour] = state.discard[colour]
        state.discard[colour] = 0
    for colour in range(CARD_KINDS):
        state.drawn[0, colour] = 0
        state.drawn[1, colour] = 0


# Completion and dissolving


@rule
def colours_in(state: Any, mandala: int) -> int:
    """The colours in a mandala, one bit each."""
    present = 0
    for colour in range(COLOUR_COUNT):
        if (
            state.centre[mandala, colour]
            + state.field[0, mandala, colour]
            + state.field[1, mandala, colour]
        ) > 0:
            present |= 1 << colour
    return present


@rule
def check_completion(state: Any) -> None:
    """Dissolve the mandala if it has all six colours: the larger field chooses first."""
    mandala = state.mandala
    if colours_in(state, mandala) != ALL_COLOURS:
        end_turn(state)
        return
    seat = int(state.turn)
    own_cards = count(state.field[seat, mandala])
    other_cards = count(state.field[1 - seat, mandala])
    # On a tie the seat that did not play the last card chooses first.
    state.actor = seat if own_cards > other_cards else 1 - seat
    state.phase = DISSOLVE
    if count(state.centre[mandala]) == 0:
        clear_fields(state)


@rule
def take_colour(state: Any, colour: int) -> None:
    """Take all cards of one colour from the centre: to river and cup, or to the discard pile."""
    seat, mandala = int(state.actor), state.mandala
    number = state.centre[mandala, colour]
    state.centre[mandala, colour] = 0
    if count(state.field[seat, mandala]) == 0:
        state.discard[colour] += number
    else:
        if state.river[seat, colour] == 0:
            state.river[seat, colour] = river_length(state, seat) + 1
            number -= 1
        state.cup[seat, colour] += number
    state.actor = 1 - seat
    if count(state.centre[mandala]) == 0:
        clear_fields(state)


@rule
def river_length(state: Any, seat: int) -> int:
    """How many places of a river are taken."""
    length = 0
    for colour in range(COLOUR_COUNT):
        if state.river[seat, colour] > 0:
            length += 1
    return length


@rule
def clear_fields(state: Any) -> None:
    """The centre is empty: end the game, or discard the fields and refill the centre."""
    if state.last_phase or max(river_length(state, 0), river_length(state, 1)) == COLOUR_COUNT:
        end_game(state)
        return
    for seat in range(2):
        for colour in range(COLOUR_COUNT):
            state.discard[colour] += state.field[seat, state.mandala, colour]
            state.field[seat, state.mandala, colour] = 0
    state.phase = REFILLING
    state.draws = REFILL
    continue_refill(state)


# The end


@rule
def end_turn(state: Any) -> None:
    """The other seat's turn, unless one of the two house rules ends the game."""
    if state.discards >= DISCARDS_TO_END or is_dead(state):
        end_game(state)
        return
    state.turn = 1 - state.turn
    state.actor = state.turn
    state.phase = ACTION


@rule
def end_game(state: Any) -> None:
    """The game is over."""
    state.phase = OVER
    state.actor = NOBODY


@rule
def is_dead(state: Any) -> bool:
    """House rule: no mandala can be completed, since each lacks a colour that is used up."""
    for mandala in range(MANDALAS):
        lacks = False
        for colour in range(COLOUR_COUNT):
            if state.pile[colour] <= 0 and is_used_up(state, colour):
                if (
                    state.centre[mandala, colour] == 0
                    and state.field[0, mandala, colour] == 0
                    and state.field[1, mandala, colour] == 0
                ):
                    lacks = True
        if not lacks:
            return False
    return True


@rule
def is_used_up(state: Any, colour: int) -> bool:
    """Whether all cards of a colour are in mandalas, rivers and cups, where they stay."""
    laid = state.centre[0, colour] + state.centre[1, colour]
    for seat in range(2):
        laid += state.field[seat, 0, colour] + state.field[seat, 1, colour]
        laid += state.cup[seat, colour] + state.secret[seat, colour]
        if state.river[seat, colour] > 0:
            laid += 1
    return laid == COPIES


# Scoring


@rule
def score(state: Any, seat: int) -> int:
    """Each cup card scores the river place of its colour."""
    points = 0
    for colour in range(COLOUR_COUNT):
        cards = int(state.cup[seat, colour]) + int(state.secret[seat, colour])
        points += cards * int(state.river[seat, colour])
    return points


@rule
def tie_break(state: Any, seat: int) -> int:
    """With equal points, fewer cards in the cup win."""
    return -count(state.cup[seat]) - count(state.secret[seat])


# Views


@rule
def fill_view(state: Any, view: Any, seat: int) -> None:
    """Add to a view what is known about hidden cards: their number, and a reshuffled draw pile.

    After a reshuffle everybody knows what the draw pile contained. What others have drawn from it
    since stays in the colour counts; the unknown count goes down by as many.
    """
    for other in range(2):
        if other != seat:
            view.hand[other, UNKNOWN] = count(state.hand[other])
            view.secret[other, UNKNOWN] = count(state.secret[other])
            view.drawn[other, UNKNOWN] = count(state.drawn[other])
    if state.shuffles == 0:
        view.pile[UNKNOWN] = count(state.pile)
        return
    for colour in range(CARD_KINDS):
        view.pile[colour] = state.pile[colour]
    for other in range(2):
        if other != seat:
            for colour in range(COLOUR_COUNT):
                view.pile[colour] += state.drawn[other, colour]
            view.pile[UNKNOWN] -= count(state.drawn[other])


@rule
def count_unseen(view: Any, pool: Any) -> None:
    """Write how many cards of each colour are where the seat of a view cannot see them."""
    for colour in range(COLOUR_COUNT):
        laid = int(view.centre[0, colour]) + int(view.centre[1, colour]) + int(view.discard[colour])
        for seat in range(2):
            laid += int(view.field[seat, 0, colour]) + int(view.field[seat, 1, colour])
            laid += int(view.cup[seat, colour]) + int(view.secret[seat, colour])
            laid += int(view.hand[seat, colour])
            if view.river[seat, colour] > 0:
                laid += 1
        pool[colour] = COPIES - laid


@rule
def set_hidden_cards(view: Any, dealt: Any, pile: Any) -> None:
    """Replace the unknown cards of hands and cup by the cards dealt, and set the draw pile.

    The field `drawn` stays as it is, since it is only used to make views.
    """
    for seat in range(2):
        for colour in range(COLOUR_COUNT):
            view.hand[seat, colour] += dealt[seat, colour]
            if view.secret[seat, UNKNOWN] > 0:
                view.secret[seat, colour] += dealt[CUP_PLACE, colour]
        view.hand[seat, UNKNOWN] = 0
        view.secret[seat, UNKNOWN] = 0
    for colour in range(COLOUR_COUNT):
        view.pile[colour] = pile[colour]
    view.pile[UNKNOWN] = 0
