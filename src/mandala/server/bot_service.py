"""Chooses the moves of bots and hints.

Search players run in a worker process. Compiling their code takes up to a minute once per machine;
until it is loaded, `greedy` moves for them.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from mandala.bots.levels import LEVELS, STRONGEST
from mandala.bots.players import Budget, make_player
from mandala.core.narration import narrate, steps_seen
from mandala.core.view import View
from mandala.games import find_game
from mandala.live.events import Bot
from mandala.live.table import Table
from mandala.server import bot_worker

log = logging.getLogger("mandala.server")

HINT_PLAYER = STRONGEST
FALLBACK_PLAYER = "greedy"
RESTART_DELAY_S = 5.0  # of a worker that has ended
ANSWER_TIMEOUT_S = 15.0  # beyond the time of a search, after which the worker is restarted
WATCH_INTERVAL_S = 0.5
MAX_LINE_BYTES = 1 << 16
_ready: set[str] = set()

_decode = msgspec.json.Decoder(bot_worker.Response).decode


@dataclass(frozen=True)
class Advice:
    """A move, and the expected share of the win, None if unknown."""

    move: str
    share: float | None


def is_ready(game: str) -> bool:
    """Whether the search of a game is compiled and loaded."""
    return game in _ready


def is_warming(table: Table) -> bool:
    """Whether a table has a search bot whose search is not loaded yet."""
    if table.ending is not None or is_ready(table.opening.game):
        return False
    return any(isinstance(sitter, Bot) and sitter.name in LEVELS for sitter in table.sitters)


def describe_move(view: View, move: str, names: Sequence[str], language: str) -> str:
    """Return the narration of a possible move of a view's seat."""
    assert view.history is not None, "a view of a live game knows its moves"
    row, states = view.spec.row_of(move), view.copy_states()
    drawer = int(view.rules.drawer(view.state))
    view.rules.apply(states[0], row)
    after = View(view.game, view.seats, states, view.seat, (*view.history, (row, drawer)))
    sentences = narrate(steps_seen(view, after), view.seat, language, names)
    return " ".join(sentence.text for sentence in sentences)


class BotService:
    """Chooses moves of bots, with a worker process that is started for the first search bot."""

    def __init__(self, answer_timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        self._answer_timeout_s = answer_timeout_s
        self._longest_search_s = 0.0
        self._answer_due_at = 0.0  # when the worker must have answered one of the pending requests
        self._compile_tasks: dict[str, asyncio.Task[None]] = {}  # by game, for its rules
        self._search_games: set[str] = set()  # whose search the worker loads
        self._worker_task: asyncio.Task[None] | None = None
        self.process: Process | None = None  # the worker
        self._pending: dict[int, asyncio.Future[Advice | None]] = {}
        self._number = 0

    def warm_up(self, game: str, *, with_search: bool) -> None:
        """Compile the rules of a game in the background, and load its search in the worker."""
        if game not in self._compile_tasks:
            self._compile_tasks[game] = asyncio.create_task(_make_ready(game))
        if with_search and game not in self._search_games:
            self._search_games.add(game)
            if self._worker_task is None:
                self._worker_task = asyncio.create_task(self._run())
            else:
                self._load(game)

    async def choose(self, name: str, view: View, seconds: float, seed: int) -> Advice:
        """Return a move of a player; `greedy` replaces a search player that is not available."""
        if name in LEVELS and is_ready(view.game) and self.process is not None:
            self._number += 1
            self._longest_search_s = max(seconds, self._longest_search_s)
            if not self._pending:
                self._expect_answer()
            response: asyncio.Future[Advice | None] = asyncio.get_running_loop().create_future()
            self._pending[self._number] = response
            self._send(bot_worker.search_request(self._number, name, view, seconds, seed))
            if (advice := await response) is not None:
                return advice
        player = make_player(FALLBACK_PLAYER if name in LEVELS else name, seed)
        return Advice(await asyncio.to_thread(player.choose, view, Budget()), None)

    async def stop(self) -> None:
        """Stop the worker and all tasks."""
        tasks = [
            each for each in (*self._compile_tasks.values(), self._worker_task) if each is not None
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        """Run the worker, and restart it when it ends."""
        while True:
            command = (sys.executable, "-m", bot_worker.__name__)
            self.process = process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, limit=MAX_LINE_BYTES
            )
            watching = asyncio.create_task(self._watch(process))
            try:
                for game in self._search_games:
                    self._load(game)
                assert process.stdout is not None
                async for line in process.stdout:
                    self._receive(_decode(line))
            finally:
                watching.cancel()
                self._fail_pending()
                if process.returncode is None:
                    process.kill()
                await process.wait()
            log.warning("bot worker ended, restarting")
            await asyncio.sleep(RESTART_DELAY_S)

    async def _watch(self, process: Process) -> None:
        """Kill the worker when it leaves searches unanswered for too long."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL_S)
            if self._pending and time.monotonic() > self._answer_due_at:
                log.warning("bot worker does not answer")
                process.kill()
                return

    def _expect_answer(self) -> None:
        allowed_s = self._longest_search_s + self._answer_timeout_s
        self._answer_due_at = time.monotonic() + allowed_s

    def _fail_pending(self) -> None:
        self.process = None
        _ready.difference_update(self._search_games)
        for response in self._pending.values():
            if not response.done():
                response.set_result(None)
        self._pending.clear()

    def _load(self, game: str) -> None:
        """Request the search of a game as soon as its rules are compiled."""
        self._compile_tasks[game].add_done_callback(
            lambda _: self._send(bot_worker.LoadRequest(game))
        )

    def _send(self, request: bot_worker.Request) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(msgspec.json.encode(request) + b"\n")

    def _receive(self, response: bot_worker.Response) -> None:
        self._expect_answer()
        if isinstance(response, bot_worker.Loaded):
            _ready.add(response.game)
            return
        future = self._pending.pop(response.number)
        if not future.done():  # it may have been cancelled
            if isinstance(response, bot_worker.Failed):
                future.set_result(None)
            else:
                future.set_result(Advice(response.move, response.share))


async def _make_ready(game: str) -> None:
    await asyncio.to_thread(find_game(game).make_ready_in_background().join)
