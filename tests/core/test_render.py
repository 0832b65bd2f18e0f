"""Boards rendered as text."""

from __future__ import annotations

import io
from itertools import islice

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

import mandala
from mandala import Position, determinize
from mandala.core.render import render, render_text
from mandala.games.render import SYMBOLS
from mandala.text.catalogue import LANGUAGES
from tests.cli.tools import random_game
from tests.core.rendered import CASES, SEATS, position_of, rendered, text_path
from tests.samples import MOST_SEATS


@pytest.mark.parametrize("game", mandala.game_ids())
def test_every_game_has_a_rendered_position(game: str) -> None:
    assert game in {each for each, _, _ in CASES.values()}, "add it to CASES of tests.core.rendered"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", SEATS)
def test_a_position_is_rendered_as_stored(case: str, language: str, seat: int | None) -> None:
    path = text_path(case, seat, language)
    assert path.exists(), "run: ./run python -m tests.core.rendered"
    assert rendered(case, seat, language) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_str_is_the_rendered_text(case: str) -> None:
    position = position_of(case)
    assert str(position) == render_text(position)
    assert str(position.view(1)) == render_text(position.view(1))


@pytest.mark.parametrize(("game", "seats"), MOST_SEATS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_board_of_a_game_fits_80_columns(game: str, seats: int, language: str) -> None:
    record = random_game(game, 1, seats).record()
    for position in islice(mandala.boards(record), 0, None, 40):
        assert isinstance(position, Position)
        for board in (position, position.view(None), position.view(2)):
            assert max(map(len, render_text(board, language).splitlines())) <= 80


@pytest.mark.parametrize("game", mandala.game_ids())
def test_a_board_before_the_deal_can_be_rendered(game: str) -> None:
    assert "Chance moves next" in str(mandala.new(game))


def test_every_colour_has_its_own_symbol_beside_its_letter() -> None:
    assert len(set(SYMBOLS.values())) == 6
    drawn = str(position_of("patterns"))
    for letter, symbol in SYMBOLS.items():
        assert letter + symbol in drawn
        assert drawn.count(symbol) == drawn.count(letter + symbol)


@pytest.mark.parametrize("case", CASES)
def test_colours_add_no_text(case: str) -> None:
    page = io.StringIO()
    console = Console(file=page, width=80, force_terminal=True, color_system="truecolor")
    console.print(render(position_of(case)))
    assert "\x1b[" in page.getvalue()
    plain = Text.from_ansi(page.getvalue()).plain
    assert "\n".join(map(str.rstrip, plain.splitlines())).rstrip() == str(position_of(case))


def test_a_view_shows_nothing_that_its_seat_may_not_know() -> None:
    """Two positions that differ only in a hidden hand look the same to the other seat."""
    position = random_game("mandala", 5, plies=10)

    for seed in range(5):
        other = determinize(position.view(1), np.random.default_rng(seed))
        assert render_text(other.view(1)) == render_text(position.view(1))
