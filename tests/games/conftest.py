"""Every test of the rules runs twice: on the rules as plain Python, and on their compiled twin."""

from __future__ import annotations

import functools
from types import ModuleType

import pytest

from mandala import kernel


@functools.cache
def compiled(game: str) -> ModuleType:
    return kernel.make_ready(game)


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def twin(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Play by one of the two twins, for the game that the test's module names as `GAME`."""
    monkeypatch.setattr(kernel, "_ready", {})
    if request.param == "compiled" and hasattr(request.module, "GAME"):
        kernel._ready[request.module.GAME] = compiled(request.module.GAME)
    return str(request.param)
