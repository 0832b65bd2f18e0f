"""`mandala arena`: measures the strength of players against each other."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from mandala.cli.inputs import GameName, InputError
from mandala.cli.progress import make_ready, make_search_ready, progress

if TYPE_CHECKING:
    from mandala.bots.arena import Match, Task


@click.command()
@click.argument("game", metavar="GAME", type=GameName())
@click.option("--players", "names", metavar="NAME,NAME…", required=True, help="Players to compare.")
@click.option("--seats", type=int, help="Number of seats; by default the game's minimum.")
@click.option(
    "--games", "number", type=click.IntRange(1), default=100, show_default=True,
    help="Games per pair, rounded up to whole deals.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Number of worker processes.",
)  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Time limit per move.")
@click.option("--simulations", type=click.IntRange(1), help="Simulation limit per move.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed.")
@click.option("--records", metavar="FILE", help="Write the games to FILE, or resume from it.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--sprt", is_flag=True, help="Stop early by a sequential probability ratio test.")
def arena(
    game: str,
    names: str,
    seats: int | None,
    number: int,
    jobs: int,
    seconds: float | None,
    simulations: int | None,
    seed: int,
    records: str | None,
    as_json: bool,
    sprt: bool,
) -> None:
    """Play GAME between every pair of players, with each player on every seat of the same deals.

    With more than two seats, the first of a pair takes one seat and the second all others. If
    stopped with Ctrl-C, the same command with the same --records resumes. A player can be a program
    that speaks the bot protocol (see docs/protocol.md): --players "cmd:python3 mybot.py,greedy".
    """
    import json

    from mandala.bots.arena import Match, is_decided, play_all, report
    from mandala.bots.external import make_local_player, start_bots
    from mandala.bots.players import Budget
    from mandala.games import find_game

    players = _player_names(names)
    seats = find_game(game).seats[0] if seats is None else seats
    try:
        match = Match(game, seats, players, number, seed, Budget(seconds, simulations))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if sprt and len(players) > 2:
        raise click.UsageError("--sprt is for two players")
    with _log(match, records) as (done, out):
        make_ready(game)
        start_bots(players, game)
        if any(name.startswith("search:") for name in players):
            make_search_ready(game)
        left = [task for task in match.tasks if task not in done]
        errors: list[str] = []
        stopped = False
        try:
            with progress(len(match.tasks), len(match.tasks) - len(left)) as advance:
                for outcome in play_all(match, left, jobs=jobs, factory=make_local_player):
                    done[outcome.task] = outcome.win_share
                    if outcome.error:
                        errors.append(outcome.error)
                    if out is not None:
                        out.write(f"{outcome.record}\n".encode())
                        out.flush()
                    advance()
                    if sprt and is_decided(match, done):
                        break
        except KeyboardInterrupt:
            stopped = True
    if not done:
        raise KeyboardInterrupt
    if as_json:
        click.echo(json.dumps(report(match, done)))
    _summarise(match, done, to_stderr=as_json)
    for line, count in Counter(errors).items():
        click.echo(f"games lost by an error: {count}: {line}", err=True)
    if stopped:
        raise InputError(f"interrupted after {len(done)} of {len(match.tasks)} games")


def _player_names(names: str) -> tuple[str, ...]:
    """Split a list of names. Raises UsageError for an unknown player."""
    from mandala.bots.external import make_local_player

    given = tuple(name.strip() for name in names.split(","))
    try:
        for name in given:
            make_local_player(name, 0)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return given


@contextlib.contextmanager
def _log(match: Match, path: str | None) -> Iterator[tuple[dict[Task, float], BinaryIO | None]]:
    """The results of earlier games, and the file to append new records to."""
    from mandala.bots.arena import resume

    if path is None:
        yield {}, None
        return
    try:
        done, whole = resume(match, Path(path))
        with open(path, "ab") as file:
            file.truncate(whole)
            yield done, file
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _summarise(match: Match, done: dict[Task, float], *, to_stderr: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from mandala.bots.arena import pair_results, strengths

    found, results = strengths(match, done), pair_results(match, done)
    # Wide enough that Rich does not shorten columns; the terminal wraps or cuts long lines.
    console = Console(stderr=to_stderr, highlight=False, width=60 + 12 * len(found))
    table = Table("player", box=None, pad_edge=False)
    for column in ("games", "share", "95 % interval", "Elo", "±"):
        table.add_column(column, justify="right")
    for name in found:
        table.add_column(name, justify="right")
    for name, each in found.items():
        interval = f"{each.low:.1%}–{each.high:.1%}"
        elo = (f"{each.elo:+.0f}", f"{each.elo_error:.0f}")
        against = []
        for other in found:
            share = "–"
            for number, (points, games) in results.items():
                if match.pairs[number] == (name, other):
                    share = f"{points / games:.1%}"
                elif match.pairs[number] == (other, name):
                    share = f"{(games - points) / games / (match.seats - 1):.1%}"
            against.append(share)
        table.add_row(name, str(each.games), f"{each.win_share:.1%}", interval, *elo, *against)
    title = f"{len(done)} games of {match.game}, {match.seats} seats, {match.tag}"
    console.print(title, style="bold", soft_wrap=True)
    console.print(table)
    sys.stdout.flush()
