"""The story of Mandala."""

from __future__ import annotations

from mandala.games import mandala as rules
from mandala.games.table import count

from .common import Step, Teller, was_shuffled

CUPS = (rules.TO_CUP_1 + 1, rules.TO_CUP_2 + 1)


def place_in_setup(step: Step) -> int:
    """Where a card of the setup goes, from 1: centre 1, centre 2, then hands and cups; else 0."""
    before = step.before.plain
    if before.phase != rules.SETUP:
        return 0
    return int(rules.SETUP_DRAWS[rules.SETUP_COUNT - before.draws]) + 1


def tell(step: Step, teller: Teller) -> list[str]:
    """The sentences for one step."""
    story = []
    place = int(rules.MANDALA[step.row]) + 1
    cards = (step.colour, int(rules.COUNT[step.row])) if not step.is_card else ("r", 0)
    if step.kind == rules.CENTRE:
        story.append(teller.by("centre", step.actor, cards=cards, mandala=place))
    elif step.kind == rules.FIELD:
        story.append(teller.by("field", step.actor, cards=cards, mandala=place))
    elif step.kind == rules.DISCARD:
        story.append(teller.by("discard", step.actor, cards=cards))
    elif step.kind == rules.TAKE:
        story.append(_take(step, teller))
    return story + _consequences(step, teller)


def _take(step: Step, teller: Teller) -> str:
    before, after, seat = step.before.state, step.after.state, step.actor
    colour = int(rules.COLOUR[step.row])
    number = int(before.centre[before.mandala, colour])
    cards = (step.colour, number)
    if count(before.field[seat, before.mandala]) == 0:
        return teller.by("take-nothing", seat, cards=cards)
    if before.river[seat, colour]:
        return teller.by("take-cup", seat, cards=cards)
    place = int(after.river[seat, colour])
    if number == 1:
        return teller.by("take-river", seat, cards=cards, place=place)
    return teller.by("take-both", seat, cards=cards, place=place, rest=number - 1)


def _consequences(step: Step, teller: Teller) -> list[str]:
    before, after = step.before.plain, step.after.plain
    mandala = after.mandala + 1
    story = []
    if after.last_phase > before.last_phase:
        story.append(teller.say("last-phase"))
    elif step.is_card and was_shuffled(before, after):
        story.append(teller.say("shuffled"))
    if after.phase == rules.DISSOLVE and before.phase != rules.DISSOLVE:
        story += [teller.say("complete", mandala=mandala), _who_is_first(step, teller)]
    if before.phase == rules.DISSOLVE and after.phase not in (rules.DISSOLVE, rules.OVER):
        story.append(teller.say("cleared", mandala=mandala))
    if after.phase == rules.OVER:
        story.append(teller.say(_why_over(step)))
    return story


def _who_is_first(step: Step, teller: Teller) -> str:
    after = step.after.state
    first = int(after.actor)
    fields = [count(after.field[seat, after.mandala]) for seat in (first, 1 - first)]
    if fields[0] > fields[1]:
        return teller.by("first", first, own=fields[0], other=fields[1])
    return teller.by("first-on-tie", first, own=fields[0])


def _why_over(step: Step) -> str:
    after = step.after.state
    if step.before.plain.phase != rules.DISSOLVE:
        return "over-discards" if after.discards >= rules.DISCARDS_TO_END else "over-dead"
    if max(rules.river_length(after, seat) for seat in range(2)) == len(after.river[0]):
        return "over-river"
    return "over-last-phase"
