"""Who thinks for bots and hints: before the search is compiled, after it, and in a mishap."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import mandala
from mandala import engine
from mandala.bots.levels import STRONGEST
from mandala.bots.players import Budget, make_player
from mandala.bots.searcher import Searcher
from mandala.live import table as live
from mandala.live.events import Bot
from mandala.server import bot_service, bot_worker
from mandala.server.messages import Recipient, state_of
from mandala.text.errors import Refused
from tests.tables import ADA, BEN, GREEDY, seated

VIEW = mandala.new("patterns", seed=7).play("Gk").view(1)


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_service, "_ready", set())


async def ready(thoughts: bot_service.Thinking) -> None:
    """Let the search of Patterns be loaded, or compiled where it has to be."""
    thoughts.warm_up("patterns", with_search=True)
    async with asyncio.timeout(180):
        while not bot_service.is_ready("patterns"):
            await asyncio.sleep(0.01)


def test_a_table_says_that_its_bot_is_warming_up(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = seated("patterns", (ADA, Bot("search:3")))
    assert state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming
    monkeypatch.setattr(bot_service, "_ready", {"patterns"})
    assert not state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming


def test_a_table_without_searching_bots_waits_for_nothing() -> None:
    _, table = seated("patterns", (ADA, GREEDY))
    assert not state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming


def test_until_the_search_is_loaded_greedy_stands_in_and_then_it_thinks() -> None:
    greedy = make_player("greedy", 1).choose(VIEW, Budget())
    alone = make_player("search:3", 1)
    assert isinstance(alone, Searcher)
    found = alone.search(VIEW, Budget())
    assert found.move != greedy

    async def work() -> None:
        thoughts = bot_service.Thinking()
        early = await thoughts.choose("search:3", VIEW, 9, 1)
        assert early == bot_service.Advice(greedy, None)
        await ready(thoughts)
        late = await thoughts.choose("search:3", VIEW, 9, 1)
        assert late == bot_service.Advice(found.move, found.value)
        assert (await thoughts.choose("greedy", VIEW, 9, 1)).move == greedy
        await thoughts.stop()

    asyncio.run(work())


def test_a_thinker_that_is_killed_is_stood_in_for_and_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_service, "AGAIN_AFTER", 0.1)

    async def work() -> None:
        thoughts = bot_service.Thinking()
        await ready(thoughts)
        asked = asyncio.create_task(thoughts.choose(STRONGEST, VIEW, 60, 1))
        await asyncio.sleep(0.1)
        assert thoughts.process is not None
        killed = thoughts.process
        killed.kill()
        assert (await asked).share is None
        assert not bot_service.is_ready("patterns")
        await ready(thoughts)
        assert (await thoughts.choose(STRONGEST, VIEW, 0.1, 1)).share is not None
        running = thoughts.process
        assert running is not killed
        await thoughts.stop()
        assert running.returncode is not None

    asyncio.run(work())


def test_a_thinker_ends_with_its_server() -> None:
    command = [sys.executable, "-m", bot_worker.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_search_that_cannot_be_loaded_is_told_in_the_log(tmp_path: Path) -> None:
    usual = engine.cache_folder()
    assert usual is not None
    compiled = tmp_path / usual.name / "search-chess"  # it was compiled once, and now is no more
    compiled.parent.mkdir()
    compiled.touch()
    command = [sys.executable, "-m", bot_worker.__name__]
    environment = {**os.environ, "MANDALA_CACHE": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(msgspec.json.encode(bot_worker.LoadRequest("chess")) + b"\n")
        process.stdin.flush()
        told = json.loads(process.stderr.readline())
        process.stdin.close()
    assert (told["event"], told["game"]) == ("loading the search failed", "chess")


def test_a_question_without_an_answer_is_said_so_and_the_next_one_is_heard() -> None:
    view = mandala.new("patterns", seed=7).view(1)  # not its turn: to think about it is a fault
    command = [sys.executable, "-m", bot_worker.__name__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        asked = [bot_worker.search_request(each, "search:3", view, 1, 1) for each in (1, 2)]
        lines = b"".join(msgspec.json.encode(each) + b"\n" for each in asked)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines)
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in asked]
        process.stdin.close()
        assert process.stderr is not None
        told = process.stderr.read().decode()
    decode = msgspec.json.Decoder(bot_worker.Response).decode
    assert list(map(decode, answers)) == [bot_worker.Failed(1), bot_worker.Failed(2)]
    assert json.loads(told.splitlines()[0])["event"] == "search failed: ValueError"
    assert "Traceback" not in told


def test_a_move_is_told_before_it_is_made() -> None:
    view = mandala.new("patterns", seed=7).play("Gk").view(1)
    assert bot_service.describe_move(view, "Od4", ["Ada", "Ben"], "en").startswith(
        "You open black on d4 as group 1 and take"
    )
    assert bot_service.describe_move(view, "Od4", ["Ada", "Ben"], "de").startswith(
        "Du eröffnest Schwarz auf d4"
    )


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
        live.view_for_hint(live.after(table, live.resign(table, 2, 0)[0].event, 0), 2)
