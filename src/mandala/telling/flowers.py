"""The story of Flowers."""

from __future__ import annotations

from typing import Any

from mandala.games import flowers as rules
from mandala.games.table import COLOURS

from .common import Step, Teller, was_shuffled


def tell(step: Step, teller: Teller) -> list[str]:
    """The sentences for one step."""
    story = []
    if step.kind == rules.PLAY:
        story.append(_play(step, teller))
    elif step.kind == rules.PASS:
        story.append(teller.by("pass", step.actor))
    elif step.kind == rules.CLAIM_TILE:
        story += _claim(step, teller)
    elif step.kind == rules.NEXT_MANDALA:
        story.append(_next(step, teller))
    return story + _consequences(step, teller)


def _tile(tile: int) -> tuple[str, str]:
    """A tile as the catalogue's `tile` part: letter and value."""
    value = rules.VALUES[tile % len(rules.VALUES)]
    return COLOURS[int(rules.colour_of_tile(tile))], "×3" if value == "x" else value


def _play(step: Step, teller: Teller) -> str:
    place = int(rules.MANDALA[step.row])
    is_new = rules.is_new(step.before.state, place, int(rules.COLOUR[step.row]))
    cards = (step.colour, int(rules.COUNT[step.row]))
    code = "play-up" if is_new else "play-down"
    return teller.by(code, step.actor, cards=cards, mandala=place + 1)


def _claim(step: Step, teller: Teller) -> list[str]:
    before, after, holder = step.before.state, step.after.state, step.actor
    place = int(before.mandala)
    claimed = int(rules.TILE_OF[step.row])
    other = next(int(tile) - 1 for tile in before.tile[place] if tile != claimed + 1)
    second = int(after.owner[other]) - rules.FIRST_OWNER
    story = [teller.by("claim", holder, tile=_tile(claimed), mandala=place + 1)]
    code = "gets-too" if second == holder else "gets"
    story.append(teller.by(code, second, tile=_tile(other)))
    for tile, owner in ((claimed, holder), (other, second)):
        if after.partner[tile]:
            story.append(_flower(after, teller, tile, owner))
    for seat in range(before.seats):
        cards = rules.cards_of(before, seat, place)
        if seat not in (holder, second) and cards:
            story.append(teller.by("take-back", seat, count=cards))
    return story


def _flower(state: Any, teller: Teller, tile: int, owner: int) -> str:
    values = len(rules.VALUES)
    low, high = sorted((tile % values, (int(state.partner[tile]) - 1) % values))
    points = rules.flower_points(low, high)
    return teller.by("flower", owner, colour=_tile(tile)[0], points=points)


def _next(step: Step, teller: Teller) -> str:
    place = int(rules.MANDALA[step.row])
    held = step.before.state.marker[place] > 0
    return teller.say("next" if held else "next-unheld", mandala=place + 1)


def _consequences(step: Step, teller: Teller) -> list[str]:
    before, after = step.before.plain, step.after.plain
    place = after.mandala
    story = []
    if step.is_card and was_shuffled(before, after):
        story.append(teller.say("shuffled"))
    if step.kind in (rules.PLAY, rules.CARD) and after.marker[place] != before.marker[place]:
        story.append(teller.by("marker", after.marker[place] - 1, mandala=place + 1))
    if after.phase == rules.CLAIM and before.phase != rules.CLAIM:
        if not after.ending:
            story.append(teller.say("complete", mandala=place + 1))
        story.append(teller.by("holds", after.actor, mandala=place + 1))
    if before.phase == rules.NEW_TILES and after.phase != rules.NEW_TILES:
        dark, light = (_tile(tile - 1) for tile in after.tile[place])
        story.append(teller.say("new-tiles", mandala=place + 1, tile=dark, tile_2=light))
    if rules.third_flower(after) and not rules.third_flower(before) and not before.ending:
        story.append(teller.say("third-flower"))
    if after.ending and not before.ending:
        story.append(teller.say(_why_ending(after)))
    return story


def _why_ending(state: Any) -> str:
    if state.passes == state.seats:
        return "ending-passes"
    return "ending-round" if rules.third_flower(state) else "ending-tiles"
