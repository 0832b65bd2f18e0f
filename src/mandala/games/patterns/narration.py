"""The narration of Patterns: what a move did, in sentences."""

from __future__ import annotations

from ..cards import COLOURS
from ..narration import Narrator, Sentence, Step
from . import rules


def narrate(step: Step, narrator: Narrator) -> list[Sentence]:
    """The sentences for one step."""
    if step.kind == rules.TILE:
        return []
    return [_move(step, narrator), *_end(step, narrator)]


def _move(step: Step, narrator: Narrator) -> Sentence:
    before, after, seat = step.before, step.after, step.actor
    space = rules.moves.texts[step.row][1:]
    if step.kind == rules.GIVE:
        kept, other = COLOURS[after.bowl[seat]], narrator.to_whom(1 - seat)
        return narrator.by("give", seat, colour=step.colour, kept=kept, other=other)
    if step.kind == rules.STOP:
        return narrator.by("stop", seat)
    if step.kind == rules.FLIP:
        bit = int(rules.SPACE[step.row])
        lying = next(colour for colour, tiles in enumerate(before.tile) if tiles >> bit & 1)
        tiles = after.group[seat][lying].bit_count()
        return narrator.by("flip", seat, space=space, colour=COLOURS[lying], count=tiles)
    laid, taken = before.bowl[seat], after.bowl[seat]
    parts = {"space": space, "colour": COLOURS[laid], "taken": COLOURS[taken]}
    if step.kind == rules.OPEN:
        return narrator.by("open", seat, number=after.river[seat][laid], **parts)
    return narrator.by("swap", seat, count=after.group[seat][laid].bit_count(), **parts)


def _end(step: Step, narrator: Narrator) -> list[Sentence]:
    before, after = step.before, step.after
    sentences = []
    if before.phase == rules.ACTION and after.phase in (rules.LAST_FLIPS, rules.OVER):
        sentences.append(narrator.by("stuck", 1 - step.actor))
    if after.phase == rules.LAST_FLIPS and before.phase == rules.ACTION:
        sentences.append(narrator.by("may-flip", step.actor))
    return sentences
