"""The rules for players, in short: sections of paragraphs and lists, in both languages.

They say what `docs/rules` says, which settles every question that they leave open.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources

from mandala.board import rules_of


@dataclass(frozen=True)
class Section:
    """A part of the rules: first what is to be said, then what is to be listed."""

    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]


@functools.cache
def rulebook(game: str, language: str) -> tuple[Section, ...]:
    """The rules of a game in a language. Raises UnknownGame."""
    rules_of(game)
    source = resources.files(__name__).joinpath(f"{game}.{language}.toml")
    told = tomllib.loads(source.read_text(encoding="utf-8"))
    return tuple(
        Section(each["title"], tuple(each.get("paragraphs", ())), tuple(each.get("items", ())))
        for each in told["section"]
    )
