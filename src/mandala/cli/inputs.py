"""What the subcommands read: games by name, files of records, the language of the user."""

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

# No line of a record is longer; one that is would only eat memory.
LONGEST_LINE = 1 << 20


class GameName(click.ParamType[str]):
    """The name of a game, with a suggestion when it is misspelt."""

    name = "game"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return None

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value.lower() in game_ids():
            return value.lower()
        near = difflib.get_close_matches(value.lower(), game_ids(), n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(game_ids())}."
        self.fail(f"there is no game '{value[:40]}': {hint}", param, ctx)


class Fault(click.ClickException):
    """Something wrong with what was read or written: one line, exit code 1."""

    def show(self, file: object = None) -> None:
        """Print the line."""
        click.echo(self.message, err=True)


def user_language() -> str:
    """German for a German locale, English for all others."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := os.environ.get(name):
            language = locale[:2].lower()
            return language if language in texts.LANGUAGES else "en"
    return "en"


@contextlib.contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file to read, `-` for standard input; faults found in it are told with its name."""
    try:
        if path == "-":
            yield sys.stdin.buffer
        else:
            with open(path, "rb") as file:
                yield file
    except MandalaError as error:
        raise Fault(f"{path}: {error}") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Fault(f"{path}: {error.strerror or error}") from None


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without ever holding more than one."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise InvalidRecord("line-too-long", {"most": LONGEST_LINE}, place=Place(number, 1))
        yield line


def records_of(file: BinaryIO) -> Iterator[tuple[int, Record]]:
    """The records of a file, numbered from 0."""
    return enumerate(read_records(lines_of(file)))


@contextlib.contextmanager
def in_record(index: int) -> Iterator[None]:
    """Faults found in here are those of the record with this number."""
    try:
        yield
    except MandalaError as error:
        place = error.place or Place(1, 1)
        raise error.at(Place(place.line, place.column, index)) from None
