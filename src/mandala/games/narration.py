"""What the narrations of all games share: a step to be told, and the narrator that finds words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        # Cards drawn by the same seat for the same place are told as one.
        self.is_card = game.has_hidden_information and self.kind == rules.CARD

    @property
    def actor(self) -> int:
        """The seat that made the move, from 0."""
        return int(self.before.actor)

    @property
    def colour(self) -> str:
        """The letter of the colour that the move names."""
        return COLOURS[int(self.rules.COLOUR[self.row])]


class Narrator:
    """Finds the sentences for one reader: `you` for the reader's own seat, names for the others."""

    def __init__(self, reader: int | None, language: str) -> None:
        self.reader = reader  # a seat from 1, or None for a spectator
        self.language = language

    def say(self, code: str, **parts: object) -> str:
        """A sentence that is about no seat."""
        return catalogue.fill("tell", code, parts, self.language)

    def by(self, code: str, seat: int, **parts: object) -> str:
        """A sentence about a seat, from 0."""
        who = "you" if self.reader == seat + 1 else "seat"
        return catalogue.fill("tell", f"{code}-{who}", {"seat": seat + 1, **parts}, self.language)


def letters_drawn(steps: Sequence[Step]) -> str:
    """The letters of the cards drawn, without those whose colour the reader cannot see."""
    colours = [int(step.rules.COLOUR[step.row]) for step in steps]
    return "".join(COLOURS[colour] for colour in colours if colour != UNKNOWN)


def narrate_draw(steps: Sequence[Step], narrator: Narrator, code: str = "draw") -> str:
    """The sentence about cards that a seat draws, with their colours if the reader sees them."""
    letters, drawer = letters_drawn(steps), steps[0].drawer
    if len(letters) == len(steps):
        return narrator.by(f"{code}-seen", drawer, colours=letters)
    return narrator.by("draw-one" if len(steps) == 1 else code, drawer, count=len(steps))


def was_shuffled(before: Any, after: Any) -> bool:
    """Whether the discard pile became the draw pile."""
    return bool(count(before.discard) > 0 and count(after.discard) == 0)
