"""What happened, in sentences: moves and draws as one seat, or a spectator, saw them.

Narration is made from the reader's own views, so it holds nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from mandala.games.narration import Narrator, Sentence, Step

from .state import GameState
from .view import View

__all__ = ["Sentence", "Step", "group_draws", "narrate", "steps_between", "steps_seen"]


def narrate(
    steps: Sequence[Step],
    reader: int | None,
    language: str = "en",
    names: Sequence[str] | None = None,
) -> list[Sentence]:
    """The sentences for some moves; cards drawn together are one sentence.

    `names` are those of all seats; without them a seat is called by its number.
    """
    narrator = Narrator(reader, language, names)
    sentences: list[Sentence] = []
    for group in group_draws(steps):
        narration = group[0].game.module("narration")
        if group[0].is_card:
            sentences += narration.narrate_draws(group, narrator)
        for step in group:
            sentences += narration.narrate(step, narrator)
    return sentences


def group_draws(steps: Sequence[Step]) -> list[list[Step]]:
    """Group steps into sentences: draws by the same seat for the same place, or a single move."""
    if len(steps) == 1:
        return [list(steps)]
    return [list(group) for _, group in groupby(steps, _draw_key)]


def _draw_key(step: Step) -> tuple[bool, int, int, int]:
    if step.is_card:
        place = step.game.module("narration").place_of_draw(step)
        return True, step.drawer, step.before.phase, place
    return False, 0, id(step), 0


def _step(before: GameState, row: int, drawer: int, after: GameState) -> Step:
    return Step(
        before.spec,
        row,
        drawer,
        before=before.plain,
        after=after.plain,
        before_state=before.state,
        after_state=after.state,
    )


def steps_between(before: GameState, following: Sequence[GameState]) -> list[Step]:
    """The steps that lead from one position or view through those that follow it."""
    steps = []
    for after in following:
        assert after.history is not None, "narration needs the moves"
        steps.append(_step(before, *after.history[-1], after))
        before = after
    return steps


def steps_seen(before: View, after: View) -> list[Step]:
    """The steps from one view of a seat to a later one, by the moves that the later one knows."""
    assert before.history is not None, "a view of a live game knows its moves"
    assert after.history is not None, "a view of a live game knows its moves"
    view, steps = before, []
    plies = after.history[len(before.history) :]
    for row, drawer in plies[:-1]:
        states = view.copy_states()
        after.rules.apply(states[0], row)
        view, last = View(after.game, after.seats, states, after.seat), view
        steps.append(_step(last, row, drawer, view))
    return [*steps, _step(view, *plies[-1], after)] if plies else []
