"""The networks of the appraisals, fitted to games of the search: `python -m bench.fit`.

They stand apart from the rules for they are only data: new ones need no compiling. `tree.appraise`
tells what the rows are.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

Network = np.ndarray[Any, np.dtype[np.float32]]

NAIVE_POINT = 0.15  # what a point is worth to one who looks at nothing else


def network_file(game: str) -> Path:
    """Where a game's network is kept."""
    return Path(__file__).parent / f"{game}.npy"


@functools.cache
def network_of(game: str) -> Network:
    """The network that weighs what a game's positions offer."""
    network: Network = np.load(network_file(game))
    return network


@functools.cache
def naive_network_of(game: str) -> Network:
    """A network for which only the points count: the first of a seat's numbers."""
    network = np.zeros_like(network_of(game))
    network[0, 0] = NAIVE_POINT
    network[-1, 0] = 1.0
    return network
