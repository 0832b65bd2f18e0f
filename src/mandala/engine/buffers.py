"""Large arrays that are reused: node pools and transposition tables.

Returning such memory to the system after each search and taking new memory for the next one makes
every process on a virtual machine stall at times (ADR 10).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_spare: dict[Any, list[Any]] = {}  # arrays that are not in use, by their dtype


@contextmanager
def borrow(dtype: Any, size: int, largest: int) -> Iterator[Any]:
    """An array of a size, with whatever its last user left in it.

    `largest` is the largest size that is ever asked for with this dtype.
    """
    spare = _spare.setdefault(dtype, [])
    try:
        array = spare.pop()
    except IndexError:
        array = np.empty(largest, dtype)
    try:
        yield array[:size]
    finally:
        spare.append(array)
