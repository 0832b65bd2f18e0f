"""What happened, in sentences."""

from __future__ import annotations

import re

import pytest

import mandala
from mandala import Position
from mandala.core.narration import narrate, steps_between, steps_seen
from mandala.core.state import GameState
from tests.cli.tools import random_game


def story(position: Position, seat: int | None, language: str = "en") -> list[str]:
    """The whole game as told to a seat."""
    boards: list[GameState] = []
    current = mandala.new(position.game, seats=position.seats)
    first = current.view(seat)
    for move in position.moves:
        current = current.play(move)
        boards.append(current.view(seat))
    return narrate(steps_between(first, boards), seat, language)


def after(*moves: str, game: str = "mandala", seats: int = 2) -> Position:
    position = mandala.new(game, seats=seats)
    for move in moves:
        position = position.play(move)
    return position


DEAL = [f"+{letter}" for letter in "rk" + "go" + "rrgvyk" + "oy" + "ggkvoo" + "rr"]


def test_a_dissolving_is_told_step_by_step() -> None:
    """Centre red and black, fields green/violet/yellow and orange: red and black are taken."""
    position = after(*DEAL, "B1g", "B1oo", "B1v", "Ck", "+k", "B1y")
    told = story(position.play("Tr").play("Tk"), 1)
    assert told[-5:] == [
        "Mandala 1 now has all six colours: it is dissolved.",
        "You choose first, with 3 cards in your field against 2.",
        "You take 1 red card, onto place 1 of your river.",
        "Seat 2 takes 1 black card, onto place 1 of its river.",
        "The centre of mandala 1 is empty; the cards of its fields are discarded.",
    ]


def test_own_draws_are_named_and_those_of_others_counted() -> None:
    position = after(*DEAL, "A1r", "+v", "+g", "+o")
    assert story(position, 1)[-2:] == [
        "You put 1 red card into the centre of mandala 1.",
        "You draw violet, green, orange.",
    ]
    assert story(position, 2)[-2:] == [
        "Seat 1 puts 1 red card into the centre of mandala 1.",
        "Seat 1 draws 3 cards.",
    ]


@pytest.mark.parametrize(("game", "seats"), [("mandala", 2), ("patterns", 2), ("flowers", 3)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_game_can_be_told_to_everybody(game: str, seats: int, language: str) -> None:
    position = random_game(game, 1, seats)
    for seat in (None, 1, 2):
        for sentence in story(position, seat, language):
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            if seat is None:
                assert not re.match(r"You |Du ", sentence)


def test_a_flower_is_told_with_its_points() -> None:
    for seed in range(3):
        position = random_game("flowers", seed)
        told = " ".join(story(position, None))
        formed = re.findall(r"Seat (\d) forms a \w+ flower, worth (\d+) points", told)
        assert len(formed) == int(position.state.flowers.sum())


def test_who_gets_a_starting_tile_is_told_so() -> None:
    position = random_game("patterns", 3)
    given = [story(position, seat)[0].split(" the ")[0] for seat in (1, 2, None)]
    assert given == ["Seat 2 gives you", "You give seat 1", "Seat 2 gives seat 1"]


@pytest.mark.parametrize(("game", "seats"), [("mandala", 2), ("patterns", 2), ("flowers", 3)])
def test_two_views_tell_what_lay_between_them(game: str, seats: int) -> None:
    """Told in pieces, from one decision to the next, the story is the same as told whole."""
    position = random_game(game, 2, seats)
    for seat in (None, 1, 2):
        current = mandala.new(game, seats=seats)
        before, pieces = current.view(seat), list[str]()
        for move in position.moves:
            current = current.play(move)
            if current.actor != 0:
                after = current.view(seat)
                pieces += narrate(steps_seen(before, after), seat)
                before = after
        whole = story(position, seat)
        # At the end everything is open: the last draws of all are named.
        assert len(pieces) == len(whole)
        assert pieces[:-5] == whole[:-5]
