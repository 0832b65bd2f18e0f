"""What a move of Tiny is worth without searching: the last counter, or leaving many to the next."""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import rule

from .rules import MOST, NUMBER, legal

LAST, MANY, WEIGHT_COUNT = range(3)
WEIGHTS = np.zeros(WEIGHT_COUNT)
WEIGHTS[LAST] = 10.0
WEIGHTS[MANY] = 1.0


@rule
def score_moves(state: Any, seat: int, rows: Any, weights: Any, values: Any) -> int:
    """Write the legal moves of a seat and what each is worth; return how many there are."""
    found = legal(state, rows)
    for place in range(found):
        left = int(state.heap) - int(NUMBER[rows[place]])
        values[place] = weights[LAST] if left == 0 else weights[MANY] * min(left, MOST + 1)
    return found
