"""A live game: seats, clocks, turns, takebacks and the result, without input or output.

A table is a fold over its log of events: `opened` creates it from the first event, `after` applies
the next one. A command is a function of the table that returns events, each with the table after
it, or raises `Refused` or `IllegalMove`; it takes effect when the events are appended to the log.
Times are milliseconds since 1970, given by the caller.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import singledispatch
from typing import Literal, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from mandala.core.position import Position, new
from mandala.core.record import Record
from mandala.core.replay import result_tags
from mandala.core.state import leading_seats
from mandala.core.view import View
from mandala.games import find_game, require_seats
from mandala.games.cards import CARD_KINDS
from mandala.games.reasons import Reason
from mandala.live import fair
from mandala.live.events import (
    Abandoned,
    Bot,
    Clock,
    Closed,
    Event,
    Flagged,
    Left,
    Moved,
    Opened,
    Person,
    RematchAsked,
    Rematched,
    Resigned,
    Resumed,
    Seated,
    Sitter,
    Started,
    TakebackAnswered,
    TakebackAsked,
    TakenBack,
)
from mandala.text.errors import Refused

DAY = 86_400_000
ABANDONED_AFTER = 14 * DAY  # without a move, in a game without a clock
CLOSED_AFTER = 7 * DAY  # with an open seat
MAX_NAME_LENGTH = 40
MAX_SECONDS = 30 * 86_400
MIN_SECONDS = 5
# An honest game does not meet these limits. With them, nobody can make a log grow without end.
MAX_TAKEBACKS = 100
MAX_TAKEBACKS_PER_TURN = 10
MAX_EVENTS_BEFORE_START = 100  # after them nobody can leave a seat

BOARD_EVENTS = (Started, Moved, TakenBack)  # events that need the rules

T = TypeVar("T")
EndingKind = Literal["over", "resigned", "time", "abandoned", "closed"]


@dataclass(frozen=True)
class Ending:
    """How a game ended, and the seat that caused it, None for an ordinary end."""

    how: EndingKind
    seat: int | None = None


@dataclass(frozen=True)
class Decision:
    """A decision not taken back: its seat, and what there was before it."""

    seat: int
    plies: int
    draws: int
    chance: bool  # whether chance moves followed
    time_left: tuple[int, ...]
    since: int  # when the turn began


class Table(msgspec.Struct, frozen=True):
    """The state of a live game after an event."""

    opening: Opened
    opened_at: int
    number: int  # of the last event, from 1
    commitment: str  # to the secret of the deal
    sitters: tuple[Sitter | None, ...]
    shares: Mapping[int, bytes] = {}
    position: Position | None = None  # None until the start
    decisions: tuple[Decision, ...] = ()
    drawn: int = 0  # chance numbers used, including those of moves taken back
    numbers: tuple[int, ...] = ()  # of the chance moves not taken back
    time_left: tuple[int, ...] = ()
    since: int = 0  # when the seat to move got its turn
    asked: int | None = None  # the seat that asks for a takeback
    agreed: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()  # seats whose takeback was refused in this turn
    taken_back: tuple[fair.TakenLine, ...] = ()
    takebacks: int = 0
    resumed_from: int | None = None  # when the server stopped, in the last `Resumed`
    ending: Ending | None = None
    rematch: frozenset[int] = frozenset()
    rematched: str = ""
    stored: Record | None = None  # of a game with unknown rules: see `archive`

    @property
    def actor(self) -> int | None:
        """The seat to move, None before the start and after the end."""
        if self.position is None or self.ending is not None:
            return None
        return self.position.actor

    @property
    def bot_to_move(self) -> Bot | None:
        """The bot to move, None if it is a person's turn or nobody's."""
        actor = self.actor
        sitter = self.sitters[actor - 1] if actor else None
        return sitter if isinstance(sitter, Bot) else None

    @property
    def deadline(self) -> int | None:
        """When the server ends the game or closes the table by itself, None if never."""
        if self.ending is not None:
            return None
        actor = self.actor
        if actor is None:
            return self.since + CLOSED_AFTER
        if self.opening.clock.kind == "none":
            return self.since + ABANDONED_AFTER
        return self.since + self.time_left[actor - 1]

    def seats_of(self, player: str) -> list[int]:
        """Return the seats of a player, who has several if a device is shared."""
        return [
            seat
            for seat, sitter in enumerate(self.sitters, start=1)
            if isinstance(sitter, Person) and sitter.player == player
        ]

    def people(self) -> list[int]:
        """Return the seats taken by people."""
        return [s for s, sitter in enumerate(self.sitters, start=1) if isinstance(sitter, Person)]


class Applied(NamedTuple):
    """An event produced by a command, and the table after it."""

    event: Event
    table: Table


# Folding a log


def has_rules(opening: Opened) -> bool:
    """Whether this program knows the rules version of a table."""
    return find_game(opening.game).has_rules(opening.rules)


def require_rules(opening: Opened) -> None:
    """Raise UnknownGame unless this program knows the rules version of a table."""
    find_game(opening.game).require_rules(opening.rules)


def opened(event: Opened, at: int) -> Table:
    """Return the table after its first event. Raises UnknownGame for unknown rules."""
    require_rules(event)
    return opened_with_any_rules(event, at)


def opened_with_any_rules(event: Opened, at: int) -> Table:
    """Return the table after its first event; its rules may be unknown."""
    commitment = fair.commitment_of(bytes.fromhex(event.secret)).hex()
    return Table(event, at, 1, commitment, (None,) * event.seats, since=at)


def first_position(opening: Opened) -> Position:
    """Return the first position of a table: the game's initial one, or that after its line."""
    return after_line(opening.game, opening.seats, opening.line)


@functools.lru_cache(maxsize=64)
def after_line(game: str, seats: int, line: tuple[str, ...]) -> Position:
    """Return the position after a line of moves and draws, from a cache."""
    position = new(game, seats=seats)
    for move in line:
        position = position.play(move)
    return position


def fold(log: Iterable[tuple[Event, int]]) -> Table:
    """Return the table after all events of a log. Raises UnknownGame for unknown rules."""
    entries = iter(log)
    first, at = next(entries)
    assert isinstance(first, Opened), "a log begins with the opening"
    table = opened(first, at)
    for event, at in entries:
        table = after(table, event, at)
    return table


def after(table: Table, event: Event, at: int) -> Table:
    """Return the table after the next event of its log; with unknown rules it has no board."""
    if isinstance(event, BOARD_EVENTS) and not has_rules(table.opening):
        return _numbered(table)
    return _after(event, _numbered(table), at)


def _numbered(table: Table) -> Table:
    """The table with its event number increased by one."""
    return replace(table, number=table.number + 1)


@singledispatch
def _after(event: Event, table: Table, at: int) -> Table:
    raise AssertionError(f"no such event after the opening: {event}")


@_after.register
def _(event: Seated, table: Table, at: int) -> Table:
    sitters = _with(table.sitters, event.seat, event.sitter)
    shares = dict(table.shares)
    if event.share:
        shares[event.seat] = bytes.fromhex(event.share)
    return replace(table, sitters=sitters, shares=shares, since=at)


@_after.register
def _(event: Left, table: Table, at: int) -> Table:
    shares = {seat: share for seat, share in table.shares.items() if seat != event.seat}
    sitters = _with(table.sitters, event.seat, None)
    return replace(table, sitters=sitters, shares=shares, since=at)


@_after.register
def _(event: Started, table: Table, at: int) -> Table:
    return _started(table, event, first_position(table.opening).play_all(event.chance), at)


def _started(table: Table, event: Started, position: Position, at: int) -> Table:
    """The table after the start, given the position after the chance moves."""
    count = len(event.chance)
    left = (table.opening.clock.seconds * 1000,) * table.opening.seats
    return replace(
        table,
        position=position,
        drawn=count,
        numbers=tuple(range(count)),
        time_left=left,
        since=at,
    )


@_after.register
def _(event: Moved, table: Table, at: int) -> Table:
    before = table.position
    assert before is not None, "a move needs a game that has started"
    return _moved(table, event, before.play(event.move).play_all(event.chance), at)


def _moved(table: Table, event: Moved, position: Position, at: int) -> Table:
    """The table after a move, given the position after it and the chance moves."""
    before = table.position
    assert before is not None, "a move needs a game that has started"
    assert before.history is not None, "a live game knows its moves"
    decision = Decision(
        event.seat,
        len(before.history),
        len(table.numbers),
        bool(event.chance),
        table.time_left,
        table.since,
    )
    is_same_turn = position.actor == before.actor
    drawn = table.drawn + len(event.chance)
    return replace(
        table,
        position=position,
        decisions=(*table.decisions, decision),
        drawn=drawn,
        numbers=(*table.numbers, *range(table.drawn, drawn)),
        time_left=_time_left(table, at, moved=True),
        since=at,
        asked=None,
        agreed=frozenset(),
        refused=table.refused if is_same_turn else frozenset(),
        ending=Ending("over") if position.is_over else None,
    )


@_after.register
def _(event: TakebackAsked, table: Table, at: int) -> Table:
    return replace(table, asked=event.seat, agreed=frozenset())


@_after.register
def _(event: TakebackAnswered, table: Table, at: int) -> Table:
    if not event.agrees:
        refused = table.refused if table.asked is None else table.refused | {table.asked}
        return replace(table, asked=None, agreed=frozenset(), refused=refused)
    return replace(table, agreed=table.agreed | {event.seat})


@_after.register
def _(event: TakenBack, table: Table, at: int) -> Table:
    assert table.position is not None, "only what was decided is taken back"
    first = table.decisions[event.decisions]
    time_left, since = _time_left(table, at, moved=False), at
    if event.clock_restored:
        time_left = first.time_left
        since = at if table.opening.clock.kind == "none" else first.since
    return replace(
        table,
        position=_rewind(table.position, first.plies),
        decisions=table.decisions[: event.decisions],
        numbers=table.numbers[: first.draws],
        time_left=time_left,
        since=since,
        asked=None,
        agreed=frozenset(),
        refused=frozenset(),
        taken_back=(*table.taken_back, _taken_line(table.position, first.plies)),
        takebacks=table.takebacks + 1,
    )


def _taken_line(position: Position, plies: int) -> fair.TakenLine:
    """The moves and draws of a position after a number of plies."""
    assert position.history is not None, "a live game knows its moves"
    texts = position.rules.moves.texts
    return fair.TakenLine(plies, tuple(texts[row] for row, _ in position.history[plies:]))


@_after.register
def _(event: Resumed, table: Table, at: int) -> Table:
    pause = at - event.stopped_at

    def shifted(since: int) -> int:
        return min(since + pause, at)  # a turn that began after `stopped_at` begins now

    decisions = tuple(
        dataclasses.replace(each, since=shifted(each.since)) for each in table.decisions
    )
    return replace(
        table, since=shifted(table.since), decisions=decisions, resumed_from=event.stopped_at
    )


@_after.register
def _(event: Resigned, table: Table, at: int) -> Table:
    return replace(table, ending=Ending("resigned", event.seat), asked=None)


@_after.register
def _(event: Flagged, table: Table, at: int) -> Table:
    left = _with(table.time_left, event.seat, 0) if table.time_left else ()
    return replace(table, ending=Ending("time", event.seat), asked=None, time_left=left)


@_after.register
def _(event: Abandoned, table: Table, at: int) -> Table:
    return replace(table, ending=Ending("abandoned", event.seat), asked=None)


@_after.register
def _(event: Closed, table: Table, at: int) -> Table:
    return replace(table, ending=Ending("closed"))


@_after.register
def _(event: RematchAsked, table: Table, at: int) -> Table:
    return replace(table, rematch=table.rematch | {event.seat})


@_after.register
def _(event: Rematched, table: Table, at: int) -> Table:
    return replace(table, rematched=event.table)


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _time_left(table: Table, at: int, *, moved: bool) -> tuple[int, ...]:
    """The remaining times in milliseconds, with the time used by the seat to move subtracted."""
    clock, seat = table.opening.clock, table.actor
    if clock.kind != "game" or seat is None:
        return table.time_left
    left = max(0, table.time_left[seat - 1] - max(0, at - table.since))
    return _with(table.time_left, seat, left + (clock.increment * 1000 if moved else 0))


def _rewind(position: Position, plies: int) -> Position:
    """The position after the first plies of a game, recomputed from the start."""
    assert position.history is not None, "a live game knows its moves"
    rules, history = position.rules, position.history[:plies]
    states = np.zeros(1, rules.State.dtype)
    rules.begin(states[0], position.seats)
    for row, _ in history:
        rules.apply(states[0], row)
    return Position(position.game, position.seats, states, history)


# Commands


def open_table(
    game: str,
    seats: int,
    secret: bytes,
    clock: Clock | None = None,
    *,
    listed: bool = True,
    line: tuple[str, ...] = (),
) -> Opened:
    """Return the opening event of a new table, which may continue from a line of moves.

    A table with a line is never listed. Raises UnknownGame or Refused, and IllegalMove or
    InvalidMove for errors in the line.
    """
    rules = require_seats(game, seats).rules_version
    clock = clock or Clock()
    if clock.kind == "none":
        clock = Clock()
    elif not (MIN_SECONDS <= clock.seconds <= MAX_SECONDS and 0 <= clock.increment <= MAX_SECONDS):
        raise Refused("bad-clock", {"least": MIN_SECONDS, "most": MAX_SECONDS})
    is_listed = listed and not line
    opening = Opened(game, seats, secret.hex(), clock, listed=is_listed, line=line, rules=rules)
    if "+?" in line:
        raise Refused("line-hidden")
    if line and first_position(opening).is_over:
        raise Refused("line-over")
    return opening


def sit(table: Table, seat: int, sitter: Sitter, share: bytes, now: int) -> list[Applied]:
    """Take an open seat; if it is the last one, the game starts.

    A person contributes a share to the deal's key, a bot does not.
    """
    require_rules(table.opening)
    _require_seat(table, seat)
    if table.position is not None or table.ending is not None:
        raise Refused("has-started")
    if table.sitters[seat - 1] is not None:
        raise Refused("seat-taken", {"seat": seat})
    reserved = table.opening.reserved[seat - 1] if table.opening.reserved else None
    if reserved is not None and _identity(reserved) != _identity(sitter):
        raise Refused("seat-taken", {"seat": seat})
    if isinstance(sitter, Person):
        require_name(sitter.name)
        if len(share) != fair.SIZE:
            raise Refused("bad-share", {"size": fair.SIZE})
    applied = _apply(table, now, Seated(seat, sitter, share.hex()))
    full = applied[-1].table
    if None in full.sitters:
        return applied
    position, chance = _draw(full, first_position(full.opening))
    started = Started(chance)
    return [*applied, Applied(started, _started(_numbered(full), started, position, now))]


def leave(table: Table, seat: int, now: int) -> list[Applied]:
    """Leave a seat before the start."""
    require_rules(table.opening)
    _require_seat(table, seat)
    if table.position is not None or table.ending is not None:
        raise Refused("has-started")
    if table.number >= MAX_EVENTS_BEFORE_START:
        raise Refused("left-too-often")
    return _apply(table, now, Left(seat))


def move(table: Table, seat: int, text: str, now: int) -> list[Applied]:
    """Make a move; after the deadline, the seat loses on time instead.

    Raises InvalidMove, IllegalMove or Refused.
    """
    position = _require_running(table)
    if table.actor != seat:
        raise Refused("not-your-turn", {"seat": seat})
    if flagged := flag(table, now):
        return flagged
    after_draws, chance = _draw(table, position.play(text))
    moved = Moved(seat, text, chance)
    return [Applied(moved, _moved(_numbered(table), moved, after_draws, now))]


def why_not(table: Table, seat: int, text: str) -> Reason | None:
    """Return why a move is not legal, from the seat's own view; None if it is legal."""
    position = _require_running(table)
    if table.actor != seat:
        raise Refused("not-your-turn", {"seat": seat})
    return position.view(seat).why_not(text)


def view_for_hint(table: Table, seat: int) -> View:
    """Return the view for a hint. Raises Refused unless it is the seat's turn against bots only."""
    position = _require_running(table)
    others = [sitter for place, sitter in enumerate(table.sitters, 1) if place != seat]
    if not all(isinstance(sitter, Bot) for sitter in others):
        raise Refused("no-hints")
    if table.actor != seat:
        raise Refused("not-your-turn", {"seat": seat})
    return position.view(seat)


def flag(table: Table, now: int) -> list[Applied]:
    """End the game or close the table if its deadline has passed; otherwise no events."""
    if table.deadline is None or now < table.deadline:
        return []
    if table.actor is None:
        return _apply(table, now, Closed())
    is_clocked = table.opening.clock.kind != "none"
    event = Flagged(table.actor) if is_clocked else Abandoned(table.actor)
    return _apply(table, now, event)


def resign(table: Table, seat: int, now: int) -> list[Applied]:
    """Resign a running game."""
    _require_running(table)
    _require_seat(table, seat)
    return _apply(table, now, Resigned(seat))


def resume(table: Table, stopped_at: int, now: int) -> list[Applied]:
    """Exclude the time since the server stopped from the running turn, once for each stop.

    No events if the game is over, or if the pause is short compared with the table's deadline.
    """
    is_clocked = table.actor is not None and table.opening.clock.kind != "none"
    is_short = not is_clocked and abs(now - stopped_at) < DAY
    if table.ending is not None or table.resumed_from == stopped_at or is_short:
        return []
    return _apply(table, now, Resumed(stopped_at))


def ask_takeback(table: Table, seat: int, now: int) -> list[Applied]:
    """Ask to take back the seat's last decision; done at once if nobody has to agree."""
    position = _require_running(table)
    if table.asked is not None:
        raise Refused("takeback-open", {"seat": table.asked})
    if seat in table.refused:
        raise Refused("takeback-refused")
    place = _require_takeback(table, seat, now)
    is_last = place == len(table.decisions) - 1 and not table.decisions[place].chance
    if not _others(table, seat) or (is_last and not _reveals_cards(table, position, place)):
        return _apply(table, now, TakenBack(seat, place, clock_restored=True))
    return _apply(table, now, TakebackAsked(seat))


def answer_takeback(table: Table, seat: int, now: int, *, agrees: bool) -> list[Applied]:
    """Accept or reject another seat's takeback."""
    _require_running(table)
    if table.asked is None or seat not in _others(table, table.asked):
        raise Refused("no-takeback-asked")
    answered = TakebackAnswered(seat, agrees)
    if not agrees or set(_others(table, table.asked)) - table.agreed - {seat}:
        return _apply(table, now, answered)
    place = _require_takeback(table, table.asked, now)
    return _apply(table, now, answered, TakenBack(table.asked, place, clock_restored=True))


def _require_takeback(table: Table, seat: int, now: int) -> int:
    """Return the place of a seat's last decision. Raises Refused if it cannot be taken back."""
    mine = [place for place, each in enumerate(table.decisions) if each.seat == seat]
    if not mine:
        raise Refused("nothing-to-take-back")
    decision = table.decisions[mine[-1]]
    if table.takebacks >= MAX_TAKEBACKS:
        raise Refused("too-many-takebacks", {"most": MAX_TAKEBACKS})
    if sum(line.plies == decision.plies for line in table.taken_back) >= MAX_TAKEBACKS_PER_TURN:
        raise Refused("too-many-takebacks-in-turn", {"most": MAX_TAKEBACKS_PER_TURN})
    is_clocked = table.opening.clock.kind != "none"
    if is_clocked and now >= decision.since + decision.time_left[seat - 1]:
        raise Refused("no-time-to-take-back")
    return mine[-1]


def ask_rematch(table: Table, seat: int, now: int) -> list[Applied]:
    """Ask for a rematch after the game; no events if the seat has already asked."""
    require_rules(table.opening)
    _require_seat(table, seat)
    if table.ending is None or table.ending.how == "closed":
        raise Refused("not-over")
    return [] if seat in table.rematch else _apply(table, now, RematchAsked(seat))


def wants_rematch(table: Table) -> bool:
    """Whether all people have asked for a rematch that is not open yet."""
    if table.rematched or not table.rematch or not has_rules(table.opening):
        return False
    return set(table.people()) == table.rematch


def announce_rematch(table: Table, following: str, now: int) -> list[Applied]:
    """Record the table of the rematch; no events unless a rematch is wanted."""
    return _apply(table, now, Rematched(following)) if wants_rematch(table) else []


def rematch(table: Table, secret: bytes, own_id: str) -> Opened:
    """Return the opening event of a rematch, with all sitters rotated by one seat."""
    require_rules(table.opening)
    return replace(
        table.opening,
        secret=secret.hex(),
        reserved=(table.sitters[-1], *table.sitters[:-1]),
        rematch_of=own_id,
    )


def require_name(name: str) -> None:
    """Raise Refused unless a name can be written in a record and shown on screens."""
    is_plain = name.isprintable() and '"' not in name and name == name.strip()
    if not name or len(name) > MAX_NAME_LENGTH or not is_plain:
        raise Refused("bad-name", {"most": MAX_NAME_LENGTH})


def _require_seat(table: Table, seat: int) -> None:
    if not 1 <= seat <= table.opening.seats:
        raise Refused("no-such-seat", {"seat": seat, "seats": table.opening.seats})


def _require_running(table: Table) -> Position:
    require_rules(table.opening)
    if table.ending is not None:
        raise Refused("table-over")
    if table.position is None:
        raise Refused("not-started")
    return table.position


def _identity(sitter: Sitter) -> tuple[str, str]:
    """The identity of a sitter, which does not depend on a person's name."""
    return ("person", sitter.player) if isinstance(sitter, Person) else ("bot", sitter.name)


def _others(table: Table, seat: int) -> list[int]:
    """The seats of other people, who must agree to a takeback."""
    own = table.sitters[seat - 1]
    assert own is not None, "all seats are taken"
    sitters = table.sitters
    return [
        each
        for each in table.people()
        if (who := sitters[each - 1]) and _identity(who) != _identity(own)
    ]


def _reveals_cards(table: Table, now: Position, place: int) -> bool:
    """Whether a decision revealed a card to a seat or spectator that could not see it before."""
    if not hasattr(now.rules, "count_unseen"):
        return False
    before, seat = _rewind(now, table.decisions[place].plies), table.decisions[place].seat
    watchers = [None, *(each for each in range(1, now.seats + 1) if each != seat)]
    return any(
        _count_unseen(before.view(each)) != _count_unseen(now.view(each)) for each in watchers
    )


def _count_unseen(view: View) -> int:
    pool = np.zeros(CARD_KINDS, np.int64)
    view.rules.count_unseen(view.state, pool)
    return int(pool.sum())


def _draw(table: Table, position: Position) -> tuple[Position, tuple[str, ...]]:
    """Make the pending chance moves; return the position after them and the moves."""
    if position.actor != 0:
        return position, ()
    key = fair.key_of(bytes.fromhex(table.opening.secret), table.shares)
    numbers = itertools.count(table.drawn)
    drawn = position.draw(lambda limit: fair.number_below(key, next(numbers), limit))
    assert position.history is not None, "a live game knows its moves"
    assert drawn.history is not None, "a live game knows its moves"
    texts = position.rules.moves.texts
    return drawn, tuple(texts[row] for row, _ in drawn.history[len(position.history) :])


def _apply(table: Table, now: int, *events: Event) -> list[Applied]:
    """Apply events; return each with the table after it."""
    applied = []
    for event in events:
        table = after(table, event, now)
        applied.append(Applied(event, table))
    return applied


# Views of a table


def view(table: Table, seat: int | None) -> View | None:
    """Return the view of a seat or a spectator, with all cards after the end of the game.

    None before the start.
    """
    position = table.position
    if position is None or table.ending is None:
        return None if position is None else position.view(seat)
    return View(position.game, position.seats, position.states, seat, position.history)


def winners(table: Table) -> list[int]:
    """Return the winning seats of a game that is over, several for a shared win."""
    ending, position = table.ending, table.position
    if table.stored is not None:
        return [int(seat) for seat in table.stored.tags.get("Winner", "").split()]
    if ending is None or position is None or ending.how == "closed":
        return []
    return leading_seats(
        position, [seat for seat in range(1, position.seats + 1) if seat != ending.seat]
    )


def plies_seen(shown: View | None, event: Event) -> list[str]:
    """Return the plies that an event added, as seen in the view after it."""
    if shown is None or not isinstance(event, Started | Moved):
        return []
    assert shown.history is not None, "a live game knows its moves"
    count = len(event.chance) + isinstance(event, Moved)
    texts = shown.rules.moves.texts
    return [texts[row] for row, _ in shown.history[len(shown.history) - count :]]


def record(table: Table, seat: int | None) -> Record | None:
    """Return the record as a seat or a spectator may see it; after the end complete, with proof.

    None before the start.
    """
    position, ending = table.position, table.ending
    if position is None:
        return table.stored
    tags = tags_of(table)
    if ending is None:
        running = position.view(seat).record()
        return Record({**running.tags, **tags}, running.moves)
    if ending.how not in ("over", "closed"):
        tags["Termination"] = f"{ending.how} {ending.seat}"
    secret = bytes.fromhex(table.opening.secret)
    tags |= fair.tags_of(secret, table.shares, table.numbers, table.taken_back, table.drawn)
    whole = position.record(tags)
    return Record({**whole.tags, **result_tags(position, whole)}, whole.moves)


def tags_of(table: Table) -> dict[str, str]:
    """Return the tags of a table's record that do not depend on the moves."""
    tags = {f"Seat{seat}": sitter.name for seat, sitter in enumerate(table.sitters, 1) if sitter}
    tags["Date"] = datetime.fromtimestamp(table.opened_at / 1000, UTC).date().isoformat()
    if table.opening.line:
        tags[fair.GIVEN_TAG] = str(len(table.opening.line))
    if table.takebacks:
        tags[fair.TAKEBACKS_TAG] = str(table.takebacks)
    return tags
