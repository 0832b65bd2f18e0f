"""Move notation: `A1r`, `+rgk`, `*k7`, and how a line of text is split into moves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .errors import InvalidMove, Place

# A word ends before a blank, a comment, or the prefix of a chance move, which needs no blank.
WORD = re.compile(r"[+*!]?[^\s+*!{}]+|[+*!{}]")
CHANCE_PREFIXES = "+*!"


def shorten(text: str, max_length: int = 40) -> str:
    """A text from outside, cut and made printable for one line of a message."""
    printable = "".join(each if each.isprintable() else "�" for each in text[: max_length + 1])
    return printable if len(text) <= max_length else printable[:max_length] + "…"


def split_word(word: str) -> list[str]:
    """One word as moves: `+rgk` is three chance moves, any other word is one move."""
    if word[0] == "+" and len(word) > 2:
        return [f"+{letter}" for letter in word[1:]]
    return [word]


def words(line: str, number: int, start: int = 0) -> Iterator[tuple[str, Place]]:
    """The words of a line of moves with their places. Comments must be removed before.

    Raises InvalidMove where a blank is missing.
    """
    end = -1
    for found in WORD.finditer(line, start):
        place = Place(number, found.start() + 1)
        word = found.group()
        if found.start() == end and word[0] not in CHANCE_PREFIXES:
            raise InvalidMove("blank-missing", {"text": shorten(word)}, place=place)
        yield word, place
        end = found.end()


def join_moves(texts: list[str], width: int = 96) -> str:
    """Moves as lines of text; draws are joined to the move before them, as in `A1y+vgo`."""
    groups: list[str] = []
    for text in texts:
        if text[0] == "+" and groups and re.search(r"\+[a-z?]+$", groups[-1]):
            groups[-1] += text[1:]
        elif text[0] in CHANCE_PREFIXES and groups:
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
