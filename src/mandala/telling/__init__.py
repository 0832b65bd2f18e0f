"""What happened, in sentences: moves and draws told to one seat, or to a spectator.

Told from boards alone, so a view's story holds nothing that its seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from mandala.board import Board
from mandala.games.table import COLOURS, UNKNOWN
from mandala.kernel import NOBODY
from mandala.view import View

from . import flowers, mandala, patterns
from .common import Step, Teller

__all__ = ["Step", "steps_between", "steps_seen", "tell", "together"]

_BY_GAME = {"mandala": mandala, "patterns": patterns, "flowers": flowers}


def tell(steps: Sequence[Step], language: str = "en") -> list[str]:
    """The story of some moves, one sentence or two a line; cards drawn together are one line."""
    story: list[str] = []
    for group in together(steps):
        teller = Teller(group[0].before, language)
        if group[0].is_card:
            story += _draws(group, teller)
        for step in group:
            story += _BY_GAME[step.before.game].tell(step, teller)
    return story


def together(steps: Sequence[Step]) -> list[list[Step]]:
    """Steps that are told as one: draws by the same seat for the same place, or a single move."""
    if len(steps) == 1:
        return [list(steps)]
    return [list(group) for _, group in groupby(steps, _what_is_drawn)]


def _what_is_drawn(step: Step) -> tuple[bool, int, int, int]:
    """Draws by the same seat, for the same place, belong together."""
    if step.is_card:
        return True, step.drawer, step.before.plain.phase, _place(step)
    return False, 0, id(step), 0


def _place(step: Step) -> int:
    """Where a card of Mandala's setup goes; 0 for all other draws."""
    if step.before.game == "mandala":
        return mandala.place_in_setup(step)
    return 0


def _draws(steps: Sequence[Step], teller: Teller) -> list[str]:
    drawer, place = steps[0].drawer, _place(steps[0])
    colours = [int(step.rules.COLOUR[step.row]) for step in steps]
    letters = "".join(COLOURS[colour] for colour in colours if colour != UNKNOWN)
    if drawer == NOBODY:
        mandala_number = place or int(steps[0].before.state.mandala) + 1
        return [teller.say("new-cards", colours=letters, mandala=mandala_number)]
    code = "cup" if place in mandala.CUPS else "draw"
    if len(letters) == len(colours):
        return [teller.by(f"{code}-seen", drawer, colours=letters)]
    if len(colours) == 1:
        code = "draw-one"
    return [teller.by(code, drawer, count=len(colours))]


def steps_between(before: Board, boards: Sequence[Board]) -> list[Step]:
    """The steps that lead from a board through the ones that follow it."""
    steps = []
    for after in boards:
        assert after.history is not None, "a board without a history has no story"
        steps.append(Step(before, *after.history[-1], after))
        before = after
    return steps


def steps_seen(before: View, after: View) -> list[Step]:
    """The steps from one view of a seat to a later one, by the moves that the later one knows."""
    assert before.history is not None, "a view of a live game knows its moves"
    assert after.history is not None, "a view of a live game knows its moves"
    board, steps = before, []
    plies = after.history[len(before.history) :]
    for row, drawer in plies[:-1]:
        states = board.copy_states()
        after.rules.apply(states[0], row)
        board, last = View(after.game, after.seats, states, after.seat), board
        steps.append(Step(last, row, drawer, board))
    return [*steps, Step(board, *plies[-1], after)] if plies else []
