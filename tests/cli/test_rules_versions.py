"""Records with unknown rules are printed without a board and not checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import random_game, run
from tests.tables import rules_version

SENTENCE = "this game was played by version '0' of the rules, but this program has only version 1"


@pytest.fixture
def old() -> str:
    """The record of a finished game under older rules."""
    with rules_version("patterns", "0"):
        return str(random_game("patterns", 1).record({"Seat1": "Ada", "Seat2": "Ben"}))


@pytest.fixture
def mixed(old: str, tmp_path: Path) -> Path:
    """A file with an old record between two others."""
    path = tmp_path / "games.txt"
    others = [str(random_game(game, 2).record()) for game in ("patterns", "mandala")]
    path.write_text("\n".join([others[0], old, others[1]]))
    return path


def test_show_prints_the_record_and_the_reason(old: str, mixed: Path) -> None:
    result = run("show", str(mixed), "--record", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(old)
    assert SENTENCE in result.stdout
    assert run("show", "-", typed=old).stdout == result.stdout


def test_show_speaks_german(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "nach Fassung »0« der Regeln gespielt" in run("show", "-", typed=old).stdout


def test_show_has_no_board_at_a_ply(old: str) -> None:
    result = run("show", "-", "--at", "60", typed=old)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"-: record 0, line 2, column 1: {SENTENCE}")


def test_check_continues_and_reports_unchecked_records(mixed: Path) -> None:
    result = run("check", str(mixed))
    assert result.exit_code == 3
    assert result.stdout == "ok 2 records, 1 not checked\n"
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{mixed}: record 1, line ")
    assert SENTENCE in line


def test_an_error_takes_precedence_over_unchecked_records(mixed: Path) -> None:
    with mixed.open("a") as file:
        file.write('\n[Game "chess"]\n\ne4\n')
    result = run("check", str(mixed))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "there is no game 'chess'" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", ["legal", "verify"])
def test_commands_that_need_the_rules_are_refused(command: str, old: str) -> None:
    result = run(command, "-", typed=old)
    assert (result.exit_code, result.stdout) == (1, "")
    assert SENTENCE in result.stderr
    assert len(result.stderr.splitlines()) == 1
