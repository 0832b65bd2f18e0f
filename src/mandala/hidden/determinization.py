"""Determinization: from a seat's view to a full position in the same information set.

The view's record says who drew unseen cards from which pile, and what was played. The unseen cards
get sampled colours that agree with that; replaying the record with them gives the full position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala import engine
from mandala.core.position import Position
from mandala.core.view import View

from .constraints import Constraints, constraints_of


def determinize(view: View, generator: np.random.Generator) -> Position:
    """A full position, with its moves, that is consistent with everything the seat has seen.

    Before the first reshuffle every deal of the unseen cards is equally likely;
    `docs/adr/0003-determinization.md` says how close it comes after that. Raises ValueError for a
    spectator's view and for one without its moves.
    """
    if view.is_over or not view.spec.has_hidden_information:
        return Position(view.game, view.seats, view.states, view.history)
    if view.seat is None or view.history is None:
        raise ValueError("determinization needs a seat's view that knows the moves before it")
    found = constraints_of(view)
    colours = np.zeros(len(found.drawn_by), np.int64)
    seed = generator.integers(0, 2**64, 1, dtype=np.uint64)
    sampling = engine.current("mandala.hidden.sampling", view.spec.package)
    sampling.sample_hidden(found.plays, found.piles, found.drawn_by, found.pile_of, colours, seed)
    return _replay_with(view, found, colours)


def _replay_with(view: View, found: Constraints, colours: Any) -> Position:
    """The position at the end of the view's record, replayed with the sampled colours."""
    rules, history = view.rules, list(view.history or ())
    for ply, colour in zip(found.draw_plies, colours, strict=True):
        history[ply] = (int(rules.CARD_ROW[colour]), history[ply][1])
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], view.seats)
    for row, _ in history:
        rules.apply(states[0], row)
    return Position(view.game, view.seats, states, tuple(history))
