"""The registry: what it refuses, and all that a game of another package can do once registered."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import mandala
from mandala import UnknownGame, engine
from mandala.engine import Layout, public
from mandala.games import BUILT_IN, find_game, register, require_seats
from mandala.games.cards import MoveList
from mandala.games.spec import Game
from mandala.text import catalogue
from tests import tiny
from tests.server.harness import Client, Server

ROOT = Path(__file__).parents[2]


def run_python(*arguments: str, typed: str = "", **environment: str) -> str:
    """Run Python in a process of its own, from the folder of the project; what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("what", ["plain", "compiled", "players"])
def test_a_game_of_another_package(what: str) -> None:
    run_python("-W", "error", "-m", "tests.games.outside", what, MANDALA_GAMES="tests.tiny")


def test_a_game_can_be_played_in_the_terminal() -> None:
    command = ("-m", "mandala")
    assert "take the last counter" in run_python(*command, "games", MANDALA_GAMES="tests.tiny")
    played = run_python(
        *command, "play", "tiny", "--seed", "1", typed="T3\nwhy +1\nquit\nquit\n",
        MANDALA_GAMES="tests.tiny", LANG="C.UTF-8",
    )  # fmt: skip
    assert "You take 3 and leave 9." in played
    assert "it is seat 1's turn to decide, not chance's" in played
    number = len(BUILT_IN) + 1
    chosen = run_python(
        *command, "play", typed=f"{number + 1}\n{number}\n", MANDALA_GAMES="tests.tiny", LANG="C"
    )
    assert f"Type a number from 1 to {number} or the name of a game." in chosen
    assert "Tiny: you are seat 1" in chosen


def test_a_game_can_be_played_on_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANDALA_GAMES", "tests.tiny")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    server = Server(f"sqlite:///{tmp_path / 'mandala.db'}", tmp_path / "log")
    try:
        ada, choices = Client(server, "Ada"), random.Random(1)
        assert {"id": "tiny", "seats": [2, 3]} in ada.http.get("/api/games").json()
        assert "TinyBoard" in ada.http.get("/openapi.json").json()["components"]["schemas"]
        assert ada.http.get("/api/rules/tiny").json()["sections"]
        assert len(ada.http.get("/api/lessons/tiny").json()["steps"]) == 2
        table = ada.open("tiny", "me", "greedy", "search:1")["state"]["id"]
        with ada.at(table) as connection:
            connection.receive()
            while connection.state["state"] == "running":
                if connection.state["actor"] == 1:
                    answer = connection.command(
                        "move", move=choices.choice(connection.state["legal"])
                    )
                    assert answer["type"] == "done", answer
                else:
                    connection.receive()
            assert connection.state["board"]["type"] == "tiny"
            assert connection.state["board"]["heap"] == 0
        assert "T" in ada.http.get(f"/api/tables/{table}/record").text
    finally:
        server.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_the_compile_cache_depends_on_the_sources_of_the_game(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests" / "tiny", tmp_path / "little")
    code = "from mandala import engine, games; print(engine.cache_folder())"
    settings = {"MANDALA_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    without = run_python("-c", code, **settings)
    before = run_python("-c", code, MANDALA_GAMES="little", **settings)
    rules = tmp_path / "little" / "rules.py"
    rules.write_text(rules.read_text().replace("COUNTERS = 12", "COUNTERS = 9"))
    after = run_python("-c", code, MANDALA_GAMES="little", **settings)
    assert len({without, before, after}) == 3
    assert all(each.startswith(str(tmp_path / "cache")) for each in (without, before, after))


def test_a_game_can_be_registered_by_a_program() -> None:
    code = "; ".join(
        (
            "import mandala, mandala.games, tests.tiny",
            "mandala.games.register(tests.tiny.GAME)",
            "print(mandala.new('tiny').play('T3').actor, mandala.game_ids()[-1])",
        )
    )
    assert run_python("-c", code).split() == ["0", "tiny"]


# What the registry refuses


def test_an_id_can_be_taken_only_once() -> None:
    with pytest.raises(ValueError, match="there is a game 'patterns' already"):
        register(replace(tiny.GAME, id="patterns"))


def test_a_game_is_registered_before_anything_is_compiled() -> None:
    engine.cache_folder()
    with pytest.raises(RuntimeError, match="before anything is compiled"):
        register(tiny.GAME)
    assert "tiny" not in mandala.game_ids()
    assert "above-die" not in catalogue.sentences("en")["say"]


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownGame, match=f"no game 'tiny'; there are {', '.join(BUILT_IN)}"):
        find_game("tiny")
    with pytest.raises(UnknownGame, match="flowers is for 2, 3, 4 seats, not 5"):
        require_seats("flowers", 5)


@pytest.mark.parametrize("name", ["", "Tiny", "tiny/2", "ti ny", "2tiny", "../tiny", "t" * 17])
def test_an_id_is_made_of_at_most_16_letters_and_digits(name: str) -> None:
    with pytest.raises(ValueError, match="is no id of a game"):
        replace(tiny.GAME, id=name)


@pytest.mark.parametrize("seats", [(), (1, 2), (3, 2), (2, 2), (4, 5)])
def test_a_game_has_two_to_four_seats(seats: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no numbers of seats"):
        replace(tiny.GAME, seats=seats)


def test_a_game_without_its_package_or_sentences_is_refused() -> None:
    for package in ("tests.absent", "absent.game", "tests"):
        with pytest.raises(ModuleNotFoundError):
            register(replace(tiny.GAME, package=package))
    with pytest.raises(FileNotFoundError, match=r"there is no en\.toml"):
        register(Game("engine", "mandala.engine", (2,), False, "1"))
    assert mandala.game_ids() == BUILT_IN


def test_two_games_cannot_have_records_of_the_same_type() -> None:
    class One(Layout):
        heap, actor = public(), public()

    assert One.fields
    with pytest.raises(TypeError, match="has the same fields as"):
        type("Other", (Layout,), {"heap": public(), "actor": public(), "__module__": "elsewhere"})


@pytest.mark.parametrize(
    ("before", "move"), [((), "+1"), (("T1",), "T2"), (("T1",), "+12"), (("T1",), "1")]
)
def test_only_moves_of_chance_have_its_signs(before: tuple[str, ...], move: str) -> None:
    moves = MoveList("kind")
    for each in before:
        moves.add(each, 0)
    if before:
        moves.close_decisions()
    with pytest.raises(AssertionError):
        moves.add(move, 0)
