"""The rules for players, in short: sections of paragraphs and lists, in every language.

`docs/rules` has the complete rules and decides every question that these leave open.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass

from . import find_game


@dataclass(frozen=True)
class Section:
    """A section of the rules: a title, paragraphs, and list items."""

    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]


@functools.cache
def rulebook(game: str, language: str) -> tuple[Section, ...]:
    """The rules of a game in a language. Raises UnknownGame."""
    source = find_game(game).folder / f"rulebook.{language}.toml"
    content = tomllib.loads(source.read_text(encoding="utf-8"))
    return tuple(
        Section(each["title"], tuple(each.get("paragraphs", ())), tuple(each.get("items", ())))
        for each in content["section"]
    )
