"""The rules for players: all languages have the same content, with the numbers of the rules."""

from __future__ import annotations

import re

import pytest

import mandala
from mandala import UnknownGame
from mandala.games import find_game
from mandala.games.rulebook import rulebook
from mandala.text.catalogue import LANGUAGES

DIGITS = re.compile(r"[0-9]+")


@pytest.mark.parametrize("game", mandala.game_ids())
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_languages_have_the_same_sections_and_numbers(game: str, language: str) -> None:
    english, translated = rulebook(game, "en"), rulebook(game, language)
    assert len(english) == len(translated) >= 6
    for one, other in zip(english, translated, strict=True):
        for left, right in (
            ([one.title], [other.title]),
            (one.paragraphs, other.paragraphs),
            (one.items, other.items),
        ):
            assert len(left) == len(right)
            for text, translation in zip(left, right, strict=True):
                assert text
                assert text == text.strip()
                assert translation == translation.strip()
                assert text != translation
                assert DIGITS.findall(text) == DIGITS.findall(translation)


def test_the_numbers_are_those_of_the_rules() -> None:
    texts = {game: str(rulebook(game, "en")) for game in mandala.game_ids()}
    mandala_rules = find_game("mandala").plain_rules
    assert f"{6 * mandala_rules.COPIES} cards, {mandala_rules.COPIES} in each" in texts["mandala"]
    assert mandala_rules.DISCARDS_TO_END == 40
    assert "forty discards in a row" in texts["mandala"]
    flowers = find_game("flowers").plain_rules
    assert f"{flowers.TILES} tiles" in texts["flowers"]
    assert len(find_game("patterns").plain_rules.SPACES) == 52
    assert "52 spaces" in texts["patterns"]


def test_a_game_that_does_not_exist_has_no_rules() -> None:
    with pytest.raises(UnknownGame):
        rulebook("chess", "en")
