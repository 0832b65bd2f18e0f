"""Players that are programs of their own and speak the bot protocol: `cmd:python3 mybot.py`.

A bot that is late, crashes, floods its output or answers nonsense loses its game with a reason; its
process is then killed and a new one started for the next game. A command runs on this machine with
the user's rights, so only commands of the terminal accept such players, never the server.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import msgspec
import platformdirs

from mandala.core.view import View
from mandala.text.errors import BotFailed, UnknownPlayer
from mandala.text.notation import shorten

from .players import Budget, Player, make_player
from .protocol import (
    MAX_LINE_BYTES,
    PROTOCOL,
    FromBot,
    Go,
    Hello,
    Move,
    NewGame,
    Quit,
    Ready,
    Result,
    State,
    Stop,
    ToBot,
    decode_from_bot,
    encode,
    protocol_of,
)

PREFIX = "cmd:"
START_TIMEOUT_S = 120.0  # from `hello` to `ready`; a bot may compile or load weights
MOVE_TIMEOUT_S = 60.0  # for a move without a time limit
GRACE_S = 1.0  # from `stop`, sent when the time is up, to the answer
QUIT_TIMEOUT_S = 2.0
MAX_UNREAD = 1_000  # lines of a bot that nobody has asked for
MAX_BANNER_LINES = 20  # other lines before `ready`
MAX_IGNORED = 100  # answers to old requests, while waiting for one
MAX_STDERR_LINES = 1_000  # of the newest kept
MAX_LOG_BYTES = 1 << 20


def is_command(name: str) -> bool:
    """Whether the name of a player is a command."""
    return name.startswith(PREFIX)


def make_local_player(name: str, seed: int | None = None) -> Player:
    """Return a player by its name or command. Raises UnknownPlayer."""
    return ExternalPlayer(name) if is_command(name) else make_player(name, seed)


def log_path(command: str) -> Path:
    """Return the file to which the error output of a bot is appended."""
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", command).strip("-")[-60:]
    return platformdirs.user_log_path("mandala") / "bots" / f"{slug}.log"


class BotProcess:
    """The process of a bot, with threads that read and write its streams without blocking."""

    def __init__(self, command: str) -> None:
        self.command = command
        arguments = _split(command)
        if not arguments:
            raise UnknownPlayer("bot-no-command", {"command": shorten(command)})
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that Ctrl-C is ours, and children can be killed
            )
        except OSError as error:
            parts = {"command": shorten(command), "why": error.strerror or error}
            raise BotFailed("bot-not-started", parts) from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_UNREAD)
        self._unsent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr: deque[bytes] = deque(maxlen=MAX_STDERR_LINES)
        self._is_flooding = self._has_log = self._is_stopped = False
        self._threads = [
            threading.Thread(target=each, daemon=True)
            for each in (self._read, self._write, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        while line := _read_line(self._process.stdout):
            try:
                self._lines.put_nowait(line)
            except queue.Full:
                self._is_flooding = True
                self._kill_group()
                return
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(None)

    def _write(self) -> None:
        assert self._process.stdin is not None, "opened as a pipe"
        try:
            while (line := self._unsent.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            self._process.stdin.close()
        except (BrokenPipeError, ValueError):
            return  # the bot has closed its input, or is killed

    def _read_stderr(self) -> None:
        while line := _read_line(self._process.stderr):
            self._stderr.append(line)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def hello(self, game: str | None, timeout: float = START_TIMEOUT_S) -> Ready:
        """Wait until the bot is ready, for a game if one is given. Raises BotFailed."""
        self.send(Hello(PROTOCOL, game))
        ends_at, banner = time.monotonic() + timeout, 0
        while True:
            line = self._next_line(ends_at - time.monotonic())
            if line is None:
                raise self.failed("bot-start-late", seconds=timeout)
            version = protocol_of(line)
            if version is None and banner < MAX_BANNER_LINES:
                banner += 1
                continue
            if version is not None and version != PROTOCOL:
                raise self.failed("bot-other-protocol", version=version, ours=PROTOCOL)
            message = self._decoded(line)
            if not isinstance(message, Ready):
                raise self.failed("bot-nonsense", line=_shown(line))
            if game is not None and game not in message.games:
                raise self.failed("bot-other-games", game=game, games=", ".join(message.games))
            return message

    def send(self, message: ToBot) -> None:
        """Queue a message to the bot."""
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        """Queue a line to the bot."""
        self._unsent.put(line)

    def receive(self, timeout: float) -> FromBot | None:
        """Return the bot's next message, None if it takes too long. Raises BotFailed."""
        line = self._next_line(timeout)
        return None if line is None else self._decoded(line)

    def _decoded(self, line: bytes) -> FromBot:
        try:
            return decode_from_bot(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise self.failed("bot-nonsense", line=_shown(line)) from None

    def _next_line(self, timeout: float) -> bytes | None:
        """The next line, None if there is none in time. Raises BotFailed if there will be none."""
        try:
            line = self._lines.get(timeout=max(0.0, timeout))
        except queue.Empty:
            return None
        if self._is_flooding:
            raise self.failed("bot-floods", most=MAX_UNREAD)
        if line is None:
            self._lines.put(None)
            raise self.failed("bot-ended", exit_code=self._exit_code())
        return line

    def failed(self, code: str, **parts: object) -> BotFailed:
        """Return the error for a bot that has failed, with the place of its error output."""
        self.stop(0.0)
        parts["command"] = shorten(self.command)
        if self._has_log:
            parts["log"] = log_path(self.command)
        return BotFailed(code, parts)

    def _exit_code(self) -> int:
        try:
            return self._process.wait(QUIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:  # it has closed its output, but runs on
            return 0

    def stop(self, timeout: float = QUIT_TIMEOUT_S) -> bool:
        """End the process, by force after a time; return whether it ended by itself.

        Has no effect the second time: the process id may belong to another program by then.
        """
        if self._is_stopped:
            return True
        self._is_stopped = True
        if self._process.returncode is None and timeout:
            self.send(Quit())
        self._unsent.put(None)
        ended = True
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            ended = False
        self._kill_group()
        self._process.wait()
        for thread in self._threads:
            thread.join(QUIT_TIMEOUT_S)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None, "opened as a pipe"
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._write_log()
        return ended

    def _kill_group(self) -> None:
        """Kill the process and the processes that it has started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _write_log(self) -> None:
        """Append the error output to the bot's log file, which is begun anew when it is large."""
        said, path = b"".join(self._stderr), log_path(self.command)
        self._stderr.clear()
        if not said:
            return
        self._has_log = True
        path.parent.mkdir(parents=True, exist_ok=True)
        is_large = path.exists() and path.stat().st_size > MAX_LOG_BYTES
        with path.open("wb" if is_large else "ab") as file:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            file.write(f"--- {now} {self.command}\n".encode() + said)


class ExternalPlayer:
    """A bot on one seat of one game; its process is used again for the next game."""

    def __init__(self, name: str) -> None:
        self.name, self._command = name, name.removeprefix(PREFIX).strip()
        if not _split(self._command):
            raise UnknownPlayer("bot-no-command", {"command": shorten(name)})
        self._process: BotProcess | None = None
        self._game = ""
        self._request = 0

    def choose(self, view: View, budget: Budget) -> str:
        """The bot's move. Raises BotFailed, after which the bot has lost the game."""
        if self._process is None:
            self._begin(view)
        process = self._process
        assert process is not None, "just started"
        legal = list(view.legal)
        self._request += 1
        process.send(State(str(view.record()), legal))
        process.send(_go(self._request, budget))
        try:
            move = self._answer(process, _seconds(budget)).move
            if move not in legal:
                raise process.failed("bot-illegal", move=shorten(move))
        except BotFailed:
            self._process = None
            raise
        return move

    def _begin(self, view: View) -> None:
        assert view.seat is not None, "a spectator has no move"
        self._game = view.game
        self._process = process = _take(self._command, view.game)
        process.send(NewGame(view.game, view.spec.rules_version, view.seats, view.seat))

    def _answer(self, process: BotProcess, seconds: float) -> Move:
        """Wait for the answer to the last request, and ask for it when the time is up."""
        ends_at, is_stopped, ignored = time.monotonic() + seconds, False, 0
        while True:
            message = process.receive(ends_at - time.monotonic())
            if message is None and not is_stopped:
                process.send(Stop(self._request))
                ends_at, is_stopped = time.monotonic() + GRACE_S, True
            elif message is None:
                raise process.failed("bot-late", seconds=round(seconds, 3))
            elif not isinstance(message, Move) or message.request > self._request:
                raise process.failed("bot-nonsense", line=_shown(encode(message)))
            elif message.request == self._request:
                return message
            elif (ignored := ignored + 1) > MAX_IGNORED:
                raise process.failed("bot-floods", most=MAX_IGNORED)

    def end_game(self, scores: list[int], winners: list[int], reason: str = "") -> None:
        """Tell the bot the result, and keep its process for the next game."""
        if self._process is not None:
            self._process.send(Result(scores, winners, reason))
            _idle.setdefault((self._command, self._game), []).append(self._process)
            self._process = None


_idle: dict[tuple[str, str], list[BotProcess]] = {}  # by command and game


def _take(command: str, game: str) -> BotProcess:
    """A process that is ready for a game."""
    if waiting := _idle.get((command, game)):
        return waiting.pop()
    process = BotProcess(command)
    process.hello(game)
    return process


def start_bots(names: Iterable[str], game: str) -> None:
    """Start the bots among some players, so that an error is known early. Raises BotFailed."""
    for name in filter(is_command, names):
        command = name.removeprefix(PREFIX).strip()
        _idle.setdefault((command, game), []).append(_take(command, game))


@atexit.register
def stop_bots() -> None:
    """End the processes of all bots that wait for a game."""
    for waiting in _idle.values():
        while waiting:
            waiting.pop().stop()


def _go(request: int, budget: Budget) -> Go:
    if budget.time_left is None:
        return Go(request, seconds=budget.seconds, simulations=budget.simulations)
    return Go(request, time_left=budget.time_left, increment=budget.increment)


def _seconds(budget: Budget) -> float:
    """How long to wait for a move before `stop`."""
    return budget.seconds or budget.time_left or MOVE_TIMEOUT_S


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:  # such as an open quotation
        parts = {"command": shorten(command), "why": error}
        raise UnknownPlayer("bot-bad-command", parts) from None


def _read_line(stream: IO[bytes] | None) -> bytes:
    assert stream is not None, "opened as a pipe"
    try:
        return stream.readline(MAX_LINE_BYTES)
    except ValueError:  # closed
        return b""


def _shown(line: bytes) -> str:
    return shorten(line.decode(errors="replace").strip())
