"""The board of Mandala as structures with named fields."""

from __future__ import annotations

from typing import Any, Literal

from mandala.engine import PlainRecord

from ..board import BoardPart, Cards, cards, colours_by_number, missing_colours
from . import rules


class MandalaArea(BoardPart, frozen=True):
    """One of the two mandalas: its centre, each seat's field, and the colours it still lacks."""

    centre: Cards
    fields: list[Cards]
    missing: str
    dissolving: bool


class MandalaSeat(BoardPart, frozen=True):
    """The areas of a seat. `river` has the colour of each place, from place 1 on."""

    hand: Cards
    river: list[str]
    cup: Cards
    secret: Cards
    points: int


class MandalaBoard(BoardPart, frozen=True, tag="mandala"):
    """A position of Mandala. `discards` counts the actions C in a row: forty end the game."""

    phase: Literal["setup", "action", "draw", "dissolve", "refill", "over"]
    mandalas: list[MandalaArea]
    seats: list[MandalaSeat]
    pile: int
    discard: Cards
    last_phase: bool
    discards: int


PHASES = ("setup", "action", "draw", "dissolve", "refill", "over")


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
                missing=missing,
                dissolving=dissolving,
            )
        )
    seats = [
        MandalaSeat(
            hand=cards(record.hand[seat]),
            river=colours_by_number(record.river[seat]),
            cup=cards(record.cup[seat]),
            secret=cards(record.secret[seat]),
            points=points,
        )
        for seat, points in enumerate(scores)
    ]
    return MandalaBoard(
        phase=phase,  # type: ignore[arg-type]
        mandalas=areas,
        seats=seats,
        pile=sum(record.pile),
        discard=cards(record.discard),
        last_phase=bool(record.last_phase),
        discards=record.discards,
    )


BOARD_TYPE = MandalaBoard
