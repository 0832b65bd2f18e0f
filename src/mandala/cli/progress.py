"""Progress bars, and messages while code is compiled."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

import click

from mandala.games import find_game


def make_ready(game: str) -> None:
    """Compile or load the rules of a game, with a message if they must be compiled."""
    from mandala import engine

    spec = find_game(game)
    if not engine.are_rules_cached(spec.package):
        click.echo("compiling the rules (once per machine) …", err=True)
    spec.make_ready()


def make_search_ready(game: str) -> None:
    """Compile or load the search of a game, with a message if it must be compiled."""
    from mandala.bots.search import is_warm, warm_up

    if not is_warm(game):
        click.echo("compiling the search (once per machine, up to a minute) …", err=True)
    warm_up(game)


@contextlib.contextmanager
def progress(total: int, done: int = 0) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal; call the yielded function for each finished item."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
