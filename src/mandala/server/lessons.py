"""Lessons and rules as messages for the page."""

from __future__ import annotations

import functools

from mandala.core.lesson import Lesson, Step, lesson
from mandala.games.rulebook import rulebook
from mandala.server.messages import (
    Frame,
    LessonAnswer,
    LessonInfo,
    LessonStep,
    RulesInfo,
    RulesSection,
)
from mandala.server.replays import frames_of
from mandala.text import catalogue
from mandala.text.errors import Refused

TRY_ANOTHER = "try-another"


def rules_for(game: str, language: str) -> RulesInfo:
    """Return a summary of a game's rules. Raises UnknownGame."""
    sections = [
        RulesSection(title=each.title, paragraphs=list(each.paragraphs), items=list(each.items))
        for each in rulebook(game, language)
    ]
    return RulesInfo(game=game, sections=sections)


@functools.cache
def lesson_of(game: str, language: str) -> LessonInfo:
    """Return all steps of a game's lesson from the learner's view. Raises UnknownGame."""
    found = lesson(game)
    steps = []
    for number, step in enumerate(found.steps, start=1):
        shown, texts = found.position(step).view(found.seat), step.texts[language]
        steps.append(
            LessonStep(
                step=number,
                title=texts["title"],
                text=texts["text"],
                board=shown.board,
                scores=shown.scores,
                legal=shown.legal,
            )
        )
    names = [catalogue.seat_label(seat, language) for seat in range(1, found.seats + 1)]
    return LessonInfo(game=game, seats=found.seats, seat=found.seat, names=names, steps=steps)


def answer_to(game: str, number: int, move: str, language: str) -> LessonAnswer:
    """Return the response to a learner's move, with the plies that follow if it is accepted.

    Raises UnknownGame, InvalidMove, or Refused when there is no such step.
    """
    found = lesson(game)
    if not 1 <= number <= len(found.steps):
        raise Refused("no-such-step", {"step": number, "steps": len(found.steps)})
    step = found.steps[number - 1]
    texts = step.texts[language]
    reason = found.position(step).view(found.seat).why_not(move)
    if reason is not None:
        return LessonAnswer(accepted=False, code=reason.code, text=reason.say(language), frames=[])
    if move not in step.accept:
        return LessonAnswer(accepted=False, code=TRY_ANOTHER, text=texts["other"], frames=[])
    frames = _frames(found, step, move, language)
    return LessonAnswer(accepted=True, code=None, text=texts["praise"], frames=frames)


def _frames(found: Lesson, step: Step, move: str, language: str) -> list[Frame]:
    """The move, and the lesson's continuation if it is the first accepted move."""
    position = found.position(step)
    shown = [position.view(found.seat)]
    for each in (move, *(step.after if move == step.accept[0] else ())):
        position = position.play(each)
        shown.append(position.view(found.seat))
    return frames_of(shown, language)
