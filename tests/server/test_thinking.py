"""Who thinks for bots and hints, before and after the search is compiled."""

from __future__ import annotations

import pytest

import mandala
from mandala import search
from mandala import table as live
from mandala.errors import Refused
from mandala.events import Bot
from mandala.server import thinking
from mandala.server.messages import state_of
from tests.live import ADA, BEN, GREEDY, seated


@pytest.fixture
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "_ready", set())


@pytest.mark.usefixtures("_cold")
def test_until_the_search_is_compiled_greedy_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = seated("patterns", (ADA, Bot("search:3")))
    assert state_of("t", table, 1, now=0, moves=False).warming
    assert thinking.player_for("search:3", "patterns", 1).name == "greedy"
    assert thinking.player_for("random", "patterns", 1).name == "random"
    monkeypatch.setattr(thinking, "_ready", {"patterns"})
    assert not state_of("t", table, 1, now=0, moves=False).warming
    assert thinking.player_for("search:3", "patterns", 1).name == "search:3"


@pytest.mark.usefixtures("_cold")
def test_a_table_without_searching_bots_waits_for_nothing() -> None:
    _, table = seated("patterns", (ADA, GREEDY))
    assert not state_of("t", table, 1, now=0, moves=False).warming


@pytest.mark.usefixtures("_cold")
def test_advice_has_a_share_once_the_search_can_think(monkeypatch: pytest.MonkeyPatch) -> None:
    view = mandala.new("patterns", seed=7).play("Gk").view(1)
    early = thinking.advise(view, 0.1, 1)
    assert (early.move in view.legal, early.share) == (True, None)
    search.warm_up("patterns")
    monkeypatch.setattr(thinking, "_ready", {"patterns"})
    found = thinking.advise(view, 0.1, 1)
    assert found.move in view.legal
    assert found.share is not None
    assert 0 < found.share < 1


def test_a_move_is_told_before_it_is_made() -> None:
    view = mandala.new("patterns", seed=7).play("Gk").view(1)
    assert thinking.told(view, "Od4", "en").startswith("You open black on d4 as group 1 and take")
    assert thinking.told(view, "Od4", "de").startswith("Du eröffnest Schwarz auf d4")


def test_hints_are_refused_where_they_would_be_unfair() -> None:
    _, table = seated("patterns", (ADA, BEN))
    with pytest.raises(Refused, match="all others are bots"):
        live.view_for_hint(table, 2)
    _, table = seated("patterns", (ADA, GREEDY))
    with pytest.raises(Refused, match="turn"):
        live.view_for_hint(table, 1)
    _, table = seated("patterns", (GREEDY, ADA))
    assert live.view_for_hint(table, 2).legal
    with pytest.raises(Refused, match="over"):
        live.view_for_hint(live.after(table, live.resign(table, 2)[0], 0), 2)
