"""Tables with unknown rules: their players, moves and results.

Such a log is not folded under other rules. The record stored at the end of the game is kept
unchanged; a running game is closed without a result, with a record of its moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mandala.core.record import Record, read_records
from mandala.live import table as live
from mandala.live.events import Closed, Event, Moved, Opened, Started, TakenBack
from mandala.live.table import Applied, Ending, Table


def read_table(log: Sequence[tuple[Event, int]], stored: str | None) -> Table:
    """Return the table of a log with unknown rules, without a board.

    `stored` is the record in the store, None for a game that was not over.
    """
    first, at = log[0]
    assert isinstance(first, Opened), "a log begins with the opening"
    table = live.opened_with_any_rules(first, at)
    for event, at in log[1:]:
        table = live.after(table, event, at)
    takebacks = sum(isinstance(event, TakenBack) for event, _ in log)
    table = replace(table, takebacks=takebacks)
    if stored is not None:
        (record,) = read_records(stored)
        # Names are taken from the log, because a player may have been deleted since.
        record = Record(record.tags | live.tags_of(table), record.moves)
        return replace(table, stored=record, ending=table.ending or Ending("over"))
    if any(isinstance(event, Started) for event, _ in log):
        table = replace(table, stored=_unfinished(table, _moves(event for event, _ in log)))
    return table


def close(table: Table, now: int) -> list[Applied]:
    """Close a table with unknown rules; no events if it is over."""
    if table.ending is not None:
        return []
    closed = Closed("unknown-rules")
    return [Applied(closed, live.after(table, closed, now))]


def scores(table: Table) -> list[int] | None:
    """Return the scores by seat in a stored record, None without a result."""
    result = "*" if table.stored is None else table.stored.tags.get("Result", "*")
    return None if result == "*" else [int(points) for points in result.split("-")]


def _unfinished(table: Table, moves: tuple[str, ...]) -> Record:
    """The record of an unfinished game."""
    opening = table.opening
    own = {"Game": opening.game, "Rules": opening.rules, "Seats": str(opening.seats)}
    return Record({**own, **live.tags_of(table), "Result": "*"}, moves)


def _moves(log: Iterable[Event]) -> tuple[str, ...]:
    """The moves and draws of a log that were not taken back."""
    moves: list[str] = []
    decisions: list[int] = []  # for each decision, the number of moves before it
    for event in log:
        if isinstance(event, Opened):
            moves += event.line
        elif isinstance(event, Started):
            moves += event.chance
        elif isinstance(event, Moved):
            decisions.append(len(moves))
            moves += (event.move, *event.chance)
        elif isinstance(event, TakenBack):
            del moves[decisions[event.decisions] :]
            del decisions[event.decisions :]
    return tuple(moves)
