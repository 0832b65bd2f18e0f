"""`mandala check`: checks records against the rules."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

import click

from mandala.games import find_game
from mandala.text.errors import UnknownGame

COMPILE_AFTER = 20  # records of a game, after which loading the compiled rules pays off
MIN_PROGRESS_BYTES = 1 << 20  # size of files with a progress bar
NOT_CHECKED = 3  # exit code if not all records could be checked


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Check records against the rules.

    FILE is a file of records, or - for standard input. Prints `ok N records`, or
    the first error with its place, and exits with 1. Records with unknown rules
    are reported but not checked: without other errors, the command prints
    `ok N records, M not checked` and exits with 3.
    """
    from mandala.cli.inputs import open_input

    seen: Counter[str] = Counter()
    unchecked = 0
    for path in files:
        with open_input(path) as file, _progress(file) as advance:
            for error in _check_file(file, seen, advance):
                click.echo(f"{path}: {error}", err=True)
                unchecked += 1
    if unchecked:
        click.echo(f"ok {seen.total()} records, {unchecked} not checked")
        raise click.exceptions.Exit(NOT_CHECKED)
    click.echo(f"ok {seen.total()} records")


def _check_file(
    file: BinaryIO, seen: Counter[str], advance: Callable[[], None]
) -> Iterator[UnknownGame]:
    """Check the records of a file; yield an error for each record with unknown rules."""
    from mandala.cli.inputs import in_record, numbered_records
    from mandala.core.replay import check as check_record

    for index, record in numbered_records(file):
        game = record.tags.get("Game", "")
        if seen[game] == COMPILE_AFTER:
            find_game(game).make_ready()
        try:
            with in_record(index):
                check_record(record)
            seen[game] += 1
        except UnknownGame as error:
            if error.code != "unknown-rules":
                raise
            yield error
        advance()


@contextlib.contextmanager
def _progress(file: BinaryIO) -> Iterator[Callable[[], None]]:
    """Show a progress bar by bytes on a terminal, for large files."""
    size = os.fstat(file.fileno()).st_size if file is not sys.stdin.buffer else 0
    if size < MIN_PROGRESS_BYTES or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=size)
        yield lambda: bar.update(task, completed=file.tell())
