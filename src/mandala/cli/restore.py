"""`mandala restore`: a copy of the server's database put back in its place."""

from __future__ import annotations

from pathlib import Path

import click

from mandala.cli.backup import DATABASE, database_file


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def restore(file: Path, database: str | None) -> None:
    """Put the copy in FILE in the place of the server's database.

    Stop the server first. The database that was there before is kept beside it.
    """
    from mandala.cli.inputs import Fault
    from mandala.live.store.lockfile import held_alone
    from mandala.live.store.upgrade import restore as put_back

    if not file.is_file():
        raise Fault(f"{file}: there is no such file")
    target = database_file(database)
    with held_alone(target, "mandala restore"):
        kept = put_back(file, target)
    click.echo(f"{target} is what {file} holds" + (f"; before it: {kept}" if kept else ""))
