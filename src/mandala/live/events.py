"""What can happen at a live table: the events that its log is made of.

An event says all that is needed to go on from it, so a table is a fold over its log. Events are
for the log alone: they hold every card and the secret of the deal. What people are sent is built
from their own view, in `table`.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Clock(msgspec.Struct, frozen=True):
    """How long a seat may think: not limited, for the whole game, or for each move."""

    kind: Literal["none", "game", "move"] = "none"
    seconds: int = 0  # for the game, or for one move
    increment: int = 0  # seconds added after each move, for the whole game only


class Person(msgspec.Struct, frozen=True, tag="person"):
    """Somebody on a seat."""

    player: str
    name: str


class Bot(msgspec.Struct, frozen=True, tag="bot"):
    """One of our players on a seat."""

    name: str


Sitter = Person | Bot


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The table is there. Seats with a reserved sitter wait for just that one."""

    game: str
    seats: int
    secret: str  # 32 bytes as hexadecimal digits
    clock: Clock = Clock()
    reserved: tuple[Sitter | None, ...] = ()
    rematch_of: str = ""
    listed: bool = True  # whether strangers may find it, sit down and watch
    line: tuple[str, ...] = ()  # moves and draws of another game that this one goes on from
    rules: str = "1"  # the version of the game's rules; logs from before it was written have 1


class Seated(msgspec.Struct, frozen=True, tag="seated"):
    """Somebody sits down; a person brings a share of the deal's key."""

    seat: int
    sitter: Sitter
    share: str = ""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """Somebody leaves before the start."""

    seat: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """All seats are taken and chance has made the moves of the setup."""

    chance: tuple[str, ...]


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A seat has decided, and chance has played on until a seat must decide again."""

    seat: int
    move: str
    chance: tuple[str, ...] = ()


class TakebackAsked(msgspec.Struct, frozen=True, tag="takeback-asked"):
    """A seat would like its last decision back."""

    seat: int


class TakebackAnswered(msgspec.Struct, frozen=True, tag="takeback-answered"):
    """Another seat agrees, or does not."""

    seat: int
    agrees: bool


class TakenBack(msgspec.Struct, frozen=True, tag="taken-back"):
    """It is the seat's earlier decision again; so many decisions stand."""

    seat: int
    decisions: int


class Resigned(msgspec.Struct, frozen=True, tag="resigned"):
    """A seat gives up."""

    seat: int


class Flagged(msgspec.Struct, frozen=True, tag="flagged"):
    """A seat's time has run out."""

    seat: int


class Abandoned(msgspec.Struct, frozen=True, tag="abandoned"):
    """A seat without a clock was not there for too long."""

    seat: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """The table is closed without a result: not all seats were taken, or its rules are gone."""

    reason: Literal["", "unknown-rules"] = ""


class RematchAsked(msgspec.Struct, frozen=True, tag="rematch-asked"):
    """A seat would like to play again."""

    seat: int


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    """The next game is at another table."""

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
    """An event as it is kept in the log."""
    return _encoder.encode(event)


def decoded(body: bytes) -> Event:
    """The event that `encoded` wrote."""
    return _decoder.decode(body)
