"""What a person sees while something takes time: a bar, or a line about compiling."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

import click

from mandala.games import find_game


def make_ready(game: str) -> None:
    """Compile the rules of a game, or load them, with a line when it takes some seconds."""
    from mandala import engine

    spec = find_game(game)
    if not engine.are_rules_cached(spec.package):
        click.echo("compiling the rules, once on this machine …", err=True)
    spec.make_ready()


def make_search_ready(game: str) -> None:
    """Compile the search for a game, or load it, with a line when it takes some seconds."""
    from mandala.bots.search import is_warm, warm_up

    if not is_warm(game):
        click.echo("compiling the search, once on this machine: up to a minute …", err=True)
    warm_up(game)


@contextlib.contextmanager
def progress(total: int, done: int = 0) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing elsewhere; call what it gives for each thing done."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
