"""Thousands of games, written by `simulate` and validated by `check`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import SEATINGS


def mandala_command(*arguments: str) -> str:
    """Run `mandala` with arguments and return its output."""
    command = [sys.executable, "-m", "mandala", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("player", "games"), [("random", 10_000), ("greedy", 1_000)])
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_every_game_passes_check(
    game: str, seats: int, player: str, games: int, tmp_path: Path
) -> None:
    file = tmp_path / "records.txt"
    options = ["--seats", str(seats), "--games", str(games), "--seed", "1", "--players", player]
    mandala_command("simulate", game, *options, "--records", str(file))
    assert mandala_command("check", str(file)).strip() == f"ok {games} records"
