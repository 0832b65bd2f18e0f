"""`mandala play`: plays a game in the terminal."""

from __future__ import annotations

import click

from mandala.cli.inputs import GameName, user_language
from mandala.text.catalogue import LANGUAGES


@click.command()
@click.argument("game", metavar="[GAME]", required=False, type=GameName())
@click.option("--seats", type=int, help="Number of seats; by default the game's minimum.")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Your seat.")
@click.option(
    "--against", metavar="NAME", default="greedy", show_default=True, help="Player to play against."
)
@click.option("--seed", type=click.IntRange(0), help="Random seed; the same seed repeats a deal.")
@click.option("--language", type=click.Choice(LANGUAGES), help="By default your system's.")
def play(
    game: str | None = None,
    seats: int | None = None,
    seat: int = 1,
    against: str = "greedy",
    seed: int | None = None,
    language: str | None = None,
) -> None:
    """Play in the terminal against the computer."""
    import io
    import secrets
    import sys

    from mandala.cli.session import Session, ask_game
    from mandala.games import find_game, require_seats

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # undecodable input is an invalid move, no crash
    language = language or user_language()
    if game is None:
        game = ask_game(language)
        if game is None:
            return
    seats = find_game(game).seats[0] if seats is None else seats
    require_seats(game, seats)
    if seat > seats:
        raise click.UsageError(f"there is no seat {seat}; seats are 1 to {seats}")
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    try:
        session = Session(game, seats, seat, against, seed, language)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    session.run()
