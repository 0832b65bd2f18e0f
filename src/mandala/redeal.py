"""From a seat's view back to a full position: the hidden cards dealt anew.

The view's own record is read as a story: who drew unseen cards from which pile, and what was
played. `fill` gives the unseen cards colours so that the story holds; played through again, it
ends in a position that the seat must think possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import kernel
from .game import Position
from .story import Story, tell
from .view import View


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
