"""The rules of Flowers (2024): two to four seats, hidden hands.

Read it beside `docs/rules/flowers.md`: the names are the same. A turn is one play, its draws, the
majority, and perhaps a mandala that is dissolved; cards, tiles and the order of the last mandalas
are drawn by chance.
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

MAX_SEATS = 4
MANDALAS = 3
COPIES = 15  # cards of each colour
HAND_LIMIT = 8
DRAW_LIMIT = 4
FIRST_HAND = 5  # cards that seat 1 starts with; each seat after it gets one more
FLOWERS_TO_END = 3

VALUES = "23457x"
POINTS = (2, 3, 4, 5, 7, 0)  # of a single tile; the last value is the ×3
TRIPLE = 5
TILES = COLOUR_COUNT * len(VALUES)
DARK, LIGHT = range(2)
BACK = tuple(DARK if letter in "rvk" else LIGHT for letter in COLOURS)

FACE_UP, FACE_DOWN = range(2)

# The values of `state.phase`.
SETUP_TILES, SETUP_HANDS, ACTION, DRAW, CLAIM, NEW_TILES, ENDING, OVER = range(8)

# Kinds of moves.
PLAY, CLAIM_TILE, PASS, CARD, TILE, NEXT_MANDALA = range(6)

# Where a tile is, in `state.owner`; from FIRST_OWNER on, the seat that has it.
IN_STACK, IN_MANDALA, OUT_OF_PLAY, FIRST_OWNER = range(4)


class State(Layout):
    """A position of Flowers. Index order: seat, mandala, side up, colour."""

    phase = public()
    actor = public()  # who moves next: a seat, CHANCE or NOBODY
    seats = public()
    turn = public()  # the seat whose turn is being carried out
    mandala = public()  # the mandala last played into, dissolved or replaced
    draws = public()  # how many cards or tiles are still to be drawn now
    passes = public()  # passes in a row
    ending = public()  # 1 once the remaining mandalas are being dissolved
    shuffles = public()  # 0 until the discard pile is shuffled, then 1 and 2 in turn
    marker = public(MANDALAS)  # the seat that holds the majority marker, from 1; 0 for nobody
    tile = public(MANDALAS, 2)  # the dark and the light tile, from 1; 0 when there is no mandala
    owner = public(TILES)
    partner = public(TILES)  # the other half of the tile's flower, from 1; 0 when it is single
    flowers = public(MAX_SEATS)  # how many a seat has formed
    laid = public(MAX_SEATS, MANDALAS, 2, COLOUR_COUNT, kind="i1")
    hand = own(MAX_SEATS, CARD_KINDS)
    discard = public(COLOUR_COUNT, kind="i1")
    pile = hidden(CARD_KINDS)
    shown = public(MAX_SEATS, COLOUR_COUNT, kind="i1")  # cards taken back and still in hand
    drawn = own(MAX_SEATS, CARD_KINDS)  # cards drawn into a hand since the last shuffle


moves = MoveList("kind", "mandala", "colour", "count", "tile")
PLAY_ROW = row_numbers(MANDALAS, COLOUR_COUNT, COPIES + 1)
CLAIM_ROW = row_numbers(TILES)
CARD_ROW = row_numbers(CARD_KINDS)
TILE_ROW = row_numbers(TILES)
NEXT_ROW = row_numbers(MANDALAS)
for _m in range(MANDALAS):
    for _c, _letter in enumerate(COLOURS):
        for _n in range(1, COPIES + 1):
            PLAY_ROW[_m, _c, _n] = moves.add(f"{_m + 1}{_letter * _n}", PLAY, _m, _c, _n, 0)
for _c, _letter in enumerate(COLOURS):
    for _v, _value in enumerate(VALUES):
        _t = _c * len(VALUES) + _v
        CLAIM_ROW[_t] = moves.add(f"T{_letter}{_value}", CLAIM_TILE, 0, _c, 0, _t)
PASS_ROW = moves.add("-", PASS, 0, 0, 0, 0)
moves.close_decisions()
for _c, _letter in enumerate(COLOURS + "?"):
    CARD_ROW[_c] = moves.add(f"+{_letter}", CARD, 0, _c, 1, 0)
for _c, _letter in enumerate(COLOURS):
    for _v, _value in enumerate(VALUES):
        _t = _c * len(VALUES) + _v
        TILE_ROW[_t] = moves.add(f"*{_letter}{_value}", TILE, 0, _c, 0, _t)
for _m in range(MANDALAS):
    NEXT_ROW[_m] = moves.add(f"!{_m + 1}", NEXT_MANDALA, _m, 0, 0, 0)

DECISIONS = moves.decisions
KIND = moves.column("kind")
MANDALA = moves.column("mandala")
COLOUR = moves.column("colour")
COUNT = moves.column("count")
TILE_OF = moves.column("tile")


@rule
def begin(state: Any, seats: int) -> None:
    """Setup: all cards form the draw pile, all tiles the stacks. The record must be all zeros."""
    for colour in range(COLOUR_COUNT):
        state.pile[colour] = COPIES
    state.seats = seats
    state.phase = SETUP_TILES
    state.actor = CHANCE
    state.draws = 2


@rule
def has_tiles(state: Any, mandala: int) -> bool:
    """Whether there is a mandala in this place: then it has two tiles."""
    return state.tile[mandala, DARK] > 0


@rule
def colour_of_tile(tile: int) -> int:
    """The colour of a tile."""
    return COLOUR[CLAIM_ROW[tile]]


# Legal moves


@rule
def are_piles_empty(state: Any) -> bool:
    """Whether draw pile and discard pile are both empty."""
    return count(state.pile) == 0 and count(state.discard) == 0


@rule
def legal(state: Any, rows: Any) -> int:
    """Write the rows of the actor's legal moves and return how many there are."""
    if state.phase == ACTION:
        found = legal_plays(state, state.actor, rows)
        if found > 0:
            return found
        rows[0] = PASS_ROW
        return 1
    if state.phase == CLAIM:
        rows[0] = CLAIM_ROW[state.tile[state.mandala, DARK] - 1]
        rows[1] = CLAIM_ROW[state.tile[state.mandala, LIGHT] - 1]
        return 2
    return 0


@rule
def legal_plays(state: Any, seat: int, rows: Any) -> int:
    """Write all plays of cards of one colour into one mandala that do not empty the hand."""
    cards = count(state.hand[seat])
    unknown = state.hand[seat, UNKNOWN]
    most = cards - 1
    if cards == 1 and not are_piles_empty(state):
        most = 1
    found = 0
    for mandala in range(MANDALAS):
        if not has_tiles(state, mandala):
            continue
        for colour in range(COLOUR_COUNT):
            held = min(state.hand[seat, colour] + unknown, most, COPIES)
            for number in range(1, held + 1):
                rows[found] = PLAY_ROW[mandala, colour, number]
                found += 1
    return found


@rule
def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible chance moves with their weights; return how many there are."""
    if state.phase == DRAW or state.phase == SETUP_HANDS:
        return chance_cards(state, rows, weights)
    if state.phase == ENDING:
        return chance_mandalas(state, rows, weights)
    return chance_tiles(state, rows, weights)


@rule
def chance_cards(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible cards with their weights, the cards of the draw pile by colour."""
    found = 0
    for colour in range(CARD_KINDS):
        if state.pile[colour] > 0:
            rows[found] = CARD_ROW[colour]
            weights[found] = state.pile[colour]
            found += 1
    return found


@rule
def chance_tiles(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible tiles, all equally likely; the dark tile is drawn first."""
    back = DARK if state.draws == 2 else LIGHT
    found = 0
    for tile in range(TILES):
        if state.owner[tile] == IN_STACK and BACK[colour_of_tile(tile)] == back:
            rows[found] = TILE_ROW[tile]
            weights[found] = 1
            found += 1
    return found


@rule
def chance_mandalas(state: Any, rows: Any, weights: Any) -> int:
    """Write the mandalas that may be dissolved next, all equally likely."""
    found = 0
    for mandala in range(MANDALAS):
        if has_tiles(state, mandala):
            rows[found] = NEXT_ROW[mandala]
            weights[found] = 1
            found += 1
    return found


@rule
def drawer(state: Any) -> int:
    """The seat that alone sees the card that chance draws next, or NOBODY when all may see it."""
    if state.phase == DRAW or state.phase == SETUP_HANDS:
        return int(state.turn)
    return NOBODY


@rule
def is_set_aside(state: Any) -> bool:
    """Whether the card that chance draws next can never be played; False in this game."""
    return False


# Moves


@rule
def apply(state: Any, move: int) -> None:
    """Make one legal move: a play, a claim, a pass, or what chance draws."""
    kind = KIND[move]
    if kind == CARD:
        draw(state, COLOUR[move])
    elif kind == PLAY:
        play(state, MANDALA[move], COLOUR[move], COUNT[move])
    elif kind == CLAIM_TILE:
        claim(state, TILE_OF[move])
    elif kind == TILE:
        lay_tile(state, TILE_OF[move])
    elif kind == PASS:
        pass_turn(state)
    else:
        state.mandala = MANDALA[move]
        dissolve(state)


@rule
def play(state: Any, mandala: int, colour: int, number: int) -> None:
    """Step 1: cards of one colour into one mandala, face up where the colour is new."""
    seat = state.turn
    remove_from_hand(state, seat, colour, number)
    side = FACE_UP if is_new_colour(state, mandala, colour) else FACE_DOWN
    state.laid[seat, mandala, side, colour] += number
    state.mandala = mandala
    state.passes = 0
    cards = count(state.hand[seat])
    state.draws = min(DRAW_LIMIT, HAND_LIMIT - cards) if number == 1 and cards < HAND_LIMIT else 0
    state.phase = DRAW
    continue_draw(state)


@rule
def is_new_colour(state: Any, mandala: int, colour: int) -> bool:
    """A colour is new in a mandala when neither a tile nor a face-up card shows it."""
    return (colours_in(state, mandala) >> colour) & 1 == 0


@rule
def colours_in(state: Any, mandala: int) -> int:
    """The colours that tiles and face-up cards show in a mandala, one bit each."""
    present = 1 << colour_of_tile(state.tile[mandala, DARK] - 1)
    present |= 1 << colour_of_tile(state.tile[mandala, LIGHT] - 1)
    for seat in range(state.seats):
        for colour in range(COLOUR_COUNT):
            if state.laid[seat, mandala, FACE_UP, colour] > 0:
                present |= 1 << colour
    return present


@rule
def remove_from_hand(state: Any, seat: int, colour: int, number: int) -> None:
    """Remove cards from a hand, those that everybody knows first."""
    take(state.hand[seat], colour, number)
    state.shown[seat, colour] -= min(int(state.shown[seat, colour]), number)


@rule
def pass_turn(state: Any) -> None:
    """A seat without a legal play passes; when all passed in a row, the game ends."""
    state.passes += 1
    if state.passes == state.seats:
        begin_ending(state)
    else:
        end_turn(state)


# Drawing


@rule
def continue_draw(state: Any) -> None:
    """Step 2: draw the next card; after the last one, check majority and completion."""
    if state.draws > 0:
        if count(state.pile) == 0:
            shuffle_discard_pile(state)
        if count(state.pile) > 0:
            state.actor = CHANCE
            return
        state.draws = 0
    check_majority(state)
    if colours_in(state, state.mandala) == ALL_COLOURS:
        dissolve(state)
    else:
        end_turn(state)


@rule
def draw(state: Any, colour: int) -> None:
    """Chance draws a card into the hand of the seat whose turn it is, or deals it."""
    take(state.pile, colour, 1)
    state.hand[state.turn, colour] += 1
    state.draws -= 1
    if state.phase == SETUP_HANDS:
        if state.draws == 0:
            deal_next_hand(state)
        return
    if state.shuffles > 0:
        state.drawn[state.turn, colour] += 1
    continue_draw(state)


@rule
def deal_next_hand(state: Any) -> None:
    """The hands are dealt in seat order; then seat 1 begins."""
    state.turn += 1
    state.draws = FIRST_HAND + state.turn
    if state.turn == state.seats:
        state.turn = 0
        state.draws = 0
        state.phase = ACTION
        state.actor = 0


@rule
def shuffle_discard_pile(state: Any) -> None:
    """The discard pile becomes the draw pile. Its contents are public, its order is random."""
    if count(state.discard) == 0:
        return
    state.shuffles = 1 + state.shuffles % 2
    for colour in range(COLOUR_COUNT):
        state.pile[colour] = state.discard[colour]
        state.discard[colour] = 0
    state.pile[UNKNOWN] = 0
    for seat in range(state.seats):
        for colour in range(CARD_KINDS):
            state.drawn[seat, colour] = 0


@rule
def lay_tile(state: Any, tile: int) -> None:
    """Chance lays the next tile of a mandala: dark, then light."""
    side = DARK if state.draws == 2 else LIGHT
    state.tile[state.mandala, side] = tile + 1
    state.owner[tile] = IN_MANDALA
    state.draws -= 1
    if state.draws > 0:
        return
    if state.phase == NEW_TILES:
        end_turn(state)
    elif state.mandala + 1 < MANDALAS:
        state.mandala += 1
        state.draws = 2
    else:
        state.mandala = 0
        state.phase = SETUP_HANDS
        state.draws = FIRST_HAND


# Majority


@rule
def cards_of(state: Any, seat: int, mandala: int) -> int:
    """The number of cards of a seat in a mandala, face up and face down."""
    sides = state.laid[seat, mandala]
    return count(sides[FACE_UP]) + count(sides[FACE_DOWN])


@rule
def face_up_of(state: Any, seat: int, mandala: int) -> int:
    """The number of face-up cards of a seat in a mandala."""
    return count(state.laid[seat, mandala, FACE_UP])


@rule
def check_majority(state: Any) -> None:
    """Step 3: with a face-up card and more cards than every rival, the seat gets the marker."""
    seat, mandala = state.turn, state.mandala
    if face_up_of(state, seat, mandala) == 0:
        return
    cards = cards_of(state, seat, mandala)
    for other in range(state.seats):
        if other != seat and face_up_of(state, other, mandala) > 0:
            if cards_of(state, other, mandala) >= cards:
                return
    state.marker[mandala] = seat + 1


# Dissolving


@rule
def dissolve(state: Any) -> None:
    """The holder of the marker claims a tile; without a holder, all cards go back to the hands."""
    mandala = state.mandala
    if state.marker[mandala] > 0:
        state.phase = CLAIM
        state.actor = state.marker[mandala] - 1
        return
    for side in range(2):
        state.owner[state.tile[mandala, side] - 1] = OUT_OF_PLAY
    for seat in range(state.seats):
        clear_cards(state, seat, True)
    remove_mandala(state)


@rule
def second_seat(state: Any, mandala: int, holder: int) -> int:
    """The seat that gets the other tile: second-most cards, or the holder itself."""
    best, best_cards, best_up = holder, 0, 0
    for seat in range(state.seats):
        up = face_up_of(state, seat, mandala)
        if seat == holder or up == 0:
            continue
        cards = cards_of(state, seat, mandala)
        if cards > best_cards or (cards == best_cards and up > best_up):
            best, best_cards, best_up = seat, cards, up
        elif cards == best_cards and up == best_up:
            best = holder
    if state.seats == 2 and 2 * best_cards < cards_of(state, holder, mandala):
        return holder
    return best


@rule
def claim(state: Any, tile: int) -> None:
    """The holder takes the tile named, the second seat the other; then the cards are cleared."""
    mandala, holder = state.mandala, int(state.actor)
    runner_up = second_seat(state, mandala, holder)
    for side in range(2):
        each = state.tile[mandala, side] - 1
        receive_tile(state, holder if each == tile else runner_up, each)
    for seat in range(state.seats):
        clear_cards(state, seat, seat != holder and seat != runner_up)
    remove_mandala(state)


@rule
def receive_tile(state: Any, seat: int, tile: int) -> None:
    """A seat gets a tile; with a single tile of the same colour it forms a flower at once."""
    state.owner[tile] = FIRST_OWNER + seat
    for other in range(TILES):
        if (
            other != tile
            and colour_of_tile(other) == colour_of_tile(tile)
            and state.owner[other] == FIRST_OWNER + seat
            and state.partner[other] == 0
        ):
            state.partner[other] = tile + 1
            state.partner[tile] = other + 1
            state.flowers[seat] += 1
            return


@rule
def clear_cards(state: Any, seat: int, take_back: bool) -> None:
    """Remove a seat's cards from the mandala: back into the hand, or to the discard pile."""
    for side in range(2):
        for colour in range(COLOUR_COUNT):
            number = state.laid[seat, state.mandala, side, colour]
            state.laid[seat, state.mandala, side, colour] = 0
            if take_back:
                state.hand[seat, colour] += number
                state.shown[seat, colour] += number
            else:
                state.discard[colour] += number


@rule
def remove_mandala(state: Any) -> None:
    """Remove the mandala; then comes the next one to dissolve, a new one, or the next turn."""
    state.marker[state.mandala] = 0
    state.tile[state.mandala, DARK] = 0
    state.tile[state.mandala, LIGHT] = 0
    if state.ending:
        dissolve_next(state)
    elif not is_replaced(state):
        end_turn(state)
    elif tiles_left(state) == 0:
        begin_ending(state)
    else:
        state.phase = NEW_TILES
        state.actor = CHANCE
        state.draws = 2


@rule
def is_replaced(state: Any) -> bool:
    """Ruling: once a seat has formed its third flower, dissolved mandalas are not replaced."""
    return not has_third_flower(state)


@rule
def has_third_flower(state: Any) -> bool:
    """Whether any seat has formed its third flower."""
    for seat in range(state.seats):
        if state.flowers[seat] >= FLOWERS_TO_END:
            return True
    return False


@rule
def tiles_left(state: Any) -> int:
    """How many tiles are left in the stacks; each new mandala takes a dark and a light one."""
    left = 0
    for tile in range(TILES):
        if state.owner[tile] == IN_STACK:
            left += 1
    return left


# The end


@rule
def end_turn(state: Any) -> None:
    """The next seat's turn; once there is a third flower, the game ends with the round."""
    state.turn += 1
    if state.turn == state.seats:
        state.turn = 0
        if has_third_flower(state):
            begin_ending(state)
            return
    state.actor = state.turn
    state.phase = ACTION


@rule
def begin_ending(state: Any) -> None:
    """The game ends: all remaining mandalas are dissolved in random order."""
    state.ending = 1
    dissolve_next(state)


@rule
def dissolve_next(state: Any) -> None:
    """Let chance choose the mandala to dissolve next; when none is left, the game is over."""
    for mandala in range(MANDALAS):
        if has_tiles(state, mandala):
            state.phase = ENDING
            state.actor = CHANCE
            return
    state.phase = OVER
    state.actor = NOBODY


# Scoring


@rule
def score(state: Any, seat: int) -> int:
    """The points of single tiles and flowers; a flower is counted at its first tile."""
    points = 0
    for tile in range(TILES):
        if state.owner[tile] != FIRST_OWNER + seat:
            continue
        value = tile % len(VALUES)
        if state.partner[tile] == 0:
            points += POINTS[value]
        elif state.partner[tile] > tile:
            points += flower_points(value, (state.partner[tile] - 1) % len(VALUES))
    return points


@rule
def flower_points(low: int, high: int) -> int:
    """Twice the lower value plus the higher; with a ×3, three times the other."""
    if high == TRIPLE:
        return 3 * POINTS[low]
    return 2 * POINTS[low] + POINTS[high]


@rule
def tie_break(state: Any, seat: int) -> int:
    """With equal points, more hand cards win."""
    return count(state.hand[seat])


# Views


@rule
def fill_view(state: Any, view: Any, seat: int) -> None:
    """Add to a view what is known about hidden cards: number, cards taken back, a reshuffled pile.

    After a reshuffle everybody knows what the draw pile contained. What others have drawn from it
    since stays in the colour counts; the unknown count goes down by as many.
    """
    if state.shuffles == 0:
        view.pile[UNKNOWN] = count(state.pile)
    else:
        for colour in range(CARD_KINDS):
            view.pile[colour] = state.pile[colour]
    for other in range(state.seats):
        if other == seat:
            continue
        for colour in range(COLOUR_COUNT):
            view.hand[other, colour] = state.shown[other, colour]
            view.pile[colour] += state.drawn[other, colour]
        view.hand[other, UNKNOWN] = count(state.hand[other]) - count(state.shown[other])
        view.drawn[other, UNKNOWN] = count(state.drawn[other])
        view.pile[UNKNOWN] -= count(state.drawn[other])


@rule
def count_unseen(view: Any, pool: Any) -> None:
    """Write how many cards of each colour are where the seat of a view cannot see them."""
    for colour in range(COLOUR_COUNT):
        laid = int(view.discard[colour])
        for seat in range(view.seats):
            laid += int(view.hand[seat, colour])
            for mandala in range(MANDALAS):
                laid += int(view.laid[seat, mandala, FACE_UP, colour])
                laid += int(view.laid[seat, mandala, FACE_DOWN, colour])
        pool[colour] = COPIES - laid


@rule
def set_hidden_cards(view: Any, dealt: Any, pile: Any) -> None:
    """Replace the unknown cards of the hands by the cards dealt, and set the draw pile.

    The field `drawn` stays as it is, since it is only used to make views.
    """
    for seat in range(view.seats):
        for colour in range(COLOUR_COUNT):
            view.hand[seat, colour] += dealt[seat, colour]
        view.hand[seat, UNKNOWN] = 0
    for colour in range(COLOUR_COUNT):
        view.pile[colour] = pile[colour]
    view.pile[UNKNOWN] = 0
