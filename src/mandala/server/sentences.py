"""What happened at a table, in sentences for one seat or a spectator.

Moves and draws are told from the recipient's own views before and after; what people do besides,
by their names.
"""

from __future__ import annotations

from mandala.core.narration import narrate, steps_seen
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
    Seated,
    Started,
    TakebackAnswered,
    TakebackAsked,
    TakenBack,
)
from mandala.live.table import Table
from mandala.text import catalogue as texts

OF_A_SEAT = (
    Seated, Left, TakebackAsked, TakebackAnswered, TakenBack, Resigned, Flagged, Abandoned,
    RematchAsked,
)  # fmt: skip


def told(
    before: Table, event: Event, after: Table, shown: View | None, seat: int | None, language: str
) -> list[str]:
    """The story of an event; `shown` is what the recipient sees after it."""
    story: list[str] = []
    kind = str(event.__struct_config__.tag)
    if isinstance(event, OF_A_SEAT):
        table = before if isinstance(event, Left) else after
        if isinstance(event, TakebackAnswered):
            kind = "takeback-agreed" if event.agrees else "takeback-refused"
        story.append(_about(table, event.seat, kind, seat, language))
    elif isinstance(event, Started):
        assert after.actor is not None, "a game begins with a decision"
        story.append(_about(after, after.actor, kind, seat, language))
    elif isinstance(event, Closed | Rematched):
        if isinstance(event, Closed) and event.reason:
            kind = f"{kind}-{event.reason}"
        story.append(texts.word("event", kind, language))
    if isinstance(event, Started | Moved):
        assert shown is not None, "a game that has started can be seen"
        seen = live.view(before, seat)
        if seen is None:
            seen = live.beginning(after.opening).view(seat)
        story += narrate(steps_seen(seen, shown), seat, language)
    if after.ending is not None and before.ending is None:
        story += _result(after, shown, seat, language)
    return story


def _about(table: Table, seat: int, kind: str, listener: int | None, language: str) -> str:
    parts = {"seat": seat, "name": _name(table, seat)}
    return texts.fill("event", f"{kind}-{_who(seat, listener)}", parts, language)


def _who(seat: int, listener: int | None) -> str:
    return "you" if seat == listener else "name"


def _name(table: Table, seat: int) -> str:
    sitter = table.sitters[seat - 1]
    assert sitter is not None, "somebody who does something sits on a seat"
    return sitter.name


def _result(table: Table, shown: View | None, seat: int | None, language: str) -> list[str]:
    """Who has won, and with how many points."""
    winners = live.winners(table)
    if not winners or shown is None:
        return []
    scores = shown.scores
    if len(winners) == 1:
        (winner,) = winners
        parts = {"name": _name(table, winner), "points": scores[winner - 1]}
        return [texts.fill("event", f"won-{_who(winner, seat)}", parts, language)]
    names = ", ".join(_name(table, winner) for winner in winners)
    return [texts.fill("event", "won-shared", {"name": names}, language)]
