"""A board as the page draws it: what lies where, in the words of the rules, made from a view.

Cards are counts in the order of the colours, the last one those that the recipient cannot see.
Colours are letters, empty where there is none; tiles of Flowers are written as in `Tk7`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from mandala.board import Board
from mandala.games import flowers, mandala, patterns
from mandala.games.table import COLOUR_COUNT, COLOURS, UNKNOWN

Cards = list[int]

_encode = msgspec.json.Encoder().encode


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What all parts of a board have in common: nothing but being one."""


# Mandala


class MandalaArea(Shown, frozen=True):
    """One of the two mandalas: its centre, the field of each seat, the colours it still lacks."""

    centre: Cards
    fields: list[Cards]
    missing: str
    dissolving: bool


class MandalaSeat(Shown, frozen=True):
    """What belongs to a seat. `river` has the colour on each place, from 1 on."""

    hand: Cards
    river: list[str]
    cup: Cards
    secret: Cards
    points: int


class MandalaBoard(Shown, frozen=True, tag="mandala"):
    """A position of Mandala. `discards` counts the actions C in a row: forty end the game."""

    phase: Literal["setup", "action", "draw", "dissolve", "refill", "over"]
    mandalas: list[MandalaArea]
    seats: list[MandalaSeat]
    pile: int
    discard: Cards
    last_phase: bool
    discards: int


_MANDALA_PHASES = ("setup", "action", "draw", "dissolve", "refill", "over")


def _mandala(board: Board) -> MandalaBoard:
    state = board.plain
    centre, field, phase = state.centre, state.field, _MANDALA_PHASES[state.phase]
    areas = []
    for place in range(mandala.MANDALAS):
        fields = [field[seat][place] for seat in range(2)]
        missing = _without(centre[place], *fields)
        dissolving = phase == "dissolve" and state.mandala == place
        areas.append(
            MandalaArea(
                centre=_cards(centre[place]),
                fields=[_cards(each) for each in fields],
                missing=missing,
                dissolving=dissolving,
            )
        )
    seats = [
        MandalaSeat(
            hand=_cards(state.hand[seat]),
            river=_by_number(state.river[seat]),
            cup=_cards(state.cup[seat]),
            secret=_cards(state.secret[seat]),
            points=points,
        )
        for seat, points in enumerate(board.scores)
    ]
    return MandalaBoard(
        phase=phase,  # type: ignore[arg-type]
        mandalas=areas,
        seats=seats,
        pile=sum(state.pile),
        discard=_cards(state.discard),
        last_phase=bool(state.last_phase),
        discards=state.discards,
    )


# Patterns


class PatternsSpace(Shown, frozen=True):
    """A space: its tile, the seat whose group it belongs to (0: a front), a marker's number."""

    name: str
    colour: str
    seat: int
    marker: int


class PatternsGroup(Shown, frozen=True):
    """A group: `size` tiles, of which all but the first score its number."""

    number: int
    colour: str
    size: int
    points: int


class PatternsSeat(Shown, frozen=True):
    """What belongs to a seat. Its groups are in the order of their numbers."""

    bowl: str
    groups: list[PatternsGroup]
    points: int


class PatternsBoard(Shown, frozen=True, tag="patterns"):
    """A position of Patterns. Spaces are in reading order, c8 first; `starting` is to be given."""

    phase: Literal["setup", "giving", "action", "last-flips", "over"]
    spaces: list[PatternsSpace]
    seats: list[PatternsSeat]
    starting: str


_PATTERNS_PHASES = ("setup", "giving", "action", "last-flips", "over")


# What can lie on each space, as the rules count it.
_LYING = [
    [
        PatternsSpace(name=name, colour=letter, seat=seat, marker=marker)
        for marker in range(COLOUR_COUNT + 1)
        for seat, letter in [(0, ""), *((seat, letter) for seat in range(3) for letter in COLOURS)]
    ]
    for name in (f"{'abcdefgh'[space % 8]}{space // 8 + 1}" for space in patterns.SPACES)
]


def _patterns(board: Board) -> PatternsBoard:
    state, signs = board.plain, np.empty(patterns.SETUP_COUNT, np.uint8)
    board.rules.lying(board.states, signs)
    phase = _PATTERNS_PHASES[state.phase]
    aside = [letter for letter, lies in zip(COLOURS, state.aside, strict=True) if lies]
    return PatternsBoard(
        phase=phase,  # type: ignore[arg-type]
        spaces=[lying[sign] for lying, sign in zip(_LYING, signs.tolist(), strict=True)],
        seats=list(map(_patterns_seat, state.bowl, state.river, state.group)),
        starting="".join(aside) if phase == "giving" else "",
    )


@functools.lru_cache(maxsize=4096)
def _patterns_seat(bowl: int, river: tuple[int, ...], tiles: tuple[int, ...]) -> PatternsSeat:
    """What belongs to a seat: its tile, and by colour the numbers and the spaces of its groups."""
    groups = [
        PatternsGroup(number=number, colour=letter, size=size, points=number * (size - 1))
        for number, letter, size in zip(river, COLOURS, map(int.bit_count, tiles), strict=True)
        if number
    ]
    groups.sort(key=attrgetter("number"))
    return PatternsSeat(
        bowl="" if bowl == patterns.NO_COLOUR else COLOURS[bowl],
        groups=groups,
        points=sum(group.points for group in groups),
    )


# Flowers


class FlowersSide(Shown, frozen=True):
    """The cards of one seat in a mandala."""

    up: Cards
    down: Cards


class FlowersMandala(Shown, frozen=True):
    """A mandala: its tiles (none once it is gone), its holder or 0, each seat's side."""

    tiles: list[str]
    holder: int
    sides: list[FlowersSide]
    missing: str
    dissolving: bool


class Flower(Shown, frozen=True):
    """Two tiles of one colour, and what they score."""

    tiles: list[str]
    points: int


class FlowersSeat(Shown, frozen=True):
    """What belongs to a seat. `shown` are cards in its hand that everybody saw going there."""

    hand: Cards
    shown: Cards
    singles: list[str]
    flowers: list[Flower]
    points: int


class FlowersBoard(Shown, frozen=True, tag="flowers"):
    """A position of Flowers. In the last round a third flower has been formed."""

    phase: Literal["setup", "action", "draw", "claim", "new-tiles", "ending", "over"]
    mandalas: list[FlowersMandala]
    seats: list[FlowersSeat]
    pile: int
    discard: Cards
    dark: int
    light: int
    last_round: bool


_FLOWERS_PHASES = ("setup", "setup", "action", "draw", "claim", "new-tiles", "ending", "over")


def _flowers(board: Board) -> FlowersBoard:
    state = board.plain
    phase = _FLOWERS_PHASES[state.phase]
    areas = []
    for place in range(flowers.MANDALAS):
        laid = [state.laid[seat][place] for seat in range(board.seats)]
        tiles = [tile - 1 for tile in state.tile[place] if tile]
        on_tiles = [0] * COLOUR_COUNT
        for tile in tiles:
            on_tiles[tile // len(flowers.VALUES)] = 1
        sides = [FlowersSide(up=_cards(side[0]), down=_cards(side[1])) for side in laid]
        areas.append(
            FlowersMandala(
                tiles=[_tile(tile) for tile in tiles],
                holder=state.marker[place],
                sides=sides,
                missing=_without(on_tiles, *(side[0] for side in laid)) if tiles else "",
                dissolving=phase == "claim" and state.mandala == place,
            )
        )
    dark, light = (_stack(state, back) for back in (flowers.DARK, flowers.LIGHT))
    seats = [_flowers_seat(state, seat, points) for seat, points in enumerate(board.scores)]
    return FlowersBoard(
        phase=phase,  # type: ignore[arg-type]
        mandalas=areas,
        seats=seats,
        pile=sum(state.pile),
        discard=_cards(state.discard),
        dark=dark,
        light=light,
        last_round=max(state.flowers) >= flowers.FLOWERS_TO_END,
    )


def _flowers_seat(state: Any, seat: int, points: int) -> FlowersSeat:
    owner = flowers.FIRST_OWNER + seat
    owned = [tile for tile in range(flowers.TILES) if state.owner[tile] == owner]
    pairs = [(tile, state.partner[tile] - 1) for tile in owned if state.partner[tile] - 1 > tile]
    values = len(flowers.VALUES)
    return FlowersSeat(
        hand=_cards(state.hand[seat]),
        shown=_cards(state.shown[seat]),
        singles=[_tile(tile) for tile in owned if not state.partner[tile]],
        flowers=[
            Flower(
                tiles=[_tile(low), _tile(high)],
                points=int(flowers.flower_points(low % values, high % values)),
            )
            for low, high in pairs
        ],
        points=points,
    )


def _tile(tile: int) -> str:
    colour, value = divmod(tile, len(flowers.VALUES))
    return COLOURS[colour] + flowers.VALUES[value]


def _stack(state: Any, back: int) -> int:
    return sum(
        state.owner[tile] == flowers.IN_STACK and flowers.BACK[tile // len(flowers.VALUES)] == back
        for tile in range(flowers.TILES)
    )


# All games


AnyBoard = MandalaBoard | PatternsBoard | FlowersBoard
_BY_GAME: dict[str, Callable[[Board], AnyBoard]] = {
    "mandala": _mandala,
    "patterns": _patterns,
    "flowers": _flowers,
}


def board_of(board: Board) -> AnyBoard:
    """A view, or a whole position of a game that is over, as the page draws it."""
    return _BY_GAME[board.game](board)


MOST_DRAWN = 16  # boards that are kept, for others who see the same


class Drawn(NamedTuple):
    """A board as it is sent, and the points by seat."""

    text: msgspec.Raw
    scores: list[int]


_drawn: dict[tuple[str, int, bytes], Drawn] = {}


def drawn(board: Board) -> Drawn:
    """A view, or a whole position of a game that is over, ready to be sent."""
    # Views of several seats that are equal, to the last byte, are drawn once.
    key = (board.game, board.seats, board.states.tobytes())
    if (found := _drawn.get(key)) is None:
        made = board_of(board)
        found = Drawn(msgspec.Raw(_encode(made)), [seat.points for seat in made.seats])
        if len(_drawn) >= MOST_DRAWN:
            _drawn.clear()
        _drawn[key] = found
    return found


def _cards(counts: tuple[int, ...]) -> Cards:
    return [*counts] if len(counts) > UNKNOWN else [*counts, 0]


def _without(*areas: Sequence[int]) -> str:
    """The colours that are in none of the areas."""
    return "".join(
        letter for each, letter in enumerate(COLOURS) if not any(area[each] for area in areas)
    )


def _by_number(numbers: Sequence[int]) -> list[str]:
    """The colour at each number from 1 to 6."""
    found = [""] * COLOUR_COUNT
    for colour, number in enumerate(numbers):
        if number:
            found[number - 1] = COLOURS[colour]
    return found
