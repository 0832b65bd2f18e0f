"""`mandala engine`: one of our players as a bot of the protocol."""

from __future__ import annotations

import click

from mandala.bots.levels import STRONGEST


@click.command()
@click.option("--player", default=STRONGEST, show_default=True, help="Player that moves.")
@click.option("--seed", type=click.IntRange(0), help="Random seed; by default a new one each time.")
@click.option(
    "--threads", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Threads of a search.",
)  # fmt: skip
def engine(player: str, seed: int | None, threads: int) -> None:
    """Speak the bot protocol on standard input and output (see docs/protocol.md)."""
    import sys

    from mandala.bots.engine import Engine

    Engine(player, seed, threads, sys.stdout.buffer).run(sys.stdin.buffer)
