"""Batches: validated arguments, and the same games as positions, move by move."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mandala
from mandala import Batch, IllegalMove, InvalidArgument, Position, UnknownGame
from mandala.games import find_game
from tests.samples import SEATINGS


@pytest.mark.parametrize(("game", "seats"), [("patterns", 4), ("flowers", 9), ("mandala", 1)])
def test_an_unsupported_number_of_seats_is_refused(game: str, seats: int) -> None:
    with pytest.raises(UnknownGame) as caught:
        Batch(game, 4, seats=seats, seed=1)
    assert caught.value.code == "wrong-seats"


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        Batch("chess", 4, seed=1)


@pytest.mark.parametrize("count", [0, -1, 2.0, "4", None, True])
def test_the_number_of_games_must_be_a_positive_integer(count: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Batch("patterns", count, seed=1)  # type: ignore[arg-type]
    assert caught.value.code == "bad-integer"


@pytest.mark.parametrize("seed", [-1, 1.5, "x"])
def test_the_seed_must_be_an_integer_that_is_not_negative(seed: object) -> None:
    with pytest.raises(InvalidArgument):
        Batch("patterns", 1, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "moves",
    [
        [0.0, 0.0],
        np.zeros(2, np.float32),
        [True, True],
        ["Gr", "Gr"],
        np.zeros(2, object),
        np.array([0 + 0j, 0]),
    ],
    ids=lambda moves: str(np.asarray(moves).dtype),
)
def test_moves_must_be_integers(moves: object) -> None:
    batch = Batch("patterns", 2, seed=1)
    with pytest.raises(InvalidArgument) as caught:
        batch.step(moves)
    assert caught.value.code == "bad-dtype"


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1), (1, 2)])
def test_moves_must_be_one_per_game(shape: tuple[int, ...]) -> None:
    batch = Batch("patterns", 2, seed=1)
    with pytest.raises(InvalidArgument) as caught:
        batch.step(np.zeros(shape, np.int64))
    assert caught.value.code == "bad-shape"


@pytest.mark.parametrize("offset", [65_536, -65_536, 2**32, 2**40, -1, 10_000])
def test_numbers_beyond_the_move_list_do_not_wrap_around(offset: int) -> None:
    batch = Batch("patterns", 2, seed=1)
    moves = batch.legal.argmax(axis=1).astype(np.int64)
    before = batch.states.tobytes()
    moves[1] = moves[1] + offset if offset != -1 else -1
    with pytest.raises(IllegalMove) as caught:
        batch.step(moves)
    assert caught.value.parts["index"] == 1
    assert caught.value.legal
    assert batch.states.tobytes() == before, "nothing is moved"


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_every_integer_type_and_stride_can_be_given(dtype: type[np.integer]) -> None:
    batch = Batch("patterns", 3, seed=1)
    moves = np.repeat(batch.legal.argmax(axis=1).astype(dtype), 2)[::2]
    batch.step(moves)
    assert (batch.actor == 1).all()


def test_arrays_cannot_be_written_to() -> None:
    batch = Batch("mandala", 2, seed=1)
    for name in ("states", "legal", "actor", "finished", "points", "reward"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[...] = getattr(batch, name).copy()


def compare_with_positions(game: str, seats: int, seed: int, count: int, steps: int) -> int:
    """Play a batch at random and check each move with positions; return how many games ended."""
    find_game(game).make_ready()
    batch = Batch(game, count, seats=seats, seed=seed)
    generator = np.random.default_rng(seed)
    positions = [position_of(batch, index) for index in range(count)]
    ended = 0
    for _ in range(steps):
        chosen = np.array([generator.choice(np.flatnonzero(row)) for row in batch.legal])
        played = [each.play_row(int(row)) for each, row in zip(positions, chosen, strict=True)]
        batch.step(chosen)
        for index, position in enumerate(played):
            if batch.finished[index]:
                end = finish(position)
                assert batch.points[index].tolist() == end.scores
                reward = [(seat in end.winners) / len(end.winners) for seat in range(1, seats + 1)]
                assert np.allclose(batch.reward[index], reward)
                ended += 1
            else:
                assert can_follow(position, batch, index)
            positions[index] = position_of(batch, index)
            assert batch.actor[index] == positions[index].actor
            legal = np.flatnonzero(batch.legal[index]).tolist()
            assert legal == sorted(positions[index].legal_rows())
    return ended


def position_of(batch: Batch, index: int) -> Position:
    return Position(batch.game, batch.seats, batch.states[index : index + 1], None)


def finish(position: Position) -> Position:
    """The end of a game in which only chance moves are left, which cannot change the points."""
    generator = np.random.default_rng(1)
    while not position.is_over:
        position = position.deal(generator) if position.actor == 0 else position
        assert position.is_over or position.actor == 0, "only chance was left"
    return position


def can_follow(position: Position, batch: Batch, index: int) -> bool:
    """Whether the batch's position can follow from a position by chance moves alone."""
    if position.actor != 0:
        return position == position_of(batch, index)
    reached = position_of(batch, index)
    return reached.actor in range(1, batch.seats + 1) and len(position.chance) > 0


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_batch_and_positions_agree_move_by_move(game: str, seats: int) -> None:
    assert compare_with_positions(game, seats, seed=seats, count=40, steps=260) >= 20


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_batch_and_positions_agree_over_thousands_of_games(game: str, seats: int) -> None:
    assert compare_with_positions(game, seats, seed=9, count=400, steps=1_200) >= 2_000


@settings(max_examples=20, deadline=None)
@given(seating=st.sampled_from(SEATINGS), seed=st.integers(0, 2**31), count=st.integers(1, 8))
def test_the_same_seed_gives_the_same_games(
    seating: tuple[str, int], seed: int, count: int
) -> None:
    game, seats = seating
    batches = [Batch(game, count, seats=seats, seed=seed) for _ in range(2)]
    for _ in range(30):
        moves = batches[0].legal.argmax(axis=1)
        for batch in batches:
            batch.step(moves)
        assert batches[0].states.tobytes() == batches[1].states.tobytes()
        assert (batches[0].points == batches[1].points).all()


def test_batch_is_part_of_the_public_api() -> None:
    assert mandala.Batch is Batch
