"""`mandala games`: which games there are."""

from __future__ import annotations

import click


@click.command()
def games() -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table

    from mandala import texts
    from mandala.board import GAMES, seats_of

    from .inputs import user_language

    language = user_language()
    titles = [texts.word("about", title, language) for title in ("id", "name", "seats", "secrets")]
    table = Table(*titles, texts.word("about", "game", language), box=None, pad_edge=False)
    for game in GAMES:
        seats = seats_of(game)
        table.add_row(
            game,
            texts.word("games", game, language),
            str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}",
            texts.word("about", f"{game}-secrets", language),
            texts.word("about", f"{game}-game", language),
        )
    Console().print(table)
