"""The board as a person reads it: as plain text, or in colour for a terminal.

Only what the board's own record holds is drawn, so a view shows what its seat may know. Every
colour has its letter and its symbol wherever it appears; paint only comes on top.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from . import flowers, mandala, patterns
from .common import Labels

if TYPE_CHECKING:
    from rich.console import Group

    from mandala.board import Board

WIDTH = 80

_BY_GAME = {"mandala": mandala.parts, "patterns": patterns.parts, "flowers": flowers.parts}


def render(board: Board, language: str = "en") -> Group:
    """The board for a terminal of 80 columns or more: something that Rich can print."""
    from rich.console import Group

    return Group(*_BY_GAME[board.game](board, Labels(board, language)))


def draw(board: Board, language: str = "en") -> str:
    """The board as plain text, without a line end behind it."""
    from rich.console import Console

    page = io.StringIO()
    console = Console(file=page, width=WIDTH, color_system=None, legacy_windows=False)
    console.print(render(board, language))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).rstrip()
