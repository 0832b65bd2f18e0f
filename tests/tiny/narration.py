"""The narration of Tiny: what a move did, in sentences."""

from __future__ import annotations

from mandala.games.narration import Narrator, Sentence, Step

from . import rules


def narrate(step: Step, narrator: Narrator) -> list[Sentence]:
    """The sentences for one step."""
    number = int(rules.NUMBER[step.row])
    if step.kind == rules.ROLL:
        return [narrator.say("roll", die=number)]
    return [narrator.by("take-counters", step.actor, count=number, heap=step.after.heap)]
