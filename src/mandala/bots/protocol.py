"""The messages of the bot protocol, described in `docs/protocol.md`.

A message is one JSON object on a line, with its `type`. The host is the arena or `mandala bot`; the
bot is a program that reads from standard input and writes to standard output.
"""

from __future__ import annotations

from typing import Any

import msgspec

PROTOCOL = 1
MAX_LINE_BYTES = 1 << 16  # of a message from a bot


class Hello(msgspec.Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message: the protocol version, and the game to be played if it is known."""

    protocol: int
    game: str | None = None


class NewGame(msgspec.Struct, frozen=True, tag="newgame"):
    """A game begins, and the bot has this seat. `options` sets options that the bot has named."""

    game: str
    rules: str
    seats: int
    seat: int
    options: dict[str, Any] = {}


class State(msgspec.Struct, frozen=True, tag="state"):
    """The game as the bot's seat may see it, and the legal moves."""

    record: str
    legal: list[str]


class Go(msgspec.Struct, frozen=True, tag="go", omit_defaults=True):
    """The bot must move in the last state; the answer has the same request number."""

    request: int
    seconds: float | None = None  # for this move
    time_left: float | None = None  # seconds on the bot's clock
    increment: float | None = None  # seconds added to it by a move
    simulations: int | None = None


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """The bot must answer a request now."""

    request: int


class Result(msgspec.Struct, frozen=True, tag="result"):
    """The game is over; `reason` says why if it did not end by the rules."""

    scores: list[int]
    winners: list[int]
    reason: str = ""


class Quit(msgspec.Struct, frozen=True, tag="quit"):
    """The bot must exit."""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The bot's answer to `hello`: its name, its games, and its options with their defaults."""

    protocol: int
    name: str
    games: list[str]
    options: dict[str, Any] = {}


class Move(msgspec.Struct, frozen=True, tag="move", omit_defaults=True):
    """The bot's answer to `go`; the win chance is from 0 to 1."""

    request: int
    move: str
    win_chance: float | None = None
    comment: str = ""


ToBot = Hello | NewGame | State | Go | Stop | Result | Quit
FromBot = Ready | Move

_encoder = msgspec.json.Encoder()
_to_bot: msgspec.json.Decoder[ToBot] = msgspec.json.Decoder(ToBot)
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)


def encode(message: ToBot | FromBot) -> bytes:
    """Return a message as a line."""
    return _encoder.encode(message) + b"\n"


def decode_for_bot(line: bytes) -> ToBot:
    """Return a host's message from a line. Raises msgspec.MsgspecError."""
    return _to_bot.decode(line)


def decode_from_bot(line: bytes) -> FromBot:
    """Return a bot's message from a line. Raises msgspec.MsgspecError."""
    return _from_bot.decode(line)


def protocol_of(line: bytes) -> int | None:
    """Return the protocol version in a line, whatever else it contains; None without one."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    version = found.get("protocol") if isinstance(found, dict) else None
    return version if isinstance(version, int) else None
