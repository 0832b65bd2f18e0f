"""`mandala backup`: a copy of the server's database as one file."""

from __future__ import annotations

from pathlib import Path

import click

DATABASE = click.option("--database", metavar="URL", help="Not the one in the user's data folder.")


def database_file(database: str | None) -> Path:
    """The file of the database that is meant. Raises Refused."""
    from mandala.live.store.upgrade import default_url, file_of
    from mandala.text.errors import Refused

    file = file_of(database or default_url())
    if file is None:
        raise Refused("no-file")
    return file


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def backup(file: Path, database: str | None) -> None:
    """Copy the server's database into FILE, also while the server runs."""
    from mandala.cli.inputs import Fault
    from mandala.live.store.upgrade import copy

    source = database_file(database)
    if file.exists():
        raise Fault(f"{file}: is already there; choose another name")
    copy(source, file)
    click.echo(f"{source} is saved in {file}")
