"""The board of Tiny: a line of counters, and the die."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from mandala.games.render import Scene


def render(scene: Scene) -> list[Text | Table]:
    """The board, from top to bottom."""
    heap, die = int(scene.state.heap), int(scene.state.die)
    return [scene.header(), Text(), Text(f"{'●' * heap}  ") + scene.dim_label("die", die=die)]
