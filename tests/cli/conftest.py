from __future__ import annotations

import random
from pathlib import Path

import pytest

import mandala
from mandala import View
from mandala.bots import players, search
from mandala.bots.players import Budget
from tests.cli.tools import random_game


class RandomPlayer:
    """A player that chooses a random legal move."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, view: View, budget: Budget) -> str:
        return self._random.choice(view.legal)


def _make_player(name: str, seed: int) -> RandomPlayer:
    if name not in players.player_names():
        raise ValueError(f"there is no player '{name}'; there are random, greedy")
    return RandomPlayer(name, seed)


@pytest.fixture(autouse=True)
def _quick_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all players by random ones, which need no compiled code."""
    monkeypatch.setattr(players, "make_player", _make_player, raising=False)
    monkeypatch.setattr(search, "is_warm", lambda game: False)
    monkeypatch.setattr(search, "warm_up", lambda game: None)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file with three finished games, one of each."""
    games = [random_game(game, seed=1).record() for game in mandala.game_ids()]
    path = tmp_path / "games.txt"
    path.write_text("\n".join(map(str, games)), encoding="utf-8")
    return path
