"""Moves with named parts agree with their notation."""

from __future__ import annotations

import numpy as np
import pytest

import mandala
from mandala import find_game
from mandala.games.flowers.moves import FlowersMove
from mandala.games.mandala.moves import MandalaMove
from mandala.games.patterns.moves import PatternsMove

EXAMPLES = [
    ("mandala", MandalaMove("A1r", "centre", False, colour="r", count=1, mandala=1)),
    ("mandala", MandalaMove("B2ggg", "field", False, colour="g", count=3, mandala=2)),
    ("mandala", MandalaMove("Ckk", "discard", False, colour="k", count=2)),
    ("mandala", MandalaMove("Tv", "take", False, colour="v")),
    ("mandala", MandalaMove("+o", "draw", True, colour="o", count=1)),
    ("mandala", MandalaMove("+?", "draw", True, count=1)),
    ("patterns", PatternsMove("Gr", "give", False, colour="r")),
    ("patterns", PatternsMove("Od4", "open", False, space="d4")),
    ("patterns", PatternsMove("Fd5", "flip", False, space="d5")),
    ("patterns", PatternsMove("Xd6", "swap", False, space="d6")),
    ("patterns", PatternsMove("E", "stop", False)),
    ("patterns", PatternsMove("+k", "tile", True, colour="k")),
    ("flowers", FlowersMove("1rrr", "play", False, colour="r", count=3, mandala=1)),
    ("flowers", FlowersMove("Tk7", "claim", False, tile="k7")),
    ("flowers", FlowersMove("-", "pass", False)),
    ("flowers", FlowersMove("+?", "draw", True, count=1)),
    ("flowers", FlowersMove("*yx", "tile", True, tile="yx")),
    ("flowers", FlowersMove("!2", "dissolve", True, mandala=2)),
]


@pytest.mark.parametrize("game", mandala.game_ids())
def test_every_game_has_examples(game: str) -> None:
    assert game in {each for each, _ in EXAMPLES}, f"add moves of {game} to EXAMPLES"


@pytest.mark.parametrize(("game", "move"), EXAMPLES, ids=lambda each: str(each))
def test_parts_of_a_move(game: str, move: mandala.Move) -> None:
    assert find_game(game).move(str(move)) == move


@pytest.mark.parametrize("game", mandala.game_ids())
def test_the_parts_of_every_move_are_unique(game: str) -> None:
    spec = find_game(game)
    moves = [spec.move_in_row(row) for row in range(len(spec.plain_rules.moves.texts))]
    assert [str(move) for move in moves] == spec.plain_rules.moves.texts
    parts = {tuple(value for name, value in vars(move).items() if name != "text") for move in moves}
    assert len(parts) == len(moves)


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_move_object_can_be_played(game: str) -> None:
    position = mandala.new(game, seed=1)
    generator = np.random.default_rng(1)
    for _ in range(10):
        move = position.legal_moves[0]
        assert not move.is_chance
        assert position.why_not(move) is None
        assert [str(each) for each in position.legal_moves] == position.legal
        position = position.play(move, generator)
