"""The narration of a table's events for a seat or a spectator.

Moves and draws are narrated from the recipient's own views before and after them.
"""

from __future__ import annotations

from mandala.core.narration import Sentence, narrate, steps_seen
from mandala.core.view import View
from mandala.live import table as live
from mandala.live.events import (
    Abandoned,
    Closed,
    Event,
    Flagged,
    Left,
    Moved,
    RematchAsked,
    Rematched,
    Resigned,
    Resumed,
    Seated,
    Started,
    TakebackAnswered,
    TakebackAsked,
    TakenBack,
)
from mandala.live.table import Table
from mandala.server.names import names_of
from mandala.text import catalogue as texts

SEAT_EVENTS = (
    Seated, Left, TakebackAsked, TakebackAnswered, TakenBack, Resigned, Flagged, Abandoned,
    RematchAsked,
)  # fmt: skip


def narration_of(
    before: Table, event: Event, after: Table, shown: View | None, seat: int | None, language: str
) -> list[Sentence]:
    """Return the sentences about an event; `shown` is the recipient's view after it."""
    sentences: list[Sentence] = []
    names = names_of(before if isinstance(event, Left) else after, language)
    narrator = _Narrator(seat, language, names)
    kind = str(event.__struct_config__.tag)
    if isinstance(event, SEAT_EVENTS):
        if isinstance(event, TakebackAnswered):
            kind = "takeback-agreed" if event.agrees else "takeback-refused"
        sentences.append(narrator.about_seat(kind, event.seat))
    elif isinstance(event, Started):
        assert after.actor is not None, "a game begins with a decision"
        sentences.append(narrator.about_seat(kind, after.actor))
    elif isinstance(event, Closed | Rematched | Resumed):
        if isinstance(event, Closed) and event.reason:
            kind = f"{kind}-{event.reason}"
        sentences.append(Sentence(texts.word("event", kind, language)))
    if isinstance(event, Started | Moved):
        assert shown is not None, "a game that has started can be seen"
        seen = live.view(before, seat)
        if seen is None:
            seen = live.first_position(after.opening).view(seat)
        sentences += narrate(steps_seen(seen, shown), seat, language, names)
    if after.ending is not None and before.ending is None and shown is not None:
        sentences += narrator.result(live.winners(after), shown.scores)
    return sentences


class _Narrator:
    """Writes sentences for one reader: a seat, or None for a spectator."""

    def __init__(self, reader: int | None, language: str, names: list[str]) -> None:
        self.reader, self.language, self.names = reader, language, names

    def about_seat(self, kind: str, seat: int, **parts: object) -> Sentence:
        """Return a sentence about a seat, from 1."""
        who = "you" if seat == self.reader else "name"
        parts |= {"seat": seat, "name": self.names[seat - 1]}
        return Sentence(texts.fill("event", f"{kind}-{who}", parts, self.language), seat)

    def result(self, winners: list[int], scores: list[int]) -> list[Sentence]:
        """Return a sentence about the winners and their points."""
        if not winners:
            return []
        if len(winners) == 1:
            return [self.about_seat("won", winners[0], points=scores[winners[0] - 1])]
        names = ", ".join(self.names[winner - 1] for winner in winners)
        return [Sentence(texts.fill("event", "won-shared", {"name": names}, self.language))]
