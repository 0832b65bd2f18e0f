"""`mandala legal`: the legal moves of every decision."""

from __future__ import annotations

import click


@click.command()
@click.argument("file", metavar="FILE")
def legal(file: str) -> None:
    """List the legal moves of every decision in FILE.

    FILE is a file of records, - standard input. One JSON line a decision: plies count moves and
    draws from 0, actors are seats from 1. Where a hand is hidden (`?`), the moves that it might
    allow are listed.
    """
    import json

    from mandala.cli.inputs import in_record, opened, records_of
    from mandala.core.replay import decisions

    with opened(file) as source:
        for index, record in records_of(source):
            with in_record(index):
                for ply, actor, moves in decisions(record):
                    line = {"record": index, "ply": ply, "actor": actor, "legal": sorted(moves)}
                    click.echo(json.dumps(line, separators=(",", ":")))
