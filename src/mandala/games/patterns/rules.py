"""The rules of Patterns (2023): two seats, no hidden information after a random setup.

Read it beside `docs/rules/patterns.md`: the names are the same. A set of spaces is a 64-bit number
with one bit per space, a1 the lowest and h8 the highest, of which the board uses 52.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import (
    CHANCE,
    NOBODY,
    Layout,
    bit_count,
    first_bit,
    public,
    rule,
    rule_with_arrays,
)

from ..cards import COLOUR_COUNT, COLOURS, MoveList, row_numbers

# The board: `#` is a space, `*` one of the four marked spaces. Rank 8 is the first line.
BOARD_ROWS = (
    "  ####  ",
    " ###### ",
    "########",
    "###**###",
    "###**###",
    "########",
    " ###### ",
    "  ####  ",
)
CODES_WITHOUT_MARKER = 1 + 3 * COLOUR_COUNT  # empty, a front, or a back of either seat
COPIES_ON_UNMARKED = 8  # tiles of each colour on the unmarked spaces
NO_COLOUR = 6


def _spaces(*marks: str) -> list[int]:
    """The spaces with one of these marks in BOARD_ROWS, in reading order."""
    return [
        (7 - line) * 8 + file
        for line, text in enumerate(BOARD_ROWS)
        for file, mark in enumerate(text)
        if mark in marks
    ]


SPACES = _spaces("#", "*")
READING_ORDER = np.array(SPACES, np.uint8)
SETUP_ORDER = np.array(_spaces("#") + _spaces("*"), np.uint8)  # the marked spaces are laid last
UNMARKED_COUNT = len(_spaces("#"))
SETUP_COUNT = len(SETUP_ORDER)

ONE = np.uint64(1)
EMPTY = np.uint64(0)
BOARD = np.uint64(sum(1 << space for space in SPACES))
NOT_FILE_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_FILE_H = np.uint64(0x7F7F7F7F7F7F7F7F)
EIGHT = np.uint64(8)

# The values of `state.phase`.
SETUP, GIVING, ACTION, LAST_FLIPS, OVER = range(5)

# Kinds of moves.
GIVE, OPEN, FLIP, SWAP, STOP, TILE = range(6)


class State(Layout):
    """A position of Patterns. Everything is public."""

    tile = public(COLOUR_COUNT, kind="u8")  # spaces with a tile of the colour, front or back
    group = public(2, COLOUR_COUNT, kind="u8")  # spaces with back-side tiles of a seat's group
    phase = public()
    actor = public()  # who moves next: a seat, CHANCE or NOBODY
    laid = public()  # tiles laid so far in the setup
    supply = public(COLOUR_COUNT)  # tiles still to be laid on unmarked spaces
    aside = public(COLOUR_COUNT)  # tiles put aside, later the two starting tiles
    bowl = public(2)  # the colour of a seat's exchange tile; NO_COLOUR before it has one
    river = public(2, COLOUR_COUNT)  # the number of a seat's group in a colour; 0 when not opened
    marker = public(2, COLOUR_COUNT)  # the space with the marker of that group


moves = MoveList("kind", "space", "colour")
GIVE_ROW = row_numbers(COLOUR_COUNT)
OPEN_ROW = row_numbers(64)
FLIP_ROW = row_numbers(64)
SWAP_ROW = row_numbers(64)
TILE_ROW = row_numbers(COLOUR_COUNT)
for _c, _letter in enumerate(COLOURS):
    GIVE_ROW[_c] = moves.add(f"G{_letter}", GIVE, 0, _c)
for _letter, _kind, _rows in (("O", OPEN, OPEN_ROW), ("F", FLIP, FLIP_ROW), ("X", SWAP, SWAP_ROW)):
    for _space in SPACES:
        _text = f"{_letter}{'abcdefgh'[_space % 8]}{_space // 8 + 1}"
        _rows[_space] = moves.add(_text, _kind, _space, NO_COLOUR)
STOP_ROW = moves.add("E", STOP, 0, NO_COLOUR)
moves.close_decisions()
for _c, _letter in enumerate(COLOURS):
    TILE_ROW[_c] = moves.add(f"+{_letter}", TILE, 0, _c)

DECISIONS = moves.decisions
KIND = moves.column("kind")
SPACE = moves.column("space")
COLOUR = moves.column("colour")


@rule
def begin(state: Any, seats: int) -> None:
    """Setup: eight tiles of each colour for the unmarked spaces, one of each put aside."""
    for colour in range(COLOUR_COUNT):
        state.supply[colour] = COPIES_ON_UNMARKED
        state.aside[colour] = 1
    state.bowl[0] = NO_COLOUR
    state.bowl[1] = NO_COLOUR
    state.phase = SETUP
    state.actor = CHANCE


# Sets of spaces


@rule
def neighbours(spaces: Any) -> Any:
    """The spaces horizontally or vertically next to any of these."""
    sideways = ((spaces << ONE) & NOT_FILE_A) | ((spaces >> ONE) & NOT_FILE_H)
    return (sideways | (spaces << EIGHT) | (spaces >> EIGHT)) & BOARD


@rule
def neighbours_of_same_colour(state: Any, spaces: Any) -> Any:
    """The neighbours of these spaces that have a tile of the same colour as the space."""
    like_left, like_below = EMPTY, EMPTY  # spaces with the colour of their left or lower neighbour
    for colour in range(COLOUR_COUNT):
        tiles = state.tile[colour]
        like_left |= tiles & (tiles << ONE) & NOT_FILE_A
        like_below |= tiles & (tiles << EIGHT)
    sideways = ((spaces << ONE) & like_left) | ((spaces & like_left) >> ONE)
    return sideways | ((spaces << EIGHT) & like_below) | ((spaces & like_below) >> EIGHT)


@rule
def backs(state: Any, seat: int) -> Any:
    """The spaces with tiles of all groups of a seat."""
    spaces = EMPTY
    for colour in range(COLOUR_COUNT):
        spaces |= state.group[seat, colour]
    return spaces


@rule
def fronts(state: Any) -> Any:
    """The spaces whose tile still shows its front."""
    return BOARD & ~(backs(state, 0) | backs(state, 1))


@rule
def blocked_spaces(state: Any, seat: int, colour: int) -> Any:
    """Groups of one colour never touch: the neighbours of the other seat's group of this colour."""
    return neighbours(state.group[1 - seat, colour])


# Legal moves


@rule
def open_spaces(state: Any, seat: int) -> Any:
    """OPEN: any front tile, when the exchange tile's colour is not opened yet."""
    colour = state.bowl[seat]
    if state.river[seat, colour] > 0:
        return EMPTY
    return fronts(state) & ~blocked_spaces(state, seat, colour)


@rule
def flip_spaces(state: Any, seat: int) -> Any:
    """FLIP: front tiles next to the seat's own group of their colour."""
    beside = neighbours_of_same_colour(state, backs(state, seat))
    return beside & ~neighbours_of_same_colour(state, backs(state, 1 - seat)) & fronts(state)


@rule
def swap_spaces(state: Any, seat: int) -> Any:
    """SWAP: front tiles of other colours next to the seat's group of the exchange tile's colour."""
    colour = state.bowl[seat]
    if state.river[seat, colour] == 0:
        return EMPTY
    beside = neighbours(state.group[seat, colour]) & ~blocked_spaces(state, seat, colour)
    return beside & fronts(state) & ~state.tile[colour]


@rule
def has_action(state: Any, seat: int) -> bool:
    """Whether any action is possible."""
    return (
        open_spaces(state, seat) != EMPTY
        or swap_spaces(state, seat) != EMPTY
        or flip_spaces(state, seat) != EMPTY
    )


@rule
def list_spaces(spaces: Any, row_of_space: Any, rows: Any, found: int) -> int:
    """Append the rows for a set of spaces; return how many rows there are now."""
    while spaces != EMPTY:
        rows[found] = row_of_space[first_bit(spaces)]
        found += 1
        spaces &= spaces - ONE
    return found


@rule
def legal(state: Any, rows: Any) -> int:
    """Write the rows of the actor's legal moves and return how many there are."""
    if state.phase == GIVING:
        return legal_gifts(state, rows)
    if state.phase == ACTION:
        seat = state.actor
        opens, flips = open_spaces(state, seat), flip_spaces(state, seat)
        swaps = swap_spaces(state, seat)
        found = list_spaces(opens, OPEN_ROW, rows, 0)
        found = list_spaces(flips, FLIP_ROW, rows, found)
        return list_spaces(swaps, SWAP_ROW, rows, found)
    if state.phase == LAST_FLIPS:
        found = list_spaces(flip_spaces(state, state.actor), FLIP_ROW, rows, 0)
        rows[found] = STOP_ROW
        return found + 1
    return 0


@rule
def legal_gifts(state: Any, rows: Any) -> int:
    """Seat 2 may give either starting tile to seat 1."""
    found = 0
    for colour in range(COLOUR_COUNT):
        if state.aside[colour] > 0:
            rows[found] = GIVE_ROW[colour]
            found += 1
    return found


@rule
def chance(state: Any, rows: Any, weights: Any) -> int:
    """Write the possible tiles with their weights, the tiles left by colour."""
    found = 0
    for colour in range(COLOUR_COUNT):
        tiles = state.supply[colour] if state.laid < UNMARKED_COUNT else state.aside[colour]
        if tiles > 0:
            rows[found] = TILE_ROW[colour]
            weights[found] = tiles
            found += 1
    return found


@rule
def drawer(state: Any) -> int:
    """The seat that alone sees the next tile: NOBODY, since everything is public."""
    return NOBODY


# Moves


@rule
def apply(state: Any, move: int) -> None:
    """Make one legal move: a gift, an action, stopping, or a tile laid by chance."""
    kind = KIND[move]
    if kind == OPEN:
        open_group(state, SPACE[move])
    elif kind == FLIP:
        flip(state, SPACE[move])
    elif kind == SWAP:
        swap(state, SPACE[move])
    elif kind == TILE:
        lay_tile(state, COLOUR[move])
    elif kind == GIVE:
        give(state, COLOUR[move])
    else:
        end_game(state)


@rule
def lay_tile(state: Any, colour: int) -> None:
    """Chance lays a tile on the next space of the setup."""
    state.tile[colour] |= ONE << np.uint64(SETUP_ORDER[state.laid])
    if state.laid < UNMARKED_COUNT:
        state.supply[colour] -= 1
    else:
        state.aside[colour] -= 1
    state.laid += 1
    if state.laid == SETUP_COUNT:
        state.phase = GIVING
        state.actor = 1


@rule
def give(state: Any, gift: int) -> None:
    """Seat 2 distributes the two starting tiles to the bowls."""
    for colour in range(COLOUR_COUNT):
        if state.aside[colour] > 0:
            state.bowl[0 if colour == gift else 1] = colour
            state.aside[colour] = 0
    state.phase = ACTION
    state.actor = 0


@rule
def colour_at(state: Any, space: Any) -> int:
    """The colour of the tile on a space, which is given as a set of one space."""
    for colour in range(COLOUR_COUNT):
        if state.tile[colour] & space != EMPTY:
            return colour
    return NO_COLOUR


@rule_with_arrays
def space_codes(states: Any, codes: Any) -> None:
    """Write the content of each space as a number, in reading order, for drawing boards.

    0 is an empty space and 1 to 6 a front by colour; a back adds 6 for seat 1 and 12 for seat 2,
    and a marker adds CODES_WITHOUT_MARKER times its number.
    """
    state = states[0]
    for place in range(SETUP_COUNT):
        space = ONE << np.uint64(READING_ORDER[place])
        colour, code = colour_at(state, space), 0
        if colour != NO_COLOUR:
            code = 1 + colour
            for seat in range(2):
                if state.group[seat, colour] & space != EMPTY:
                    code += (1 + seat) * COLOUR_COUNT
                    if state.marker[seat, colour] == READING_ORDER[place]:
                        code += CODES_WITHOUT_MARKER * state.river[seat, colour]
        codes[place] = code


def warm_up() -> None:
    """Compile `space_codes`, which is called from Python."""
    space_codes(
        np.frombuffer(bytes(State.dtype.itemsize), State.dtype), np.zeros(SETUP_COUNT, np.uint8)
    )


@rule
def exchange(state: Any, seat: int, space: Any) -> int:
    """Put the tile on a space into the bowl, and the exchange tile there, back side up."""
    placed, taken = int(state.bowl[seat]), colour_at(state, space)
    state.tile[taken] &= ~space
    state.tile[placed] |= space
    state.group[seat, placed] |= space
    state.bowl[seat] = taken
    return placed


@rule
def open_group(state: Any, where: int) -> None:
    """OPEN: the exchange tile starts a group under the lowest remaining marker."""
    seat = int(state.actor)
    number = 1
    for colour in range(COLOUR_COUNT):
        if state.river[seat, colour] > 0:
            number += 1
    colour = exchange(state, seat, ONE << np.uint64(where))
    state.river[seat, colour] = number
    state.marker[seat, colour] = where
    end_turn(state)


@rule
def flip(state: Any, where: int) -> None:
    """FLIP: a front tile is turned and joins the seat's group of its colour."""
    space = ONE << np.uint64(where)
    state.group[state.actor, colour_at(state, space)] |= space
    if state.phase == ACTION:
        end_turn(state)
    else:
        continue_last_flips(state)


@rule
def swap(state: Any, where: int) -> None:
    """SWAP: the exchange tile joins its group in place of a neighbour of another colour."""
    exchange(state, int(state.actor), ONE << np.uint64(where))
    end_turn(state)


# The end


@rule
def end_turn(state: Any) -> None:
    """The other seat's turn; if it has no action, the seat that just moved may still flip."""
    other = 1 - int(state.actor)
    if has_action(state, other):
        state.actor = other
    else:
        state.phase = LAST_FLIPS
        continue_last_flips(state)


@rule
def continue_last_flips(state: Any) -> None:
    """After the end, the seat may flip until no flip is left or it stops."""
    if flip_spaces(state, state.actor) == EMPTY:
        end_game(state)


@rule
def end_game(state: Any) -> None:
    """The game is over."""
    state.phase = OVER
    state.actor = NOBODY


# Scoring


@rule
def score(state: Any, seat: int) -> int:
    """A group opened as number n scores n for each tile but the one under the marker."""
    points = 0
    for colour in range(COLOUR_COUNT):
        if state.river[seat, colour] > 0:
            points += int(state.river[seat, colour]) * (bit_count(state.group[seat, colour]) - 1)
    return points


@rule
def tie_break(state: Any, seat: int) -> int:
    """Always 0: equal points are a draw."""
    return 0


# Views


@rule
def fill_view(state: Any, view: Any, seat: int) -> None:
    """Does nothing: nothing is hidden."""


@rule
def set_hidden_cards(view: Any, dealt: Any, pile: Any) -> None:
    """Does nothing: a view is the full position."""
