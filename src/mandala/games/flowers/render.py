"""The board of Flowers: three mandalas side by side, then the seats."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from ..cards import COLOURS, count
from ..render import BOLD, Scene, cards, chip, grid, join_parts, missing_chips
from . import rules

LABEL_WIDTH = 17
MANDALA_WIDTH = 19


def render(scene: Scene) -> list[Text | Table]:
    """The board, from top to bottom."""
    state = scene.state
    doing = "claiming" if state.phase == rules.CLAIM else "to-move"
    return [
        scene.header(doing, mandala=int(state.mandala) + 1),
        Text(),
        _mandalas(state, scene),
        scene.dim_label("flowers-legend"),
        Text(),
        *(_seat(scene, seat) for seat in scene.seats_from_top()),
        Text(),
        _piles(state, scene),
    ]


def _mandalas(state: Any, scene: Scene) -> Table:
    table = grid(LABEL_WIDTH, *[MANDALA_WIDTH] * rules.MANDALAS)
    all_three = range(rules.MANDALAS)
    names = [Text(scene.label("mandala", mandala=each + 1), style=BOLD) for each in all_three]
    table.add_row("", *names)
    table.add_row(
        Text("  ") + scene.dim_label("tiles"), *(_tiles_here(state, each) for each in all_three)
    )
    table.add_row(
        Text("  ") + scene.dim_label("marker"), *(_holder(state, scene, each) for each in all_three)
    )
    for seat in scene.seats_from_top():
        laid = (_laid(state, seat, each) for each in all_three)
        table.add_row(Text(f"  {scene.seat(seat)}", style="dim"), *laid)
    lacking = (
        missing_chips(rules.colours_in(state, each)) if state.tile[each].all() else join_parts([])
        for each in all_three
    )
    table.add_row(Text("  ") + scene.dim_label("missing"), *lacking)
    return table


def _tile(tile: int) -> Text:
    value = rules.VALUES[tile % len(rules.VALUES)]
    tail = "×3" if value == "x" else value
    return chip(COLOURS[rules.colour_of_tile(tile)], tail=tail)


def _tiles_here(state: Any, mandala: int) -> Text:
    return join_parts(_tile(int(tile) - 1) for tile in state.tile[mandala] if tile)


def _holder(state: Any, scene: Scene, mandala: int) -> Text:
    holder = int(state.marker[mandala])
    return Text(scene.seat(holder - 1)) if holder else join_parts([])


def _laid(state: Any, seat: int, mandala: int) -> Text:
    """The number of cards, then those face up, then those face down in brackets."""
    up, down = state.laid[seat, mandala]
    if not up.any() and not down.any():
        return join_parts([])
    line = Text(f"{rules.cards_of(state, seat, mandala)}: ")
    if up.any():
        line.append_text(join_parts(cards(up)))
    if down.any():
        line.append(" (" if up.any() else "(")
        line.append_text(join_parts(cards(down)))
        line.append(")")
    return line


def _seat(scene: Scene, seat: int) -> Table:
    state = scene.state
    table = grid(LABEL_WIDTH, None)
    title = Text(scene.label("points", points=scene.scores[seat]), style=BOLD)
    title.append("   ")
    title.append_text(scene.dim_label("tiles"))
    title.append(" ")
    title.append_text(_singles(state, seat))
    title.append("   ")
    title.append_text(scene.dim_label("flowers"))
    title.append(" ")
    title.append_text(_flowers(state, seat))
    table.add_row(Text(scene.seat(seat), style=BOLD), title)
    hand = state.hand[seat]
    table.add_row(Text("  ") + scene.dim_label("hand", count=count(hand)), join_parts(cards(hand)))
    return table


def _owned(state: Any, seat: int) -> list[int]:
    owner = rules.FIRST_OWNER + seat
    return [tile for tile in range(rules.TILES) if state.owner[tile] == owner]


def _singles(state: Any, seat: int) -> Text:
    return join_parts(_tile(tile) for tile in _owned(state, seat) if not state.partner[tile])


def _flowers(state: Any, seat: int) -> Text:
    """Each flower with its points, as in `r●2+r●5=9`."""
    found = []
    for tile in _owned(state, seat):
        other = int(state.partner[tile]) - 1
        if other > tile:
            flower = _tile(tile) + Text("+") + _tile(other)
            values = len(rules.VALUES)
            flower.append(f"={rules.flower_points(tile % values, other % values)}")
            found.append(flower)
    return join_parts(found, "  ")


def _piles(state: Any, scene: Scene) -> Text:
    line = scene.dim_label("draw-pile", count=count(state.pile))
    line.append("   ")
    line.append_text(scene.dim_label("discard-pile", count=count(state.discard)))
    line.append(" ")
    line.append_text(join_parts(cards(state.discard)))
    line.append("\n")
    dark, light = (_stack(state, back) for back in (rules.DARK, rules.LIGHT))
    line.append_text(scene.dim_label("stacks", dark=dark, light=light))
    if rules.has_third_flower(state) and state.phase != rules.OVER:
        line.append("\n" + scene.label("last-round"), style=BOLD)
    return line


def _stack(state: Any, back: int) -> int:
    return sum(
        state.owner[tile] == rules.IN_STACK and rules.BACK[rules.colour_of_tile(tile)] == back
        for tile in range(rules.TILES)
    )
