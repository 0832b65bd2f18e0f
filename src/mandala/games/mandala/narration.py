"""The narration of Mandala: what a move did, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from mandala.engine import NOBODY

from ..cards import count
from ..narration import (
    Narrator,
    Sentence,
    Step,
    letters_drawn,
    narrate_draw,
    was_shuffled,
)
from . import rules

CUPS = (rules.TO_CUP_1 + 1, rules.TO_CUP_2 + 1)


def place_of_draw(step: Step) -> int:
    """Where a card of the setup goes, from 1: centre 1, centre 2, then hands and cups; else 0."""
    before = step.before
    if before.phase != rules.SETUP:
        return 0
    return int(rules.SETUP_DRAWS[rules.SETUP_COUNT - before.draws]) + 1


def narrate_draws(steps: Sequence[Step], narrator: Narrator) -> list[Sentence]:
    """The sentences for cards drawn one after the other for the same place."""
    place = place_of_draw(steps[0])
    if steps[0].drawer == NOBODY:
        mandala = place or steps[0].before.mandala + 1
        return [narrator.say("new-cards", colours=letters_drawn(steps), mandala=mandala)]
    return [narrate_draw(steps, narrator, "cup" if place in CUPS else "draw")]


def narrate(step: Step, narrator: Narrator) -> list[Sentence]:
    """The sentences for one step."""
    sentences = []
    place = int(rules.MANDALA[step.row]) + 1
    cards = (step.colour, int(rules.COUNT[step.row])) if not step.is_card else ("r", 0)
    if step.kind == rules.CENTRE:
        sentences.append(narrator.by("centre", step.actor, cards=cards, mandala=place))
    elif step.kind == rules.FIELD:
        sentences.append(narrator.by("field", step.actor, cards=cards, mandala=place))
    elif step.kind == rules.DISCARD:
        sentences.append(narrator.by("discard", step.actor, cards=cards))
    elif step.kind == rules.TAKE:
        sentences.append(_take(step, narrator))
    return sentences + _consequences(step, narrator)


def _take(step: Step, narrator: Narrator) -> Sentence:
    before, after, seat = step.before_state, step.after_state, step.actor
    colour = int(rules.COLOUR[step.row])
    number = int(before.centre[before.mandala, colour])
    cards = (step.colour, number)
    if count(before.field[seat, before.mandala]) == 0:
        return narrator.by("take-nothing", seat, cards=cards)
    if before.river[seat, colour]:
        return narrator.by("take-cup", seat, cards=cards)
    place = int(after.river[seat, colour])
    if number == 1:
        return narrator.by("take-river", seat, cards=cards, place=place)
    return narrator.by("take-both", seat, cards=cards, place=place, rest=number - 1)


def _consequences(step: Step, narrator: Narrator) -> list[Sentence]:
    before, after = step.before, step.after
    mandala = after.mandala + 1
    sentences = []
    if after.last_phase > before.last_phase:
        sentences.append(narrator.say("last-phase"))
    elif step.is_card and was_shuffled(before, after):
        sentences.append(narrator.say("shuffled"))
    if after.phase == rules.DISSOLVE and before.phase != rules.DISSOLVE:
        sentences += [narrator.say("complete", mandala=mandala), _who_is_first(step, narrator)]
    if before.phase == rules.DISSOLVE and after.phase not in (rules.DISSOLVE, rules.OVER):
        sentences.append(narrator.say("cleared", mandala=mandala))
    if after.phase == rules.OVER:
        sentences.append(narrator.say(_why_over(step)))
    return sentences


def _who_is_first(step: Step, narrator: Narrator) -> Sentence:
    after = step.after_state
    first = int(after.actor)
    fields = [count(after.field[seat, after.mandala]) for seat in (first, 1 - first)]
    if fields[0] > fields[1]:
        return narrator.by("first", first, own=fields[0], other=fields[1])
    return narrator.by("first-on-tie", first, own=fields[0])


def _why_over(step: Step) -> str:
    after = step.after_state
    if step.before.phase != rules.DISSOLVE:
        return "over-discards" if after.discards >= rules.DISCARDS_TO_END else "over-dead"
    if max(rules.river_length(after, seat) for seat in range(2)) == len(after.river[0]):
        return "over-river"
    return "over-last-phase"
