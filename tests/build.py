"""Builds consistent positions for tests from strings of cards.

Cards are written as letters, `"rrk"`, or with numbers, `"r2k"`. Tuples are ordered by seat. Cards
that a test does not name are in the draw pile, or where `rest` says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from mandala.core.position import Position
from mandala.games import find_game
from mandala.games.cards import COLOURS
from mandala.games.flowers import rules as flowers_rules
from mandala.games.invariants import require_consistent
from mandala.games.mandala import rules as mandala_rules
from mandala.games.patterns import rules as patterns_rules
from mandala.text.notation import split_word, words

# Playing


def play(position: Position, text: str) -> Position:
    """Return the position after moves and chance moves, written as in a record."""
    for word, _ in words(text, 1):
        for move in split_word(word):
            position = position.play(move)
    return position


def draw_all(position: Position) -> tuple[Position, int]:
    """Play the first outcome of every pending chance move; return the position and their number."""
    number = 0
    while position.actor == 0:
        position = position.play(next(iter(position.chance)))
        number += 1
    return position, number


def draws_after(position: Position, move: str) -> int:
    """Return the number of cards drawn after a move."""
    return draw_all(position.play(move))[1]


def moves_with(position: Position, first: str) -> list[str]:
    """Return the legal moves that begin with these characters."""
    return [move for move in position.legal if move.startswith(first)]


# Cards


def count_cards(text: str) -> list[int]:
    """Parse a string of cards to counts by colour."""
    cards = Counter[str]()
    for letter, number in re.findall(r"([roygvk])(\d*)", text):
        cards[letter] += int(number or 1)
    assert len(re.sub(r"[roygvk]\d*|\s", "", text)) == 0, text
    return [cards[letter] for letter in COLOURS]


def letters(counts: Any) -> str:
    """Format counts by colour as letters, `?` for unknown cards."""
    return "".join(
        letter * int(number) for letter, number in zip(COLOURS + "?", counts, strict=False)
    )


def _set_cards(row: Any, text: str) -> None:
    row[: len(COLOURS)] = count_cards(text)


def _put_the_rest(rules: ModuleType, state: Any, pile: str | None, sink: Any) -> None:
    """Put the cards not placed yet into the draw pile, or into the sink if a pile is given."""
    left = np.zeros(7, np.int64)
    rules.count_unseen(state, left)
    assert left.min() >= 0, "more cards of a colour than there are"
    _set_cards(state.pile, letters(left) if pile is None else pile)
    sink[: len(COLOURS)] += (left - state.pile)[: len(COLOURS)]


# Mandala


@dataclass(frozen=True)
class Areas:
    """A mandala in the game Mandala: its centre and the field of each seat."""

    centre: str = ""
    fields: tuple[str, str] = ("", "")


def mandala_position(
    *mandalas: Areas,
    hands: tuple[str, str] = ("rr", "oo"),
    secrets: tuple[str, str] = ("rr", "oo"),
    cups: tuple[str, str] = ("", ""),
    rivers: tuple[str, str] = ("", ""),
    discard: str = "",
    pile: str | None = None,
    rest: str = "cup",
    turn: int = 1,
    last_phase: bool = False,
    discards: int = 0,
) -> Position:
    """Return a position of Mandala in which a seat is to choose its action.

    `secrets` are the two cards a cup began with; `rivers` name colours from place 1 on. With a
    `pile`, `rest` says where the cards not named are: "discard", or "cup" (of seat 2).
    """
    rules = mandala_rules
    states = np.zeros(1, rules.State.dtype)
    state = states[0]
    for place, areas in enumerate(mandalas):
        _set_cards(state.centre[place], areas.centre)
        for seat in range(2):
            _set_cards(state.field[seat, place], areas.fields[seat])
    for seat in range(2):
        _set_cards(state.hand[seat], hands[seat])
        _set_cards(state.secret[seat], secrets[seat])
        _set_cards(state.cup[seat], cups[seat])
        for number, letter in enumerate(rivers[seat], start=1):
            state.river[seat, COLOURS.index(letter)] = number
    _set_cards(state.discard, discard)
    sinks = {"discard": state.discard, "cup": state.cup[1]}
    _put_the_rest(rules, state, pile, sinks[rest])
    state.phase = rules.ACTION
    state.turn = state.actor = turn - 1
    state.last_phase = last_phase
    state.discards = discards
    require_consistent(find_game("mandala"), 2, state, hidden=False)
    return Position("mandala", 2, states, None)


# Patterns


def space_number(name: str) -> int:
    """Return the number of a space in the rules."""
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def space_name(number: int) -> str:
    """Return the name of a space."""
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


def patterns_position(
    *,
    groups: tuple[tuple[str, ...], tuple[str, ...]],
    bowls: str,
    fronts: tuple[str, ...] = (),
    turn: int = 1,
) -> Position:
    """Return a position of Patterns in which a seat is to choose its action.

    A group is written `"r b7 b6"`: its colour and its spaces, the first under the marker, in the
    order they were opened. `fronts` names front-side tiles in the same way. All other spaces have
    front-side tiles, none of them next to a group of its colour.
    """
    rules = patterns_rules
    states = np.zeros(1, rules.State.dtype)
    state = states[0]
    lying: dict[int, int] = {}
    for seat in range(2):
        for number, text in enumerate(groups[seat], start=1):
            colour, spaces = _read_spaces(text)
            state.river[seat, colour] = number
            state.marker[seat, colour] = spaces[0]
            state.group[seat, colour] = sum(1 << space for space in spaces)
            lying.update(dict.fromkeys(spaces, colour))
        state.bowl[seat] = COLOURS.index(bowls[seat])
    for text in fronts:
        colour, spaces = _read_spaces(text)
        assert not lying.keys() & set(spaces), text
        lying.update(dict.fromkeys(spaces, colour))
    _fill_board(state, lying)
    for space, colour in lying.items():
        state.tile[colour] |= np.uint64(1 << space)
    state.laid = rules.SETUP_COUNT
    state.phase = rules.ACTION
    state.actor = turn - 1
    require_consistent(find_game("patterns"), 2, state, hidden=False)
    return Position("patterns", 2, states, None)


def _read_spaces(text: str) -> tuple[int, list[int]]:
    letter, *spaces = text.split()
    return COLOURS.index(letter), [space_number(space) for space in spaces]


def _fill_board(state: Any, lying: dict[int, int]) -> None:
    """Place the remaining tiles so that none can be flipped."""
    left = Counter(dict.fromkeys(range(6), 9))
    left.subtract(lying.values())
    left.subtract(int(colour) for colour in state.bowl)
    assert min(left.values()) >= 0, "more than nine tiles of a colour"
    refused = [
        int(patterns_rules.neighbours(state.group[0, colour] | state.group[1, colour]))
        for colour in range(6)
    ]
    free = [space for space in patterns_rules.SPACES if space not in lying]
    # Fill the most constrained spaces first, each with the colour that has the most tiles left.
    free.sort(key=lambda space: -sum(each >> space & 1 for each in refused))
    for space in free:
        allowed = [each for each in left.elements() if not refused[each] >> space & 1]
        assert allowed, f"no tile is left for {space_name(space)}"
        lying[space] = max(allowed, key=lambda colour: left[colour])
        left[lying[space]] -= 1


# Flowers


@dataclass(frozen=True)
class Bed:
    """A mandala in the game Flowers: its two tiles, each seat's cards, and the marker's holder."""

    tiles: str
    up: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    holder: int = 0


PLAIN_BEDS = (Bed("k7 g3"), Bed("r2 yx"), Bed("v5 o4"))


def tile_number(name: str) -> int:
    """Return the number of a tile such as `k7` or `gx` in the rules."""
    return COLOURS.index(name[0]) * 6 + "23457x".index(name[1])


def tile_name(number: int) -> str:
    """Return the name of a tile."""
    return COLOURS[number // 6] + "23457x"[number % 6]


def flowers_position(
    *beds: Bed | None,
    hands: tuple[str, ...],
    owned: tuple[str, ...] = (),
    discard: str = "",
    pile: str | None = None,
    rest: str = "discard",
    stack: str | None = None,
    turn: int = 1,
    passes: int = 0,
) -> Position:
    """Return a position of Flowers, with a seat for each hand, in which a seat is to play.

    Mandalas not given have no cards; None is a place without a mandala. `owned` are a seat's tiles,
    with the halves of a flower joined by a plus: `"k2 g3+gx"`. By default `pile` and `stack` are
    everything left. With a `pile`, `rest` says where the cards not named are: "discard", or "hand"
    (of the last seat); with a `stack`, other tiles are out of play.
    """
    rules = flowers_rules
    states = np.zeros(1, rules.State.dtype)
    state = states[0]
    seats = len(hands)
    state.seats = seats
    for place, bed in enumerate((*beds, *PLAIN_BEDS[len(beds) :])):
        if bed is not None:
            _lay_bed(state, place, bed)
    for seat, text in enumerate(owned):
        _give_tiles(state, seat, text)
    if stack is not None:
        named = [tile_number(name) for name in stack.split()]
        for tile in range(rules.TILES):
            if state.owner[tile] == rules.IN_STACK and tile not in named:
                state.owner[tile] = rules.OUT_OF_PLAY
    for seat in range(seats):
        _set_cards(state.hand[seat], hands[seat])
    _set_cards(state.discard, discard)
    sinks = {"discard": state.discard, "hand": state.hand[seats - 1]}
    _put_the_rest(rules, state, pile, sinks[rest])
    state.phase = rules.ACTION
    state.turn = state.actor = turn - 1
    state.passes = passes
    require_consistent(find_game("flowers"), seats, state, hidden=False)
    return Position("flowers", seats, states, None)


def _lay_bed(state: Any, place: int, bed: Bed) -> None:
    rules = flowers_rules
    for side, name in enumerate(bed.tiles.split()):
        assert rules.BACK[COLOURS.index(name[0])] == side, "a dark tile and then a light one"
        state.tile[place, side] = tile_number(name) + 1
        state.owner[tile_number(name)] = rules.IN_MANDALA
    for side, cards in ((rules.FACE_UP, bed.up), (rules.FACE_DOWN, bed.down)):
        for seat, text in enumerate(cards):
            _set_cards(state.laid[seat, place, side], text)
    state.marker[place] = bed.holder


def _give_tiles(state: Any, seat: int, text: str) -> None:
    for item in text.split():
        halves = [tile_number(name) for name in item.split("+")]
        for tile in halves:
            assert state.owner[tile] == flowers_rules.IN_STACK, item
            state.owner[tile] = flowers_rules.FIRST_OWNER + seat
        if len(halves) == 2:
            one, two = halves
            state.partner[one], state.partner[two] = two + 1, one + 1
            state.flowers[seat] += 1


def tiles_of(position: Position, seat: int) -> str:
    """Return the tiles of a seat, from 1, by colour and value; flowers joined by a plus."""
    state, found = position.state, []
    for tile in range(flowers_rules.TILES):
        partner = int(state.partner[tile]) - 1
        if state.owner[tile] == flowers_rules.FIRST_OWNER + seat - 1 and not 0 <= partner < tile:
            found.append(tile_name(tile) + (f"+{tile_name(partner)}" if partner > tile else ""))
    return " ".join(found)
