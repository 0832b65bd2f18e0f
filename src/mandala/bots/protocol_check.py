"""Checks whether a bot follows the protocol: `mandala protocol-check`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from mandala.core.position import new
from mandala.games import find_game, game_ids
from mandala.text.errors import BotFailed

from .external import GRACE_S, PREFIX, QUIT_TIMEOUT_S, BotProcess, ExternalPlayer
from .players import Budget, make_player
from .protocol import Go, Move, NewGame, Ready, Result, State, Stop
from .simulation import GameLoop

STOP_AFTER_S = 0.3
LONG_S = 60.0  # a time limit that `stop` cuts short


@dataclass(frozen=True)
class Finding:
    """The outcome of a check; `error` is None if the bot passed."""

    title: str
    error: str | None = None


def check_bot(command: str, seconds: float) -> Iterator[Finding]:
    """Try a bot out and yield what was found, with `seconds` for each move.

    Raises UnknownPlayer if there is no such command.
    """
    ready: list[Ready] = []
    yield _check("starts, and answers hello with ready", lambda: ready.append(_start(command)))
    if not ready:
        return
    name, games = ready[0].name.strip(), ready[0].games
    known = [game for game in game_ids() if game in games]
    title = f"names itself ({name!r}) and its games ({', '.join(games)})"
    yield Finding(title, None if name and known else "the name is empty, or no game is one of ours")
    for game in known:
        for seats in find_game(game).seats:
            title = f"plays a game of {game} with {seats} seats, {seconds:g} s a move"
            yield _check(title, partial(_play, command, game, seats, seconds))
        for title, work in (
            ("answers stop at once", _stop_early),
            ("ignores messages of an unknown type", _ignore),
            ("exits after quit", _quit),
        ):
            yield _check(f"{game}: {title}", partial(work, command, game))


def _check(title: str, work: Callable[[], object]) -> Finding:
    began = time.monotonic()
    try:
        work()
    except BotFailed as error:
        return Finding(title, str(error))
    return Finding(f"{title} ({time.monotonic() - began:.1f} s)")


@contextmanager
def _process(command: str) -> Iterator[BotProcess]:
    """Start a bot, and kill it afterwards if it still runs."""
    process = BotProcess(command)
    try:
        yield process
    finally:
        process.stop(0.0)


def _start(command: str) -> Ready:
    with _process(command) as process:
        return process.hello(None)


def _play(command: str, game: str, seats: int, seconds: float) -> None:
    """Play against random players, from every seat once."""
    for seat in range(seats):
        players = [make_player("random", each) for each in range(seats)]
        bot = ExternalPlayer(PREFIX + command)
        players[seat] = bot
        loop = GameLoop(game, seats, players, np.random.default_rng(seat), Budget(seconds))
        position = loop.play()
        bot.end_game(position.scores, position.winners)


def _first_state(process: BotProcess, game: str) -> None:
    """Start a game with the bot on the first seat to move, and send it the state."""
    process.hello(game)
    position = new(game, seed=1)
    view = position.view(position.actor)
    assert view.seat is not None, "a seat is to move"
    process.send(NewGame(game, view.spec.rules_version, view.seats, view.seat))
    process.send(State(str(view.record()), list(view.legal)))


def _stop_early(command: str, game: str) -> None:
    with _process(command) as process:
        _first_state(process, game)
        process.send(Go(1, seconds=LONG_S))
        answer = process.receive(STOP_AFTER_S)
        if answer is None:
            process.send(Stop(1))
            answer = process.receive(GRACE_S)
        if not isinstance(answer, Move) or answer.request != 1:
            raise process.failed("bot-late", seconds=GRACE_S)


def _ignore(command: str, game: str) -> None:
    with _process(command) as process:
        _first_state(process, game)
        process.send_line(b'{"type": "of-a-later-version", "field": 1}\n')
        process.send(Go(1, seconds=1.0))
        if not isinstance(process.receive(LONG_S), Move):
            raise process.failed("bot-late", seconds=LONG_S)


def _quit(command: str, game: str) -> None:
    with _process(command) as process:
        process.hello(game)
        process.send(Result([0], [1]))
        if not process.stop():
            raise process.failed("bot-runs-on", seconds=QUIT_TIMEOUT_S)
