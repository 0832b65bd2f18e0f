"""The catalogue: all languages have the same sentences, and all are used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import mandala
from mandala.games import all_games
from mandala.text import catalogue as texts
from mandala.text.errors import InvalidPosition

SOURCES = Path(mandala.__file__).parent
ENGLISH = texts.sentences("en")
ENTRIES = [(section, key) for section in ENGLISH for key in ENGLISH[section]]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", texts.LANGUAGES[1:])
def test_all_languages_have_the_same_keys(language: str) -> None:
    other = texts.sentences(language)
    assert {section: set(other[section]) for section in other} == {
        section: set(ENGLISH[section]) for section in ENGLISH
    }


@pytest.mark.parametrize("language", texts.LANGUAGES[1:])
@pytest.mark.parametrize(("section", "key"), ENTRIES)
def test_all_languages_have_the_same_placeholders(section: str, key: str, language: str) -> None:
    other = texts.sentences(language)
    assert placeholders(other[section][key]) == placeholders(ENGLISH[section][key])


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize(("section", "key"), ENTRIES)
def test_every_text_can_be_filled(section: str, key: str, language: str) -> None:
    samples: dict[str, object] = {
        "colour": "r", "taken": "g", "kept": "v", "colours": "rk", "cards": ("y", 2),
        "tile": ("k", "7"), "tile_2": ("o", "×3"), "moves": ["A1r"], "impossible": "river-gaps",
    }  # fmt: skip
    names = placeholders(ENGLISH[section][key])
    filled = texts.fill(section, key, {name: samples.get(name, 1) for name in names}, language)
    assert filled
    assert "{" not in filled


def test_every_sentence_about_a_seat_also_speaks_to_the_listener() -> None:
    for section in ("tell", "event"):
        keys = ENGLISH[section].keys()
        for key in keys:
            code = key.removesuffix("-one")
            if code.endswith("-you"):
                assert key.replace("-you", "-name") in keys
            if code.endswith("-name"):
                assert key.replace("-name", "-you") in keys
                assert "{name}" in ENGLISH[section][key]
            assert not code.endswith("-seat")


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_a_singular_is_used_for_one_and_only_for_one(language: str) -> None:
    found = [(section, key) for section, key in ENTRIES if key.endswith("-one")]
    assert len(found) > 5
    for section, key in found:
        code = key.removesuffix("-one")
        (counted,) = placeholders(ENGLISH[section][key]) & {"count", "points"}
        parts = {"name": "Ada", "seat": 1}
        one, two = (texts.fill(section, code, {**parts, counted: n}, language) for n in (1, 2))
        assert one == texts.sentences(language)[section][key].format(**{**parts, counted: 1})
        assert two == texts.sentences(language)[section][code].format(**{**parts, counted: 2})
        assert one.replace("1", "2") != two


def test_every_code_in_the_sources_has_a_sentence() -> None:
    raised = re.compile(r'(?:Reason|Invalid\w+|IllegalMove|Unknown\w+|_fail)\(\s*"([a-z0-9-]+)"')
    narrated = re.compile(r'narrator\.say\(\s*"([a-z0-9-]+)"')
    addressed = re.compile(r'narrator\.by\(\s*"([a-z0-9-]+)"')
    codes, narrations = set(), set()
    for path in SOURCES.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        codes |= set(raised.findall(source))
        narrations |= set(narrated.findall(source))
        narrations |= {f"{code}-you" for code in addressed.findall(source)}
    assert len(codes) > 30
    assert codes <= set(ENGLISH["say"])
    assert len(narrations) > 25
    assert narrations <= set(ENGLISH["tell"])


def test_every_reason_for_an_impossible_position_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    keys = texts.sentences("en")["impossible"].keys()
    assert {key for key in keys if f'"{key}"' not in source} == set()
    required = re.findall(r'\brequire\((?:[^"]|\n)*?"([^"]+)"\n?\s*\)', source)
    assert len(required) > 25
    assert set(required) <= keys
    error = InvalidPosition("impossible-position", {"impossible": "river-gaps"})
    assert error.say("de") == "diese Stellung kann es nicht geben: ein Fluss hat Lücken"


@pytest.mark.parametrize("section", ["say", "impossible"])
def test_a_game_uses_only_common_sentences_and_its_own(section: str) -> None:
    own = {
        game.id: texts.read_folder(game.folder, "en").get(section, {}).keys()
        for game in all_games()
    }
    for game in all_games():
        source = "".join(path.read_text(encoding="utf-8") for path in game.folder.glob("*.py"))
        used = {key for key in ENGLISH[section] if f'"{key}"' in source}
        for other in all_games():
            if other != game:
                assert not used & own[other.id], f"{game.id} uses sentences of {other.id}"


@pytest.mark.parametrize(
    ("language", "number", "wanted"),
    [
        ("en", 1, "1 violet card"),
        ("en", 2, "2 violet cards"),
        ("de", 1, "1 violette Karte"),
        ("de", 2, "2 violette Karten"),
    ],
)
def test_cards_have_their_colour_before_them(language: str, number: int, wanted: str) -> None:
    said = texts.fill("tell", "discard-name", {"name": "Ada", "cards": ("v", number)}, language)
    assert wanted in said
