"""The board of Mandala: the other seat on top, the two mandalas, the viewer's seat below."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from ..cards import COLOUR_COUNT, COLOURS, UNKNOWN, count
from ..render import BOLD, Scene, cards, chip, grid, join_parts, missing_chips
from . import rules

LABEL_WIDTH = 17
MANDALA_WIDTH = 29


def render(scene: Scene) -> list[Text | Table]:
    """The board, from top to bottom."""
    state = scene.state
    doing = "taking" if state.phase == rules.DISSOLVE else "to-move"
    upper, lower = scene.seats_from_top()
    return [
        scene.header(doing, mandala=int(state.mandala) + 1),
        Text(),
        _seat(scene, upper, hand_last=False),
        Text(),
        _mandalas(state, scene, upper, lower),
        Text(),
        _seat(scene, lower, hand_last=True),
        Text(),
        _piles(state, scene),
    ]


def _seat(scene: Scene, seat: int, *, hand_last: bool) -> Table:
    state = scene.state
    hand = state.hand[seat]
    rows = [
        (scene.dim_label("river"), _river(state.river[seat])),
        (scene.dim_label("cup", count=_cup_size(state, seat)), _cup(state, scene, seat)),
    ]
    rows.insert(
        len(rows) if hand_last else 0,
        (scene.dim_label("hand", count=count(hand)), join_parts(cards(hand))),
    )
    table = grid(LABEL_WIDTH, None)
    points: int | str = scene.scores[seat]
    if state.secret[seat, UNKNOWN]:
        points = f"{points} + ?"
    table.add_row(
        Text(scene.seat(seat), style=BOLD),
        Text(scene.label("points", points=points), style=BOLD),
    )
    for name, what in rows:
        table.add_row(Text("  ") + name, what)
    return table


def _river(places: Any) -> Text:
    colours = {int(places[colour]): COLOURS[colour] for colour in range(COLOUR_COUNT)}
    line = Text()
    for place in range(1, COLOUR_COUNT + 1):
        line.append(f"{place} ", style="dim")
        line.append_text(chip(colours[place]) if place in colours else Text("··", style="dim"))
        line.append("   ")
    return line


def _cup_size(state: Any, seat: int) -> int:
    return int(count(state.cup[seat]) + count(state.secret[seat]))


def _cup(state: Any, scene: Scene, seat: int) -> Text:
    """The cards of a cup; the two secret ones are listed separately."""
    line = join_parts(cards(state.cup[seat]))
    line.append("   ")
    line.append_text(scene.dim_label("secret"))
    line.append(" ")
    line.append_text(join_parts(cards(state.secret[seat])))
    return line


def _mandalas(state: Any, scene: Scene, upper: int, lower: int) -> Table:
    table = grid(LABEL_WIDTH, MANDALA_WIDTH, MANDALA_WIDTH)
    both = range(rules.MANDALAS)
    names = [Text(scene.label("mandala", mandala=each + 1), style=BOLD) for each in both]
    table.add_row("", *names)
    areas = [
        (_field_name(scene, upper), state.field[upper]),
        (scene.label("centre"), state.centre),
        (_field_name(scene, lower), state.field[lower]),
    ]
    for name, area in areas:
        table.add_row(
            Text(f"  {name}", style="dim"), *(join_parts(cards(area[each])) for each in both)
        )
    lacking = [missing_chips(rules.colours_in(state, each)) for each in both]
    table.add_row(Text("  ") + scene.dim_label("missing"), *lacking)
    return table


def _field_name(scene: Scene, seat: int) -> str:
    is_own = scene.viewer == seat
    return scene.label("your-field") if is_own else scene.label("field", seat=seat + 1)


def _piles(state: Any, scene: Scene) -> Text:
    line = scene.dim_label("draw-pile", count=count(state.pile))
    line.append("   ")
    line.append_text(scene.dim_label("discard-pile", count=count(state.discard)))
    line.append(" ")
    line.append_text(join_parts(cards(state.discard)))
    if state.last_phase and state.phase != rules.OVER:
        line.append("\n" + scene.label("last-phase"), style=BOLD)
    return line
