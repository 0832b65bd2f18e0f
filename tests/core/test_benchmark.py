"""The C programs play the same games as the compiled rules, and every figure is reported."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench.reference.move_lists import c_header
from mandala.cli.bench import bench
from mandala.core import benchmark
from mandala.games import game_ids


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, Path]]:
    with benchmark.reference_programs() as reference:
        assert reference.programs, reference.description
        yield reference.programs


@pytest.mark.parametrize("case", benchmark.CASES)
def test_c_plays_the_same_games(case: str, programs: dict[str, Path]) -> None:
    game, seats = benchmark.CASES[case]
    for seed, games in [(seed, 1) for seed in range(40)] + [(40, 500)]:
        ours = benchmark.play_compiled(game, seats, games, seed)
        theirs = benchmark.play_reference(programs[game], seats, games, seed)
        assert (theirs.decisions, theirs.generator, theirs.fingerprint) == (
            ours.decisions,
            ours.generator,
            ours.fingerprint,
        ), f"seed {seed}"


@pytest.mark.parametrize("game", game_ids())
def test_c_has_the_same_move_list(game: str) -> None:
    written = (benchmark.SOURCES / f"{game}_moves.h").read_text(encoding="utf-8")
    assert written == c_header(game), "run python -m bench.reference.move_lists"


def test_fingerprint_is_fnv_1a() -> None:
    assert benchmark.fingerprint(b"") == 0xCBF29CE484222325
    assert benchmark.fingerprint(b"foobar") == 0x85944171F73967E8


def test_random_moves_are_legal_and_equally_likely() -> None:
    legal = np.zeros((3000, 5), np.bool_)
    legal[:, [1, 2, 4]] = True
    legal[0] = [False, False, False, False, True]
    moves = benchmark.random_moves(legal, np.random.default_rng(1))
    assert legal[np.arange(3000), moves].all()
    assert moves[0] == 4
    assert all(abs(np.count_nonzero(moves == move) - 1000) < 120 for move in (1, 2, 4))


FIGURES = {
    "decisions_per_second",
    "reference_ratio",
    "reference_decisions_per_second",
    "decisions_per_game",
    "reference_decisions_per_game",
    "batch_cost",
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "RUNS", 1)
    monkeypatch.setattr(benchmark, "BATCH_GAMES", 16)
    monkeypatch.setattr(benchmark.measure, "__defaults__", (None, 0.001, None))


@pytest.mark.usefixtures("quick")
def test_json_has_all_figures_of_all_cases() -> None:
    ran = CliRunner().invoke(bench, ["--json"], catch_exceptions=False)
    figures = json.loads(ran.stdout)
    machine = figures.pop("machine")
    assert {"cpu", "cores", "python", "numba", "numpy", "cc", "reference"} <= machine.keys()
    assert figures.keys() == benchmark.CASES.keys()
    assert {"mandala", "patterns", "flowers", "flowers-3", "flowers-4"} <= figures.keys()
    for each in figures.values():
        assert each.keys() == FIGURES
        assert all(figure > 0 for figure in each.values())
        assert each["decisions_per_game"] == each["reference_decisions_per_game"]


@pytest.mark.usefixtures("quick")
def test_without_a_compiler_there_is_no_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    figures = benchmark.measure("patterns")
    assert figures["machine"]["cc"] is None
    assert "cc" in figures["machine"]["reference"]
    assert figures["patterns"]["reference_ratio"] is None
    assert figures["patterns"]["decisions_per_second"] > 0
    table = CliRunner().invoke(bench, ["patterns"], catch_exceptions=False).stdout
    assert "–" in table
    assert "no C compiler" in table


def test_without_the_sources_nothing_is_compared(tmp_path: Path) -> None:
    with benchmark.reference_programs(sources=tmp_path / "gone") as reference:
        assert not reference.programs
        assert "checkout" in reference.description


def test_c_that_does_not_compile_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mandala.c").write_text("rules in Python\n")
    with benchmark.reference_programs(["mandala"], sources=tmp_path) as reference:
        assert not reference.programs
        assert "mandala.c" in reference.description


def test_a_game_without_a_c_program_is_not_compared() -> None:
    with benchmark.reference_programs(["tiny"]) as reference:
        assert reference.programs == {}


def test_an_unknown_game_is_a_usage_error_that_lists_the_games() -> None:
    ran = CliRunner().invoke(bench, ["chess"])
    assert ran.exit_code == 2
    assert all(game in ran.output for game in game_ids())
