"""The board for people: as plain text, or in colour for a terminal.

Only the state's own record is rendered, so a view shows what its seat may know. Every colour has
its letter and its symbol wherever it appears, so no information depends on colour alone.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from mandala.text import notation

if TYPE_CHECKING:
    from rich.console import Group

    from .state import GameState

WIDTH = 80


def render(state: GameState, language: str = "en") -> Group:
    """The board as a Rich renderable, for a terminal of 80 columns or more."""
    from rich.console import Group

    from mandala.games.render import Scene

    viewer: int | None = getattr(state, "seat", None)
    scene = Scene(
        game=state.spec,
        state=state.state,
        scores=state.scores,
        actor=state.actor - 1 if state.actor else None,
        viewer=None if viewer is None else viewer - 1,
        winners=[seat - 1 for seat in state.winners],
        last_move=_last_move(state),
        language=language,
    )
    return Group(*state.spec.module("render").render(scene))


def render_text(state: GameState, language: str = "en") -> str:
    """The board as plain text, without a line end after it."""
    from rich.console import Console

    page = io.StringIO()
    console = Console(file=page, width=WIDTH, color_system=None, legacy_windows=False)
    console.print(render(state, language))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).rstrip()


def _last_move(state: GameState) -> str:
    """The last decision with the draws after it, in notation; empty if unknown."""
    rules, found = state.rules, list[str]()
    for row, _ in reversed(state.history or ()):
        found.insert(0, rules.moves.texts[row])
        if row < rules.DECISIONS:
            return notation.join_moves(found)
    return ""
