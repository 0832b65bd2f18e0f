"""The arena: the same deals for all, reproducible, and robust against failing players."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import mandala
from mandala import View
from mandala.bots.arena import (
    Match,
    Outcome,
    Task,
    is_decided,
    play,
    play_all,
    report,
    resume,
    strengths,
)
from mandala.bots.players import Budget, Player, make_player
from mandala.cli import arena as command
from tests.cli.tools import run
from tests.tables import rules_version

TWO = Match("patterns", 2, ("greedy", "random"), 6, seed=3)
FOUR = Match("flowers", 4, ("greedy", "random"), 8, seed=3)


class Thrower:
    """A player that raises after some moves."""

    name = "thrower"

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, view: View, budget: Budget) -> str:
        self.moves += 1
        if self.moves > 3:
            raise RuntimeError("out of ideas")
        return view.legal[0]


class Cheat:
    """A player that chooses illegal moves."""

    name = "cheat"

    def choose(self, view: View, budget: Budget) -> str:
        return "Z9"


def make(name: str, seed: int) -> Player:
    if name == "thrower":
        return Thrower()
    return Cheat() if name == "cheat" else make_player(name, seed)


def shares(outcomes: list[Outcome]) -> dict[Task, float]:
    return {each.task: each.win_share for each in outcomes}


@pytest.mark.parametrize("match", [TWO, FOUR], ids=["patterns", "flowers"])
def test_each_deal_is_played_on_every_seat(match: Match) -> None:
    outcomes = list(play_all(match, match.tasks))
    assert len(outcomes) == len(match.tasks) == match.games
    deals: dict[int, set[tuple[str, ...]]] = {}
    setup = {"patterns": 52, "flowers": 6 + 5 + 6 + 7 + 8}[match.game]
    for outcome in outcomes:
        deals.setdefault(outcome.task.deal, set()).add(outcome.record.moves[:setup])
        names = [outcome.record.tags[f"Seat{seat + 1}"] for seat in range(match.seats)]
        assert names.index("greedy") == outcome.task.seat
        assert names.count("greedy") == 1
        mandala.check(outcome.record)
    assert all(len(dealt) == 1 for dealt in deals.values())
    assert len(set.union(*deals.values())) == len(deals) == match.games / match.seats


def test_the_same_seed_plays_the_same_match_with_any_number_of_jobs() -> None:
    one, two = list(play_all(TWO, TWO.tasks)), list(play_all(TWO, TWO.tasks, jobs=2))
    assert {each.task: each.record for each in one} == {each.task: each.record for each in two}
    other = Match(TWO.game, 2, TWO.players, 6, seed=4)
    assert [each.record.moves for each in one] != [
        each.record.moves for each in play_all(other, other.tasks)
    ]


@pytest.mark.parametrize("name", ["thrower", "cheat"])
def test_a_player_that_fails_loses_and_is_reported(name: str) -> None:
    match = Match("flowers", 3, (name, "random"), 6, seed=1)
    outcomes = list(play_all(match, match.tasks, factory=make))
    assert [each.win_share for each in outcomes] == [0.0] * 6
    for each in outcomes:
        assert each.error is not None
        assert each.error.startswith(f"{name} on seat {each.task.seat + 1}: ")
        assert each.record.tags["Termination"] == f"abandoned {each.task.seat + 1}"
        mandala.check(each.record)
    assert "out of ideas" in str(outcomes[0].error) or name == "cheat"


def test_greedy_is_rated_above_random() -> None:
    match = Match("flowers", 4, ("random", "greedy"), 40, seed=1)
    done = shares(list(play_all(match, match.tasks)))
    found = strengths(match, done)
    assert list(found) == ["greedy", "random"]
    assert found["greedy"].elo > 100
    assert found["greedy"].elo == pytest.approx(-found["random"].elo)
    assert found["random"].games == 40
    # Random sits alone: what it does not win is shared by three.
    assert found["greedy"].win_share == pytest.approx((1 - found["random"].win_share) / 3)


def test_elo_of_two_players() -> None:
    match = Match("mandala", 2, ("greedy", "random"), 2000, seed=1)
    won = {task: float(task.deal % 4 > 0) for task in match.tasks}
    found = strengths(match, won)
    assert found["greedy"].win_share == pytest.approx(0.75)
    assert found["greedy"].elo - found["random"].elo == pytest.approx(190.8, abs=1)
    assert found["greedy"].low < 0.75 < found["greedy"].high
    assert report(match, won) == {
        "players": {
            "greedy": {"share": 0.75, "low": 0.7306, "high": 0.7685, "elo": 95.4},
            "random": {"share": 0.25, "low": 0.2315, "high": 0.2694, "elo": -95.4},
        }
    }


def test_three_players_are_rated_together() -> None:
    match = Match("mandala", 2, ("search:1", "greedy", "random"), 100, seed=1)
    # The first beats the second as the second beats the third; they meet as Elo says they must.
    expected = {0: 0.75, 1: 0.9, 2: 0.75}
    done = {task: expected[task.pair] for task in match.tasks}
    found = strengths(match, done)
    assert found["search:1"].elo - found["greedy"].elo == pytest.approx(190.8, abs=4)
    assert found["greedy"].elo - found["random"].elo == pytest.approx(190.8, abs=4)


@pytest.mark.parametrize(("share", "games", "decided"), [
    (1.0, 10, False), (1.0, 40, True), (0.0, 40, True), (0.5, 40, False), (0.5, 2000, True),
])  # fmt: skip
def test_sprt_stops_when_the_result_is_clear(share: float, games: int, decided: bool) -> None:
    match = Match("mandala", 2, ("greedy", "random"), games, seed=1)
    done = dict.fromkeys(match.tasks, share)
    if share == 0.5:  # won and lost in turn
        done = {task: float(task.deal % 2) for task in match.tasks}
    assert is_decided(match, done) == decided


# The record file


def test_an_interrupted_match_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    arguments = ["arena", "patterns", "--players", "greedy,random", "--seed", "3", "--json"]
    arguments += ["--records", str(path)]
    whole = run(*arguments, "--games", "6")
    text = path.read_bytes()
    records = list(mandala.read_records(text.splitlines(keepends=True)))
    assert len(records) == 6
    for cut in (0, 10, len(text) // 2, len(text) - 40, len(text) - 1, len(text)):
        path.write_bytes(text[:cut])
        done, kept = resume(TWO, path)
        assert text[:kept].count(b"[Game ") == len(done) <= 6
        again = run(*arguments, "--games", "6")
        assert again.stdout.splitlines()[0] == whole.stdout.splitlines()[0]
        assert path.read_bytes() == text, cut
    more = run(*arguments, "--games", "8")
    assert more.exit_code == 0
    assert path.read_bytes().startswith(text)
    assert path.read_bytes().count(b"[Game ") == 8


def test_a_match_does_not_go_on_by_other_rules(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    arguments = ["arena", "patterns", "--players", "greedy,random", "--records", str(path)]
    assert run(*arguments, "--games", "2").exit_code == 0
    text = path.read_bytes()
    with rules_version("patterns", "2"):
        result = run(*arguments, "--games", "4")
    assert result.exit_code == 1
    assert "version '1' of the rules" in result.stderr
    assert path.read_bytes() == text


def test_the_records_of_something_else_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    run("arena", "patterns", "--players", "greedy,random", "--games", "2", "--records", str(path))
    text = path.read_bytes()
    for other in (["--seed", "9"], ["--seconds", "1"]):
        result = run(
            "arena", "patterns", "--players", "greedy,random", "--records", str(path), *other
        )
        assert result.exit_code == 1
        assert "another match" in result.stderr
    assert path.read_bytes() == text


def test_an_unwritable_file_is_reported_before_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "make_ready", lambda game: pytest.fail("too late"))
    for path in (tmp_path / "no" / "games.txt", tmp_path):
        result = run("arena", "mandala", "--players", "greedy,random", "--records", str(path))
        assert result.exit_code == 1
        assert result.stderr.startswith(f"{path}: ")
        assert len(result.stderr.splitlines()) == 1


def test_an_interrupted_match_prints_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Task] = []

    def until_stopped(match: Match, task: Task, factory: object) -> Outcome:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(task)
        return play(match, task)

    path = tmp_path / "games.txt"
    monkeypatch.setattr("mandala.bots.arena.play", until_stopped)
    arguments = ["arena", "patterns", "--players", "greedy,random", "--records", str(path)]
    result = run(*arguments, "--games", "6", "--json")
    assert result.exit_code == 1
    assert "interrupted after 3 of 6 games" in result.stderr
    assert set(json.loads(result.stdout)["players"]) == {"greedy", "random"}
    assert path.read_bytes().count(b"[Game ") == 3


@pytest.mark.parametrize("names", ["greedy", "greedy,greedy", "greedy,,random", "greedy,nobody"])
def test_invalid_players_are_reported_in_one_line(names: str) -> None:
    result = run("arena", "mandala", "--players", names)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_three_players_and_a_stop_by_test_do_not_go_together() -> None:
    result = run("arena", "mandala", "--players", "greedy,random,search:1", "--sprt")
    assert result.exit_code == 2


def test_the_result_as_json_is_all_of_standard_output() -> None:
    result = run("arena", "patterns", "--players", "greedy,random", "--games", "4", "--json")
    found = json.loads(result.stdout)
    assert list(found) == ["players"]
    assert set(found["players"]["greedy"]) == {"share", "low", "high", "elo"}
    assert os.linesep in result.stderr
