"""The bot service: before the search is compiled, after it, and when the worker fails."""

from __future__ import annotations

import asyncio
import json
import os
import signal
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


async def ready(service: bot_service.BotService) -> None:
    """Wait until the search of Patterns is loaded, and compiled if necessary."""
    service.warm_up("patterns", with_search=True)
    async with asyncio.timeout(180):
        while not bot_service.is_ready("patterns"):
            await asyncio.sleep(0.01)


def test_the_state_says_that_a_search_bot_is_warming_up(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = seated("patterns", (ADA, Bot("search:3")))
    assert state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming
    monkeypatch.setattr(bot_service, "_ready", {"patterns"})
    assert not state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming


def test_a_table_without_search_bots_is_not_warming_up() -> None:
    _, table = seated("patterns", (ADA, GREEDY))
    assert not state_of("t", table, Recipient(1, "en"), now=0, moves=False).warming


def test_greedy_moves_until_the_search_is_loaded() -> None:
    greedy = make_player("greedy", 1).choose(VIEW, Budget())
    alone = make_player("search:3", 1)
    assert isinstance(alone, Searcher)
    found = alone.search(VIEW, Budget())
    assert found.move != greedy

    async def work() -> None:
        service = bot_service.BotService()
        early = await service.choose("search:3", VIEW, 9, 1)
        assert early == bot_service.Advice(greedy, None)
        await ready(service)
        late = await service.choose("search:3", VIEW, 9, 1)
        assert late == bot_service.Advice(found.move, found.value)
        assert (await service.choose("greedy", VIEW, 9, 1)).move == greedy
        await service.stop()

    asyncio.run(work())


def test_a_killed_worker_is_restarted_and_greedy_moves_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_service, "RESTART_DELAY_S", 0.1)

    async def work() -> None:
        service = bot_service.BotService()
        await ready(service)
        asked = asyncio.create_task(service.choose(STRONGEST, VIEW, 60, 1))
        await asyncio.sleep(0.1)
        assert service.process is not None
        killed = service.process
        killed.kill()
        assert (await asked).share is None
        assert not bot_service.is_ready("patterns")
        await ready(service)
        assert (await service.choose(STRONGEST, VIEW, 0.1, 1)).share is not None
        running = service.process
        assert running is not killed
        await service.stop()
        assert running.returncode is not None

    asyncio.run(work())


def test_a_worker_that_hangs_is_restarted_and_greedy_moves_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_service, "RESTART_DELAY_S", 0.1)

    async def work() -> None:
        service = bot_service.BotService(answer_timeout_s=1.0)
        await ready(service)
        assert service.process is not None
        hung = service.process
        hung.send_signal(signal.SIGSTOP)
        async with asyncio.timeout(60):
            asked = [service.choose(STRONGEST, VIEW, 0.1, seed) for seed in range(3)]
            assert [each.share for each in await asyncio.gather(*asked)] == [None] * 3
            await hung.wait()
        await ready(service)
        assert service.process is not hung
        await service.stop()

    asyncio.run(work())


def test_the_worker_exits_with_its_server() -> None:
    command = [sys.executable, "-m", bot_worker.__name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_failure_to_load_the_search_is_logged(tmp_path: Path) -> None:
    usual = engine.cache_folder()
    assert usual is not None
    compiled = tmp_path / usual.name / "search-chess"  # as if compiled earlier, and deleted
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
        line = json.loads(process.stderr.readline())
        process.stdin.close()
    assert (line["event"], line["game"]) == ("loading the search failed", "chess")


def test_the_worker_reports_a_failed_search_and_continues() -> None:
    view = mandala.new("patterns", seed=7).view(1)  # not its turn: searching is an error
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
        log = process.stderr.read().decode()
    decode = msgspec.json.Decoder(bot_worker.Response).decode
    assert list(map(decode, answers)) == [bot_worker.Failed(1), bot_worker.Failed(2)]
    assert json.loads(log.splitlines()[0])["event"] == "search failed: ValueError"
    assert "Traceback" not in log


def test_a_hint_narrates_the_move() -> None:
    view = mandala.new("patterns", seed=7).play("Gk").view(1)
    assert bot_service.describe_move(view, "Od4", ["Ada", "Ben"], "en").startswith(
        "You open black on d4 as group 1 and take"
    )
    assert bot_service.describe_move(view, "Od4", ["Ada", "Ben"], "de").startswith(
        "Du eröffnest Schwarz auf d4"
    )


def test_hints_require_the_turn_and_only_bots_as_opponents() -> None:
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
