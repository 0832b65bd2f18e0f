"""`mandala games`: lists the games."""

from __future__ import annotations

import click


@click.command()
def games() -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table

    from mandala.cli.inputs import user_language
    from mandala.games import all_games
    from mandala.text import catalogue as texts

    language = user_language()
    titles = [texts.word("about", title, language) for title in ("id", "name", "seats", "secrets")]
    table = Table(*titles, texts.word("about", "game", language), box=None, pad_edge=False)
    for game in all_games():
        seats = game.seats
        table.add_row(
            game.id,
            game.text("name", language),
            str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}",
            game.text("information", language),
            game.text("about", language),
        )
    Console().print(table)
