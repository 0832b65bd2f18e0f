"""`mandala show`: prints the board of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mandala.core.record import Record
    from mandala.core.state import GameState
    from mandala.text.errors import UnknownGame

NEARBY = 24  # moves shown before and after the board
NEVER_FOLDED = 10_000


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--at", metavar="PLY", type=click.IntRange(0), help="Number of moves and draws.")
@click.option(
    "--record", "wanted", metavar="N", type=click.IntRange(0), default=0,
    help="Number of the record in the file, from 0.",
)  # fmt: skip
def show(file: str, at: int | None, wanted: int) -> None:
    """Show the board of a record in FILE.

    FILE is a file of records, or - for standard input. Shows the board at the end, or after PLY
    moves and draws. A record with unknown rules is printed without a board.
    """
    from mandala.cli.inputs import in_record, numbered_records, open_input
    from mandala.text.errors import InvalidRecord, UnknownGame

    with open_input(file) as source:
        index = -1
        for index, record in numbered_records(source):
            if index == wanted:
                try:
                    with in_record(index):
                        board, ply = _board_at(record, at)
                except UnknownGame as error:
                    if error.code != "unknown-rules" or at is not None:
                        raise
                    _print_without_board(record, error)
                    return
                _print(record, board, ply)
                return
        raise InvalidRecord("no-such-record", {"record": wanted, "records": index + 1})


def _board_at(record: Record, at: int | None) -> tuple[GameState, int]:
    from itertools import islice

    from mandala.core.replay import boards, replay
    from mandala.text.errors import InvalidRecord

    plies = len(record.moves)
    if at is None:
        return replay(record), plies
    if at > plies:
        raise InvalidRecord("no-such-ply", {"ply": at, "plies": plies})
    return next(islice(boards(record), at, None)), at


def _print_without_board(record: Record, reason: UnknownGame) -> None:
    from mandala.cli.inputs import user_language

    click.echo(record)
    click.echo(reason.say(user_language()))


def _print(record: Record, board: GameState, ply: int) -> None:
    from rich.console import Console
    from rich.text import Text

    from mandala.cli.inputs import user_language
    from mandala.core.render import render
    from mandala.games.render import grid
    from mandala.text import catalogue as texts
    from mandala.text.notation import join_moves

    language = user_language()
    console = Console(highlight=False)
    tags = "   ".join(f"{name} {value}" for name, value in record.tags.items() if name != "Game")
    console.print(Text(tags, style="dim"))
    console.print()
    console.print(render(board, language))
    console.print()
    before = list(record.moves[max(0, ply - NEARBY) : ply])
    after = list(record.moves[ply : ply + NEARBY])
    where = texts.fill("label", "ply", {"ply": ply, "plies": len(record.moves)}, language)
    console.print(Text(where, style="bold"))
    nearby = grid(8, None)
    for key, moves, more in (
        ("before", before, ply > NEARBY),
        ("after", after, ply + NEARBY < len(record.moves)),
    ):
        line = join_moves(moves, NEVER_FOLDED) if moves else "–"
        if more:
            line = f"… {line}" if key == "before" else f"{line} …"
        nearby.add_row(Text(texts.word("label", key, language), style="dim"), Text(line))
    console.print(nearby)
