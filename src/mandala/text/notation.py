"""Moves as text: `A1r`, `+rgk`, `*k7`, and how a line of text is split into them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .errors import InvalidMove, Place

# A word runs up to a blank, a comment, or a sign of chance, before which no blank is needed.
WORD = re.compile(r"[+*!]?[^\s+*!{}]+|[+*!{}]")
CHANCE_SIGNS = "+*!"


def shorten(text: str, most: int = 40) -> str:
    """A text from outside, fit for one line of a message."""
    printable = "".join(letter if letter.isprintable() else "�" for letter in text[: most + 1])
    return printable if len(text) <= most else printable[:most] + "…"


def split_word(word: str) -> list[str]:
    """One word as moves: `+rgk` is three moves of chance, all else is one."""
    if word[0] == "+" and len(word) > 2:
        return [f"+{letter}" for letter in word[1:]]
    return [word]


def words(line: str, number: int, start: int = 0) -> Iterator[tuple[str, Place]]:
    """The words of a line of moves with their places. Comments must be gone already."""
    end = -1
    for found in WORD.finditer(line, start):
        place = Place(number, found.start() + 1)
        word = found.group()
        if found.start() == end and word[0] not in CHANCE_SIGNS:
            raise InvalidMove("blank-missing", {"text": shorten(word)}, place=place)
        yield word, place
        end = found.end()


def join_moves(texts: list[str], width: int = 96) -> str:
    """Moves as lines of text; draws are joined to what they follow, as in `A1y+vgo`."""
    groups: list[str] = []
    for text in texts:
        if text[0] == "+" and groups and re.search(r"\+[a-z?]+$", groups[-1]):
            groups[-1] += text[1:]
        elif text[0] in CHANCE_SIGNS and groups:
            groups[-1] += text
        else:
            groups.append(text)
    return _fill(groups, width)


def _fill(groups: list[str], width: int) -> str:
    lines = [""]
    for group in groups:
        if lines[-1] and len(lines[-1]) + 1 + len(group) > width:
            lines.append(group)
        else:
            lines[-1] += f" {group}" if lines[-1] else group
    return "\n".join(lines)
