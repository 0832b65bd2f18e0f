"""What the narrations of all games share: steps, sentences, and the narrator that words them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from mandala.engine import PlainRecord
from mandala.text import catalogue

from .cards import COLOURS, UNKNOWN, count
from .spec import Game


class Step:
    """One move of a seat or of chance, with the records before and after it."""

    def __init__(
        self,
        game: Game,
        row: int,
        drawer: int,
        *,
        before: PlainRecord,
        after: PlainRecord,
        before_state: Any,
        after_state: Any,
    ) -> None:
        self.game, self.row, self.drawer = game, row, drawer
        self.before, self.after = before, after
        self.before_state, self.after_state = before_state, after_state
        self.rules = rules = game.plain_rules
        self.kind = int(rules.KIND[row])
        # Cards drawn by the same seat for the same place share one sentence.
        self.is_card = game.has_hidden_information and self.kind == rules.CARD

    @property
    def actor(self) -> int:
        """The seat that made the move, from 0."""
        return int(self.before.actor)

    @property
    def colour(self) -> str:
        """The letter of the colour that the move names."""
        return COLOURS[int(self.rules.COLOUR[self.row])]


class Sentence(msgspec.Struct, frozen=True):
    """A complete sentence for one reader, and the seat that it is about, from 1, if any."""

    text: str
    seat: int | None = None


class Narrator:
    """Words the sentences for one reader: `you` for the reader's own seat, names for the others.

    `names` are the names of all seats; without them a seat is called by its number.
    """

    def __init__(
        self, reader: int | None, language: str, names: Sequence[str] | None = None
    ) -> None:
        self.reader = reader  # a seat from 1, or None for a spectator
        self.language = language
        self.names = names

    def say(self, code: str, **parts: object) -> Sentence:
        """A sentence that is about no seat."""
        return Sentence(catalogue.fill("tell", code, parts, self.language))

    def by(self, code: str, seat: int, **parts: object) -> Sentence:
        """A sentence about a seat, from 0."""
        if self.reader == seat + 1:
            text = catalogue.fill("tell", f"{code}-you", parts, self.language)
        else:
            parts["name"] = self._name(seat)
            text = catalogue.fill("tell", f"{code}-name", parts, self.language)
        return Sentence(text, seat + 1)

    def to_whom(self, seat: int) -> str:
        """A seat, from 0, as the one who is given something: its name, or `you`."""
        if self.reader == seat + 1:
            return catalogue.word("players", "to-you", self.language)
        return self._name(seat)

    def _name(self, seat: int) -> str:
        if self.names is not None:
            return self.names[seat]
        return catalogue.seat_label(seat + 1, self.language)


def letters_drawn(steps: Sequence[Step]) -> str:
    """The letters of the cards drawn, without those whose colour the reader cannot see."""
    colours = [int(step.rules.COLOUR[step.row]) for step in steps]
    return "".join(COLOURS[colour] for colour in colours if colour != UNKNOWN)


def narrate_draw(steps: Sequence[Step], narrator: Narrator, code: str = "draw") -> Sentence:
    """The sentence about cards that a seat draws, with their colours if the reader sees them."""
    letters, drawer = letters_drawn(steps), steps[0].drawer
    if len(letters) == len(steps):
        return narrator.by(f"{code}-seen", drawer, colours=letters)
    return narrator.by(code, drawer, count=len(steps))


def was_shuffled(before: Any, after: Any) -> bool:
    """Whether the discard pile became the draw pile."""
    return bool(count(before.discard) > 0 and count(after.discard) == 0)
