"""Whole games in the terminal with scripted input."""

from __future__ import annotations

import builtins
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import mandala
from mandala.cli import session
from mandala.games import Game
from mandala.text.catalogue import LANGUAGES
from tests.cli.tools import run
from tests.samples import MOST_SEATS, expected_of

WORDS = {
    "en": {
        "hint": "hint",
        "why": "why",
        "undo": "undo",
        "save": "save",
        "undone": "Taken back",
        "over": "over",
    },
    "de": {
        "hint": "tipp",
        "why": "warum",
        "undo": "zurück",
        "save": "speichern",
        "undone": "Zurückgenommen",
        "over": "zu Ende",
    },
}
NEVER_LEGAL_FIRST = {"mandala": "Tr", "patterns": "E", "flowers": "-"}
REASONS = {
    ("mandala", "en"): "Tr is not legal: no mandala is being dissolved.",
    ("mandala", "de"): "Tr ist nicht erlaubt: gerade wird kein Mandala aufgelöst.",
    ("patterns", "en"): "E is not legal: the game cannot be stopped while an action is possible.",
    ("patterns", "de"): "E ist nicht erlaubt: solange eine Aktion möglich ist, geht das Spiel",
    ("flowers", "en"): "- is not legal: passing is only allowed when no card can be played.",
    ("flowers", "de"): "- ist nicht erlaubt: passen darf nur, wer keine Karte spielen kann.",
}


@pytest.fixture(autouse=True)
def _stay_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "make_ready_in_background", lambda game: None)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], list[str]]:
    """Type these lines, then numbers of random legal moves until the game is over, then leave."""

    def begin(lines: list[str]) -> list[str]:
        typed: list[str] = []
        current: list[session.Session] = []
        choices = random.Random(1)
        original = session.Session.run

        def remember(self: session.Session) -> None:
            current.append(self)
            original(self)

        def answer(prompt: str = "") -> str:
            if lines:
                line = lines.pop(0)
            elif current[0].position.is_over:
                line = ""
            else:
                line = str(choices.randint(1, len(current[0].position.legal)))
            print(prompt + line)
            typed.append(line)
            return line

        monkeypatch.setattr(session.Session, "run", remember)
        monkeypatch.setattr(builtins, "input", answer)
        return typed

    return begin


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "seats"), MOST_SEATS)
def test_a_whole_game(
    game: str,
    seats: int,
    language: str,
    script: Callable[[list[str]], list[str]],
    tmp_path: Path,
) -> None:
    words, wrong = WORDS[language], expected_of(game, NEVER_LEGAL_FIRST)
    file = tmp_path / "game.txt"
    script([
        "?",
        "nonsense",
        wrong,
        f"{words['why']} {wrong}",
        f"{words['why']} +r",
        "99999",
        words["hint"],
        "1",
        words["undo"],
        words["undo"],
        "1",
        "2",
        f"{words['save']} {file}",
    ])  # fmt: skip
    result = run("play", game, "--seats", str(seats), "--language", language, "--seed", "3")
    output = " ".join(result.output.split())
    assert result.exit_code == 0
    assert output.count(REASONS[game, language]) == 2
    assert "nonsense" in output
    assert "99999" in output
    assert output.count(words["undone"]) == 1
    assert words["over"] in output
    assert run("check", str(file)).output == "ok 1 records\n"
    assert '[Seat1 "human"]' in file.read_text()
    assert '[Takebacks "1"]' in file.read_text()


def test_typed_moves_ignore_case_and_blanks() -> None:
    result = run("play", "mandala", "--seed", "5", typed="a1 R\n")
    assert "You put 1 red card into the centre of mandala 1." in result.output


def test_an_illegal_move_lists_legal_moves() -> None:
    result = run("play", "mandala", "--seed", "5", typed="B1v\n")
    assert "B1v is not legal: there is no violet card in the hand." in result.output
    assert re.search(r"Legal now: B1r B1o ", result.output)


def test_why_of_a_legal_move() -> None:
    assert "A1r is legal now." in run("play", "mandala", "--seed", "5", typed="why A1r\n").output


@pytest.mark.parametrize(("language", "said"), [("en", "A strong player"), ("de", "Ein starker")])
def test_a_hint_is_a_legal_move(language: str, said: str) -> None:
    options = ["--seed", "5", "--language", language, "--against", "search:2"]
    result = run("play", "mandala", *options, typed="hint\n")
    found = re.search(rf"{said} .*\b([ABC]\S+)\b", result.output)
    assert found
    assert found.group(1) in mandala.new("mandala", seed=5).legal
    assert result.output.count("Compiling" if language == "en" else "übersetzt") == 2


def test_undo_before_the_first_move() -> None:
    assert "nothing to take back" in run("play", "patterns", typed="undo\n").output


def test_leaving_an_unsaved_game_asks_once() -> None:
    result = run("play", "patterns", "--seat", "2", "--seed", "1", typed="1\nquit\nquit\n")
    assert result.exit_code == 0
    assert result.output.count("This game is not saved") == 1
    assert "mandala play patterns --seats 2 --seat 2 --seed 1" in result.output


def test_no_more_input_ends_politely() -> None:
    for typed in ("", "1\n"):
        result = run("play", "flowers", typed=typed)
        assert result.exit_code == 0
        assert "Good bye" in result.output


def test_ctrl_c_ends_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    result = run("play", "mandala")
    assert result.exit_code == 0
    assert "Good bye" in result.output


def test_saving_never_overwrites_other_files(tmp_path: Path) -> None:
    mine, other, nowhere = tmp_path / "mine", tmp_path / "other", tmp_path / "no" / "where"
    other.write_text("precious")
    typed = f"save {mine}\n1\nsave {mine}\nsave {other}\nsave {nowhere}\nsave\n"
    result = run("play", "patterns", "--seat", "2", typed=typed)
    output = " ".join(result.output.split())
    assert output.count("Saved in") == 2
    assert "is already there" in output
    assert other.read_text() == "precious"
    assert "No such file" in output
    assert run("check", str(mine)).output == "ok 1 records\n"


def test_undecodable_input_is_not_a_move() -> None:
    result = run("play", "mandala", typed=b"\xff\xfe\x00\n" + b"x" * 100_000 + b"\n")
    assert result.exit_code == 0
    assert result.output.count("is no move of mandala") == 2
    assert len(result.output) < 10_000


@pytest.mark.parametrize(
    ("typed", "game"), [("", "Mandala"), ("2", "Patterns"), ("flo", "Flowers")]
)
def test_without_a_game_it_asks_for_one(typed: str, game: str) -> None:
    result = run("play", typed=f"chess\n{typed}\n")
    assert "Which game?" in result.output
    assert "Type a number from 1 to 3" in result.output
    assert f"{game}: you are seat 1, against greedy." in result.output


def test_without_a_game_and_input_it_exits() -> None:
    assert run("play", typed="").exit_code == 0


def test_the_person_sees_only_the_seats_view() -> None:
    result = run("play", "mandala", "--seed", "5")
    board = mandala.new("mandala", seed=5)
    assert str(board.view(1)) in "\n".join(map(str.rstrip, result.output.splitlines()))
