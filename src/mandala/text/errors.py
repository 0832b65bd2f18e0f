"""The exceptions for invalid input.

    MandalaError            anything below; also a ValueError
    ├── UnknownGame         no such game, or not with this number of seats or these rules
    ├── UnknownPlayer       no player of this name
    ├── BotFailed           a bot of its own program that has failed
    ├── InvalidMove         the text is not a move of this game
    ├── IllegalMove         a move of this game that is not legal now
    ├── InvalidRecord       a record that breaks the format or whose tags contradict its moves
    ├── InvalidPosition     the text is not a position of this game
    ├── InvalidArgument     an argument of the wrong type, shape or range
    └── Refused             a command that a live table or its server refuses

Each carries a stable `code` and its `parts`; `str(error)` is the English sentence,
`error.say("de")` the German one. Both come from the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from . import catalogue


@dataclass(frozen=True)
class Place:
    """A place in a text: line and column count from 1."""

    line: int
    column: int
    record: int | None = None  # the index of the record in a file, from 0


class MandalaError(ValueError):
    """Input that cannot be used: what is wrong, where, and what would have been legal."""

    def __init__(
        self,
        code: str,
        parts: Mapping[str, object] | None = None,
        *,
        place: Place | None = None,
        legal: Sequence[str] = (),
    ) -> None:
        super().__init__(code)
        self.code = code
        self.parts = dict(parts or {})
        self.place = place
        self.legal = list(legal)

    def at(self, place: Place) -> Self:
        """The same error with its place in the text."""
        if self.place is not None and place.record is not None:
            place = replace(self.place, record=place.record)
        return type(self)(self.code, self.parts, place=place, legal=self.legal)

    def say(self, language: str = "en") -> str:
        """The error as a sentence, without its place."""
        sentence = catalogue.say(self.code, self.parts, language)
        if self.legal:
            sentence += ". " + catalogue.say("legal-are", {"moves": self.legal}, language)
        return sentence

    def __str__(self) -> str:
        if self.place is None:
            return self.say()
        where = f"line {self.place.line}, column {self.place.column}"
        if self.place.record is not None:
            where = f"record {self.place.record}, {where}"
        return f"{where}: {self.say()}"


class UnknownGame(MandalaError):
    """There is no such game, or it cannot be played with this number of seats or these rules."""


class UnknownPlayer(MandalaError):
    """There is no player of this name."""


class BotFailed(MandalaError):
    """A bot that is a program of its own has failed; `log` is the file with its error output."""

    def say(self, language: str = "en") -> str:
        """The error as a sentence, with the place of the bot's error output."""
        sentence = super().say(language)
        if "log" in self.parts:
            sentence += ". " + catalogue.say("bot-log", self.parts, language)
        return sentence


class InvalidMove(MandalaError):
    """The text is not a move of this game."""


class IllegalMove(MandalaError):
    """A move of this game that the rules do not allow now."""


class InvalidRecord(MandalaError):
    """A record that breaks the format, or whose tags contradict its moves."""


class InvalidPosition(MandalaError):
    """The text is not a position of this game."""


class InvalidArgument(MandalaError):
    """An argument of the wrong type, shape or range, such as an array of floats for moves."""


class Refused(MandalaError):
    """A command that a live table or its server refuses."""
