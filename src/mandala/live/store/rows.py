"""The data of a table in the store, and its conversion to and from database rows."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from mandala.core.position import Position
from mandala.engine import NOBODY
from mandala.live import table as live
from mandala.live.events import Clock, Event, Left, Person, Seated, Sitter, encoded
from mandala.live.table import Table
from mandala.text.notation import CHANCE_PREFIXES

Kind = Literal["person", "bot", "open"]
State = Literal["open", "running", "over"]
HIDDEN_DRAW = "+?"


@dataclass(frozen=True)
class Entry:
    """An event in a log."""

    number: int
    at: int
    actor: str
    client_id: str | None
    event: Event


@dataclass(frozen=True)
class Append:
    """Events to append to one table's log together; `after` is the table after the last one."""

    table_id: str
    after: Table
    entries: tuple[Entry, ...]
    due_at: int | None = None
    leased_until: int = 0  # until when the appending process handles what is due


@dataclass(frozen=True)
class Summary:
    """A table in a list."""

    id: str
    game: str
    seats: int
    state: State
    opened_at: int
    changed_at: int
    number: int
    listed: bool
    names: tuple[str, ...]  # by seat, empty for open seats
    kinds: tuple[Kind, ...]  # by seat
    actor: int | None
    clock: Clock


def event_row(table_id: str, entry: Entry) -> dict[str, object]:
    """Return an event as a row of `events`."""
    return {
        "table_id": table_id,
        "number": entry.number,
        "at": entry.at,
        "actor": entry.actor,
        "client_id": entry.client_id,
        "body": encoded(entry.event),
    }


def kind_of(sitter: Sitter | None) -> Kind:
    """Return the kind of a sitter: person, bot or open."""
    return "open" if sitter is None else "person" if isinstance(sitter, Person) else "bot"


def list_state(table: Table) -> State:
    """Return the state of a table as in lists: open, running or over."""
    if table.ending is not None:
        return "over"
    return "open" if table.position is None else "running"


def table_row(batch: Append) -> dict[str, object]:
    """Return a table as a row of `tables`."""
    table = batch.after
    return {
        "id": batch.table_id,
        "game": table.opening.game,
        "seats": table.opening.seats,
        "state": list_state(table),
        "listed": table.opening.listed,
        "opened_at": table.opened_at,
        "changed_at": batch.entries[-1].at,
        "number": table.number,
        "names": names_text(table),
        "record": record_text(table),
        "actor": table.actor,
        "kinds": "\n".join(kind_of(sitter) for sitter in table.sitters),
        "clock": msgspec.json.encode(table.opening.clock).decode(),
        "setup": None
        if table.actor is None or table.position is None
        else setup_hash(table.position),
    }


def names_text(table: Table) -> str:
    """Return the names of the seats, a line for each."""
    return "\n".join(sitter.name if sitter else "" for sitter in table.sitters)


def record_text(table: Table) -> str | None:
    """Return the record of a game that is over, None for other games."""
    record = live.record(table, None) if table.ending is not None else None
    return None if record is None else str(record)


def public_moves(position: Position) -> Iterator[str]:
    """Yield the moves and draws of a position as a spectator sees them."""
    assert position.history is not None, "a live game knows its moves"
    texts = position.rules.moves.texts
    for row, drawer in position.history:
        yield texts[row] if drawer == NOBODY else HIDDEN_DRAW


def setup_hash(position: Position) -> str:
    """Return a hash of the chance moves before the first decision, as a spectator sees them."""
    setup = itertools.takewhile(lambda move: move[0] in CHANCE_PREFIXES, public_moves(position))
    return hashlib.sha256(" ".join(setup).encode()).hexdigest()[:32]


def rematch_id(table_id: str) -> str:
    """Return the id of a table's rematch, the same in every process."""
    name = hashlib.sha256(b"rematch of " + table_id.encode()).digest()[:12]
    return base64.urlsafe_b64encode(name).decode()


def sitter_rows(batch: Append) -> list[dict[str, object]]:
    """Return the sitters as rows, empty if they did not change."""
    if not any(isinstance(entry.event, Seated | Left) for entry in batch.entries):
        return []
    return [
        {
            "table_id": batch.table_id,
            "seat": seat,
            "player": sitter.player if isinstance(sitter, Person) else "",
        }
        for seat, sitter in enumerate(batch.after.sitters, start=1)
    ]


def is_clocked(row: Any) -> bool:
    """Whether a row of `tables` has a clock."""
    return msgspec.json.decode(row.clock, type=Clock).kind != "none"


def summary_of(row: Any) -> Summary:
    """Return a table in a list from a row of `tables`."""
    names = tuple(row.names.split("\n"))
    unknown: Kind = "person"
    kinds: tuple[Kind, ...] = (unknown,) * len(names)
    if row.kinds:
        kinds = tuple(row.kinds.split("\n"))
    return Summary(
        id=row.id,
        game=row.game,
        seats=row.seats,
        state=row.state,
        opened_at=row.opened_at,
        changed_at=row.changed_at,
        number=row.number,
        listed=row.listed,
        names=names,
        kinds=kinds,
        actor=row.actor,
        clock=msgspec.json.decode(row.clock, type=Clock),
    )
