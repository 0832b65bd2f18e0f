"""What a game of another package can do: `MANDALA_GAMES=tests.tiny python -m tests.games.outside`.

A game is registered for a whole process, so `test_registry` runs each of these functions in a
process of its own; its name follows the command.
"""

from __future__ import annotations

import pickle
import random
import sys

import numpy as np
import pytest

import mandala
from mandala import Batch, IllegalMove, InvalidPosition, Position, View
from mandala.bots import search
from mandala.bots.arena import Match, play_all, strengths
from mandala.bots.players import Budget, make_player
from mandala.bots.simulation import play_games
from mandala.core.lesson import lesson
from mandala.core.narration import narrate, steps_between
from mandala.engine import modules
from mandala.games.narration import Sentence
from mandala.games.rulebook import rulebook
from mandala.server.lessons import answer_to, lesson_of
from tests.tiny import GAME
from tests.tiny.board import TinyBoard, TinySeat
from tests.tiny.moves import TinyMove

LINE = "T3+3 T3+2 T2+1 T1+3 T3"  # a whole game, which seat 1 wins


def random_game(seed: int, seats: int = 2) -> list[Position]:
    """All positions of a game of random moves."""
    choices, generator = random.Random(seed), np.random.default_rng(seed)
    positions = [mandala.new("tiny", seats=seats, seed=seed)]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choices.choice(positions[-1].legal), generator))
    return positions


def positions() -> None:
    """Positions, views, records and texts, by the rules as plain Python."""
    assert mandala.game_ids()[-1] == "tiny"
    for seats in GAME.seats:
        for position in random_game(seed=seats, seats=seats):
            assert Position.from_text(position.text) == position
            assert pickle.loads(pickle.dumps(position)) == position
            view = position.view(1)
            assert View.from_text(view.text) == view
            assert view.text == position.text.replace(" ", "@1 ", 1)
            assert mandala.determinize(view, np.random.default_rng(1)) == position
        record = position.record()
        assert mandala.check(record) == position
        assert next(mandala.read_records(str(record))).moves == record.moves
    (record,) = mandala.read_records(f'[Game "tiny"]\n\n{LINE}\n')
    end = mandala.replay(record)
    assert (end.winners, end.scores) == ([1], [1, 0])
    assert str(end.record()).endswith(f"\n\n{LINE}\n")
    with pytest.raises(InvalidPosition, match="this position cannot be: there are too many count"):
        Position.from_text("tiny/2 d 3 0 2 0")


def texts_of(sentences: list[Sentence]) -> list[str]:
    return [sentence.text for sentence in sentences]


def words() -> None:
    """Reasons, moves by their parts, boards, narration, renderings, lesson and rulebook."""
    start = mandala.new("tiny")
    assert start.legal_moves[1] == TinyMove("T2", "take", False, 2)
    seats = [TinySeat(points=0), TinySeat(points=0)]
    assert start.board == TinyBoard(heap=12, die=3, seats=seats)
    rolled = start.play_all(["T3", "+1"])
    reason = rolled.why_not("T2")
    assert reason is not None
    assert reason.say("en") == "the die shows only 1, not 2"
    assert reason.say("de") == "der Würfel zeigt nur 1, nicht 2"
    with pytest.raises(IllegalMove, match=r"the die shows only 1, not 3\. Legal now: T1"):
        rolled.play("T3")
    steps = steps_between(start, [start.play("T3"), rolled])
    assert texts_of(narrate(steps, 1)) == ["You take 3 and leave 9.", "The die shows 1."]
    told = texts_of(narrate(steps, 2, "de"))
    assert told == ["Platz 1 nimmt 3 und lässt 9 liegen.", "Der Würfel zeigt 1."]
    assert str(rolled).splitlines()[-1] == "●●●●●●●●●  the die shows 1"
    for language in ("en", "de"):
        assert rulebook("tiny", language)[0].items
        assert [step.legal for step in lesson_of("tiny", language).steps] == [
            ["T1", "T2"],
            ["T1", "T2", "T3"],
        ]
        for number, step in enumerate(lesson("tiny").steps, start=1):
            assert answer_to("tiny", number, step.accept[0], language).accepted
            assert not answer_to("tiny", number, "T1", language).accepted


def plain() -> None:
    """All that the rules as plain Python are enough for."""
    positions()
    words()
    assert not modules.ready_rules


def compiled() -> None:
    """The compiled twin plays the same; a batch plays the same as positions."""
    plain = [position.text for position in random_game(seed=5, seats=3)]
    assert GAME.make_ready() is GAME.rules is not GAME.plain_rules
    assert [position.text for position in random_game(seed=5, seats=3)] == plain
    batch = Batch("tiny", 16, seats=3, seed=1)
    moves, won = random.Random(1), 0
    for _ in range(40):
        rows = [moves.choice(np.flatnonzero(mask).tolist()) for mask in batch.legal]
        before = [Position("tiny", 3, batch.states[game : game + 1]) for game in range(16)]
        assert [each.actor for each in before] == batch.actor.tolist()
        after = [each.play_row(row) for each, row in zip(before, rows, strict=True)]
        batch.step(np.array(rows))
        for game, each in enumerate(after):
            assert batch.finished[game] == each.is_over
            assert not each.is_over or batch.points[game].tolist() == each.scores
        won += int(batch.finished.sum())
    assert won > 20


def players() -> None:
    """All kinds of players play whole games, also in processes of their own."""
    seated = [make_player(name, seed=1) for name in ("greedy", "search:2", "random")]
    assert next(play_games("tiny", 3, seated, seed=1)).is_over
    match = Match("tiny", 2, ("random", "greedy", "search:1", "search:5"), games=20, seed=1)
    done = {each.task: each.win_share for each in play_all(match, match.tasks, jobs=2)}
    found = strengths(match, done)
    assert list(found)[-1] == "random"
    assert found["search:5"].win_share > 0.5
    # 5 counters, the die shows 2: after taking 1, the next seat cannot win at once.
    view = Position.from_text("tiny/2 5 2 0 2 0").view(1)
    assert make_player("search:5", seed=1).choose(view, Budget()) == "T1"
    assert search.is_warm("tiny")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
