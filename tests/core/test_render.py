"""Boards rendered as text."""

from __future__ import annotations

import io
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from rich.text import Text

import mandala
from mandala import Position, determinize
from mandala.core.render import render, render_text
from mandala.games.render import SYMBOLS
from tests.cli.tools import random_game

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "mandala": ("mandala", 2, 40),
    "patterns": ("patterns", 2, 14),
    "flowers": ("flowers", 2, 40),
    "flowers-4": ("flowers", 4, 90),
}


def board_of(case: str) -> Position:
    text = (GOLDEN / f"{case}.record").read_text(encoding="utf-8")
    board = mandala.replay(next(mandala.read_records(text.splitlines())))
    assert isinstance(board, Position)
    return board


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("seat", [None, 2])
def test_golden(case: str, language: str, seat: int | None) -> None:
    position = board_of(case)
    board = position if seat is None else position.view(seat)
    name = f"{case}.{'all' if seat is None else f'seat{seat}'}.{language}.txt"
    assert render_text(board, language) + "\n" == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_str_is_the_rendered_text(case: str) -> None:
    position = board_of(case)
    assert str(position) == render_text(position)
    assert str(position.view(1)) == render_text(position.view(1))


@pytest.mark.parametrize(("game", "seats"), [("mandala", 2), ("patterns", 2), ("flowers", 4)])
@pytest.mark.parametrize("language", ["en", "de"])
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
    drawn = str(board_of("patterns"))
    for letter, symbol in SYMBOLS.items():
        assert letter + symbol in drawn
        assert drawn.count(symbol) == drawn.count(letter + symbol)


@pytest.mark.parametrize("case", CASES)
def test_colours_add_no_text(case: str) -> None:
    page = io.StringIO()
    console = Console(file=page, width=80, force_terminal=True, color_system="truecolor")
    console.print(render(board_of(case)))
    assert "\x1b[" in page.getvalue()
    plain = Text.from_ansi(page.getvalue()).plain
    assert "\n".join(map(str.rstrip, plain.splitlines())).rstrip() == str(board_of(case))


def test_a_view_shows_nothing_that_its_seat_may_not_know() -> None:
    """Two positions that differ only in a hidden hand look the same to the other seat."""
    position = random_game("mandala", 5, plies=10)

    for seed in range(5):
        other = determinize(position.view(1), np.random.default_rng(seed))
        assert render_text(other.view(1)) == render_text(position.view(1))
