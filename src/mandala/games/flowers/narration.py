"""The narration of Flowers: what a move did, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..cards import COLOURS
from ..narration import Narrator, Sentence, Step, narrate_draw, was_shuffled
from . import rules


def place_of_draw(step: Step) -> int:
    """Where a drawn card goes: always into the drawer's hand."""
    return 0


def narrate_draws(steps: Sequence[Step], narrator: Narrator) -> list[Sentence]:
    """The sentences for cards that a seat draws one after the other."""
    return [narrate_draw(steps, narrator)]


def narrate(step: Step, narrator: Narrator) -> list[Sentence]:
    """The sentences for one step."""
    sentences = []
    if step.kind == rules.PLAY:
        sentences.append(_play(step, narrator))
    elif step.kind == rules.PASS:
        sentences.append(narrator.by("pass", step.actor))
    elif step.kind == rules.CLAIM_TILE:
        sentences += _claim(step, narrator)
    elif step.kind == rules.NEXT_MANDALA:
        sentences.append(_next(step, narrator))
    return sentences + _consequences(step, narrator)


def _tile(tile: int) -> tuple[str, str]:
    """A tile as the catalogue's `tile` part: letter and value."""
    value = rules.VALUES[tile % len(rules.VALUES)]
    return COLOURS[int(rules.colour_of_tile(tile))], "×3" if value == "x" else value


def _play(step: Step, narrator: Narrator) -> Sentence:
    place = int(rules.MANDALA[step.row])
    is_new = rules.is_new_colour(step.before_state, place, int(rules.COLOUR[step.row]))
    cards = (step.colour, int(rules.COUNT[step.row]))
    code = "play-up" if is_new else "play-down"
    return narrator.by(code, step.actor, cards=cards, mandala=place + 1)


def _claim(step: Step, narrator: Narrator) -> list[Sentence]:
    before, after, holder = step.before_state, step.after_state, step.actor
    place = int(before.mandala)
    claimed = int(rules.TILE_OF[step.row])
    other = next(int(tile) - 1 for tile in before.tile[place] if tile != claimed + 1)
    second = int(after.owner[other]) - rules.FIRST_OWNER
    sentences = [narrator.by("claim", holder, tile=_tile(claimed), mandala=place + 1)]
    code = "gets-too" if second == holder else "gets"
    sentences.append(narrator.by(code, second, tile=_tile(other)))
    for tile, owner in ((claimed, holder), (other, second)):
        if after.partner[tile]:
            sentences.append(_flower(after, narrator, tile, owner))
    for seat in range(before.seats):
        cards = rules.cards_of(before, seat, place)
        if seat not in (holder, second) and cards:
            sentences.append(narrator.by("take-back", seat, count=cards))
    return sentences


def _flower(state: Any, narrator: Narrator, tile: int, owner: int) -> Sentence:
    values = len(rules.VALUES)
    low, high = sorted((tile % values, (int(state.partner[tile]) - 1) % values))
    points = rules.flower_points(low, high)
    return narrator.by("flower", owner, colour=_tile(tile)[0], points=points)


def _next(step: Step, narrator: Narrator) -> Sentence:
    place = int(rules.MANDALA[step.row])
    held = step.before_state.marker[place] > 0
    return narrator.say("next" if held else "next-unheld", mandala=place + 1)


def _consequences(step: Step, narrator: Narrator) -> list[Sentence]:
    before, after = step.before, step.after
    place = after.mandala
    sentences = []
    if step.is_card and was_shuffled(before, after):
        sentences.append(narrator.say("shuffled"))
    if step.kind in (rules.PLAY, rules.CARD) and after.marker[place] != before.marker[place]:
        sentences.append(narrator.by("marker", after.marker[place] - 1, mandala=place + 1))
    if after.phase == rules.CLAIM and before.phase != rules.CLAIM:
        if not after.ending:
            sentences.append(narrator.say("complete", mandala=place + 1))
        sentences.append(narrator.by("holds", after.actor, mandala=place + 1))
    if before.phase == rules.NEW_TILES and after.phase != rules.NEW_TILES:
        dark, light = (_tile(tile - 1) for tile in after.tile[place])
        sentences.append(narrator.say("new-tiles", mandala=place + 1, tile=dark, tile_2=light))
    if rules.has_third_flower(after) and not rules.has_third_flower(before) and not before.ending:
        sentences.append(narrator.say("third-flower"))
    if after.ending and not before.ending:
        sentences.append(narrator.say(_why_ending(after)))
    return sentences


def _why_ending(state: Any) -> str:
    if state.passes == state.seats:
        return "ending-passes"
    return "ending-round" if rules.has_third_flower(state) else "ending-tiles"
