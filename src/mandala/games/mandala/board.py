"""The board of Mandala as structures with named fields."""

from __future__ import annotations

from typing import Any, Literal

from mandala.engine import PlainRecord

from ..board import BoardPart, Cards, cards, missing_colours
from ..cards import COLOUR_COUNT, COLOURS
from . import rules


class MandalaArea(BoardPart, frozen=True):
    """One of the two mandalas: its centre, each seat's field, and the colours it still lacks."""

    centre: Cards
    fields: list[Cards]
    majority: int  # the seat with more cards in its field; 0 when both have the same number
    missing: str
    dissolving: bool


class RiverScore(BoardPart, frozen=True):
    """What a place of the river scores: `count` cards of its colour in the cup, `factor` each.

    Cards that the viewer cannot see are not counted. An empty place has no colour.
    """

    colour: str
    count: int
    factor: int
    points: int


class MandalaSeat(BoardPart, frozen=True):
    """What belongs to a seat. `river` has the colour on each place, from 1 on.

    `unscored` are the cards in the cup whose colour is not in the river.
    """

    hand: Cards
    river: list[str]
    cup: Cards
    secret: Cards
    points: int
    scoring: list[RiverScore]
    unscored: int


class MandalaBoard(BoardPart, frozen=True, tag="mandala"):
    """A position of Mandala. `discards` counts the actions C in a row: `max_discards` end it."""

    phase: Literal["setup", "action", "draw", "dissolve", "refill", "over"]
    mandalas: list[MandalaArea]
    seats: list[MandalaSeat]
    pile: int
    discard: Cards
    last_phase: bool
    discards: int
    max_discards: int


PHASES = ("setup", "action", "draw", "dissolve", "refill", "over")
PLACES = range(1, COLOUR_COUNT + 1)  # of a river


def make_board(record: PlainRecord, states: Any, scores: list[int]) -> MandalaBoard:
    """The board of a position or view."""
    centre, field, phase = record.centre, record.field, PHASES[record.phase]
    areas = []
    for place in range(rules.MANDALAS):
        fields = [field[seat][place] for seat in range(2)]
        missing = missing_colours(centre[place], *fields)
        dissolving = phase == "dissolve" and record.mandala == place
        areas.append(
            MandalaArea(
                centre=cards(centre[place]),
                fields=[cards(each) for each in fields],
                majority=_majority(*map(sum, fields)),
                missing=missing,
                dissolving=dissolving,
            )
        )
    seats = [_seat(record, seat, points) for seat, points in enumerate(scores)]
    return MandalaBoard(
        phase=phase,  # type: ignore[arg-type]
        mandalas=areas,
        seats=seats,
        pile=sum(record.pile),
        discard=cards(record.discard),
        last_phase=bool(record.last_phase),
        discards=record.discards,
        max_discards=rules.DISCARDS_TO_END,
    )


def _seat(record: PlainRecord, seat: int, points: int) -> MandalaSeat:
    cup, secret, river = record.cup[seat], record.secret[seat], record.river[seat]
    in_cup = [cup[colour] + secret[colour] for colour in range(COLOUR_COUNT)]
    scoring = [RiverScore(colour="", count=0, factor=place, points=0) for place in PLACES]
    for colour, place in enumerate(river):
        if place:
            scoring[place - 1] = RiverScore(
                colour=COLOURS[colour],
                count=in_cup[colour],
                factor=place,
                points=in_cup[colour] * place,
            )
    return MandalaSeat(
        hand=cards(record.hand[seat]),
        river=[score.colour for score in scoring],
        cup=cards(cup),
        secret=cards(secret),
        points=points,
        scoring=scoring,
        unscored=sum(in_cup[colour] for colour, place in enumerate(river) if not place),
    )


def _majority(first: int, second: int) -> int:
    return 0 if first == second else 1 if first > second else 2


BOARD_TYPE = MandalaBoard
