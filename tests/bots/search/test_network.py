"""The files of the networks: one that does not fit its game never reaches compiled code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mandala
from mandala.bots.search import network
from mandala.games import find_game


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_network_fits_the_features_of_its_game(game: str) -> None:
    features = find_game(game).module("features").FEATURE_COUNT
    assert len(network.network_of(game)) == 2 * features + 2
    assert network.points_only_network_of(game).shape == network.network_of(game).shape


def test_a_network_that_does_not_fit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "weights.npy"
    np.save(file, network.network_of("patterns")[:-1])
    monkeypatch.setattr(network, "network_file", lambda game: file)
    with pytest.raises(ValueError, match="does not fit 15 features"):
        network.network_of.__wrapped__("patterns")
