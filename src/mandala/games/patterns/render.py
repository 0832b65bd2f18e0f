"""The board of Patterns: 52 spaces, and the groups of each seat."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from ..cards import COLOUR_COUNT, COLOURS
from ..render import BOLD, FILLED, OUTLINED, Scene, chip, grid, join_parts, letter_and_symbol
from . import rules

# The brackets around a tile that shows its back, by the seat whose group it belongs to.
BRACKETS = (("[", "]"), ("(", ")"))
FILES = "abcdefgh"
CELL = 6
LABEL_WIDTH = 16


def render(scene: Scene) -> list[Text | Table]:
    """The board, from top to bottom."""
    state = scene.state
    doing = {rules.GIVING: "giving", rules.LAST_FLIPS: "last-flips"}
    upper, lower = scene.seats_from_top()
    drawing: list[Text | Table] = [
        scene.header(doing.get(int(state.phase), "to-move")),
        Text(),
        _seat(scene, upper),
        Text(),
        _board(state),
        Text(),
        _seat(scene, lower),
        Text(),
        scene.dim_label("patterns-legend"),
    ]
    if state.phase == rules.GIVING:
        tiles = [chip(COLOURS[each]) for each in range(COLOUR_COUNT) if state.aside[each]]
        drawing.insert(1, Text(f"{scene.label('starting-tiles')} ") + join_parts(tiles))
    return drawing


def _seat(scene: Scene, seat: int) -> Table:
    state = scene.state
    table = grid(LABEL_WIDTH, None)
    title = Text(scene.label("points", points=scene.scores[seat]), style=BOLD)
    title.append("   ")
    title.append(scene.label("bowl"), style="dim")
    title.append(" ")
    bowl = int(state.bowl[seat])
    title.append_text(join_parts([] if bowl == rules.NO_COLOUR else [chip(COLOURS[bowl])]))
    table.add_row(Text(f"{scene.seat(seat)} {''.join(BRACKETS[seat])}", style=BOLD), title)
    table.add_row(Text("  ") + scene.dim_label("river"), _river(state, seat))
    return table


def _river(state: Any, seat: int) -> Text:
    """Each opened group: its number times the tiles that count, and the product."""
    colours = {int(state.river[seat, colour]): colour for colour in range(COLOUR_COUNT)}
    groups = []
    for number in range(1, COLOUR_COUNT + 1):
        if number in colours:
            colour = colours[number]
            tiles = int(state.group[seat, colour]).bit_count() - 1
            groups.append(chip(COLOURS[colour]) + Text(f" {number}×{tiles}={number * tiles}"))
        else:
            groups.append(Text(f"·· {number}", style="dim"))
    return join_parts(groups, "  ")


def _board(state: Any) -> Text:
    files = "".join(f"{file:^{CELL}}" for file in FILES)
    board = Text(f"    {files}\n", style="dim")
    for rank in range(7, -1, -1):
        board.append(f"  {rank + 1} ")
        for file in range(8):
            board.append_text(_space(state, rank * 8 + file))
        board.append(f"{rank + 1}\n")
    board.append(f"    {files}")
    return board


def _space(state: Any, space: int) -> Text:
    """One space, six columns wide: ` r●`, `[r●]` for a back, `[r●3]` for a back under marker 3."""
    colour = int(rules.colour_at(state, rules.ONE << np.uint64(space)))
    cell = Text("", style="not dim")
    if colour < rules.NO_COLOUR:
        letter = COLOURS[colour]
        owner = next((seat for seat in range(2) if state.group[seat, colour] >> space & 1), None)
        if owner is None:
            cell.append(f" {letter_and_symbol(letter)} ", style=OUTLINED[letter])
        else:
            here = state.marker[owner, colour] == space
            number = str(state.river[owner, colour]) if here else ""
            left, right = BRACKETS[owner]
            cell.append(f"{left}{letter_and_symbol(letter)}{number}{right}", style=FILLED[letter])
    elif rules.BOARD >> space & 1:
        cell.append(" ··")
    cell.append(" " * (CELL - len(cell.plain)))
    return cell
