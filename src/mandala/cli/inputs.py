"""Inputs of the subcommands: names of games, files of records, the user's language."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from mandala.core.record import Record, read_records
from mandala.games import game_ids
from mandala.text import catalogue as texts
from mandala.text.errors import InvalidRecord, MandalaError, Place

MAX_LINE_BYTES = 1 << 20  # bounds memory; no line of a real record is nearly as long


class GameName(click.ParamType[str]):
    """The name of a game; an unknown name gets a suggestion."""

    name = "game"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return None

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.lower() in game_ids():
            return value.lower()
        close = difflib.get_close_matches(value.lower(), game_ids(), n=1, cutoff=0.4)
        hint = f"did you mean {close[0]}?" if close else f"the games are {', '.join(game_ids())}."
        self.fail(f"there is no game '{value[:40]}': {hint}", param, ctx)


class InputError(click.ClickException):
    """An error in input or output files: printed as one line, exit code 1."""

    def show(self, file: object = None) -> None:
        """Print the message to stderr."""
        click.echo(self.message, err=True)


def user_language() -> str:
    """Return the language of the locale if there are texts in it, otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := os.environ.get(name):
            language = locale[:2].lower()
            return language if language in texts.LANGUAGES else "en"
    return "en"


@contextlib.contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading, `-` for standard input; errors while reading it name the file."""
    try:
        if path == "-":
            yield sys.stdin.buffer
        else:
            with open(path, "rb") as file:
                yield file
    except MandalaError as error:
        raise InputError(f"{path}: {error}") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file one at a time. Raises InvalidRecord for a line that is too long."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES):
        number += 1
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            raise InvalidRecord("line-too-long", {"most": MAX_LINE_BYTES}, place=Place(number, 1))
        yield line


def numbered_records(file: BinaryIO) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their numbers, from 0."""
    return enumerate(read_records(lines_of(file)))


@contextlib.contextmanager
def in_record(index: int) -> Iterator[None]:
    """Add the number of the record to errors raised inside."""
    try:
        yield
    except MandalaError as error:
        place = error.place or Place(1, 1)
        raise error.at(Place(place.line, place.column, index)) from None
