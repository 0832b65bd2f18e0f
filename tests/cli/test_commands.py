"""The output of every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

import mandala
from mandala import Position, View
from mandala.bots import simulation
from mandala.bots.players import Budget, Player
from tests.cli.tools import random_game, run


def test_help_lists_the_commands_without_loading_the_compiler() -> None:
    source = (
        "import sys; from mandala.cli import run; code = run(['--help']);"
        "heavy = {'numba', 'rich', 'llvmlite'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for command in ("play", "games", "simulate", "show", "legal", "check"):
        assert f"\n  {command} " in done.stdout


def test_version() -> None:
    assert run("--version").output == f"mandala, version {mandala.__version__}\n"


@pytest.mark.parametrize(("locale", "word"), [("C", "hidden hands"), ("de_DE.UTF-8", "verdeckte")])
def test_games_lists_all_games_in_the_users_language(
    monkeypatch: pytest.MonkeyPatch, locale: str, word: str
) -> None:
    monkeypatch.setenv("LANG", locale)
    result = run("games")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()[1:]] == list(mandala.game_ids())
    assert word in result.output


def test_check_counts_the_records_of_all_files(records: Path) -> None:
    assert run("check", str(records), str(records)).output == "ok 6 records\n"


def test_check_reads_standard_input(records: Path) -> None:
    assert run("check", "-", typed=records.read_bytes()).output == "ok 3 records\n"


def test_check_uses_compiled_rules_for_many_records(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("\n".join(str(random_game("patterns", seed).record()) for seed in range(25)))
    assert run("check", str(path)).output == "ok 25 records\n"


def test_legal_lists_every_decision(records: Path) -> None:
    result = run("legal", str(records))
    lines = result.output.splitlines()
    game = random_game("mandala", seed=1)
    expected, position = [], mandala.new("mandala")
    for ply, move in enumerate(game.moves):
        if position.actor:
            expected.append(
                {"record": 0, "ply": ply, "actor": position.actor, "legal": sorted(position.legal)}
            )
        position = position.play(move)
    assert [json.loads(line) for line in lines if '"record":0' in line] == expected
    assert lines[0].startswith('{"record":0,"ply":20,"actor":1,"legal":["A1')
    assert " " not in lines[0]
    assert json.loads(lines[-1])["record"] == 2


def test_legal_lists_the_pending_decision_of_an_unfinished_game(tmp_path: Path) -> None:
    position = random_game("flowers", seed=3, seats=3, plies=7)
    path = tmp_path / "unfinished.txt"
    path.write_text(str(position.record()))
    last = json.loads(run("legal", str(path)).output.splitlines()[-1])
    assert last == {
        "record": 0,
        "ply": len(position.moves),
        "actor": position.actor,
        "legal": sorted(position.legal),
    }


def test_legal_and_show_read_the_record_of_a_seat(tmp_path: Path) -> None:
    view = random_game("mandala", seed=4, plies=9).view(2)
    path = tmp_path / "seat.txt"
    path.write_text(str(view.record()))
    assert run("check", str(path)).output == "ok 1 records\n"
    assert len(run("legal", str(path)).output.splitlines()) == 10
    assert "You (seat 2)" in run("show", str(path)).output


def test_show_draws_the_end_of_the_first_record(records: Path) -> None:
    result = run("show", str(records))
    assert result.exit_code == 0
    assert "The game is over" in result.output
    assert "Result" in result.output


def test_show_draws_the_board_at_a_ply(records: Path) -> None:
    moves = random_game("patterns", seed=1).moves
    result = run("show", str(records), "--record", "1", "--at", "52")
    assert "To give a starting tile: Seat 2" in result.output
    assert f"After 52 of {len(moves)} moves and draws" in result.output
    assert f"then:    {moves[52]} " in result.output


def test_show_speaks_german(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert "Das Spiel ist zu Ende" in run("show", str(records)).output


def test_simulate_writes_the_same_records_for_the_same_seed(tmp_path: Path) -> None:
    def records(name: str, seed: str) -> bytes:
        path = tmp_path / name
        result = run("simulate", "patterns", "--games", "4", "--seed", seed, "--records", str(path))
        assert result.exit_code == 0
        return path.read_bytes()

    first = records("a", "5")
    assert first == records("b", "5")
    assert first != records("c", "6")
    assert b'[Seat1 "random"]' in first
    assert run("check", str(tmp_path / "a")).output == "ok 4 records\n"


def test_simulate_prints_a_summary_by_seat_and_player() -> None:
    arguments = ("--games", "6", "--seats", "3", "--seed", "1")
    result = run("simulate", "flowers", *arguments, "--players", "greedy,random,random")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["6", "games", "of", "flowers,", "3", "seats,", "seed", "1"]
    assert [line[:2] for line in lines[2:7]] == [
        ["1", "greedy"],
        ["2", "random"],
        ["3", "random"],
        ["all", "greedy"],
        ["all", "random"],
    ]
    assert sum(float(line[2]) for line in lines[2:5]) == pytest.approx(6, abs=0.2)


def test_simulate_writes_records_to_standard_output(tmp_path: Path) -> None:
    result = run("simulate", "patterns", "--games", "2", "--records", "-")
    assert "games of patterns" in result.stderr
    assert run("check", "-", typed=result.stdout).output == "ok 2 records\n"


def test_an_interrupted_simulate_prints_a_summary(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = simulation.play_games

    def interrupted(
        game: str, seats: int, players: Sequence[Player], seed: int
    ) -> Iterator[Position]:
        yield from islice(played(game, seats, players, seed), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "play_games", interrupted)
    path = tmp_path / "records"
    result = run("simulate", "patterns", "--games", "50", "--records", str(path))
    assert result.exit_code == 1
    assert result.stdout.startswith("3 games of patterns")
    assert result.stderr.endswith("interrupted after 3 of 50 games\n")
    assert run("check", str(path)).output == "ok 3 records\n"


def test_wilson_interval() -> None:
    low, high = simulation.wilson_interval(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)


def test_an_illegal_move_of_a_player_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        name = "cheat"

        def choose(self, view: View, budget: Budget) -> str:
            return "E"

    monkeypatch.setattr("mandala.bots.players.make_player", lambda name, seed: Cheat())
    result = run("simulate", "patterns", "--games", "1")
    assert result.exit_code == 1
    assert "the player cheat chose E, which is not legal" in result.stderr


def test_a_terminal_without_unicode_shows_letters(records: Path) -> None:
    source = "import sys; from mandala.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", source, "show", str(records)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"r?" in done.stdout
