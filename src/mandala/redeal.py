"""From a seat's view back to a full position: the hidden cards dealt anew.

The view's own record is read as a story: who drew unseen cards from which pile, and what was
played. `fill` gives the unseen cards colours so that the story holds; played through again, it
ends in a position that the seat must think possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from . import kernel
from .game import Position
from .games.table import COLOUR_COUNT, UNKNOWN
from .view import View, veiled

NEVER_PLAYED = -1


@dataclass(frozen=True)
class Story:
    """What a view's record tells about hidden cards, as arrays for `fill`."""

    demands: Any
    piles: Any
    owner: Any
    pile_of: Any
    plies: tuple[int, ...]  # the ply of each token's draw


def redeal(view: View, generator: np.random.Generator) -> Position:
    """A full position, with its moves, that contradicts nothing the seat has seen.

    Before the first reshuffle every deal of the unseen cards is equally likely;
    `docs/adr/0003-redeal.md` tells how near it comes after that. Raises ValueError for a
    spectator's view and for one that does not know the moves that led to it.
    """
    if view.is_over or view.game == "patterns":
        return Position(view.game, view.seats, view.copy_states(), view.history)
    if view.seat is None or view.history is None:
        raise ValueError("dealing anew needs a seat's view that knows the moves before it")
    story = tell(view.rules, view)
    colours = np.zeros(len(story.owner), np.int64)
    seed = generator.integers(0, 2**64, 1, dtype=np.uint64)
    fill = kernel.twin("fill", of=view.game).fill
    fill(story.demands, story.piles, story.owner, story.pile_of, colours, seed)
    return _play_through(view, story, colours)


def tell(rules: ModuleType, view: View) -> Story:
    """Read a view's record as a story about hidden cards."""
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    piles = [states[0].pile[:COLOUR_COUNT].astype(np.int64)]
    states = veiled(rules, states[0], None)
    state, shuffles = states[0], states["shuffles"]
    shown = states["shown"][0] if "shown" in rules.State.fields else None
    known = np.zeros((view.seats, COLOUR_COUNT), np.int64)  # in hands, since they were taken back
    demands: list[tuple[int, int, int]] = []
    owner: list[int] = []
    pile_of: list[int] = []
    plies: list[int] = []
    assert view.history is not None
    for ply, (row, drawer) in enumerate(view.history):
        colour, kind = int(rules.COLOUR[row]), rules.KIND[row]
        taken_back = shown is not None and kind not in (rules.CARD, rules.PLAY)
        before = shown.copy() if taken_back else None
        if kind == rules.CARD and colour == UNKNOWN:
            owner.append(NEVER_PLAYED if _goes_into_a_cup(rules, state) else drawer)
            pile_of.append(len(piles) - 1)
            plies.append(ply)
        elif kind == rules.CARD:
            piles[-1][colour] -= 1
        elif rules.COUNT[row] and int(state.actor) + 1 != view.seat:
            seat, number = int(state.actor), int(rules.COUNT[row])
            shown_before = min(int(known[seat, colour]), number)
            known[seat, colour] -= shown_before
            demands += [(seat, colour, len(owner))] * (number - shown_before)
        was = int(shuffles[0])
        rules.apply(state, row)
        if int(shuffles[0]) != was:
            piles.append(state.pile[:COLOUR_COUNT].astype(np.int64))
        if taken_back:
            known += shown[: view.seats] - before[: view.seats]
    return Story(
        np.array(demands, np.int64).reshape(-1, 3),
        np.array(piles),
        np.array(owner, np.int64),
        np.array(pile_of, np.int64),
        tuple(plies),
    )


def _goes_into_a_cup(rules: ModuleType, state: Any) -> bool:
    if rules.NAME != "mandala" or state.phase != rules.SETUP:
        return False
    target = rules.SETUP_DRAWS[rules.SETUP_COUNT - state.draws]
    return target in (rules.TO_CUP_1, rules.TO_CUP_2)


def _play_through(view: View, story: Story, colours: Any) -> Position:
    """The position at the end of the story, played with the colours filled in."""
    rules, history = view.rules, list(view.history or ())
    for ply, colour in zip(story.plies, colours, strict=True):
        history[ply] = (int(rules.CARD_ROW[colour]), history[ply][1])
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    for row, _ in history:
        rules.apply(states[0], row)
    return Position(view.game, view.seats, states, tuple(history))
