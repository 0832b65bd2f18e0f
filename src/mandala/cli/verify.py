"""`mandala verify`: whether the deal of a finished game was what the server had promised."""

from __future__ import annotations

import click


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--draws", "listed", is_flag=True, help="List the draws with their weights instead.")
def verify(file: str, listed: bool) -> None:
    """Check the deals of finished games.

    FILE is a file of records, - standard input. Each record must tell its secret, as those of
    live tables do at the end. Prints `ok N records, M draws`, or the first fault with its place.
    """
    from mandala.cli.inputs import in_record, opened, records_of
    from mandala.live import fair

    records = drawn = 0
    with opened(file) as source:
        for index, record in records_of(source):
            with in_record(index):
                if listed:
                    for draw in fair.draws(record):
                        weights = " ".join(f"{move}:{draw.weights[move]}" for move in draw.weights)
                        click.echo(f"{draw.number} {draw.move} {weights}")
                else:
                    drawn += fair.verify(record)
                    if first := fair.given(record):
                        click.echo(
                            f"record {index} begins with {first} plies that were given, not dealt: "
                            "only what follows is checked"
                        )
            records += 1
    if not listed:
        click.echo(f"ok {records} records, {drawn} draws")
