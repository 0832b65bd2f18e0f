"""What the typed boards of all games share.

A board describes a position as structures with named fields, in the words of the rules, for
programs, the API, the terminal and the page. Cards are counts in the order of the colours, plus a
last count of cards whose colour the viewer cannot see. Colours are letters, or empty for none.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .cards import COLOURS, UNKNOWN

Cards = list[int]


class BoardPart(msgspec.Struct, frozen=True, kw_only=True):
    """Base class of boards and of their parts."""


def cards(counts: tuple[int, ...]) -> Cards:
    """Card counts by colour, with a last count for cards of unknown colour."""
    return [*counts] if len(counts) > UNKNOWN else [*counts, 0]


def missing_colours(*areas: Sequence[int]) -> str:
    """The letters of the colours that are in none of the areas."""
    return "".join(
        letter for each, letter in enumerate(COLOURS) if not any(area[each] for area in areas)
    )
