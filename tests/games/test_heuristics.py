"""Heuristic values: the same compiled and interpreted, and independent of hidden cards."""

from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mandala
from mandala import Position
from mandala.games import find_game
from tests.samples import SEATINGS


def plain(game: str) -> ModuleType:
    return find_game(game).module("heuristic")


def values_of(heuristic: ModuleType, state: Any, seat: int) -> dict[int, float]:
    """The heuristic value of each legal move, by row."""
    rows, values = np.empty(512, np.int16), np.empty(512)
    found = heuristic.score_moves(state, seat - 1, rows, heuristic.WEIGHTS, values)
    return dict(zip(rows[:found].tolist(), values[:found].tolist(), strict=True))


def positions(game: str, seats: int, seed: int) -> Iterator[Position]:
    """The decisions of a game in which half of the moves are greedy."""
    find_game(game).make_ready()
    generator = np.random.default_rng(seed)
    position = mandala.new(game, seats=seats, seed=seed)
    while position.actor:
        yield position
        values = values_of(find_game(game).current("heuristic"), position.state, position.actor)
        row = max(values, key=lambda each: values[each])
        if generator.random() < 0.5:
            row = int(generator.choice(list(values)))
        position = position.play_row(row).deal(generator)


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_compiled_and_interpreted_give_the_same_numbers(game: str, seats: int) -> None:
    for position in islice(positions(game, seats, 1), 0, None, 4):
        assert position.actor
        state = position.view(position.actor).state
        compiled = values_of(find_game(game).compiled("heuristic"), state, position.actor)
        before = state.tobytes()
        assert compiled == values_of(plain(game), state, position.actor)
        assert state.tobytes() == before, "scoring must not change the record"


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(SEATINGS))
def test_hidden_cards_do_not_change_the_values(seed: int, kind: tuple[str, int]) -> None:
    game, seats = kind
    generator = np.random.default_rng(seed)
    heuristic = find_game(game).compiled("heuristic")
    for position in positions(game, seats, seed):
        assert position.actor
        view = position.view(position.actor)
        values = values_of(heuristic, view.state, position.actor)
        other = mandala.determinize(view, generator)
        assert values_of(heuristic, position.state, position.actor) == values
        assert values_of(heuristic, other.state, position.actor) == values


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_every_value_is_a_number(game: str, seats: int) -> None:
    for position in positions(game, seats, 4):
        assert position.actor
        values = values_of(find_game(game).current("heuristic"), position.state, position.actor)
        assert set(values) == set(position.legal_rows())
        assert np.isfinite(list(values.values())).all()
