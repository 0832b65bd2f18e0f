"""Animations use only transform and opacity, which need no layout or painting."""

from __future__ import annotations

import re

import pytest

from mandala.games import game_ids
from tests.browser.conftest import ROOT, Come
from tests.browser.frames import play

CHEAP = {"transform", "opacity"}


def test_stylesheets_animate_only_transform_and_opacity(built: None) -> None:
    css = "".join(path.read_text() for path in (ROOT / "src/mandala/page").glob("**/*.css"))
    transitions = re.findall(r"transition(?:-property)?:([^;}]+)", css)
    moved = {part.split()[0] for each in transitions for part in each.split(",")}
    assert moved <= CHEAP
    frames = re.findall(r"@keyframes[^{]+\{((?:[^{}]+\{[^{}]*\})*)\}", css)
    moved = {name for each in frames for name in re.findall(r"[{;]([a-z-]+):", each)}
    assert moved <= CHEAP
    assert transitions
    assert frames
    assert "data-motion" in css, "and it can be switched off"


@pytest.mark.parametrize("game", game_ids())
def test_boards_animate_only_transform_and_opacity(come: Come, game: str) -> None:
    gaps, animated = play(come(still=False), game, 3)
    assert len(gaps) > 10, "it was in motion"
    assert animated
    assert animated <= CHEAP
