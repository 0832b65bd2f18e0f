"""The speed of the rules in decisions per second, compared with C programs that do the same work.

Random games are played on one thread in three ways: by the compiled loop, by the C programs of
`bench/reference`, which have the same rules, records and random numbers, and step by step with a
`Batch`. The three take turns, and each figure is a median. Seconds are processor time, so that
other programs on the machine do not distort the figures.
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

# The cases that are measured, by name: a game and the number of seats.
CASES = {
    game.id if seats == game.seats[0] else f"{game.id}-{seats}": (game.id, seats)
    for game in all_games()
    for seats in game.seats
}
RUNS = 5
RUN_SECONDS = 0.6
BATCH_GAMES = 4096
BATCH_WARM_UP = 50  # steps after which the games of a batch are at different points

SOURCES = Path(__file__).parents[3] / "bench" / "reference"
FLAGS = ("-O3", "-march=native")

Progress = Callable[[str, int, int], None]  # the case, the runs done, the runs in total


@dataclass(frozen=True)
class Run:
    """The result of playing a number of random games.

    Two runs of the same seed played the same games when everything but the seconds is equal: the
    decisions, the random generator afterwards, and a fingerprint of the last position.
    """

    decisions: int
    seconds: float
    generator: int
    fingerprint: int


@dataclass(frozen=True)
class Reference:
    """The C programs by game; empty when they could not be compiled."""

    programs: dict[str, Path]
    description: str  # the compiler and its flags, or why there are no programs


def fingerprint(position: bytes) -> int:
    """The 64-bit FNV-1a hash of the bytes of a position."""
    digest = 0xCBF29CE484222325
    for byte in position:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return digest


def play_compiled(game: str, seats: int, games: int, seed: int) -> Run:
    """Run random games in the compiled loop."""
    states = np.zeros(2, find_game(game).compiled("rules").State.dtype)
    generator = np.array([seed], np.uint64)
    start = time.thread_time()
    decisions = play_random_games(states, seats, generator, games)
    seconds = time.thread_time() - start
    return Run(decisions, seconds, int(generator[0]), fingerprint(states[0].tobytes()))


def play_reference(program: Path, seats: int, games: int, seed: int) -> Run:
    """Run random games in a C program."""
    command = [str(program), str(seats), str(games), str(seed)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    decisions, seconds, generator, last = output.split()
    return Run(int(decisions), float(seconds), int(generator), int(last))


@contextlib.contextmanager
def reference_programs(
    games: Iterable[str] | None = None, sources: Path = SOURCES
) -> Iterator[Reference]:
    """Compile the C programs of the games into a temporary folder."""
    compiler = shutil.which("cc")
    if compiler is None:
        yield Reference({}, "not compared: no C compiler (cc)")
    elif not sources.is_dir():
        yield Reference(
            {}, "not compared: the C sources (bench/reference) come only with a checkout"
        )
    else:
        with tempfile.TemporaryDirectory(prefix="mandala-reference-") as folder:
            yield _build(compiler, sources, Path(folder), games or game_ids())


def _build(compiler: str, sources: Path, folder: Path, games: Iterable[str]) -> Reference:
    with_source = [game for game in games if (sources / f"{game}.c").is_file()]
    programs = {game: folder / game for game in with_source}
    for game, program in programs.items():
        command = [compiler, *FLAGS, "-o", str(program), str(sources / f"{game}.c")]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            reason = (built.stderr.strip().splitlines() or ["it says nothing"])[0]
            return Reference({}, f"not compared: cc fails on {game}.c: {reason}")
    return Reference(programs, " ".join(("cc", *FLAGS)))


def random_moves(legal: Any, generator: np.random.Generator) -> Any:
    """One legal move for each row of a mask, all equally likely."""
    found = legal.sum(axis=1)
    chosen = np.cumsum(found) - found + (generator.random(len(found)) * found).astype(np.int64)
    return np.flatnonzero(legal)[chosen] % legal.shape[1]


class BatchTimer:
    """Plays random moves in a `Batch` and times its steps alone."""

    def __init__(self, game: str, seats: int, seed: int = 1) -> None:
        self.batch = Batch(game, BATCH_GAMES, seats=seats, seed=seed)
        self.generator = np.random.default_rng(seed)
        for _ in range(BATCH_WARM_UP):
            self.step()

    def step(self) -> float:
        """Make one move in each game and return the seconds it took."""
        moves = random_moves(self.batch.legal, self.generator)
        start = time.thread_time()
        self.batch.step(moves)
        return time.thread_time() - start

    def seconds_per_decision(self, seconds: float) -> float:
        """Make steps for a number of seconds; return the seconds per decision."""
        spent, steps = 0.0, 0
        while spent < seconds:
            spent += self.step()
            steps += 1
        return spent / (steps * BATCH_GAMES)


def games_for(game: str, seats: int, seconds: float) -> int:
    """The number of games that the compiled loop plays in about a number of seconds."""
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
    """The figures of one case: medians over all runs."""
    game, seats = CASES[name]
    play_compiled(game, seats, games=1, seed=0)  # compiles
    batch = BatchTimer(game, seats)
    games = games_for(game, seats, seconds)
    loops: list[Run] = []
    references: list[Run] = []
    steps: list[float] = []
    for run in range(RUNS):
        if progress is not None:
            progress(name, run, RUNS)
        loops.append(play_compiled(game, seats, games, seed=run))
        if game in programs:
            references.append(play_reference(programs[game], seats, games, seed=run))
        steps.append(batch.seconds_per_decision(seconds))
    speed = _speed(loops)
    reference_speed = _speed(references) if references else None
    return {
        "decisions_per_second": speed,
        "reference_ratio": speed / reference_speed if reference_speed else None,
        "reference_decisions_per_second": reference_speed,
        "decisions_per_game": sum(each.decisions for each in loops) / (RUNS * games),
        "reference_decisions_per_game": (
            sum(each.decisions for each in references) / (RUNS * games) if references else None
        ),
        "batch_cost": statistics.median(steps) * speed,
    }


def _speed(plays: list[Run]) -> float:
    """The median of the decisions per second."""
    return statistics.median([each.decisions / each.seconds for each in plays])


def cases_of(game: str | None = None) -> list[str]:
    """The names of the cases of a game, or of all games."""
    return [name for name, (each, _) in CASES.items() if game in (None, each)]


def measure(
    game: str | None = None, seconds: float = RUN_SECONDS, progress: Progress | None = None
) -> dict[str, dict[str, Any]]:
    """Measure a game, or all games: a description of the machine, and the figures by case."""
    names = cases_of(game)
    with reference_programs({CASES[name][0] for name in names}) as reference:
        result: dict[str, dict[str, Any]] = {
            "machine": machine() | {"reference": reference.description}
        }
        for name in names:
            result[name] = measure_case(name, reference.programs, seconds, progress)
    return result


def machine() -> dict[str, Any]:
    """The machine and the versions that a measurement ran on."""
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
    output = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return (output.splitlines() or ["cc"])[0]
