"""The events of a live table's log.

A table is a fold over its log. Events contain all cards and the secret of the deal, so they are
never sent to clients: messages are built from the recipient's own view.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Clock(msgspec.Struct, frozen=True):
    """The time control: none, a time for the whole game, or a time for each move."""

    kind: Literal["none", "game", "move"] = "none"
    seconds: int = 0  # for the game, or for one move
    increment: int = 0  # seconds added after each move, only with a time for the game


class Person(msgspec.Struct, frozen=True, tag="person"):
    """A person on a seat."""

    player: str
    name: str


class Bot(msgspec.Struct, frozen=True, tag="bot"):
    """A bot on a seat."""

    name: str


Sitter = Person | Bot


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The table was opened. A reserved seat can only be taken by its sitter."""

    game: str
    seats: int
    secret: str  # 32 bytes as hexadecimal digits
    clock: Clock = Clock()
    reserved: tuple[Sitter | None, ...] = ()
    rematch_of: str = ""
    listed: bool = True  # whether everybody can find it, sit down and watch
    line: tuple[str, ...] = ()  # moves and draws of another game from which this one continues
    rules: str = "1"  # version of the game's rules; older logs have none, and mean 1


class Seated(msgspec.Struct, frozen=True, tag="seated"):
    """A seat was taken; a person contributes a share to the deal's key."""

    seat: int
    sitter: Sitter
    share: str = ""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """A seat was left before the start."""

    seat: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """All seats were taken, and chance has made the moves of the setup."""

    chance: tuple[str, ...]


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A seat made a move, and the chance moves that followed."""

    seat: int
    move: str
    chance: tuple[str, ...] = ()


class TakebackAsked(msgspec.Struct, frozen=True, tag="takeback-asked"):
    """A seat asked to take back its last decision."""

    seat: int


class TakebackAnswered(msgspec.Struct, frozen=True, tag="takeback-answered"):
    """Another seat accepted or rejected a takeback."""

    seat: int
    agrees: bool


class TakenBack(msgspec.Struct, frozen=True, tag="taken-back"):
    """A seat's decision and all later ones were taken back; `decisions` is how many remain."""

    seat: int
    decisions: int
    clock_restored: bool = False  # older logs have none: there the turn began anew


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The server runs again; it last ran at `stopped_at`, and the time since then does not count.

    That time is from the clock of the server that stopped, which may have been ahead.
    """

    stopped_at: int


class Resigned(msgspec.Struct, frozen=True, tag="resigned"):
    """A seat resigned."""

    seat: int


class Flagged(msgspec.Struct, frozen=True, tag="flagged"):
    """A seat ran out of time."""

    seat: int


class Abandoned(msgspec.Struct, frozen=True, tag="abandoned"):
    """A seat did not move for too long in a game without a clock."""

    seat: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """The table was closed without a result: seats stayed open, or its rules are unknown."""

    reason: Literal["", "unknown-rules"] = ""


class RematchAsked(msgspec.Struct, frozen=True, tag="rematch-asked"):
    """A seat asked for a rematch."""

    seat: int


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    """The rematch was opened at another table."""

    table: str


Event = (
    Opened
    | Seated
    | Left
    | Started
    | Moved
    | TakebackAsked
    | TakebackAnswered
    | TakenBack
    | Resumed
    | Resigned
    | Flagged
    | Abandoned
    | Closed
    | RematchAsked
    | Rematched
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encoded(event: Event) -> bytes:
    """Encode an event for the log."""
    return _encoder.encode(event)


def decoded(body: bytes) -> Event:
    """Decode an event from the log."""
    return _decoder.decode(body)
