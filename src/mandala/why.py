"""Why a move is not legal: a stable code with its parts, for any move of a game's table.

The sentences for the codes live in the catalogue (`texts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from . import texts
from .games import flowers, mandala, patterns
from .games.table import COLOURS, UNKNOWN, count
from .kernel import CHANCE, NOBODY


@dataclass(frozen=True)
class Reason:
    """Why a move is not legal: a code and the things it speaks of."""

    code: str
    parts: Mapping[str, object] = field(default_factory=dict)

    def say(self, language: str = "en") -> str:
        """The reason as a sentence."""
        return texts.say(self.code, self.parts, language)


def why_not(rules: ModuleType, state: Any, move: int) -> Reason | None:
    """The reason why a row of the move table may not be played now, or None when it may."""
    is_chance_move = move >= rules.DECISIONS
    if state.actor == NOBODY:
        return Reason("game-over")
    if state.actor == CHANCE:
        return _why_not_chance(rules, state, move) if is_chance_move else Reason("chance-moves")
    if is_chance_move:
        return Reason("seat-moves", {"seat": int(state.actor) + 1})
    return _BY_GAME[rules.NAME](state, move)


def _why_not_chance(rules: ModuleType, state: Any, move: int) -> Reason | None:
    rows, weights = [0] * len(rules.moves.texts), [0] * len(rules.moves.texts)
    possible = rows[: rules.chance(state, rows, weights)]
    return (
        None if move in possible else Reason("cannot-be-drawn", {"move": rules.moves.texts[move]})
    )


def _why_not_mandala(state: Any, move: int) -> Reason | None:
    rules = mandala
    kind, place, colour = rules.KIND[move], int(rules.MANDALA[move]), int(rules.COLOUR[move])
    number, seat = int(rules.COUNT[move]), int(state.actor)
    parts = {"colour": COLOURS[colour], "mandala": place + 1}
    if state.phase == rules.DISSOLVE:
        dissolving = int(state.mandala)
        if kind != rules.TAKE:
            return Reason("take-a-colour", {"mandala": dissolving + 1})
        if state.centre[dissolving, colour] == 0:
            return Reason("not-in-centre", {**parts, "mandala": dissolving + 1})
        return None
    if kind == rules.TAKE:
        return Reason("not-dissolving")
    if reason := _not_in_hand(state, seat, colour, number):
        return reason
    if kind == rules.CENTRE:
        return _why_not_to_centre(state, seat, place, colour)
    if kind == rules.FIELD:
        if state.centre[place, colour] > 0:
            return Reason("in-centre", parts)
        if not rules.fits_field(state, seat, place, colour):
            return Reason("in-other-field", {**parts, "seat": 2 - seat})
        if number >= count(state.hand[seat]):
            return Reason("keep-one-card")
    return None


def _why_not_to_centre(state: Any, seat: int, place: int, colour: int) -> Reason | None:
    for owner in (seat, 1 - seat):
        if state.field[owner, place, colour] > 0:
            code = "in-own-field" if owner == seat else "in-other-field"
            parts = {"colour": COLOURS[colour], "mandala": place + 1, "seat": owner + 1}
            return Reason(code, parts)
    if count(state.hand[seat]) == 1 and mandala.nothing_to_draw(state):
        return Reason("nothing-to-draw")
    return None


def _not_in_hand(state: Any, seat: int, colour: int, number: int) -> Reason | None:
    held = int(state.hand[seat, colour]) + int(state.hand[seat, UNKNOWN])
    if held == 0:
        return Reason("none-in-hand", {"colour": COLOURS[colour]})
    if held < number:
        return Reason("too-few-in-hand", {"colour": COLOURS[colour], "held": held, "count": number})
    return None


def _why_not_patterns(state: Any, move: int) -> Reason | None:
    rules = patterns
    kind, seat = rules.KIND[move], int(state.actor)
    if state.phase == rules.GIVING or kind == rules.GIVE:
        return _why_not_gift(state, int(kind), int(rules.COLOUR[move]))
    if kind == rules.STOP:
        return None if state.phase == rules.LAST_FLIPS else Reason("not-ended")
    if state.phase == rules.LAST_FLIPS and kind != rules.FLIP:
        return Reason("only-flips")
    space = rules.ONE << np.uint64(rules.SPACE[move])
    where = {"space": rules.moves.texts[move][1:]}
    if rules.fronts(state) & space == rules.EMPTY:
        return Reason("back-side", where)
    lying = rules.colour_at(state, space)
    colour = lying if kind == rules.FLIP else int(state.bowl[seat])
    parts = {**where, "colour": COLOURS[colour]}
    is_open = state.river[seat, colour] > 0
    if kind == rules.OPEN:
        if is_open:
            return Reason("already-open", parts)
    elif not is_open:
        return Reason("no-group", parts)
    elif kind == rules.SWAP and lying == colour:
        return Reason("flip-instead", parts)
    elif rules.next_to(state.group[seat, colour]) & space == rules.EMPTY:
        return Reason("not-next-to-group", parts)
    if rules.closed(state, seat, colour) & space != rules.EMPTY:
        return Reason("groups-touch", parts)
    return None


def _why_not_gift(state: Any, kind: int, colour: int) -> Reason | None:
    if kind != patterns.GIVE:
        return Reason("give-first")
    if state.phase != patterns.GIVING:
        return Reason("given-already")
    if state.aside[colour] == 0:
        return Reason("no-starting-tile", {"colour": COLOURS[colour]})
    return None


def _why_not_flowers(state: Any, move: int) -> Reason | None:
    rules = flowers
    kind, seat = rules.KIND[move], int(state.actor)
    if state.phase == rules.CLAIM:
        place = int(state.mandala)
        if kind != rules.CLAIM_TILE:
            return Reason("claim-a-tile", {"mandala": place + 1})
        if rules.TILE_OF[move] + 1 not in state.tile[place]:
            return Reason(
                "tile-not-here", {"tile": rules.moves.texts[move][1:], "mandala": place + 1}
            )
        return None
    if kind == rules.CLAIM_TILE:
        return Reason("not-dissolving")
    if kind == rules.PASS:
        rows = [0] * rules.DECISIONS
        return Reason("can-play") if rules.legal_plays(state, seat, rows) > 0 else None
    if not rules.has_tiles(state, int(rules.MANDALA[move])):
        return Reason("no-mandala", {"mandala": int(rules.MANDALA[move]) + 1})
    number = int(rules.COUNT[move])
    if reason := _not_in_hand(state, seat, int(rules.COLOUR[move]), number):
        return reason
    if count(state.hand[seat]) == 1 and rules.nothing_to_draw(state):
        return Reason("nothing-to-draw")
    if number > 1 and number == count(state.hand[seat]):
        return Reason("keep-one-card")
    return None


_BY_GAME = {
    "mandala": _why_not_mandala,
    "patterns": _why_not_patterns,
    "flowers": _why_not_flowers,
}
