"""The messages of the HTTP and WebSocket API.

The OpenAPI document and the page's types are generated from them. Messages about a game are built
from the recipient's own view by `state_of` and `event_message`.
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
from mandala.live.store.rows import Kind, Summary, kind_of, list_state
from mandala.live.table import Table
from mandala.server.board_json import AnyBoard, encoded_board
from mandala.server.bot_service import is_warming
from mandala.server.names import names_of, sitter_name
from mandala.server.sentences import narration_of
from mandala.text.errors import MandalaError, Refused, UnknownGame

CommandId = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,64}$")]


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """Base class of all messages."""


# The state of a table


class SeatState(Message, frozen=True):
    """A seat of a table. `display_name` is its name in the recipient's language."""

    seat: int
    kind: Kind
    name: str
    display_name: str
    you: bool
    time_left: int | None


class EndingState(Message, frozen=True):
    """How a game ended, and the winning seats."""

    how: str
    seat: int | None
    winners: list[int]


class TableState(Message, frozen=True):
    """The state of a table as one recipient may see it. Times are in milliseconds."""

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
    given: int  # number of plies taken over from another game
    warming: bool  # whether a simpler player moves for a search bot, for up to a minute
    rules: str  # version of the game's rules
    notice: str | None  # why there is no board, if the server does not know these rules


# From a client, over the WebSocket


class Command(Message, frozen=True):
    """A command at a table: `id` is the client's own, `number` the last event it has seen."""

    id: CommandId
    number: int


class Move(Command, frozen=True, tag="move"):
    """Make a move."""

    move: str


class Resign(Command, frozen=True, tag="resign"):
    """Resign."""


class Takeback(Command, frozen=True, tag="takeback"):
    """Ask to take back your last decision."""


class Answer(Command, frozen=True, tag="answer"):
    """Accept or reject another seat's takeback."""

    agrees: bool


class Rematch(Command, frozen=True, tag="rematch"):
    """Ask for a rematch."""


class WhyNot(Message, frozen=True, tag="why"):
    """Ask why a move is not legal."""

    id: CommandId
    move: str


class Hint(Message, frozen=True, tag="hint"):
    """Ask for a hint; only if all other seats are bots."""

    id: CommandId


class Ping(Message, frozen=True, tag="ping"):
    """Check the connection."""


Request = Move | Resign | Takeback | Answer | Rematch | WhyNot | Hint | Ping


# To a client, over the WebSocket


class EventMessage(Message, frozen=True, tag="event"):
    """An event as the recipient may see it, and the table after it."""

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
    """The current state of the table, and the events missed since the one named on connecting."""

    state: TableState
    missed: list[EventMessage]


class Presence(Message, frozen=True, tag="presence"):
    """The seats that are connected to the table, and the number of spectators."""

    seats: list[int]
    watching: int


class Done(Message, frozen=True, tag="done"):
    """A command was executed and committed; `number` is its event."""

    id: str
    number: int


class Explanation(Message, frozen=True, tag="because"):
    """Why a move is not legal; no code if it is legal."""

    id: str
    move: str
    code: str | None
    text: str | None


class HintMessage(Message, frozen=True, tag="hinted"):
    """A move that a strong player might choose, its narration, and the expected share of the win.

    The share is from 0 to 1, and null if it is unknown.
    """

    id: str
    number: int
    move: str
    text: str
    share: float | None


class ErrorMessage(Message, frozen=True, tag="error"):
    """An error with a stable code and a sentence; `id` is that of the command."""

    code: str
    text: str
    id: str | None = None
    parts: dict[str, Any] = {}
    legal: list[str] = []
    line: int | None = None  # place in a text, from 1
    column: int | None = None


class Pong(Message, frozen=True, tag="pong"):
    """The reply to a ping, with the server's time."""

    now: int


Reply = EventMessage | Welcome | Presence | Done | Explanation | HintMessage | ErrorMessage | Pong


# REST


class GameInfo(Message, frozen=True):
    """A game and its possible numbers of seats."""

    id: str
    seats: list[int]


class Me(Message, frozen=True):
    """Your player id and name."""

    id: str
    name: str


class NewName(Message, frozen=True):
    """A new name for a player."""

    name: str


class Credential(Message, frozen=True):
    """Bearer credential for a player: a personal link's key or a token."""

    key: str


class TokenInfo(Message, frozen=True):
    """A token of yours, without its key."""

    id: str
    made_at: int


class NewSeat(Message, frozen=True):
    """A seat of a new table: for yourself, for a bot by name, or open."""

    kind: Literal["me", "bot", "open"]
    name: str = ""


class NewTable(Message, frozen=True):
    """A table to open. `share` is your random contribution to the deal, 64 hexadecimal digits.

    With a record as `line`, the game continues from the position after `ply` plies of it.
    """

    game: str
    seats: list[NewSeat]
    share: str = ""
    clock: Clock = Clock()
    listed: bool = True
    line: str = ""
    ply: int | None = None


class OpenedTable(Message, frozen=True):
    """A new table, and a key for each open seat."""

    state: TableState
    keys: dict[str, str]


class Sit(Message, frozen=True):
    """A request to take a seat; a table that is not listed requires the seat's `key`."""

    share: str
    key: str = ""


class SitterInfo(Message, frozen=True):
    """A seat of a table in a list; several may have the same `display_name`."""

    seat: int
    kind: Kind
    name: str
    display_name: str


class TableInfo(Message, frozen=True):
    """A table in a list. `your_seats` are empty for unknown players."""

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


class ReplayRequest(Message, frozen=True):
    """A record to replay, with all cards or from the view of a seat."""

    record: str
    view: int | None = None


class Frame(Message, frozen=True):
    """The board after a ply, and its narration. `actor` is null for chance and for ply 0.

    `gains` are the points that a decision gained for each seat, including the draws after it.
    """

    ply: int
    move: str
    actor: int | None
    board: AnyBoard
    scores: list[int]
    gains: list[int]  # empty for chance and for ply 0
    narration: list[Sentence]


class Replay(Message, frozen=True):
    """A record ply by ply. `view` is the seat from whose view it is shown.

    `hidden` is true if the record contains unknown cards (`?`). `names` are the names of the seats
    in the narration.
    """

    game: str
    seats: int
    tags: dict[str, str]
    names: list[str]
    view: int | None
    hidden: bool
    winners: list[int]
    frames: list[Frame]


class WhyRequest(Message, frozen=True):
    """A request to explain why a move is not legal after a ply of a record, or at its end."""

    record: str
    move: str
    ply: int | None = None


class ProofDraw(Message, frozen=True):
    """A chance move: its number, its ply from 1, and the possible outcomes with weights."""

    number: int
    ply: int
    move: str
    outcomes: list[str]
    weights: list[int]


class ProofLine(Message, frozen=True):
    """A line taken back: the number of plies before it, its moves, and its chance moves."""

    plies: int
    moves: list[str]
    draws: list[ProofDraw]


class Proof(Message, frozen=True):
    """Everything needed to verify a deal; bytes are hexadecimal digits, shares are by seat.

    `draws` are the chance moves of the record. `drawn` counts all chance numbers used, with those
    of the lines taken back.
    """

    commitment: str
    secret: str
    shares: dict[str, str]
    given: int
    draws: list[ProofDraw]
    taken_back: list[ProofLine]  # in order
    drawn: int


class LessonStep(Message, frozen=True):
    """A position of a lesson in which the learner is to move, with an instruction."""

    step: int
    title: str
    text: str
    board: AnyBoard
    scores: list[int]
    legal: list[str]


class LessonInfo(Message, frozen=True):
    """A lesson in steps. `seat` is the learner's seat, `names` are the names of all seats."""

    game: str
    seats: int
    seat: int
    names: list[str]
    steps: list[LessonStep]


class LessonMove(Message, frozen=True):
    """A learner's move."""

    move: str


class LessonAnswer(Message, frozen=True):
    """The response to a learner's move: whether it is accepted, a text, and what follows.

    The code is `try-another` for a legal move that is not accepted.
    """

    accepted: bool
    code: str | None
    text: str
    frames: list[Frame]


class RulesSection(Message, frozen=True):
    """A section of the rules: paragraphs, then a list."""

    title: str
    paragraphs: list[str]
    items: list[str]


class RulesInfo(Message, frozen=True):
    """A summary of a game's rules."""

    game: str
    sections: list[RulesSection]


class About(Message, frozen=True):
    """The operator's imprint and privacy policy as plain text, empty if not set."""

    imprint: str = ""
    privacy: str = ""


EMPTY_ABOUT = About()


class Health(Message, frozen=True):
    """The health of the server."""

    status: str


# Building messages


class Recipient(NamedTuple):
    """The recipient of a message: a seat, or None for a spectator, and their language."""

    seat: int | None
    language: str


def state_of(table_id: str, table: Table, to: Recipient, *, now: int, moves: bool) -> TableState:
    """Return the state of a table as the recipient may see it."""
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
        state=list_state(table),
        seats=_seat_states(table, to),
        your_seat=to.seat,
        actor=table.actor,
        clock=table.opening.clock,
        since=table.since,
        deadline=table.deadline,
        now=now,
        commitment=table.commitment,
        board=cast(AnyBoard | None, board),  # already encoded
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
    """Why a table has no board, None if its rules are known."""
    try:
        live.require_rules(table.opening)
    except UnknownGame as error:
        return error.say(language)
    return None


def event_message(
    table_id: str,
    before: Table,
    event: Event,
    table: Table,
    to: Recipient,
    *,
    at: int,
    with_state: bool,
) -> EventMessage:
    """Return an event as the recipient may see it, given the tables before and after it."""
    seat = to.seat
    kind = str(event.__struct_config__.tag)
    after, shown = None, live.view(table, seat)
    if with_state:
        moves = kind in ("started", "taken-back")
        after = _state_of(table_id, table, shown, to, now=at, moves=moves)
    return EventMessage(
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
    """Return a table in a list for a player with these seats."""
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


def explanation(own_id: str, move: str, why: Reason | Refused | None, language: str) -> Explanation:
    """Return why a move is not legal as a message; `why` is None if it is legal."""
    code, text = (None, None) if why is None else (why.code, why.say(language))
    return Explanation(id=own_id, move=move, code=code, text=text)


def error_message(
    error: MandalaError, language: str, command_id: str | None = None
) -> ErrorMessage:
    """Return an error as a message."""
    return ErrorMessage(
        code=error.code,
        text=error.say(language),
        id=command_id,
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
