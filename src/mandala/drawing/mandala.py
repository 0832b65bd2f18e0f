"""The board of Mandala: the other seat above, the two mandalas, the own seat below."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from mandala.board import Board
from mandala.games import mandala as rules
from mandala.games.table import COLOUR_COUNT, COLOURS, UNKNOWN, count

from .common import STRONG, Labels, cards, chip, grid, joined, missing

LABEL_WIDTH = 17
MANDALA_WIDTH = 29


def parts(board: Board, label: Labels) -> list[Text | Table]:
    """The drawing, from top to bottom."""
    state = board.state
    doing = "taking" if state.phase == rules.DISSOLVE else "to-move"
    upper, lower = label.seats_from_top()
    return [
        label.head(doing, mandala=int(state.mandala) + 1),
        Text(),
        _seat(board, label, upper, hand_last=False),
        Text(),
        _mandalas(state, label, upper, lower),
        Text(),
        _seat(board, label, lower, hand_last=True),
        Text(),
        _piles(state, label),
    ]


def _seat(board: Board, label: Labels, seat: int, *, hand_last: bool) -> Table:
    state = board.state
    hand = state.hand[seat]
    rows = [
        (label.quiet("river"), _river(state.river[seat])),
        (label.quiet("cup", count=_cup_size(state, seat)), _cup(state, label, seat)),
    ]
    rows.insert(
        len(rows) if hand_last else 0, (label.quiet("hand", count=count(hand)), joined(cards(hand)))
    )
    table = grid(LABEL_WIDTH, None)
    unknown = " + ?" if state.secret[seat, UNKNOWN] else ""
    table.add_row(
        Text(label.seat(seat), style=STRONG),
        Text(label("points", points=f"{board.scores[seat]}{unknown}"), style=STRONG),
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


def _cup(state: Any, label: Labels, seat: int) -> Text:
    """The cards of a cup; the two it began with are secret, so they are listed apart."""
    line = joined(cards(state.cup[seat]))
    line.append("   ")
    line.append_text(label.quiet("secret"))
    line.append(" ")
    line.append_text(joined(cards(state.secret[seat])))
    return line


def _mandalas(state: Any, label: Labels, upper: int, lower: int) -> Table:
    table = grid(LABEL_WIDTH, MANDALA_WIDTH, MANDALA_WIDTH)
    both = range(rules.MANDALAS)
    names = [Text(label("mandala", mandala=each + 1), style=STRONG) for each in both]
    table.add_row("", *names)
    areas = [
        (_field_name(label, upper), state.field[upper]),
        (label("centre"), state.centre),
        (_field_name(label, lower), state.field[lower]),
    ]
    for name, area in areas:
        table.add_row(Text(f"  {name}", style="dim"), *(joined(cards(area[each])) for each in both))
    lacking = [missing(rules.colours_in(state, each)) for each in both]
    table.add_row(Text("  ") + label.quiet("missing"), *lacking)
    return table


def _field_name(label: Labels, seat: int) -> str:
    return label("your-field") if label.viewer == seat + 1 else label("field", seat=seat + 1)


def _piles(state: Any, label: Labels) -> Text:
    line = label.quiet("draw-pile", count=count(state.pile))
    line.append("   ")
    line.append_text(label.quiet("discard-pile", count=count(state.discard)))
    line.append(" ")
    line.append_text(joined(cards(state.discard)))
    if state.last_phase and state.phase != rules.OVER:
        line.append("\n" + label("last-phase"), style=STRONG)
    return line
