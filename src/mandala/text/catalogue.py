"""The catalogue of sentences in German and English, for the terminal, the API and the page.

Common sentences are in `en.toml` and `de.toml` beside this file; each game adds its own. A sentence
is found by its code and filled with parts. Parts that name things of the games are given as the
rules count them and become words here: a `colour` is a letter (so are the tiles
`taken` and `kept`), `colours` several, `cards` a letter and how many, `tile` a letter and a value,
a `seat` and a `mandala` a number from 1, `moves` a list of notations, `impossible` a key of the
section of that name. A text with `-one` behind its code is the singular of another one: it is used
when `count` or `points` is 1.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de")
GAME_SECTION = "game"  # texts about the game itself: see `Game.text`
MAX_MOVES_LISTED = 24


_folders = [Path(__file__).parent]


def add_folder(folder: Path) -> None:
    """Add the sentences of a game: the file of each language in its folder, such as `en.toml`.

    Raises FileNotFoundError for a folder without one of them.
    """
    for language in LANGUAGES:
        if not (folder / f"{language}.toml").is_file():
            raise FileNotFoundError(f"there is no {language}.toml in {folder}")
    _folders.append(folder)
    sentences.cache_clear()


@functools.cache
def sentences(language: str) -> dict[str, dict[str, str]]:
    """All sentences of a language, by section and code, including those of the games.

    Raises ValueError for an unknown language, and for a sentence that is in two files.
    """
    merged: dict[str, dict[str, str]] = {}
    for folder in _folders:
        for section, own in read_folder(folder, language).items():
            if section == GAME_SECTION:
                continue
            known = merged.setdefault(section, {})
            if duplicates := known.keys() & own.keys():
                raise ValueError(
                    f"{folder}: [{section}] {', '.join(sorted(duplicates))} is not new"
                )
            known.update(own)
    return merged


@functools.cache
def read_folder(folder: Path, language: str) -> dict[str, dict[str, Any]]:
    """The sentences of one folder. Raises ValueError for an unknown language."""
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}; there are {', '.join(LANGUAGES)}")
    return tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))


def say(code: str, parts: Mapping[str, object], language: str = "en") -> str:
    """The sentence for a code, formatted with its parts."""
    return fill("say", code, parts, language)


def fill(section: str, key: str, parts: Mapping[str, object], language: str = "en") -> str:
    """A text of any section, formatted with its parts."""
    words = dict(parts)
    for name in _FORMATTERS.keys() & parts.keys():
        words[name] = _FORMATTERS[name](parts[name], language)
    found = sentences(language)[section]
    if 1 in (parts.get("count"), parts.get("points")) and f"{key}-one" in found:
        key = f"{key}-one"
    return found[key].format_map(words)


def word(section: str, key: str, language: str = "en") -> str:
    """One word or phrase of any section, without parts."""
    return sentences(language)[section][key]


def seat_label(seat: int, language: str = "en") -> str:
    """What a seat is called that has no name: its number, from 1."""
    return fill("label", "seat", {"seat": seat}, language)


def _colour(letter: object, language: str) -> str:
    return sentences(language)["colours"][str(letter)]


def _colours(letters: object, language: str) -> str:
    return ", ".join(_colour(letter, language) for letter in str(letters))


def _cards(cards: object, language: str) -> object:
    if not isinstance(cards, tuple):
        return cards
    letter, number = cards
    adjective = sentences(language)["adjectives"][str(letter)]
    parts = {"adjective": adjective, "count": number}
    return fill("cards", "one" if number == 1 else "many", parts, language)


def _tile(tile: object, language: str) -> object:
    if not isinstance(tile, tuple):
        return tile
    letter, points = tile
    return fill("cards", "tile", {"colour": letter, "value": points}, language)


def _moves(moves: object, language: str) -> object:
    if not isinstance(moves, list):
        return moves
    shown = " ".join(moves[:MAX_MOVES_LISTED])
    return shown if len(moves) <= MAX_MOVES_LISTED else f"{shown} … ({len(moves)})"


# How parts become words, by name.
_FORMATTERS: dict[str, Callable[[object, str], object]] = {
    "colour": _colour,
    "taken": _colour,
    "kept": _colour,
    "colours": _colours,
    "impossible": lambda key, language: word("impossible", str(key), language),
    "cards": _cards,
    "tile": _tile,
    "tile_2": _tile,
    "moves": _moves,
}
