"""What happened, in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

import mandala
from mandala import Position
from mandala.core.narration import Sentence, narrate, steps_between, steps_seen
from mandala.core.state import GameState
from mandala.text import catalogue
from tests.cli.tools import random_game
from tests.samples import MIDDLE_SEATS, MOST_SEATS


def narrated(
    position: Position,
    seat: int | None,
    language: str = "en",
    names: Sequence[str] | None = None,
) -> list[Sentence]:
    """The narration of a whole game for a seat."""
    boards: list[GameState] = []
    current = mandala.new(position.game, seats=position.seats)
    first = current.view(seat)
    for move in position.moves:
        current = current.play(move)
        boards.append(current.view(seat))
    return narrate(steps_between(first, boards), seat, language, names)


def story(
    position: Position,
    seat: int | None,
    language: str = "en",
    names: Sequence[str] | None = None,
) -> list[str]:
    """The texts of the narration of a whole game."""
    return [sentence.text for sentence in narrated(position, seat, language, names)]


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
        "You have more cards in your field (3 to 2) and choose first.",
        "You take 1 red card, onto place 1 of your river.",
        "Seat 2 takes 1 black card, onto place 1 of their river.",
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


@pytest.mark.parametrize(("game", "seats"), MIDDLE_SEATS)
@pytest.mark.parametrize("language", catalogue.LANGUAGES)
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
        formed = re.findall(r"Seat (\d) forms a flower in \w+, worth (\d+) points", told)
        assert len(formed) == int(position.state.flowers.sum())


def test_who_gets_a_starting_tile_is_told_so() -> None:
    position = random_game("patterns", 3)
    given = [story(position, seat)[0].split(" the ")[0] for seat in (1, 2, None)]
    assert given == ["Seat 2 gives you", "You give Seat 1", "Seat 2 gives Seat 1"]


@pytest.mark.parametrize(("game", "seats"), MIDDLE_SEATS)
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
                pieces += [each.text for each in narrate(steps_seen(before, after), seat)]
                before = after
        whole = story(position, seat)
        # At the end everything is open: the last draws of all are named.
        assert len(pieces) == len(whole)
        assert pieces[:-5] == whole[:-5]


NAMES = ["random", "Seat 1", "search:3", "Platz 2 {count}"]  # names that look like something else


@pytest.mark.parametrize(("game", "seats"), MOST_SEATS)
@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_seats_are_called_by_their_names_whatever_these_are(
    game: str, seats: int, language: str
) -> None:
    """A sentence names the seat that it is about, and no number of a seat remains."""
    names = NAMES[:seats]
    position = random_game(game, 4, seats)
    for reader in (None, 1, 2):
        plain = narrated(position, reader, language)
        named = narrated(position, reader, language, names)
        labels = [catalogue.seat_label(seat, language) for seat in range(1, seats + 1)]
        for one, other in zip(plain, named, strict=True):
            text = one.text
            for number, label in enumerate(labels):
                text = text.replace(label, f"<{number}>")
            for number, name in enumerate(names):
                text = text.replace(f"<{number}>", name)
            assert (other.text, other.seat) == (text, one.seat)
            if one.seat is not None and one.seat != reader:
                assert names[one.seat - 1] in other.text


@pytest.mark.parametrize(("game", "seats"), MIDDLE_SEATS)
def test_a_sentence_says_which_seat_it_is_about(game: str, seats: int) -> None:
    for sentence in narrated(random_game(game, 5, seats), 1):
        match sentence.seat:
            case None:
                assert not re.search(r"\b(You|Seat)\b", sentence.text)
            case 1:
                assert re.search(r"\b(you|your)\b", sentence.text.lower())
            case seat:
                assert f"Seat {seat}" in sentence.text


def test_one_card_is_not_several() -> None:
    position = after(*DEAL, "Cv", "+v")
    assert story(position, 2)[-2:] == ["Seat 1 discards 1 violet card.", "Seat 1 draws 1 card."]
    assert story(position, 2, "de")[-1] == "Platz 1 zieht 1 Karte."
    begun = after(*DEAL[:11])  # one of the two cards of the first cup
    assert story(begun, 2)[-1] == "Seat 1 puts 1 card face down into their cup."
    assert story(begun, 2, "de")[-1] == "Platz 1 legt 1 Karte verdeckt in den eigenen Kelch."


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_no_sentence_has_a_plural_behind_one(language: str) -> None:
    plural = re.compile(r"\b1 (\w+ )?(cards|tiles|points|Karten|Punkte)\b")
    for game, seats in MOST_SEATS:
        for seed in range(6):
            position = random_game(game, seed, seats)
            for reader in (None, 1):
                found = [each for each in story(position, reader, language) if plural.search(each)]
                assert found == []
