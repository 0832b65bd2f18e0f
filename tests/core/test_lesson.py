"""Lessons: every step can be played, has texts in both languages, and leads to the next."""

from __future__ import annotations

import pytest

import mandala
from mandala import MandalaError
from mandala.core.lesson import lesson
from mandala.core.narration import Sentence
from mandala.server.lessons import answer_to, lesson_of
from mandala.text.catalogue import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_whole_lesson_can_be_played(game: str, language: str) -> None:
    shown = lesson_of(game, language)
    assert 8 <= len(shown.steps) <= 12
    for step, data in zip(shown.steps, lesson(game).steps, strict=True):
        for move in data.accept:
            assert move in step.legal
            answer = answer_to(game, step.step, move, language)
            assert answer.accepted
            assert answer.text == data.texts[language]["praise"]
            assert answer.frames[0].move == move
            assert answer.frames[0].actor == shown.seat
            assert answer.frames[0].narration
        for move in set(step.legal) - set(data.accept):
            answer = answer_to(game, step.step, move, language)
            assert (answer.accepted, answer.code, answer.frames) == (False, "try-another", [])
            assert answer.text == data.texts[language]["other"]


@pytest.mark.parametrize("game", mandala.game_ids())
def test_what_follows_a_step_leads_to_the_next_or_to_an_end(game: str) -> None:
    found, shown = lesson(game), lesson_of(game, "en")
    for step, data, following in zip(shown.steps, found.steps, found.steps[1:], strict=False):
        last = answer_to(game, step.step, data.accept[0], "en").frames[-1]
        if following.line[: len(data.line)] == data.line:
            assert last.board == shown.steps[step.step].board
    end = answer_to(game, len(shown.steps), found.steps[-1].accept[0], "en").frames[-1]
    assert getattr(end.board, "phase", None) == "over"
    assert end.scores[shown.seat - 1] == max(end.scores)


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_learner_sees_only_their_own_cards(game: str) -> None:
    found, shown = lesson(game), lesson_of(game, "en")
    for step, data in zip(shown.steps, found.steps, strict=True):
        assert step.board == found.position(data).view(found.seat).board
    if game == "mandala":
        frames = answer_to(game, 6, "Coo", "en").frames
        assert [frame.move for frame in frames] == ["Coo", "+k", "+k", "A1g", "+?", "+?", "+?"]
        assert frames[-1].narration == [Sentence("Seat 2 draws 3 cards.", 2)]


@pytest.mark.parametrize(
    ("game", "step", "move", "code"),
    [
        ("mandala", 2, "B1r", "in-other-field"),
        ("mandala", 2, "A1r", "in-other-field"),
        ("patterns", 6, "Xf6", "groups-touch"),
        ("patterns", 6, "Xe7", "groups-touch"),
        ("flowers", 4, "-", "can-play"),
    ],
)
def test_what_is_not_legal_is_explained_by_the_rules(
    game: str, step: int, move: str, code: str
) -> None:
    answer = answer_to(game, step, move, "de")
    assert (answer.accepted, answer.code) == (False, code)
    assert answer.text


@pytest.mark.parametrize("game", mandala.game_ids())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_all_texts_in_every_language(game: str, language: str) -> None:
    for step in lesson(game).steps:
        texts = step.texts[language]
        assert set(texts) == {"title", "text", "praise", "other"}
        for key, text in texts.items():
            assert text == text.strip()
            assert text[-1] in ".!?" or key == "title"
            assert len(text) < 520


def test_an_unknown_lesson_is_reported() -> None:
    for game, step, move in (("chess", 1, "e4"), ("mandala", 0, "A1g"), ("mandala", 99, "A1g")):
        with pytest.raises(MandalaError):
            answer_to(game, step, move, "en")
    with pytest.raises(MandalaError, match="no move of mandala"):
        answer_to("mandala", 1, "e4", "en")
