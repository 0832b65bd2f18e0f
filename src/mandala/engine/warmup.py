"""Compiling ahead of time: in this process, or in a child process that fills the cache.

A game is named by the package of its folder, such as `mandala.games.flowers`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any

import numpy as np

from .cache import cache_folder
from .layout import CHANCE
from .modules import compiled_module, ready_calls, ready_rules


def make_ready(package: str, seats: int) -> ModuleType:
    """Compile the rules of a game, or load them from the cache, and use them from now on.

    `seats` is any number of seats that the game can be played with. Takes some seconds the first
    time on a machine, and a fraction of a second after that.
    """
    module = compiled_module(f"{package}.rules")
    start, states = np.zeros(1, module.State.dtype), np.zeros(2, module.State.dtype)
    rows = np.zeros(len(module.moves.texts), np.int16)
    weights = np.zeros(len(module.moves.texts), np.int64)
    module.begin(start[0], seats)
    module.legal(start[0], rows)
    first = int(rows[0])
    module.chance(start[0], rows, weights)
    if start[0].actor == CHANCE:
        first = int(rows[0])
    states[0] = start[0]
    state, view = states[0], states[1]
    module.drawer(state)
    module.apply(state, first)
    module.fill_view(state, view, 0)
    module.score(state, 0)
    module.tie_break(state, 0)
    if hasattr(module, "warm_up"):  # further functions that are called from Python
        module.warm_up()
    ready_calls[package] = _warm_calls(start, first, rows, weights)
    ready_rules[package] = module
    if folder := cache_folder():
        (folder / f"{package}.rules").touch()
    return module


def are_rules_cached(package: str) -> bool:
    """Whether the rules of a game were compiled before on this machine."""
    folder = cache_folder()
    return folder is not None and (folder / f"{package}.rules").exists()


def _warm_calls(start: Any, first: int, rows: Any, weights: Any) -> ModuleType:
    """The compiled `calls`, warmed up with the start of a game and its first possible move."""
    module = compiled_module("mandala.engine.calls")
    module.list_chance(start, rows, weights)
    rows[0], weights[0] = first, 1
    module.draw(start.copy(), 0, rows, weights)
    module.play(start.copy(), first)
    # Positions hold read-only arrays, which are another type for the compiler.
    frozen = np.frombuffer(start.tobytes(), start.dtype)
    module.legal(frozen, rows)
    module.fill_view(frozen, start.copy(), 0)
    module.score(frozen, 0)
    return module


def warm_heuristic(package: str) -> None:
    """Compile a game's heuristic, or load it from the cache, so that no move waits for it."""
    module, rules = compiled_module(f"{package}.heuristic"), compiled_module(f"{package}.rules")
    state, size = np.zeros(1, rules.State.dtype)[0], len(rules.moves.texts)
    rows, values = np.zeros(size, np.int16), np.zeros(size)
    module.score_moves(state, 0, rows, module.WEIGHTS, values)


def make_ready_in_background(package: str, seats: int) -> threading.Thread:
    """Compile the rules and the heuristic of a game on a thread, then use them.

    A child process compiles what is not in the cache yet. Until the thread ends, plain Python is
    used, which plays the same.
    """

    def work() -> None:
        folder = cache_folder()
        if folder is not None and not (stamp := folder / f"{package}.compiled").exists():
            task = f"make_ready({package!r}, {seats}); warm_heuristic({package!r})"
            if not compile_in_subprocess(f"from mandala.engine.warmup import *; {task}"):
                return
            stamp.touch()
        warm_heuristic(package)
        make_ready(package, seats)

    thread = threading.Thread(target=work, name=f"compile {package}", daemon=True)
    thread.start()
    return thread


def compile_in_subprocess(code: str) -> bool:
    """Run Python code that fills the compile cache in a child process; return whether it succeeded.

    The child runs at low priority, waits for other such children, and ends with its parent.
    Otherwise a server that is killed and restarted would leave one more child running each time.
    """
    lower_priority = "from mandala.engine import warmup; warmup.lower_priority()"
    command = [sys.executable, "-c", f"{lower_priority}\n{code}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        return child.wait() == 0


def lower_priority() -> None:
    """In a compiling child process: lower its priority, take the lock, end with the parent."""

    def end_with_parent() -> None:
        os.read(0, 1)  # nothing is ever sent: this returns when the parent has ended
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    if os.name == "posix":
        import fcntl

        os.nice(15)
        if folder := cache_folder():
            fcntl.flock(os.open(folder / "compiling", os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)
