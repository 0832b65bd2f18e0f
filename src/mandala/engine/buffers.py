"""Large arrays that are reused between searches: node pools and transposition tables.

Freeing such memory after each search and allocating it again for the next one can stall every
process on a virtual machine (ADR 10).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_spare: dict[Any, list[Any]] = {}  # unused arrays, by their dtype


@contextmanager
def borrow(dtype: Any, size: int, largest: int) -> Iterator[Any]:
    """An array of a given size, with the content that its last user left in it.

    `largest` is the largest size that is ever borrowed with this dtype.
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
