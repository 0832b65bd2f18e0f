"""Tuning of Python's garbage collector.

A full collection stops the process for up to a second when there are hundreds of tables, and nearly
all objects that it visits are in use. So only new objects are collected, a thousand at a time, and
survivors are frozen; a full collection runs once an hour for the cycles that arose since.
"""

from __future__ import annotations

import gc
import time

YOUNG_THRESHOLD = 1_000  # new objects per collection, which takes about a millisecond
NEVER = 1_000_000
FULL_COLLECTION_INTERVAL_S = 3_600.0


class GcTuning:
    """Collects only new objects automatically, and all objects in `collect_if_due`."""

    def __init__(self) -> None:
        self._collected_at = time.monotonic()
        gc.set_threshold(YOUNG_THRESHOLD, NEVER, NEVER)
        gc.callbacks.append(_freeze_survivors)
        gc.freeze()

    def collect_if_due(self) -> None:
        """Run a full collection if the last one is more than an hour ago."""
        if time.monotonic() > self._collected_at + FULL_COLLECTION_INTERVAL_S:
            self._collected_at = time.monotonic()
            gc.unfreeze()
            gc.collect()

    def stop(self) -> None:
        """Restore Python's defaults."""
        gc.callbacks.remove(_freeze_survivors)
        gc.unfreeze()
        gc.set_threshold(700, 10, 10)


def _freeze_survivors(phase: str, info: dict[str, int]) -> None:
    """Exclude the survivors of a collection from later ones."""
    if phase == "stop":
        gc.freeze()
