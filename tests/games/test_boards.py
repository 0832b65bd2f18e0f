"""Typed boards agree with the rules, and the page's types with the server's."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

import mandala
from mandala.core.state import GameState
from mandala.games.cards import COLOURS
from mandala.games.flowers.board import FlowersBoard, FlowersSeat
from mandala.games.mandala.board import MandalaBoard, MandalaSeat
from mandala.games.patterns.board import PatternsBoard, PatternsSeat
from mandala.server import typescript
from tests.samples import SEATINGS, expected_of

CARDS = {"mandala": 108, "patterns": 52, "flowers": 90}  # or spaces in Patterns
TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_board_holds_all_cards_and_the_points_of_the_rules(game: str, seats: int) -> None:
    generator = np.random.default_rng(3)
    position = mandala.new(game, seats=seats, seed=3)
    while not position.is_over:
        position = position.play(generator.choice(position.legal)).deal(generator)
        boards: list[GameState] = [position, *(position.view(seat) for seat in (None, 1, 2))]
        for each in boards:
            made = each.board
            assert isinstance(made, MandalaBoard | PatternsBoard | FlowersBoard), "add it here"
            assert [seat.points for seat in made.seats] == each.scores
            assert cards_of(made) == expected_of(game, CARDS)


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_the_parts_of_the_scoring_add_up_to_the_points(game: str, seats: int) -> None:
    """In every position and view, and each part is what its formula says."""
    parts = 0
    for seed in (3, 4):
        generator = np.random.default_rng(seed)
        position = mandala.new(game, seats=seats, seed=seed)
        while not position.is_over:
            position = position.play(generator.choice(position.legal)).deal(generator)
            boards: list[GameState] = [position, position.view(None), position.view(1)]
            for each in boards:
                for seat, points in zip(each.board.seats, each.scores, strict=True):  # type: ignore[attr-defined]
                    scored = parts_of(seat)
                    assert sum(scored) == points
                    parts += sum(map(bool, scored))
    assert parts > 100


def parts_of(seat: MandalaSeat | PatternsSeat | FlowersSeat) -> list[int]:
    """The points of each part of a seat's scoring, worked out from its formula."""
    if isinstance(seat, MandalaSeat):
        assert [each.colour for each in seat.scoring] == seat.river
        in_cup = sum(seat.cup) + sum(seat.secret) - seat.secret[-1]
        assert sum(each.count for each in seat.scoring) + seat.unscored == in_cup
        return [each.count * each.factor for each in seat.scoring]
    if isinstance(seat, PatternsSeat):
        assert seat.next_number == (len(seat.groups) + 1) % 7
        return [each.scored * each.number for each in seat.groups]
    flowers = [sum(term.factor * term.value for term in each.terms) for each in seat.flowers]
    assert flowers == [each.points for each in seat.flowers]
    return [*flowers, seat.single_points]


def test_a_majority_is_the_seat_with_more_cards_in_its_field() -> None:
    deal = "+rk +go +rrgvyk +oy +ggkvoo +rr".replace(" ", "").replace("+", "")
    position = mandala.new("mandala")
    for letter in deal:
        position = position.play(f"+{letter}")
    majorities = [position.board.mandalas[0].majority]  # type: ignore[attr-defined]
    for move in ("B1g", "B1oo"):
        position = position.play(move)
        majorities.append(position.board.mandalas[0].majority)  # type: ignore[attr-defined]
    assert majorities == [0, 1, 2]


def cards_of(made: MandalaBoard | PatternsBoard | FlowersBoard) -> int:
    """The number of cards in all areas, or of spaces in Patterns."""
    if isinstance(made, PatternsBoard):
        return len(made.spaces)
    on_table = sum(made.discard) + made.pile + sum(sum(seat.hand) for seat in made.seats)
    if isinstance(made, FlowersBoard):
        sides = [side for area in made.mandalas for side in area.sides]
        return on_table + sum(sum(side.up) + sum(side.down) for side in sides)
    on_table += sum(
        sum(seat.cup) + sum(seat.secret) + len("".join(seat.river)) for seat in made.seats
    )
    return on_table + sum(sum(area.centre) + sum(map(sum, area.fields)) for area in made.mandalas)


def test_patterns_shows_groups_markers_and_bowls() -> None:
    position = mandala.new("patterns", seed=7)
    position = position.play(position.legal[0])
    space = next(move[1:] for move in position.legal if move.startswith("O"))
    laid, taken = position.view(1), ""
    before = laid.board
    assert isinstance(before, PatternsBoard)
    taken = next(each.colour for each in before.spaces if each.name == space)
    after = position.play(f"O{space}").view(2).board
    assert isinstance(after, PatternsBoard)
    shown = next(each for each in after.spaces if each.name == space)
    assert (shown.colour, shown.seat, shown.marker) == (before.seats[0].bowl, 1, 1)
    assert after.seats[0].bowl == taken
    group = after.seats[0].groups[0]
    assert (group.number, group.colour, group.size, group.points) == (1, shown.colour, 1, 0)


def test_a_mandala_lacks_the_colours_that_it_does_not_contain() -> None:
    position = mandala.new("mandala", seed=5)
    made = position.view(None).board
    assert isinstance(made, MandalaBoard)
    for area in made.mandalas:
        present = {COLOURS[each] for each in range(6) if area.centre[each]}
        assert set(area.missing) == set(COLOURS) - present
    assert made.seats[0].hand == [0, 0, 0, 0, 0, 0, 6]


def test_the_types_of_the_page_are_those_of_the_messages() -> None:
    made_by = "python -m mandala.server.typescript web/src/api/types.ts"
    assert TYPES.read_text(encoding="utf-8") == typescript.source(), f"run {made_by}"


def test_every_number_of_a_board_is_exact_in_javascript() -> None:
    position = mandala.new("patterns", seed=7)
    text = msgspec.json.encode(position.board)
    assert all(abs(each) < 2**53 for each in numbers_in(msgspec.json.decode(text)))


def numbers_in(value: object) -> list[int]:
    if isinstance(value, dict):
        return [each for part in value.values() for each in numbers_in(part)]
    if isinstance(value, list):
        return [each for part in value for each in numbers_in(part)]
    return [value] if isinstance(value, int) else []
