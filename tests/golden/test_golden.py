"""The rules replay the golden games, and perft counts are unchanged."""

from __future__ import annotations

import copy
import json

import pytest

import mandala
from mandala.games import find_game
from tests import oracle
from tests.golden import (
    DEPTH,
    PERFT,
    golden_records,
    path,
    perft_counts,
    with_answers,
)
from tests.oracle.base import Game
from tests.samples import SEATINGS

COUNTS = json.loads(PERFT.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_every_game_and_number_of_seats_has_golden_games(game: str, seats: int) -> None:
    assert path(game, seats).exists(), "run: ./run python -m tests.golden"
    assert len(golden_records(game, seats)) == len(COUNTS[f"{game}-{seats}"]) >= 3


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_golden_games_are_unchanged(game: str, seats: int) -> None:
    find_game(game).make_ready()
    for record in golden_records(game, seats):
        assert with_answers(record).tags == record.tags
        assert "Winner" in record.tags
        final = mandala.check(record)
        assert mandala.Position.from_text(record.tags["Final"]) == final


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_perft(game: str, seats: int) -> None:
    find_game(game).make_ready()
    records = golden_records(game, seats)
    assert [perft_counts(record) for record in records] == COUNTS[f"{game}-{seats}"]


def oracle_perft(game: Game, depth: int) -> int:
    """The perft count by the oracle."""
    if depth == 0 or game.actor is None:
        return 1
    moves = game.legal() or list(game.chance())
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = copy.deepcopy(game)
        after.play(move)
        total += oracle_perft(after, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_the_oracle_counts_the_same_trees(game: str, seats: int) -> None:
    record, counts = golden_records(game, seats)[0], COUNTS[f"{game}-{seats}"][0]
    played = oracle.new(game, seats)
    for ply, move in enumerate(record.moves):
        if str(ply) in counts:
            assert oracle_perft(played, DEPTH) == counts[str(ply)]
        played.play(move)
