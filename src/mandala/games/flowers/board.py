"""The board of Flowers as structures with named fields. Tiles are written as in `Tk7`."""

from __future__ import annotations

from typing import Any, Literal

from mandala.engine import PlainRecord

from ..board import BoardPart, Cards, cards, missing_colours
from ..cards import COLOUR_COUNT, COLOURS
from . import rules


class FlowersSide(BoardPart, frozen=True):
    """The cards of one seat in a mandala."""

    up: Cards
    down: Cards


class FlowersMandala(BoardPart, frozen=True):
    """A mandala: its tiles (none once it is gone), its holder or 0, each seat's cards."""

    tiles: list[str]
    holder: int
    sides: list[FlowersSide]
    missing: str
    dissolving: bool


class FlowerTerm(BoardPart, frozen=True):
    """A part of what a flower scores: the value of a tile, `factor` times."""

    factor: int
    value: int


class Flower(BoardPart, frozen=True):
    """Two tiles of one colour, and what they score: the sum of the terms."""

    tiles: list[str]
    terms: list[FlowerTerm]
    points: int


class FlowersSeat(BoardPart, frozen=True):
    """The areas of a seat. `shown` are cards in its hand that all seats saw going there."""

    hand: Cards
    shown: Cards
    singles: list[str]
    single_points: int  # of all single tiles together
    flowers: list[Flower]
    points: int


class FlowersBoard(BoardPart, frozen=True, tag="flowers"):
    """A position of Flowers. `last_round` is set once a seat has formed a third flower."""

    phase: Literal["setup", "action", "draw", "claim", "new-tiles", "ending", "over"]
    mandalas: list[FlowersMandala]
    seats: list[FlowersSeat]
    pile: int
    discard: Cards
    dark: int
    light: int
    dark_colours: str  # the colours of the tiles in the dark stack; all others are light
    last_round: bool


DARK_COLOURS = "".join(
    letter for letter, back in zip(COLOURS, rules.BACK, strict=True) if back == rules.DARK
)
PHASES = ("setup", "setup", "action", "draw", "claim", "new-tiles", "ending", "over")


def make_board(record: PlainRecord, states: Any, scores: list[int]) -> FlowersBoard:
    """The board of a position or view."""
    phase = PHASES[record.phase]
    areas = []
    for place in range(rules.MANDALAS):
        laid = [record.laid[seat][place] for seat in range(len(scores))]
        tiles = [tile - 1 for tile in record.tile[place] if tile]
        on_tiles = [0] * COLOUR_COUNT
        for tile in tiles:
            on_tiles[tile // len(rules.VALUES)] = 1
        sides = [FlowersSide(up=cards(side[0]), down=cards(side[1])) for side in laid]
        areas.append(
            FlowersMandala(
                tiles=[_tile(tile) for tile in tiles],
                holder=record.marker[place],
                sides=sides,
                missing=missing_colours(on_tiles, *(side[0] for side in laid)) if tiles else "",
                dissolving=phase == "claim" and record.mandala == place,
            )
        )
    dark, light = (_stack(record, back) for back in (rules.DARK, rules.LIGHT))
    seats = [_flowers_seat(record, seat, points) for seat, points in enumerate(scores)]
    return FlowersBoard(
        phase=phase,  # type: ignore[arg-type]
        mandalas=areas,
        seats=seats,
        pile=sum(record.pile),
        discard=cards(record.discard),
        dark=dark,
        light=light,
        dark_colours=DARK_COLOURS,
        last_round=max(record.flowers) >= rules.FLOWERS_TO_END,
    )


def _flowers_seat(record: PlainRecord, seat: int, points: int) -> FlowersSeat:
    owner = rules.FIRST_OWNER + seat
    owned = [tile for tile in range(rules.TILES) if record.owner[tile] == owner]
    pairs = [(tile, record.partner[tile] - 1) for tile in owned if record.partner[tile] - 1 > tile]
    flowers = [_flower(low, high) for low, high in pairs]
    return FlowersSeat(
        hand=cards(record.hand[seat]),
        shown=cards(record.shown[seat]),
        singles=[_tile(tile) for tile in owned if not record.partner[tile]],
        single_points=points - sum(flower.points for flower in flowers),
        flowers=flowers,
        points=points,
    )


def _flower(low: int, high: int) -> Flower:
    lower, higher = low % len(rules.VALUES), high % len(rules.VALUES)
    factors = [(3, lower)] if higher == rules.TRIPLE else [(2, lower), (1, higher)]
    return Flower(
        tiles=[_tile(low), _tile(high)],
        terms=[FlowerTerm(factor=times, value=rules.POINTS[value]) for times, value in factors],
        points=int(rules.flower_points(lower, higher)),
    )


def _tile(tile: int) -> str:
    colour, value = divmod(tile, len(rules.VALUES))
    return COLOURS[colour] + rules.VALUES[value]


def _stack(record: PlainRecord, back: int) -> int:
    return sum(
        record.owner[tile] == rules.IN_STACK and rules.BACK[tile // len(rules.VALUES)] == back
        for tile in range(rules.TILES)
    )


BOARD_TYPE = FlowersBoard
