"""`mandala backup`: copies the server's database to a file."""

from __future__ import annotations

from pathlib import Path

import click

DATABASE = click.option(
    "--database", metavar="URL", help="Database URL; by default a file in your data folder."
)


def database_file(database: str | None) -> Path:
    """Return the path of the SQLite database at a URL. Raises Refused for other databases."""
    from mandala.live.store.upgrade import default_url, sqlite_path
    from mandala.text.errors import Refused

    file = sqlite_path(database or default_url())
    if file is None:
        raise Refused("no-file")
    return file


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def backup(file: Path, database: str | None) -> None:
    """Copy the server's SQLite database to FILE; the server may be running."""
    from mandala.cli.inputs import InputError
    from mandala.live.store.upgrade import copy

    source = database_file(database)
    if file.exists():
        raise InputError(f"{file}: already exists; choose another name")
    copy(source, file)
    click.echo(f"copied {source} to {file}")
