"""Positions and views are values: immutable, equal, hashable, copied and pickled, and small."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import mandala
from mandala import Position, View
from tests.samples import SEATINGS


def whole_game(game: str, seats: int, seed: int = 1) -> Iterator[Position]:
    """Every position of a random game, with chance moves one by one."""
    choices = random.Random(seed)
    position = mandala.new(game, seats=seats)
    yield position
    while not position.is_over:
        position = position.play_row(choices.choice(position.possible_rows()))
        yield position


def phases(game: str, seats: int) -> list[Position]:
    """One position of every phase that occurs in four games."""
    found: dict[tuple[int, int], Position] = {}
    for seed in range(4):
        for position in whole_game(game, seats, seed):
            found.setdefault((position.plain.phase, position.actor == 0), position)
    return list(found.values())


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_pickle_copy_equality_and_hash_in_every_phase(game: str, seats: int) -> None:
    for position in phases(game, seats):
        views: list[Position | View] = [position.view(seat) for seat in (None, 1, 2)]
        for each in [position, *views]:
            each.legal, each.plain.phase, each.scores, str(each)
            for other in (pickle.loads(pickle.dumps(each)), copy.copy(each), copy.deepcopy(each)):
                assert other == each
                assert hash(other) == hash(each)
                assert type(other) is type(each)
                assert other.history == each.history
                assert other.legal == each.legal
                assert other.text == each.text
        assert views[1] != views[2]
        assert position not in views


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_the_first_position_of_a_played_game_stays_small(game: str, seats: int) -> None:
    first = mandala.new(game, seats=seats)
    position, choices = first, random.Random(1)
    while not position.is_over:
        position = position.play_row(choices.choice(position.possible_rows()))
    assert len(pickle.dumps(first)) < 1_000
    assert copy.deepcopy(first) == first
    assert len(pickle.dumps(position)) < 40_000


def reachable(value: object) -> tuple[int, int]:
    """How many positions a value refers to, directly or not, and the bytes of all it refers to."""
    seen, queue, positions, size = set[int](), [value], 0, 0
    while queue:
        each = queue.pop()
        if id(each) in seen or isinstance(each, type) or hasattr(each, "__spec__"):
            continue
        seen.add(id(each))
        positions += isinstance(each, Position)
        size += sys.getsizeof(each)
        queue += gc.get_referents(each)
    return positions, size


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_position_holds_no_other_position_and_little_memory(game: str, seats: int) -> None:
    last = None
    for position in whole_game(game, seats):
        position.view(1).legal, position.legal, position.plain.actor
        last = position
    assert last is not None
    assert last.history is not None
    own = vars(last)
    positions, size = reachable({name: own[name] for name in own if name != "states"})
    assert positions == 0
    assert size < 20_000 + 200 * len(last.history)


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_nothing_of_a_position_can_be_changed(game: str, seats: int) -> None:
    position = mandala.new(game, seats=seats, seed=1)
    view = position.view(1)
    before = position.text
    for each in (position, view):
        with pytest.raises(ValueError, match="read-only"):
            each.states["actor"] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            each.states.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            each.state.phase = 0
        with pytest.raises(AttributeError):
            each.seats = 9
        with pytest.raises(AttributeError):
            del each.history
        each.legal.clear()
        each.scores.clear()
        each.moves.clear()
        with pytest.raises(TypeError):
            each.legal_rows()[0] = 0  # type: ignore[index]
    position.chance_weights.clear()
    assert position.text == before
    assert position.legal
    assert position.play_row(position.legal_rows()[0]) != position


def test_the_array_that_a_position_is_made_from_stays_the_callers() -> None:
    states = mandala.new("mandala", seed=1).copy_states()
    position = Position("mandala", 2, states, None)
    text = position.text
    states["phase"] = 0
    states["hand"] = np.zeros_like(states["hand"])
    assert position.text == text
