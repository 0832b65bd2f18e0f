"""A first game, step by step: positions in which a learner makes a move.

Each game has a `lesson.toml` in its folder. By default a step starts where the one before it ended:
after its accepted move and the moves `after` it. A step may instead give a `line` of moves from the
start of a game. If several moves are accepted, the first one leads to the next step.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from mandala.games import find_game
from mandala.text.catalogue import LANGUAGES

from .position import Position, new
from .record import read_records


@dataclass(frozen=True)
class Step:
    """One step: the moves before it, the accepted moves, the moves after it, and its texts."""

    line: tuple[str, ...]
    accept: tuple[str, ...]
    after: tuple[str, ...]
    texts: Mapping[str, Mapping[str, str]]  # by language: title, text, praise, other


@dataclass(frozen=True)
class Lesson:
    """All steps of a game's lesson; the learner has one seat."""

    game: str
    seats: int
    seat: int
    steps: tuple[Step, ...]

    def position(self, step: Step) -> Position:
        """The position in which a step asks for a move."""
        position = new(self.game, seats=self.seats)
        for move in step.line:
            position = position.play(move)
        return position


@functools.cache
def lesson(game: str) -> Lesson:
    """The lesson of a game. Raises UnknownGame."""
    source = find_game(game).folder / "lesson.toml"
    content = tomllib.loads(source.read_text(encoding="utf-8"))
    steps: list[Step] = []
    for each in content["step"]:
        if "line" in each:
            line = _moves(game, each["line"])
        else:
            before = steps[-1]
            line = (*before.line, before.accept[0], *before.after)
        texts = {language: each[language] for language in LANGUAGES}
        after = _moves(game, each.get("after", ""))
        steps.append(Step(line, tuple(each["accept"]), after, texts))
    return Lesson(game, content["seats"], content["seat"], tuple(steps))


def _moves(game: str, text: str) -> tuple[str, ...]:
    (record,) = read_records([f'[Game "{game}"]', *text.split("\n")])
    return record.moves
