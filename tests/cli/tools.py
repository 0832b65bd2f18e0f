"""Helpers for tests of commands."""

from __future__ import annotations

import random

import numpy as np
from click.testing import CliRunner, Result

import mandala
from mandala import Position


def random_game(game: str, seed: int, seats: int = 2, plies: int | None = None) -> Position:
    """Return a random game at its end, or after `plies` decisions."""
    generator, choices = np.random.default_rng(seed), random.Random(seed)
    position = mandala.new(game, seats=seats, seed=seed)
    decisions = 0
    while not position.is_over and decisions != plies:
        position = position.play(choices.choice(position.legal), generator)
        decisions += 1
    return position


def run(*arguments: str, typed: str | bytes | None = None) -> Result:
    """Run the command as a shell would, with `typed` as standard input."""
    import click

    from mandala.cli import run as run_command

    @click.command(context_settings={"ignore_unknown_options": True})
    def shell() -> None:
        raise SystemExit(run_command(arguments))

    result = CliRunner().invoke(shell, input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result
