"""How fast the rules are: decisions a second, against C that does the same work.

Random games are played on one thread in three ways: by the compiled loop, by the C programs of
`bench/limit`, which tell the same rules on the same records and draw the same random numbers, and
step by step through the batch door. The three take turns, and the medians count. Seconds are those
of the processor: on an idle core the same as on the wall, while on a busy one the time that other
programs take does not count.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from mandala.games import all_games, find_game, game_ids

from .batch import Batch, play_random_games

# What is measured, by the name of its result: a game and the number of seats.
CASES = {
    game.id if seats == game.seats[0] else f"{game.id}-{seats}": (game.id, seats)
    for game in all_games()
    for seats in game.seats
}
RUNS = 5
RUN_SECONDS = 0.6
BATCH_GAMES = 4096
BATCH_WARM_UP = 50  # steps, so that the games of a batch are no longer all at the same point

SOURCES = Path(__file__).parents[3] / "bench" / "limit"
FLAGS = ("-O3", "-march=native")

Progress = Callable[[str, int, int], None]  # the case, runs done, runs in all


@dataclass(frozen=True)
class Play:
    """What a number of random games came to.

    Two plays of the same seed are the same games when all but the seconds agree: the decisions,
    the random generator afterwards, and a fingerprint of the last position.
    """

    decisions: int
    seconds: float
    generator: int
    fingerprint: int


@dataclass(frozen=True)
class Limit:
    """The C programs by game; none when they could not be made, and `what` says why."""

    programs: dict[str, Path]
    what: str


def fingerprint(position: bytes) -> int:
    """FNV-1a, 64 bits."""
    digest = 0xCBF29CE484222325
    for byte in position:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return digest


def play_compiled(game: str, seats: int, games: int, seed: int) -> Play:
    """Play random games in the compiled loop."""
    states = np.zeros(2, find_game(game).compiled("rules").State.dtype)
    generator = np.array([seed], np.uint64)
    start = time.thread_time()
    decisions = play_random_games(states, seats, generator, games)
    seconds = time.thread_time() - start
    return Play(decisions, seconds, int(generator[0]), fingerprint(states[0].tobytes()))


def play_limit(program: Path, seats: int, games: int, seed: int) -> Play:
    """Play random games in a C program."""
    command = [str(program), str(seats), str(games), str(seed)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    decisions, seconds, generator, last = output.split()
    return Play(int(decisions), float(seconds), int(generator), int(last))


@contextlib.contextmanager
def limit(games: Iterable[str] | None = None, sources: Path = SOURCES) -> Iterator[Limit]:
    """Compile the C programs of the games, into a folder that is gone afterwards."""
    compiler = shutil.which("cc")
    if compiler is None:
        yield Limit({}, "not compared: no C compiler (cc)")
    elif not sources.is_dir():
        yield Limit({}, "not compared: the C sources (bench/limit) come only with a checkout")
    else:
        with tempfile.TemporaryDirectory(prefix="mandala-limit-") as folder:
            yield _build(compiler, sources, Path(folder), games or game_ids())


def _build(compiler: str, sources: Path, folder: Path, games: Iterable[str]) -> Limit:
    with_twin = [game for game in games if (sources / f"{game}.c").is_file()]
    programs = {game: folder / game for game in with_twin}
    for game, program in programs.items():
        command = [compiler, *FLAGS, "-o", str(program), str(sources / f"{game}.c")]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            reason = (built.stderr.strip().splitlines() or ["it says nothing"])[0]
            return Limit({}, f"not compared: cc fails on {game}.c: {reason}")
    return Limit(programs, " ".join(("cc", *FLAGS)))


def random_moves(legal: Any, generator: np.random.Generator) -> Any:
    """One legal move for each row of a mask, all equally likely."""
    found = legal.sum(axis=1)
    chosen = np.cumsum(found) - found + (generator.random(len(found)) * found).astype(np.int64)
    return np.flatnonzero(legal)[chosen] % legal.shape[1]


class Door:
    """A batch that plays at random; only its steps are timed."""

    def __init__(self, game: str, seats: int, seed: int = 1) -> None:
        self.batch = Batch(game, BATCH_GAMES, seats=seats, seed=seed)
        self.generator = np.random.default_rng(seed)
        for _ in range(BATCH_WARM_UP):
            self.step()

    def step(self) -> float:
        """One move in each game; return the seconds it took."""
        moves = random_moves(self.batch.legal, self.generator)
        start = time.thread_time()
        self.batch.step(moves)
        return time.thread_time() - start

    def seconds_per_decision(self, seconds: float) -> float:
        """Step for so many seconds."""
        spent, steps = 0.0, 0
        while spent < seconds:
            spent += self.step()
            steps += 1
        return spent / (steps * BATCH_GAMES)


def games_for(game: str, seats: int, seconds: float) -> int:
    """How many games the compiled loop plays in about so many seconds."""
    games = 64
    while (took := play_compiled(game, seats, games, seed=0).seconds) < seconds / 8:
        games *= 2
    return max(1, round(games * seconds / took))


def measure_case(
    name: str,
    programs: dict[str, Path],
    seconds: float = RUN_SECONDS,
    progress: Progress | None = None,
) -> dict[str, float | None]:
    """The figures of one case: medians of runs that take turns."""
    game, seats = CASES[name]
    play_compiled(game, seats, games=1, seed=0)  # compiles
    door = Door(game, seats)
    games = games_for(game, seats, seconds)
    loops: list[Play] = []
    limits: list[Play] = []
    steps: list[float] = []
    for run in range(RUNS):
        if progress is not None:
            progress(name, run, RUNS)
        loops.append(play_compiled(game, seats, games, seed=run))
        if game in programs:
            limits.append(play_limit(programs[game], seats, games, seed=run))
        steps.append(door.seconds_per_decision(seconds))
    speed = _speed(loops)
    limit_speed = _speed(limits) if limits else None
    return {
        "decisions_per_second": speed,
        "limit_ratio": speed / limit_speed if limit_speed else None,
        "limit_decisions_per_second": limit_speed,
        "decisions_per_game": sum(each.decisions for each in loops) / (RUNS * games),
        "limit_decisions_per_game": (
            sum(each.decisions for each in limits) / (RUNS * games) if limits else None
        ),
        "batch_cost": statistics.median(steps) * speed,
    }


def _speed(plays: list[Play]) -> float:
    """The median of decisions a second."""
    return statistics.median([each.decisions / each.seconds for each in plays])


def cases_of(game: str | None = None) -> list[str]:
    """The names of the results for a game, or for all."""
    return [name for name, (each, _) in CASES.items() if game in (None, each)]


def measure(
    game: str | None = None, seconds: float = RUN_SECONDS, progress: Progress | None = None
) -> dict[str, dict[str, Any]]:
    """Measure a game, or all: the machine, and the figures by case."""
    names = cases_of(game)
    with limit({CASES[name][0] for name in names}) as c:
        result: dict[str, dict[str, Any]] = {"machine": machine() | {"limit": c.what}}
        for name in names:
            result[name] = measure_case(name, c.programs, seconds, progress)
    return result


def machine() -> dict[str, Any]:
    """What it was measured on."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
        "cc": _compiler_version(),
    }


def _cpu_model() -> str:
    with contextlib.suppress(OSError):  # only Linux has this file
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _compiler_version() -> str | None:
    if (compiler := shutil.which("cc")) is None:
        return None
    told = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return (told.splitlines() or ["cc"])[0]
