"""`mandala doctor`: checks the server's database."""

from __future__ import annotations

import click

from mandala.cli.backup import DATABASE


@click.command()
@DATABASE
def doctor(database: str | None) -> None:
    """Check the server's database; the server may be running.

    Looks for damaged pages of a SQLite file and for missing events. Prints `ok`, or
    what is wrong, and exits with 1.
    """
    import asyncio

    from mandala.live.store.health import faults_of
    from mandala.live.store.upgrade import default_url

    faults = asyncio.run(faults_of(database or default_url()))
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)
    click.echo("ok")
