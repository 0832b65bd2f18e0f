"""Bots and hints: who thinks, and who stands in while the search is being compiled.

Players that search do so in a process of their own. Compiling takes up to a minute, once on a
machine, and nobody waits for it: until the search is loaded there, `greedy` plays for them.
"""

from __future__ import annotations

import asyncio
import logging
import sys
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

HINTS_BY = STRONGEST
STAND_IN = "greedy"
AGAIN_AFTER = 5.0  # seconds after which a thinker that has ended is started anew
LONGEST_ANSWER = 1 << 16  # bytes
_ready: set[str] = set()

_decode = msgspec.json.Decoder(bot_worker.Response).decode


@dataclass(frozen=True)
class Advice:
    """A move, and the share of the win that it lets a seat hope for, if that is known."""

    move: str
    share: float | None


def is_ready(game: str) -> bool:
    """Whether the search of a game can think without compiling anything first."""
    return game in _ready


def is_warming(table: Table) -> bool:
    """Whether another player stands in for one who searches, until the search is compiled."""
    if table.ending is not None or is_ready(table.opening.game):
        return False
    return any(isinstance(sitter, Bot) and sitter.name in LEVELS for sitter in table.sitters)


def describe_move(view: View, move: str, names: Sequence[str], language: str) -> str:
    """What a move of a view's seat would do, in sentences with the names of seats."""
    assert view.history is not None, "a view of a live game knows its moves"
    row, states = view.spec.row_of(move), view.copy_states()
    drawer = int(view.rules.drawer(view.state))
    view.rules.apply(states[0], row)
    after = View(view.game, view.seats, states, view.seat, (*view.history, (row, drawer)))
    sentences = narrate(steps_seen(view, after), view.seat, language, names)
    return " ".join(sentence.text for sentence in sentences)


class Thinking:
    """Who chooses the moves of bots: the thinker, a process that is there once a bot is."""

    def __init__(self) -> None:
        self._begun: dict[str, asyncio.Task[None]] = {}  # by game: compiling its rules
        self._games: set[str] = set()  # whose search is wanted
        self._running: asyncio.Task[None] | None = None
        self.process: Process | None = None  # the thinker
        self._asked: dict[int, asyncio.Future[Advice | None]] = {}
        self._number = 0

    def warm_up(self, game: str, *, with_search: bool) -> None:
        """Compile the rules and the search of a game on the side; plain Python plays until then."""
        if game not in self._begun:
            self._begun[game] = asyncio.create_task(_make_ready(game))
        if with_search and game not in self._games:
            self._games.add(game)
            if self._running is None:
                self._running = asyncio.create_task(self._run())
            else:
                self._load(game)

    async def choose(self, name: str, view: View, seconds: float, seed: int) -> Advice:
        """A move of this player or, while it cannot think, of who stands in."""
        if name in LEVELS and is_ready(view.game) and self.process is not None:
            self._number += 1
            answer: asyncio.Future[Advice | None] = asyncio.get_running_loop().create_future()
            self._asked[self._number] = answer
            self._say(bot_worker.search_request(self._number, name, view, seconds, seed))
            if (advice := await answer) is not None:
                return advice
        player = make_player(STAND_IN if name in LEVELS else name, seed)
        return Advice(await asyncio.to_thread(player.choose, view, Budget()), None)

    async def stop(self) -> None:
        """Think no more."""
        tasks = [each for each in (*self._begun.values(), self._running) if each is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        """Keep a thinker running."""
        while True:
            command = (sys.executable, "-m", bot_worker.__name__)
            self.process = process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER
            )
            try:
                for game in self._games:
                    self._load(game)
                assert process.stdout is not None
                async for line in process.stdout:
                    self._hear(_decode(line))
            finally:
                self._gone()
                if process.returncode is None:
                    process.kill()
                await process.wait()
            log.warning("the process that thinks for bots has ended and is started again")
            await asyncio.sleep(AGAIN_AFTER)

    def _gone(self) -> None:
        self.process = None
        _ready.difference_update(self._games)
        for answer in self._asked.values():
            if not answer.done():
                answer.set_result(None)
        self._asked.clear()

    def _load(self, game: str) -> None:
        """Ask for the search of a game, once its rules are compiled."""
        self._begun[game].add_done_callback(lambda _: self._say(bot_worker.LoadRequest(game)))

    def _say(self, question: bot_worker.Request) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.write(msgspec.json.encode(question) + b"\n")

    def _hear(self, answer: bot_worker.Response) -> None:
        if isinstance(answer, bot_worker.Loaded):
            _ready.add(answer.game)
            return
        waiting = self._asked.pop(answer.number)
        if not waiting.done():  # else nobody wants to know any more
            if isinstance(answer, bot_worker.Failed):
                waiting.set_result(None)
            else:
                waiting.set_result(Advice(answer.move, answer.share))


async def _make_ready(game: str) -> None:
    await asyncio.to_thread(find_game(game).make_ready_in_background().join)
