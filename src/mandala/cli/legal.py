"""`mandala legal`: lists the legal moves of every decision of a record."""

from __future__ import annotations

import click


@click.command()
@click.argument("file", metavar="FILE")
def legal(file: str) -> None:
    """List the legal moves of every decision in FILE.

    FILE is a file of records, or - for standard input. Prints one line of JSON per decision: plies
    count moves and draws from 0, actors are seats from 1. For a hidden hand (`?`), all moves that
    it might allow are listed.
    """
    import json

    from mandala.cli.inputs import in_record, numbered_records, open_input
    from mandala.core.replay import decisions

    with open_input(file) as source:
        for index, record in numbered_records(source):
            with in_record(index):
                for ply, actor, moves in decisions(record):
                    line = {"record": index, "ply": ply, "actor": actor, "legal": sorted(moves)}
                    click.echo(json.dumps(line, separators=(",", ":")))
