"""The networks that evaluate positions, trained on self-play games: `python -m bench.fit`.

They are data, separate from the compiled code, so that new ones need no compiling. `tree.evaluate`
describes their rows.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from mandala.games import find_game

Network = np.ndarray[Any, np.dtype[np.float32]]

POINTS_ONLY_WEIGHT = 0.15  # the weight of a point in the network that counts only points


def network_file(game: str) -> Path:
    """The file of a game's network."""
    return find_game(game).folder / "weights.npy"


@functools.cache
def network_of(game: str) -> Network:
    """The network that evaluates a game's positions.

    Raises ValueError for a file that does not fit the features of the game.
    """
    from .tree import MAX_FEATURES

    network: Network = np.load(network_file(game))
    features = find_game(game).module("features").FEATURE_COUNT
    if features > MAX_FEATURES or len(network) != 2 * features + 2:
        raise ValueError(f"{network_file(game)} does not fit {features} features")
    return network


@functools.cache
def points_only_network_of(game: str) -> Network:
    """A network that counts only points, the first feature of a seat."""
    network = np.zeros_like(network_of(game))
    network[0, 0] = POINTS_ONLY_WEIGHT
    network[-1, 0] = 1.0
    return network
