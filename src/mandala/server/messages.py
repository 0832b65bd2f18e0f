"""What goes over the wire, as types: the API's document and the page's types are made from them.

Everything about a game is built from the recipient's own view by `state_of` and `news_of`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, cast

import msgspec

from mandala.core.narration import Sentence
from mandala.core.view import View
from mandala.games.reasons import Reason
from mandala.live import archive
from mandala.live import table as live
from mandala.live.events import Clock, Event, Rematched, Seated, TakebackAnswered
from mandala.live.store.rows import Kind, Summary, kind_of
from mandala.live.store.rows import state_of as list_of
from mandala.live.table import Table
from mandala.server.board_json import AnyBoard, encoded_board
from mandala.server.bot_service import is_warming
from mandala.server.names import names_of, sitter_name
from mandala.server.sentences import narration_of
from mandala.text.errors import MandalaError, Refused, UnknownGame

WishId = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,64}$")]


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What all messages have in common: nothing but being one."""


# Both ways: the state of a table


class SeatState(Message, frozen=True):
    """Who sits on a seat. `display_name` is what the seat is called in the recipient's language."""

    seat: int
    kind: Kind
    name: str
    display_name: str
    you: bool
    time_left: int | None


class EndingState(Message, frozen=True):
    """How a game ended, and who won."""

    how: str
    seat: int | None
    winners: list[int]


class TableState(Message, frozen=True):
    """A table as one recipient may see it. Times are in milliseconds."""

    id: str
    number: int
    game: str
    state: Literal["open", "running", "over"]
    seats: list[SeatState]
    your_seat: int | None
    actor: int | None
    clock: Clock
    since: int
    deadline: int | None
    now: int
    commitment: str
    board: AnyBoard | None
    legal: list[str]
    scores: list[int] | None
    moves: list[str] | None
    asked: int | None
    agreed: list[int]
    takebacks: int
    ending: EndingState | None
    rematch: list[int]
    rematched: str
    listed: bool
    given: int  # plies of another game that this one goes on from
    warming: bool  # a simpler player stands in for one who searches, for up to a minute
    rules: str  # the version of the game's rules
    notice: str | None  # why there is no board, where the server does not have these rules


# From a client, over the socket


class Wish(Message, frozen=True):
    """Something to do at the table: `id` is the client's own, `number` the last event it saw."""

    id: WishId
    number: int


class Move(Wish, frozen=True, tag="move"):
    """Decide."""

    move: str


class Resign(Wish, frozen=True, tag="resign"):
    """Give up."""


class Takeback(Wish, frozen=True, tag="takeback"):
    """Ask for the own last decision back."""


class Answer(Wish, frozen=True, tag="answer"):
    """Answer somebody who asked for a takeback."""

    agrees: bool


class Rematch(Wish, frozen=True, tag="rematch"):
    """Ask to play again."""


class WhyNot(Message, frozen=True, tag="why"):
    """Ask why a move is not legal."""

    id: WishId
    move: str


class Hint(Message, frozen=True, tag="hint"):
    """Ask what a strong player might do; only where all others are bots."""

    id: WishId


class Ping(Message, frozen=True, tag="ping"):
    """Ask whether the server is there."""


Request = Move | Resign | Takeback | Answer | Rematch | WhyNot | Hint | Ping


# To a client, over the socket


class News(Message, frozen=True, tag="event"):
    """An event, as the recipient may know it, and the table after it."""

    number: int
    kind: str
    at: int
    seat: int | None
    plies: list[str]
    narration: list[Sentence]  # in the language of the recipient
    name: str
    agrees: bool | None
    table: str
    state: TableState | None


class Welcome(Message, frozen=True, tag="welcome"):
    """The table as it is, and what was missed since the event named on connecting."""

    state: TableState
    missed: list[News]


class Presence(Message, frozen=True, tag="presence"):
    """Which seats have somebody connected to this table, and how many watch."""

    seats: list[int]
    watching: int


class Done(Message, frozen=True, tag="done"):
    """A wish is fulfilled and on the disk; `number` is its event's."""

    id: str
    number: int


class Because(Message, frozen=True, tag="because"):
    """Why a move is not legal; without a code it is."""

    id: str
    move: str
    code: str | None
    text: str | None


class Hinted(Message, frozen=True, tag="hinted"):
    """A move to consider, what it does, and the share of the win (0 to 1) that one can hope for."""

    id: str
    number: int
    move: str
    text: str
    share: float | None


class Fault(Message, frozen=True, tag="error"):
    """What is wrong, by a stable code and as a sentence; `id` is that of the wish."""

    code: str
    text: str
    id: str | None = None
    parts: dict[str, Any] = {}
    legal: list[str] = []
    line: int | None = None  # where in a text, from 1
    column: int | None = None


class Pong(Message, frozen=True, tag="pong"):
    """The server is there."""

    now: int


Reply = News | Welcome | Presence | Done | Because | Hinted | Fault | Pong


# REST


class GameInfo(Message, frozen=True):
    """A game that can be played."""

    id: str
    seats: list[int]


class Me(Message, frozen=True):
    """Who one is here."""

    id: str
    name: str


class NewMe(Message, frozen=True):
    """The name to go by."""

    name: str


class Link(Message, frozen=True):
    """A secret that is somebody: for another device, or for a program."""

    key: str


class SeatWish(Message, frozen=True):
    """Who shall sit on a seat of a new table: oneself, a bot by name, or whoever comes."""

    kind: Literal["me", "bot", "open"]
    name: str = ""


class NewTable(Message, frozen=True):
    """A table to be opened. `share` is one's own random part of the deal, 64 hex digits.

    With a record as its `line`, the game goes on from the position after `ply` plies of it.
    """

    game: str
    seats: list[SeatWish]
    share: str = ""
    clock: Clock = Clock()
    listed: bool = True
    line: str = ""
    ply: int | None = None


class Opening(Message, frozen=True):
    """A new table, and for each open seat the key that lets somebody sit down there."""

    state: TableState
    keys: dict[str, str]


class Sit(Message, frozen=True):
    """Sit down; `key` is the one of the seat's link, needed where the table is not listed."""

    share: str
    key: str = ""


class SitterInfo(Message, frozen=True):
    """Who sits on a seat of a table in a list; several may have the same `display_name`."""

    seat: int
    kind: Kind
    name: str
    display_name: str


class TableInfo(Message, frozen=True):
    """A table in a list. `your_seats` are one's own, for who is known."""

    id: str
    game: str
    seats: int
    state: Literal["open", "running", "over"]
    names: list[str]
    sitters: list[SitterInfo]
    actor: int | None
    your_seats: list[int]
    your_turn: bool
    clock: Clock
    listed: bool
    opened_at: int
    changed_at: int


class NewReplay(Message, frozen=True):
    """A record to be played through: with all its cards, or as one seat saw it."""

    record: str
    view: int | None = None


class Frame(Message, frozen=True):
    """The board after a ply, and what happened in it. `actor` is None for chance and for ply 0.

    `gains` are the points that a decision brought each seat, with the draws that follow it.
    """

    ply: int
    move: str
    actor: int | None
    board: AnyBoard
    scores: list[int]
    gains: list[int]  # empty for chance and for ply 0
    narration: list[Sentence]


class Replay(Message, frozen=True):
    """A record, ply by ply. `view` is the seat whose eyes see it; `hidden` when cards are `?`.

    `names` are those that the narration uses, by seat.
    """

    game: str
    seats: int
    tags: dict[str, str]
    names: list[str]
    view: int | None
    hidden: bool
    winners: list[int]
    frames: list[Frame]


class NewQuestion(Message, frozen=True):
    """Why a move is not legal after so many plies of a record, or at its end."""

    record: str
    move: str
    ply: int | None = None


class ProofDraw(Message, frozen=True):
    """A chance move: its number, its ply from 1, and what it could have been, with weights."""

    number: int
    ply: int
    move: str
    outcomes: list[str]
    weights: list[int]


class Proof(Message, frozen=True):
    """All that is needed to check a deal; bytes are hexadecimal digits, shares are by seat."""

    commitment: str
    secret: str
    shares: dict[str, str]
    given: int
    draws: list[ProofDraw]


class LessonStep(Message, frozen=True):
    """A position of a lesson in which the learner is to move, and what to do there."""

    step: int
    title: str
    text: str
    board: AnyBoard
    scores: list[int]
    legal: list[str]


class LessonInfo(Message, frozen=True):
    """A first game, step by step; the learner sits on `seat`. `names` are those of the seats."""

    game: str
    seats: int
    seat: int
    names: list[str]
    steps: list[LessonStep]


class LessonMove(Message, frozen=True):
    """The learner's move."""

    move: str


class LessonAnswer(Message, frozen=True):
    """What to say to a move: praise with what follows, or why not (`try-another`: legal, but …)."""

    accepted: bool
    code: str | None
    text: str
    frames: list[Frame]


class RulesSection(Message, frozen=True):
    """A part of the rules: first its paragraphs, then its list."""

    title: str
    paragraphs: list[str]
    items: list[str]


class RulesInfo(Message, frozen=True):
    """The rules of a game for players, in short."""

    game: str
    sections: list[RulesSection]


class About(Message, frozen=True):
    """What the host of this server says about it, as plain text; empty where there is nothing."""

    imprint: str = ""
    privacy: str = ""


NOTHING_SAID = About()


class Health(Message, frozen=True):
    """Whether the server can serve."""

    status: str


# From tables to messages


class Recipient(NamedTuple):
    """Whom a message is for: a seat, or a spectator, in their language."""

    seat: int | None
    language: str


def state_of(table_id: str, table: Table, to: Recipient, *, now: int, moves: bool) -> TableState:
    """A table as a seat, or a spectator, may see it."""
    return _state_of(table_id, table, live.view(table, to.seat), to, now=now, moves=moves)


def _state_of(
    table_id: str, table: Table, shown: View | None, to: Recipient, *, now: int, moves: bool
) -> TableState:
    is_on = table.ending is None
    board, scores = (None, archive.scores(table)) if shown is None else encoded_board(shown)
    return TableState(
        id=table_id,
        number=table.number,
        game=table.opening.game,
        state=list_of(table),
        seats=_seat_states(table, to),
        your_seat=to.seat,
        actor=table.actor,
        clock=table.opening.clock,
        since=table.since,
        deadline=table.deadline,
        now=now,
        commitment=table.commitment,
        board=cast(AnyBoard | None, board),  # in JSON already: who sees the same shares it
        legal=[] if shown is None or not is_on else shown.legal,
        scores=scores,
        moves=_moves(table, shown) if moves or not is_on else None,
        asked=table.asked,
        agreed=sorted(table.agreed),
        takebacks=table.takebacks,
        ending=_ending(table),
        rematch=sorted(table.rematch),
        rematched=table.rematched,
        listed=table.opening.listed,
        given=len(table.opening.line),
        warming=is_warming(table),
        rules=table.opening.rules,
        notice=_notice(table, to.language),
    )


def _moves(table: Table, shown: View | None) -> list[str] | None:
    if shown is not None:
        return shown.moves
    return None if table.stored is None else list(table.stored.moves)


def _notice(table: Table, language: str) -> str | None:
    """Why a table has no board, if this program does not have its rules."""
    try:
        live.require_rules(table.opening)
    except UnknownGame as error:
        return error.say(language)
    return None


def news_of(
    table_id: str,
    before: Table,
    event: Event,
    table: Table,
    to: Recipient,
    *,
    at: int,
    with_state: bool,
) -> News:
    """An event between two tables, as a seat or a spectator may know it."""
    seat = to.seat
    kind = str(event.__struct_config__.tag)
    after, shown = None, live.view(table, seat)
    if with_state:
        moves = kind in ("started", "taken-back")
        after = _state_of(table_id, table, shown, to, now=at, moves=moves)
    return News(
        number=table.number,
        kind=kind,
        at=at,
        seat=getattr(event, "seat", None),
        plies=live.plies_seen(shown, event),
        narration=narration_of(before, event, table, shown, seat, to.language),
        name=event.sitter.name if isinstance(event, Seated) else "",
        agrees=event.agrees if isinstance(event, TakebackAnswered) else None,
        table=event.table if isinstance(event, Rematched) else "",
        state=after,
    )


def info_of(summary: Summary, own: list[int], language: str) -> TableInfo:
    """A table in a list, for somebody who has these seats at it."""
    sitters = zip(summary.kinds, summary.names, strict=False)
    return TableInfo(
        id=summary.id,
        game=summary.game,
        seats=summary.seats,
        state=summary.state,
        names=[name for name in summary.names if name],
        sitters=[
            SitterInfo(
                seat=seat, kind=kind, name=name, display_name=sitter_name(kind, name, language)
            )
            for seat, (kind, name) in enumerate(sitters, start=1)
        ],
        actor=summary.actor,
        your_seats=own,
        your_turn=summary.actor in own,
        clock=summary.clock,
        listed=summary.listed,
        opened_at=summary.opened_at,
        changed_at=summary.changed_at,
    )


def because(own_id: str, move: str, why: Reason | Refused | None, language: str) -> Because:
    """Why a move is not legal, as a message; None when it is."""
    code, text = (None, None) if why is None else (why.code, why.say(language))
    return Because(id=own_id, move=move, code=code, text=text)


def fault_of(error: MandalaError, language: str, wish: str | None = None) -> Fault:
    """An error as a message."""
    return Fault(
        code=error.code,
        text=error.say(language),
        id=wish,
        parts={name: _plain(value) for name, value in error.parts.items()},
        legal=error.legal,
        line=error.place.line if error.place else None,
        column=error.place.column if error.place else None,
    )


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | None | list) else str(value)


def _seat_states(table: Table, to: Recipient) -> list[SeatState]:
    is_clocked = table.opening.clock.kind != "none" and table.time_left
    names = names_of(table, to.language)
    return [
        SeatState(
            seat=seat,
            kind=kind_of(sitter),
            name="" if sitter is None else sitter.name,
            display_name=names[seat - 1] or sitter_name("open", "", to.language),
            you=seat == to.seat,
            time_left=table.time_left[seat - 1] if is_clocked else None,
        )
        for seat, sitter in enumerate(table.sitters, start=1)
    ]


def _ending(table: Table) -> EndingState | None:
    ending = table.ending
    if ending is None:
        return None
    return EndingState(how=ending.how, seat=ending.seat, winners=live.winners(table))
