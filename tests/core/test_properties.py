"""Properties that hold in every game, tested with Hypothesis.

A game is a seed and a preference for certain moves, which makes unusual play likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mandala
from mandala.core.position import Position
from mandala.core.replay import replay
from mandala.core.view import View
from mandala.games import find_game
from mandala.games.cards import COLOUR_COUNT
from tests.contradiction import contradicts
from tests.samples import SEATINGS

seatings = st.sampled_from(SEATINGS)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 400)
# The moves that are preferred: any, discards, many cards, few cards.
preferences = st.sampled_from(["any", "C", "long", "short"])

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def random_game(game: str, seats: int, seed: int, preference: str = "any") -> Iterator[Position]:
    """The positions of a random game, from the start to the end."""
    generator = np.random.default_rng(seed)
    position = mandala.new(game, seats=seats)
    yield position
    while not position.is_over:
        if position.actor == 0:
            moves, weights = zip(*position.chance.items(), strict=True)
            move = moves[int(generator.choice(len(moves), p=weights))]
        else:
            move = choose_move(position.legal, preference, generator)
        position = position.play(move)
        yield position


def choose_move(legal: list[str], preference: str, generator: np.random.Generator) -> str:
    chosen = legal
    if preference == "C":
        chosen = [move for move in legal if move[0] == "C"] or legal
    elif preference in ("long", "short"):
        best = (max if preference == "long" else min)(map(len, legal))
        chosen = [move for move in legal if len(move) == best]
    if generator.random() < 0.2:
        chosen = legal
    return chosen[int(generator.integers(len(chosen)))]


def position_at(game: str, seats: int, seed: int, preference: str, length: int) -> Position:
    """The position after a number of plies of a random game, or the last one before its end."""
    last = None
    for ply, position in enumerate(random_game(game, seats, seed, preference)):
        if position.is_over:
            break
        last = position
        if ply == length:
            break
    assert last is not None
    return last


def cards_by_colour(position: Position) -> list[int]:
    """All cards, or tiles, of a position counted by colour."""
    state = position.state
    if position.game == "patterns":
        bowls = [sum(int(bowl) == colour for bowl in state.bowl) for colour in range(COLOUR_COUNT)]
        return [
            int(state.tile[colour]).bit_count()
            + int(state.supply[colour])
            + int(state.aside[colour])
            + bowls[colour]
            for colour in range(COLOUR_COUNT)
        ]
    rows: list[Any] = [state.discard, state.pile, *state.hand]
    if position.game == "mandala":
        rows += [*state.centre, *state.field.reshape(-1, COLOUR_COUNT), *state.cup, *state.secret]
        rows += [river > 0 for river in state.river]
    else:
        rows += [*state.laid.reshape(-1, COLOUR_COUNT)]
    return [sum(int(row[colour]) for row in rows) for colour in range(COLOUR_COUNT)]


@SLOW
@given(seatings, seeds, preferences)
def test_cards_are_conserved_games_end_and_the_actor_can_move(
    seating: tuple[str, int], seed: int, preference: str
) -> None:
    copies = {"mandala": 18, "patterns": 9, "flowers": 15}[seating[0]]
    find_game(seating[0]).make_ready()
    for ply, position in enumerate(random_game(*seating, seed, preference)):
        assert cards_by_colour(position) == [copies] * COLOUR_COUNT
        assert ply < 3_000
        if position.is_over:
            assert position.winners
        elif position.actor == 0:
            assert abs(sum(position.chance.values()) - 1) < 1e-12
        else:
            assert position.legal
        if seating[0] == "flowers":
            assert sum(position.state.owner == 0) % 2 == 0 or position.actor == 0


@SLOW
@given(seatings, seeds, preferences)
def test_replaying_a_record_gives_the_same_bytes(
    seating: tuple[str, int], seed: int, preference: str
) -> None:
    find_game(seating[0]).make_ready()
    *_, last = random_game(*seating, seed, preference)
    record = last.record()
    (read,) = mandala.read_records(str(record).splitlines(keepends=True))
    assert read == record
    again = mandala.check(read)
    assert again == last
    assert again.state.tobytes() == last.state.tobytes()
    assert isinstance(again, Position)
    assert str(again.record()) == str(record)


def test_every_move_is_written_one_way() -> None:
    for game in mandala.game_ids():
        moves = find_game(game).plain_rules.moves
        assert [moves.number[text] for text in moves.texts] == list(range(len(moves.texts)))


@SLOW
@given(seatings, seeds, preferences, lengths)
def test_position_and_views_survive_their_text(
    seating: tuple[str, int], seed: int, preference: str, length: int
) -> None:
    find_game(seating[0]).make_ready()
    position = position_at(*seating, seed, preference, length)
    assert Position.from_text(position.text) == position
    assert hash(Position.from_text(position.text)) == hash(position)
    for seat in (None, *range(1, position.seats + 1)):
        view = position.view(seat)
        assert View.from_text(view.text) == view


@SLOW
@given(seatings, seeds, preferences)
def test_compiled_and_interpreted_rules_agree(
    seating: tuple[str, int], seed: int, preference: str
) -> None:
    game, seats = seating
    plain, compiled = find_game(game).plain_rules, find_game(game).make_ready()
    size = len(plain.moves.texts)
    for position in list(random_game(game, seats, seed, preference))[::5]:
        results = []
        for rules in (plain, compiled):
            states, views = np.zeros(1, plain.State.dtype), np.zeros(1, plain.State.dtype)
            states[0] = position.state
            rows, weights = np.zeros(size, np.int16), np.zeros(size, np.int64)
            found = rules.chance(states[0], rows, weights) if position.actor == 0 else 0
            chances = (rows[:found].tolist(), weights[:found].tolist())
            legal = rows[: rules.legal(states[0], rows)].tolist()
            reasons = [
                (rules.score(states[0], seat), rules.tie_break(states[0], seat))
                for seat in range(seats)
            ]
            rules.fill_view(states[0], views[0], 0)
            drawer = rules.drawer(states[0])
            after = []
            for row in (legal or chances[0])[:: 1 + len(legal) // 4]:
                states[0] = position.state
                rules.apply(states[0], row)
                after.append(states.tobytes())
            results.append((chances, legal, reasons, views.tobytes(), drawer, after))
        assert results[0] == results[1]


@SLOW
@given(seatings, seeds, preferences, lengths)
def test_a_view_is_the_replay_of_the_seats_own_record(
    seating: tuple[str, int], seed: int, preference: str, length: int
) -> None:
    find_game(seating[0]).make_ready()
    position = position_at(*seating, seed, preference, length)
    for seat in (None, *range(1, position.seats + 1)):
        view = position.view(seat)
        (record,) = mandala.read_records(str(view.record()).splitlines())
        again = mandala.check(record)
        if isinstance(again, Position):  # nothing was hidden so far
            again = again.view(seat)
        assert again.state.tobytes() == view.state.tobytes()


@SLOW
@given(seatings, seeds, preferences, lengths, seeds)
def test_what_a_seat_may_not_know_does_not_change_its_view(
    seating: tuple[str, int], seed: int, preference: str, length: int, other: int
) -> None:
    find_game(seating[0]).make_ready()
    position = position_at(*seating, seed, preference, length)
    for seat in range(1, position.seats + 1):
        view = position.view(seat)
        dealt = mandala.determinize(view, np.random.default_rng(other))
        assert dealt.view(seat) == view
        assert dealt.view(seat).text == view.text
        assert str(dealt.view(seat)) == str(view)
        assert dealt.view(seat).record() == view.record()


@SLOW
@given(seatings, seeds, preferences, lengths, seeds)
def test_determinization_contradicts_nothing_that_was_seen(
    seating: tuple[str, int], seed: int, preference: str, length: int, other: int
) -> None:
    find_game(seating[0]).make_ready()
    position = position_at(*seating, seed, preference, length)
    for seat in range(1, position.seats + 1):
        view = position.view(seat)
        dealt = mandala.determinize(view, np.random.default_rng(other))
        assert Position.from_text(dealt.text) == dealt
        assert replay(dealt.record()) == dealt
        assert not contradicts(view, dealt)


@SLOW
@given(seatings, seeds, preferences, lengths)
def test_cached_results_equal_recomputed_ones(
    seating: tuple[str, int], seed: int, preference: str, length: int
) -> None:
    find_game(seating[0]).make_ready()
    position = position_at(*seating, seed, preference, length)

    def recomputed() -> Position:
        return Position(*seating, position.copy_states(), position.history)

    for seat in (1, 2, None, 1):  # also after the view of another seat
        assert position.view(seat) == recomputed().view(seat)
        assert position.view(seat).history == recomputed().view(seat).history
    for move in [*position.chance, *position.legal]:  # also after another move
        assert position.play(move) == position.play_all([move]) == recomputed().play(move)
        assert position.play(move).history == recomputed().play(move).history
    for name in position.rules.State.fields:
        assert np.array_equal(getattr(position.plain, name), position.state[name])


@SLOW
@given(seatings, seeds)
def test_cards_drawn_at_once_are_those_drawn_one_by_one(
    seating: tuple[str, int], seed: int
) -> None:
    find_game(seating[0]).make_ready()
    start = mandala.new(seating[0], seats=seating[1])
    dealt = start.deal(np.random.default_rng(seed))
    assert dealt.play_all([]) is dealt
    assert start.play_all(dealt.moves) == dealt
    position = mandala.new(seating[0], seats=seating[1])
    for move in dealt.moves:
        position = position.play(move)
    assert position == dealt
    assert position.history == dealt.history
    other = start.deal(np.random.default_rng(seed + 1))
    assert start.play_all(dealt.moves) == dealt
    assert start.play_all(other.moves) == other
