"""What happened, in sentences: moves and draws told to one seat, or to a spectator.

Told from boards alone, so a view's story holds nothing that its seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from mandala.board import Board
from mandala.games.table import COLOURS, UNKNOWN
from mandala.kernel import NOBODY

from . import flowers, mandala, patterns
from .common import Step, Teller

__all__ = ["Step", "steps_between", "tell"]

_BY_GAME = {"mandala": mandala, "patterns": patterns, "flowers": flowers}


def tell(steps: Sequence[Step], language: str = "en") -> list[str]:
    """The story of some moves, one sentence or two a line; cards drawn together are one line."""
    story: list[str] = []
    for (drawn, _, _), group in groupby(steps, _what_is_drawn):
        together = list(group)
        teller = Teller(together[0].before, language)
        if drawn:
            story += _draws(together, teller)
        for step in together:
            story += _BY_GAME[step.before.game].tell(step, teller)
    return story


def _what_is_drawn(step: Step) -> tuple[bool, int, int]:
    """Draws by the same seat, for the same thing, belong together."""
    if step.is_card:
        return True, step.drawer, int(step.before.state.phase)
    return False, 0, id(step)


def _draws(steps: Sequence[Step], teller: Teller) -> list[str]:
    drawer = steps[0].drawer
    colours = [int(step.rules.COLOUR[step.row]) for step in steps]
    letters = "".join(COLOURS[colour] for colour in colours if colour != UNKNOWN)
    if drawer == NOBODY:
        mandala_number = int(steps[0].before.state.mandala) + 1
        return [teller.say("new-cards", colours=letters, mandala=mandala_number)]
    if len(letters) == len(colours):
        return [teller.by("draw-seen", drawer, colours=letters)]
    code = "draw" if len(colours) > 1 else "draw-one"
    return [teller.by(code, drawer, count=len(colours))]


def steps_between(before: Board, boards: Sequence[Board]) -> list[Step]:
    """The steps that lead from a board through the ones that follow it."""
    steps = []
    for after in boards:
        assert after._history is not None, "a board without a history has no story"
        steps.append(Step(before, *after._history[-1], after))
        before = after
    return steps
