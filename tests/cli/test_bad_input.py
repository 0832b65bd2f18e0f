"""Bad input gives one clear line on stderr and exit code 1 or 2, never a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tools import random_game, run

GAME = str(random_game("mandala", seed=2).record())
PATTERNS = str(random_game("patterns", seed=2).record())

READERS = ("check", "legal", "show")


def broken(text: str, old: str, new: str) -> bytes:
    assert old in text
    return text.replace(old, new, 1).encode()


FAULTS = {
    "garbage": (b"hello, this is no record\n", "record 0, line 1, column 1: 'hello,'"),
    "binary": (b"\x00\x01\x02\x03[\n", "line 1, column 1: "),
    "empty": (b"", "there is no record"),
    "blank": (b"\n \n\n", "there is no record"),
    "not UTF-8": (b'[Game "mandala"]\n\n+r \xff\xfe', "record 0, line 3, column 4: this is not"),
    "unknown game": (b'[Game "chess"]\n\nA1r\n', "record 0, line 1, column 1: there is no game"),
    "no game": (b'[Seats "2"]\n\nA1r\n', "record 0, line 1, column 1: the tag Game is missing"),
    "tag twice": (b'[Game "mandala"]\n[Game "mandala"]\n', "line 2, column 1: the tag Game is"),
    "bad tag": (b"[Game mandala]\n", "line 1, column 1: '[Game mandala]' is no tag line"),
    "seats": (b'[Game "mandala"]\n[Seats "3"]\n\n+r', "mandala is for 2 seats, not 3"),
    "many seats": (b'[Game "mandala"]\n[Seats "two"]\n\n+r', "line 2, column 1: 'two' is no"),
    "many tags": (
        b"\n".join(b'[Tag%d "x"]' % number for number in range(1000)),
        "record 0, line 201, column 1: a record may have at most 200 tags",
    ),
    "comment": (b'[Game "mandala"]\n\n+r {never closed\n', "line 3, column 4: a comment"),
    "no move": (b'[Game "mandala"]\n\n+r A9z\n', "line 3, column 4: 'A9z' is no move"),
    "blank missing": (b'[Game "mandala"]\n\n+r{x}+k }A1r\n', "line 3, column "),
    "illegal move": (b'[Game "mandala"]\n\n+rk A1r\n', "line 3, column 5: chance must move"),
    "impossible draw": (
        b'[Game "flowers"]\n\n*k7 *k5\n',
        "record 0, line 3, column 5: *k5 cannot be drawn now",
    ),
}
ONLY_CHECKED = {
    "wrong result": (
        broken(PATTERNS, '[Result "', '[Result "9'),
        "record 0, line 4, column 1: the result is",
    ),
    "wrong winner": (broken(PATTERNS, '[Winner "', '[Winner "4'), "line 5, column 1: the winner"),
    "truncated": (GAME[: len(GAME) * 2 // 3].encode(), "the result is *"),
    "no winner": (re.sub(r"\[Winner.*\n", "", GAME).encode(), "the tag Winner is missing"),
}


def assert_one_line(result_stderr: str) -> None:
    assert len(result_stderr.splitlines()) == 1, result_stderr
    assert len(result_stderr) < 500


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_an_invalid_file(command: str, fault: str, tmp_path: Path) -> None:
    content, message = FAULTS[fault]
    path = tmp_path / "faulty.txt"
    path.write_bytes(content)
    result = run(command, str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}: ")
    assert message in result.stderr
    assert_one_line(result.stderr)


@pytest.mark.parametrize("fault", ONLY_CHECKED)
def test_a_record_with_tags_that_contradict_the_moves(fault: str, tmp_path: Path) -> None:
    content, message = ONLY_CHECKED[fault]
    path = tmp_path / "faulty.txt"
    path.write_bytes(content)
    result = run("check", str(path))
    assert result.exit_code == 1
    assert message in result.stderr
    assert_one_line(result.stderr)


def test_an_error_in_a_later_record_has_its_number(tmp_path: Path) -> None:
    path = tmp_path / "faulty.txt"
    path.write_text(f'{PATTERNS}\n{GAME}\n[Game "mandala"]\n\nTr\n')
    result = run("check", str(path))
    assert re.match(rf"{re.escape(str(path))}: record 2, line \d+, column 1: ", result.stderr)


@pytest.mark.parametrize("command", READERS)
def test_a_missing_file(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path / "nothing.txt"))
    assert result.exit_code == 1
    assert "No such file" in result.stderr
    assert_one_line(result.stderr)


@pytest.mark.parametrize("command", READERS)
def test_a_folder_instead_of_a_file(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path))
    assert result.exit_code == 1
    assert "directory" in result.stderr
    assert_one_line(result.stderr)


@pytest.mark.parametrize("content", ["one line", "blank lines", "zeros", "comment"])
def test_fifty_megabytes_of_garbage_are_refused_quickly_in_little_memory(
    content: str, tmp_path: Path
) -> None:
    path = tmp_path / "large"
    chunk = {
        "one line": b"x" * 1000,
        "blank lines": b"\n" * 100 + b" " * 900,
        "zeros": bytes(1000),
        "comment": b"{" + b"x" * 998 + b"\n",
    }[content]
    with path.open("wb") as file:
        for _ in range(52_000):
            file.write(chunk)
    # Not getrusage: it would count the test runner that the process was forked from.
    source = (
        "import re, sys, time; from pathlib import Path; from mandala.cli import run;"
        "code = run(sys.argv[1:]); status = Path('/proc/self/status');"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', status.read_text())[1] if status.exists() else 0;"
        "print(peak, time.process_time()); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", source, "check", str(path)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert_one_line(done.stderr)
    kilobytes, seconds = map(float, done.stdout.split())
    assert kilobytes < 200_000
    assert seconds < 15  # generous: the machine may be slow


def test_records_that_cannot_be_written(tmp_path: Path) -> None:
    target = str(tmp_path / "no" / "such" / "folder")
    result = run("simulate", "patterns", "--games", "1", "--records", target)
    assert result.exit_code == 1
    assert result.stderr == f"{target}: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulat"], "did you mean 'mandala simulate'?"),
        (["patern"], "did you mean 'mandala play patterns'?"),
        (["frobnicate"], "the commands are play, games"),
        (["play", "flower"], "did you mean flowers?"),
        (["simulate", "chess"], "there is no game 'chess'"),
        (["simulate"], "Missing argument 'GAME'"),
        (["simulate", "mandala", "--games", "0"], "--games"),
        (["simulate", "mandala", "--players", "greedy,"], "--players"),
        (["simulate", "mandala", "--players", "a,b,c"], "3 players for 2 seats"),
        (["simulate", "mandala", "--players", "nobody"], "nobody"),
        (["play", "mandala", "--against", "nobody"], "nobody"),
        (["play", "mandala", "--seat", "3"], "there is no seat 3"),
        (["show", "x", "--at", "-1"], "--at"),
        (["check"], "FILE"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "--help)" in result.stderr
    assert_one_line(result.stderr)


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_an_invalid_number_of_seats(command: str) -> None:
    result = run(command, "mandala", "--seats", "4")
    assert result.exit_code == 1
    assert result.stderr == "mandala is for 2 seats, not 4\n"


def test_a_missing_ply_and_a_missing_record(records: Path) -> None:
    assert "there is no ply 9999" in run("show", str(records), "--at", "9999").stderr
    assert "there is no record 3" in run("show", str(records), "--record", "3").stderr


def test_a_closed_pipe_gives_no_traceback(records: Path) -> None:
    source = "import sys; from mandala.cli import main; main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", source, "legal", str(records)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()
