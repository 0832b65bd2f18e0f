"""Live tables for tests, without a server."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from mandala import games
from mandala.core.position import Position, new
from mandala.engine import NOBODY
from mandala.games import find_game
from mandala.live import table as live
from mandala.live.events import Bot, Clock, Event, Moved, Person, Sitter, Started
from mandala.live.table import Applied, Table

SECRET = bytes(range(32))
ADA, BEN, CY = Person("ada", "Ada"), Person("ben", "Ben"), Person("cy", "Cy")
GREEDY = Bot("greedy")
Log = list[tuple[Event, int]]


def share(seat: int) -> bytes:
    """Return the share of the person on a seat."""
    return bytes([seat]) * 32


def events_of(applied: Sequence[Applied]) -> list[Event]:
    """Return the events of a command without the tables after them."""
    return [each.event for each in applied]


def happened(log: Log, applied: Sequence[Applied], at: int) -> Table:
    """Append the events of a command to a log and return the table after them."""
    log += [(event, at) for event in events_of(applied)]
    table = live.fold(log)
    assert not applied or table.number == applied[-1].table.number
    return table


def seated(
    game: str = "mandala",
    sitters: Sequence[Sitter] = (ADA, BEN),
    clock: Clock | None = None,
    at: int = 0,
) -> tuple[Log, Table]:
    """Return the log and the table of a game that has just started."""
    log: Log = [(live.open_table(game, len(sitters), SECRET, clock), at)]
    table = live.fold(log)
    for seat, sitter in enumerate(sitters, start=1):
        own = share(seat) if isinstance(sitter, Person) else b""
        table = happened(log, live.sit(table, seat, sitter, own, 0), at)
    return log, table


def played(log: Log, table: Table, seed: int = 1, decisions: int = 10_000, at: int = 0) -> Table:
    """Return the table after a number of random decisions, or at the end of the game."""
    choices = random.Random(seed)
    for _ in range(decisions):
        if table.actor is None:
            break
        assert table.position is not None
        applied = live.move(table, table.actor, choices.choice(table.position.legal), at)
        log += [(event, at) for event in events_of(applied)]
        table = applied[-1].table
    return table


def log_of(position: Position, first: Log) -> Log:
    """Return a log with the moves of a position; `first` are the events before the start."""
    rules = position.rules
    assert position.history is not None
    texts = [rules.moves.texts[row] for row, _ in position.history]
    chances = [row >= rules.DECISIONS for row, _ in position.history]
    log, place = list(first), 0
    board = new(position.game, seats=position.seats)
    while place < len(texts):
        is_decision = not chances[place]
        end = place + is_decision
        while end < len(texts) and chances[end]:
            end += 1
        chance = tuple(texts[place + is_decision : end])
        if is_decision:
            assert board.actor not in (None, 0, NOBODY)
            log.append((Moved(board.actor or 0, texts[place], chance), 0))
        else:
            log.append((Started(chance), 0))
        for text in texts[place:end]:
            board = board.play(text)
        place = end
    return log


def just(event: Event) -> Callable[[Table, int], list[Applied]]:
    """Return a command that produces one event for any table."""

    def decide(table: Table, now: int) -> list[Applied]:
        return [Applied(event, live.after(table, event, now))]

    return decide


@contextlib.contextmanager
def rules_version(game: str, version: str) -> Iterator[None]:
    """Have a game's rules be of another version: what is written in here says so."""
    own = find_game(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games._games, game, dataclasses.replace(own, rules_version=version))
        yield
