"""The catalogue of sentences, German and English: one place for terminal, API and page.

A sentence is found by its code and filled with parts. Parts that name things of the games are
given as the rules count them and become words here: a `colour` is a letter (so are the tiles
`taken` and `kept`), `colours` several, `cards` a letter and how many, `tile` a letter and a value,
a `seat` and a `mandala` a number from 1, `moves` a list of notations, `impossible` a key of the
section of that name.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

LANGUAGES = ("en", "de")
MOST_MOVES = 24  # a longer list of moves is cut


@functools.cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """All sentences of a language, by section and code."""
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}; there are {', '.join(LANGUAGES)}")
    source = resources.files("mandala").joinpath("catalogue", f"{language}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def say(code: str, parts: Mapping[str, object], language: str = "en") -> str:
    """The sentence for a code, filled with its parts."""
    return fill("say", code, parts, language)


def fill(section: str, key: str, parts: Mapping[str, object], language: str = "en") -> str:
    """A text of any section, filled with its parts."""
    return catalogue(language)[section][key].format(**_words(parts, language))


def word(section: str, key: str, language: str = "en") -> str:
    """One word: of a colour, a game, a label."""
    return catalogue(language)[section][key]


def _words(parts: Mapping[str, object], language: str) -> dict[str, Any]:
    return {name: _word_of(name, value, language) for name, value in parts.items()}


def _word_of(name: str, value: object, language: str) -> object:
    if name in ("colour", "taken", "kept"):
        return word("colours", str(value), language)
    if name == "impossible":
        return word("impossible", str(value), language)
    if name == "colours":
        return ", ".join(word("colours", letter, language) for letter in str(value))
    if name == "cards" and isinstance(value, tuple):
        letter, number = value
        parts = {"colour": letter, "count": number}
        return fill("cards", "one" if number == 1 else "many", parts, language)
    if name in ("tile", "tile_2") and isinstance(value, tuple):
        letter, points = value
        return fill("cards", "tile", {"colour": letter, "value": points}, language)
    if name == "moves" and isinstance(value, list):
        shown = " ".join(value[:MOST_MOVES])
        return shown if len(value) <= MOST_MOVES else f"{shown} … ({len(value)})"
    return value
