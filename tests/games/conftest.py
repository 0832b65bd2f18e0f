"""Tests of the rules run twice: on the plain Python rules and on the compiled ones."""

from __future__ import annotations

import functools
from types import ModuleType

import pytest

from mandala.engine import modules
from mandala.games import find_game


@functools.cache
def compiled(game: str) -> ModuleType:
    return find_game(game).make_ready()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests of a module that names its game as `GAME` with both kinds of rules."""
    if hasattr(metafunc.module, "GAME"):
        metafunc.parametrize("rules_kind", ["interpreted", "compiled"], indirect=True)


@pytest.fixture(autouse=True)
def rules_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Use the plain or the compiled rules of the game that the test's module names."""
    kind: str | None = getattr(request, "param", None)
    if kind is not None:
        game = request.module.GAME
        ready = {find_game(game).package: compiled(game)} if kind == "compiled" else {}
        monkeypatch.setattr(modules, "ready_rules", ready)
    return kind
