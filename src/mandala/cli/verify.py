"""`mandala verify`: verifies the deals of finished games."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mandala.live import fair

OLDER_RECORDS_EXIT_CODE = 3


def _noted_bytes(_: click.Context, __: click.Parameter, value: str | None) -> bytes | None:
    """Return the bytes of an option."""
    if value is None:
        return None
    if not re.fullmatch("[0-9a-fA-F]{64}", value):
        raise click.BadParameter("64 hexadecimal digits are needed")
    return bytes.fromhex(value)


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--commitment", metavar="HEX", callback=_noted_bytes, help="The commitment that you noted."
)
@click.option(
    "--share", metavar="HEX", callback=_noted_bytes, help="Your own share of the key, as you noted."
)
@click.option("--draws", "list_draws", is_flag=True, help="Only list the draws and their weights.")
def verify(file: str, commitment: bytes | None, share: bytes | None, list_draws: bool) -> None:
    """Verify the deals of finished games.

    FILE is a file of records, or - for standard input. Each record must contain its secret, as the
    records of finished live games do. Prints `ok N records, M draws`, or the first error with its
    place. Exits with 3 if draws match their numbers, but a record of an older form does not show
    that no number was skipped.
    """
    from mandala.cli.inputs import in_record, numbered_records, open_input
    from mandala.core.replay import check
    from mandala.live import fair

    records = draws = older = 0
    with open_input(file) as source:
        for index, record in numbered_records(source):
            with in_record(index):
                if list_draws:
                    check(record)
                    for draw in fair.deal_of(record).draws:
                        weights = " ".join(f"{move}:{draw.weights[move]}" for move in draw.weights)
                        click.echo(f"{draw.number} {draw.move} {weights}")
                else:
                    verified = fair.verify(record, commitment=commitment, share=share)
                    draws, older = draws + verified.draws, older + bool(verified.skipped)
                    for note in _notes(verified, fair.given_plies(record)):
                        click.echo(f"record {index} {note}")
            records += 1
    if list_draws:
        return
    if older:
        click.echo(f"draws match: {records} records, {draws} draws; {older} may skip numbers")
        sys.exit(OLDER_RECORDS_EXIT_CODE)
    click.echo(f"ok {records} records, {draws} draws")


def _notes(verified: fair.Verified, given: int) -> list[str]:
    """What a person should know about a verified record."""
    notes = []
    if given:
        notes.append(
            f"takes over {given} plies from another game: only the plies after them are verified"
        )
    if verified.taken_back:
        notes.append(f"contains {verified.taken_back} lines taken back: did you see them happen?")
    if verified.skipped:
        notes.append(
            f"is of an older form without the lines taken back: its draws match, but that the "
            f"numbers {verified.skipped} were not skipped cannot be verified"
        )
    return notes
