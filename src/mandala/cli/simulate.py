"""`mandala simulate`: plays games between bots and prints statistics."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

import click

from mandala.cli.inputs import GameName, InputError
from mandala.cli.progress import make_ready, make_search_ready, progress

if TYPE_CHECKING:
    from mandala.bots.players import Player
    from mandala.bots.simulation import Tally


@click.command()
@click.argument("game", metavar="GAME", type=GameName())
@click.option("--seats", type=int, help="Number of seats; by default the game's minimum.")
@click.option(
    "--games", "number", type=click.IntRange(1), default=100, show_default=True,
    help="Number of games.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), help="Random seed; the same seed repeats games.")
@click.option(
    "--players", "names", metavar="NAME,NAME…", default="random", show_default=True,
    help="Players by seat; one name fills all seats.",
)  # fmt: skip
@click.option("--records", metavar="FILE", help="Write the games to FILE, or to - (stdout).")
def simulate(
    game: str, seats: int | None, number: int, seed: int | None, names: str, records: str | None
) -> None:
    """Play GAME between bots and print a summary."""
    import secrets

    from mandala.bots.simulation import Tally, play_games, record_of
    from mandala.games import find_game, require_seats

    seats = find_game(game).seats[0] if seats is None else seats
    require_seats(game, seats)
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    seated = _names_by_seat(names, seats)
    players = [_player(name, seed, seat) for seat, name in enumerate(seated)]
    with _open_output(records) as out:
        make_ready(game)
        if any(name.startswith("search:") for name in seated):
            make_search_ready(game)
        tally = Tally(seats)
        with contextlib.suppress(KeyboardInterrupt), progress(number) as advance:
            for position in play_games(game, seats, players, seed):
                if out is not None:
                    out.write(("\n" if tally.games else "") + str(record_of(position, seated)))
                tally.add(position)
                advance()
                if tally.games == number:
                    break
    if tally.games == 0:
        raise KeyboardInterrupt
    _summarise(tally, seated, f"{game}, {seats} seats, seed {seed}", to_stderr=records == "-")
    if tally.games < number:
        raise InputError(f"interrupted after {tally.games} of {number} games")


def _names_by_seat(names: str, seats: int) -> list[str]:
    given = [name.strip() for name in names.split(",")]
    if not all(given):
        raise click.UsageError("--players must be a list of names such as greedy,random")
    if len(given) == 1:
        return given * seats
    if len(given) != seats:
        raise click.UsageError(f"--players names {len(given)} players for {seats} seats")
    return given


def _player(name: str, seed: int, seat: int) -> Player:
    import numpy as np

    from mandala.bots.players import make_player

    own_seed = int(np.random.SeedSequence([seed, seat]).generate_state(1)[0])
    try:
        return make_player(name, own_seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@contextlib.contextmanager
def _open_output(path: str | None) -> Iterator[TextIO | None]:
    """Open the file for records, `-` for standard output; None without one."""
    if path is None:
        yield None
    elif path == "-":
        yield sys.stdout
        sys.stdout.flush()
    else:
        try:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                yield file
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None


def _summarise(tally: Tally, names: list[str], title: str, *, to_stderr: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=to_stderr, highlight=False)
    table = Table("seat", "player", box=None, pad_edge=False)
    for column in ("wins", "share", "95 % interval", "mean points"):
        table.add_column(column, justify="right")
    for seat, name in enumerate(names):
        mean = f"{tally.points[seat] / tally.games:.1f}"
        table.add_row(str(seat + 1), name, *_share(tally.wins[seat], tally.games), mean)
    if len(set(names)) > 1 and len(set(names)) < len(names):
        for name in dict.fromkeys(names):
            own = [seat for seat in range(tally.seats) if names[seat] == name]
            wins = sum(tally.wins[seat] for seat in own)
            mean = f"{sum(tally.points[seat] for seat in own) / tally.games / len(own):.1f}"
            table.add_row("all", name, *_share(wins, tally.games), mean)
    console.print(f"{tally.games} games of {title}", style="bold")
    console.print(table)
    lengths = tally.lengths
    console.print(
        f"decisions per game: mean {sum(lengths) / tally.games:.1f}, "
        f"min {min(lengths)}, max {max(lengths)}; shared wins: {tally.shared}"
    )


def _share(wins: float, games: int) -> tuple[str, str, str]:
    from mandala.bots.simulation import wilson_interval

    low, high = wilson_interval(wins, games)
    return f"{wins:.1f}".removesuffix(".0"), f"{wins / games:.1%}", f"{low:.1%}–{high:.1%}"
