"""What a position of Tiny offers a seat, as numbers for the network in `weights.npy`."""

from __future__ import annotations

from typing import Any

from mandala.engine import rule

from .rules import score

(
    POINTS,  # must be the first one
    CAN_WIN,  # the seat decides and can take the last counter
    FEATURE_COUNT,
) = range(3)


@rule
def features(state: Any, seat: int, out: Any) -> int:
    """Write what a position offers a seat; return how many numbers that are."""
    out[POINTS] = score(state, seat)
    out[CAN_WIN] = 1.0 if state.actor == seat and state.heap <= state.die else 0.0
    return FEATURE_COUNT
