"""When Python looks for garbage in cycles.

It stops everything while it does: up to a second where there are hundreds of tables, and nearly all
that it looks at is in use. So it looks at what is new, often and for a moment, and never again, but
for once an hour, for the little that has become garbage since.
"""

from __future__ import annotations

import gc
import time

YOUNG = 1_000  # new objects after which they are looked at, about a millisecond
NEVER = 1_000_000
EVERYTHING_AFTER = 3_600.0  # seconds


class Garbage:
    """Looks at what is new as it comes up, and at everything when `tidy` finds it due."""

    def __init__(self) -> None:
        self._all_at = time.monotonic()
        gc.set_threshold(YOUNG, NEVER, NEVER)
        gc.callbacks.append(_let_be)
        gc.freeze()

    def tidy(self) -> None:
        """Look at everything, if that is long ago."""
        if time.monotonic() > self._all_at + EVERYTHING_AFTER:
            self._all_at = time.monotonic()
            gc.unfreeze()
            gc.collect()

    def stop(self) -> None:
        """Leave it to Python again."""
        gc.callbacks.remove(_let_be)
        gc.unfreeze()
        gc.set_threshold(700, 10, 10)


def _let_be(phase: str, info: dict[str, int]) -> None:
    """What was looked at and is in use need not be looked at again."""
    if phase == "stop":
        gc.freeze()
