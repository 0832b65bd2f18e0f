"""Tables whose rules this program does not have: who sat there, the moves and the result.

Such a log is not folded under other rules. What was stored as the record when the game ended stays
as it is; a game that was still running is closed without a result, with a record of its moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mandala.core.record import Record, read_records
from mandala.live import table as live
from mandala.live.events import Closed, Event, Moved, Opened, Started, TakenBack
from mandala.live.table import Applied, Ending, Table


def read_table(log: Sequence[tuple[Event, int]], stored: str | None) -> Table:
    """The table of a log whose rules are not known, without a board.

    `stored` is the record in the store, None for a game that was not over.
    """
    first, at = log[0]
    assert isinstance(first, Opened), "a log begins with the opening"
    table = live.opened_by_any_rules(first, at)
    for event, at in log[1:]:
        table = live.after(table, event, at)
    takebacks = sum(isinstance(event, TakenBack) for event, _ in log)
    table = replace(table, takebacks=takebacks)
    if stored is not None:
        (record,) = read_records(stored)
        # Names come from the log: one may have been deleted since the record was stored.
        record = Record(record.tags | live.tags_of(table), record.moves)
        return replace(table, stored=record, ending=table.ending or Ending("over"))
    if any(isinstance(event, Started) for event, _ in log):
        table = replace(table, stored=_unfinished(table, _moves(event for event, _ in log)))
    return table


def close(table: Table, now: int) -> list[Applied]:
    """Close a table whose rules are not known; empty when it is over."""
    if table.ending is not None:
        return []
    closed = Closed("unknown-rules")
    return [Applied(closed, live.after(table, closed, now))]


def scores(table: Table) -> list[int] | None:
    """The points by seat that a stored record tells; None without a result."""
    result = "*" if table.stored is None else table.stored.tags.get("Result", "*")
    return None if result == "*" else [int(points) for points in result.split("-")]


def _unfinished(table: Table, moves: tuple[str, ...]) -> Record:
    """The record of a game that was closed, as far as it had been played."""
    opening = table.opening
    own = {"Game": opening.game, "Rules": opening.rules, "Seats": str(opening.seats)}
    return Record({**own, **live.tags_of(table), "Result": "*"}, moves)


def _moves(log: Iterable[Event]) -> tuple[str, ...]:
    """The moves and draws that stand at the end of a log."""
    moves: list[str] = []
    decisions: list[int] = []  # for each decision that stands, how many moves are before it
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
