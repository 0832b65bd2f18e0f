"""Validation of a record that was read from a text.

The rules assume a position that they made themselves. A position from outside is first checked
against the invariants of its game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import CHANCE, NOBODY
from mandala.text.errors import InvalidPosition

from .cards import CARD_KINDS, COLOUR_COUNT, UNKNOWN, count
from .spec import Game


def require_consistent(game: Game, seats: int, state: Any, *, hidden: bool) -> None:
    """Raise InvalidPosition unless the record is a valid position or, with `hidden`, a view."""
    game.module("invariants").require_valid_state(seats, state, hidden=hidden)
    rules = game.plain_rules
    if state.actor < seats:
        rows = [0] * len(rules.moves.texts)
        require(rules.legal(state, rows) > 0, "no-decision")
    elif state.actor == CHANCE:
        rows, weights = [0] * len(rules.moves.texts), [0] * len(rules.moves.texts)
        require(rules.chance(state, rows, weights) > 0, "no-chance")
    else:
        require(state.actor == NOBODY, "no-such-actor")


def require(condition: bool | np.bool_, otherwise: str) -> None:
    """Raise InvalidPosition unless a condition holds.

    `otherwise` is a key of the catalogue's section `impossible`.
    """
    if not condition:
        raise InvalidPosition("impossible-position", {"impossible": otherwise})


def require_all_cards(rules: Any, state: Any, hidden: bool, hidden_rows: list[Any]) -> None:
    """Raise InvalidPosition unless the cards of each colour add up, unknown ones only in a view."""
    pool = np.zeros(CARD_KINDS, np.int64)
    rules.count_unseen(state, pool)
    unknown = sum(int(row[UNKNOWN]) for row in hidden_rows)
    listed = [max(0, int(state.pile[colour])) for colour in range(COLOUR_COUNT)]
    for name, field in rules.State.fields.items():
        if field.kind == "i1":
            rows = np.reshape(state[name], (-1, field.shape[-1]))
            require((rows[:, :COLOUR_COUNT] >= 0).all(), "below-zero")
    if hidden:
        require((pool >= 0).all(), "too-many-of-a-colour")
        require(int(pool.sum()) == unknown + sum(listed), "card-count")
    else:
        require(
            unknown == 0 and count(state.drawn.ravel()[UNKNOWN::CARD_KINDS]) == 0, "cards-unknown"
        )
        require([int(each) for each in pool[:COLOUR_COUNT]] == listed, "card-count")
    require(count(state.pile) >= 0, "below-zero")
