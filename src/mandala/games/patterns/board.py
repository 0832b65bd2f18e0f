"""The board of Patterns as structures with named fields."""

from __future__ import annotations

import functools
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from mandala import engine
from mandala.engine import PlainRecord

from ..board import BoardPart
from ..cards import COLOUR_COUNT, COLOURS
from . import rules


class PatternsSpace(BoardPart, frozen=True):
    """A space: its tile's colour, the seat whose group it belongs to (0: a front), its marker."""

    name: str
    colour: str
    seat: int
    marker: int


class PatternsGroup(BoardPart, frozen=True):
    """A group of `size` tiles, of which `scored` score its number each."""

    number: int
    colour: str
    size: int
    scored: int
    points: int
    gain: int  # the points of one more tile


class PatternsSeat(BoardPart, frozen=True):
    """The bowl, groups and points of a seat; groups are in the order of their numbers."""

    bowl: str
    groups: list[PatternsGroup]
    next_number: int  # of the next group to be opened; 0 when all are open
    points: int


class PatternsBoard(BoardPart, frozen=True, tag="patterns"):
    """A position of Patterns; spaces in reading order, `starting` are the tiles to be given."""

    phase: Literal["setup", "giving", "action", "last-flips", "over"]
    spaces: list[PatternsSpace]
    seats: list[PatternsSeat]
    starting: str


PHASES = ("setup", "giving", "action", "last-flips", "over")


# Every possible content of each space, by its code in `rules.space_codes`.
_SPACES_BY_CODE = [
    [
        PatternsSpace(name=name, colour=letter, seat=seat, marker=marker)
        for marker in range(COLOUR_COUNT + 1)
        for seat, letter in [(0, ""), *((seat, letter) for seat in range(3) for letter in COLOURS)]
    ]
    for name in (f"{'abcdefgh'[space % 8]}{space // 8 + 1}" for space in rules.SPACES)
]


def make_board(record: PlainRecord, states: Any, scores: list[int]) -> PatternsBoard:
    """The board of a position or view."""
    codes = np.empty(rules.SETUP_COUNT, np.uint8)
    engine.current(rules.__name__, __package__).space_codes(states, codes)
    phase = PHASES[record.phase]
    aside = [letter for letter, lies in zip(COLOURS, record.aside, strict=True) if lies]
    return PatternsBoard(
        phase=phase,  # type: ignore[arg-type]
        spaces=[
            by_code[code] for by_code, code in zip(_SPACES_BY_CODE, codes.tolist(), strict=True)
        ],
        seats=list(map(_patterns_seat, record.bowl, record.river, record.group)),
        starting="".join(aside) if phase == "giving" else "",
    )


@functools.lru_cache(maxsize=4096)
def _patterns_seat(bowl: int, river: tuple[int, ...], tiles: tuple[int, ...]) -> PatternsSeat:
    """The board part of a seat: its tile and, by colour, its group numbers and spaces."""
    groups = [
        PatternsGroup(
            number=number,
            colour=letter,
            size=size,
            scored=size - 1,
            points=number * (size - 1),
            gain=number,
        )
        for number, letter, size in zip(river, COLOURS, map(int.bit_count, tiles), strict=True)
        if number
    ]
    groups.sort(key=attrgetter("number"))
    return PatternsSeat(
        bowl="" if bowl == rules.NO_COLOUR else COLOURS[bowl],
        groups=groups,
        next_number=len(groups) + 1 if len(groups) < COLOUR_COUNT else 0,
        points=sum(group.points for group in groups),
    )


BOARD_TYPE = PatternsBoard
