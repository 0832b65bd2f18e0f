"""`mandala verify`: verifies the deals of finished games."""

from __future__ import annotations

import click


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--draws", "list_draws", is_flag=True, help="Only list the draws and their weights.")
def verify(file: str, list_draws: bool) -> None:
    """Verify the deals of finished games.

    FILE is a file of records, or - for standard input. Each record must contain its secret, as the
    records of finished live games do. Prints `ok N records, M draws`, or the first error with its
    place.
    """
    from mandala.cli.inputs import in_record, numbered_records, open_input
    from mandala.live import fair

    records = draws = 0
    with open_input(file) as source:
        for index, record in numbered_records(source):
            with in_record(index):
                if list_draws:
                    for draw in fair.draws(record):
                        weights = " ".join(f"{move}:{draw.weights[move]}" for move in draw.weights)
                        click.echo(f"{draw.number} {draw.move} {weights}")
                else:
                    draws += fair.verify(record)
                    if given := fair.given_plies(record):
                        click.echo(
                            f"record {index} takes over {given} plies from another game: "
                            "only the plies after them are verified"
                        )
            records += 1
    if not list_draws:
        click.echo(f"ok {records} records, {draws} draws")
