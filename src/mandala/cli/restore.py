"""`mandala restore`: replaces the server's database by a backup."""

from __future__ import annotations

from pathlib import Path

import click

from mandala.cli.backup import DATABASE, database_file


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@DATABASE
def restore(file: Path, database: str | None) -> None:
    """Replace the server's SQLite database by the backup in FILE.

    Stop the server first. A copy of the replaced database is kept beside it.
    """
    from mandala.cli.inputs import InputError
    from mandala.live.store.lockfile import hold_lock
    from mandala.live.store.upgrade import restore as restore_database

    if not file.is_file():
        raise InputError(f"{file}: no such file")
    target = database_file(database)
    with hold_lock(target, "mandala restore"):
        kept = restore_database(file, target)
    copied = f"; the replaced database is kept in {kept}" if kept else ""
    click.echo(f"restored {target} from {file}{copied}")
