"""The story of Patterns."""

from __future__ import annotations

from mandala.games import patterns as rules
from mandala.games.table import COLOURS

from .common import Step, Teller


def tell(step: Step, teller: Teller) -> list[str]:
    """The sentences for one step."""
    if step.kind == rules.TILE:
        return []
    return [_move(step, teller), *_end(step, teller)]


def _move(step: Step, teller: Teller) -> str:
    before, after, seat = step.before.plain, step.after.plain, step.actor
    space = rules.moves.texts[step.row][1:]
    if step.kind == rules.GIVE:
        given = {"colour": step.colour, "kept": COLOURS[after.bowl[1]]}
        if teller.listener == 1:
            return teller.say("given", **given)
        return teller.by("give", seat, **given)
    if step.kind == rules.STOP:
        return teller.by("stop", seat)
    if step.kind == rules.FLIP:
        bit = int(rules.SPACE[step.row])
        lying = next(colour for colour, tiles in enumerate(before.tile) if tiles >> bit & 1)
        tiles = after.group[seat][lying].bit_count()
        return teller.by("flip", seat, space=space, colour=COLOURS[lying], count=tiles)
    laid, taken = before.bowl[seat], after.bowl[seat]
    parts = {"space": space, "colour": COLOURS[laid], "taken": COLOURS[taken]}
    if step.kind == rules.OPEN:
        return teller.by("open", seat, number=after.river[seat][laid], **parts)
    return teller.by("swap", seat, count=after.group[seat][laid].bit_count(), **parts)


def _end(step: Step, teller: Teller) -> list[str]:
    before, after = step.before.plain, step.after.plain
    story = []
    if before.phase == rules.ACTION and after.phase in (rules.LAST_FLIPS, rules.OVER):
        story.append(teller.by("stuck", 1 - step.actor))
    if after.phase == rules.LAST_FLIPS and before.phase == rules.ACTION:
        story.append(teller.by("may-flip", step.actor))
    return story
