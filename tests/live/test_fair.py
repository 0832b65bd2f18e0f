"""Fair deals can be verified, and manipulated ones are detected."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mandala
from mandala import InvalidRecord, Record
from mandala.live import fair
from mandala.live import table as live
from tests.cli.tools import run
from tests.live import fair_vectors
from tests.live.fair_vectors import SECRET, SHARES
from tests.samples import SEATINGS
from tests.tables import ADA, GREEDY, Log, happened, played, seated, share

VECTORS = json.loads(fair_vectors.FILE.read_text(encoding="utf-8"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "verify.py"


def fair_game(game: str, seed: int = 1, seats: int = 2) -> Record:
    """Return a random game with a fair deal."""
    choices, key = random.Random(seed), fair.key_of(SECRET, SHARES)
    position, number = mandala.new(game, seats=seats), 0
    while not position.is_over:
        if position.actor == 0:
            position = position.play(fair.outcome(key, number, position.chance_weights))
            number += 1
        else:
            position = position.play(choices.choice(position.legal))
    return position.record(fair.tags_of(SECRET, SHARES, range(number)))


def run_example(path: Path, listed: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the example program on a record and a list of its draws."""
    command = [sys.executable, str(EXAMPLE), str(path), *options]
    return subprocess.run(command, input=listed, capture_output=True, text=True, check=False)


def test_the_file_of_vectors_is_up_to_date() -> None:
    assert fair_vectors.FILE.read_text(encoding="utf-8") == fair_vectors.text()


@pytest.mark.parametrize("name", VECTORS)
def test_all_verifiers_agree_about_honest_and_cheating_servers(name: str, tmp_path: Path) -> None:
    vector = VECTORS[name]
    verdict, noted = vector["verdict"], vector["noted"]
    path = tmp_path / "game.txt"
    path.write_text(vector["record"], encoding="utf-8")
    options = ("--commitment", noted["commitment"], "--share", noted["share"])
    exit_code = {"ok": 0, "older": 3}.get(verdict, 1)
    ours = run("verify", str(path), *options)
    example = run_example(path, vector["draws"], *options)
    assert (ours.exit_code, example.returncode) == (exit_code, exit_code)
    assert ours.output.splitlines()[-1].startswith("ok 1 records") == (verdict == "ok")
    assert example.stdout.startswith("ok") == (verdict == "ok")
    if exit_code == 1:
        (record,) = mandala.read_records(vector["record"])
        notes = {name: bytes.fromhex(digits) for name, digits in noted.items()}
        with pytest.raises(InvalidRecord) as raised:
            fair.verify(record, **notes)
        assert raised.value.code == verdict
        assert example.stderr


def test_verify_says_what_an_older_record_does_not_show(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(VECTORS["an older record with takebacks"]["record"], encoding="utf-8")
    output = run("verify", str(path)).output
    assert "record 0 is of an older form without the lines taken back" in output
    assert "ok" not in output.split()
    assert output.endswith("1 may skip numbers\n")


def test_verify_counts_the_lines_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(VECTORS["an honest game with lines taken back"]["record"], encoding="utf-8")
    assert "record 0 contains 3 lines taken back" in run("verify", str(path)).output


def test_notes_must_be_32_bytes(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(str(fair_game("patterns")), encoding="utf-8")
    assert run("verify", str(path), "--share", "11").exit_code == 2


def test_the_example_program_verifies_a_game_that_continues_another(tmp_path: Path) -> None:
    log, table = seated("mandala")
    line = tuple(played(log, table, decisions=5).position.moves)  # type: ignore[union-attr]
    again: Log = [(live.open_table("mandala", 2, SECRET, line=line), 0)]
    other = happened(again, live.sit(live.fold(again), 1, ADA, share(1), 0), 0)
    other = happened(again, live.sit(other, 2, GREEDY, b"", 0), 0)
    other = played(again, other, decisions=8)
    other = happened(again, live.ask_takeback(other, 1, 0), 0)
    other = played(again, other, seed=3)
    path = tmp_path / "game.txt"
    path.write_text(str(live.record(other, None)), encoding="utf-8")
    listed = run("verify", "--draws", str(path)).output
    example = run_example(path, listed, "--share", share(1).hex())
    assert (example.stdout, example.stderr) == (f"ok {other.drawn} draws\n", "")


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_fair_game_is_verified_by_the_command_and_by_the_example_program(
    game: str, seats: int, tmp_path: Path
) -> None:
    record = fair_game(game, seats=seats)
    path = tmp_path / "game.txt"
    path.write_text(str(record), encoding="utf-8")
    draws = sum(move[0] in "+*!" for move in record.moves)
    assert run("verify", str(path)).output == f"ok 1 records, {draws} draws\n"
    listed = run("verify", "--draws", str(path)).output
    other = run_example(path, listed)
    assert (other.stdout, other.stderr) == (f"ok {draws} draws\n", "")
    changed = str(record).replace('Share1 "11', 'Share1 "10')
    path.write_text(changed, encoding="utf-8")
    ours = run("verify", str(path))
    other = run_example(path, listed)
    assert ours.exit_code == other.returncode == 1
    assert "but" in ours.output
    assert "but" in other.stderr


def test_the_example_program_is_short_and_does_not_import_mandala() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert not any("mandala" in line for line in lines if "import" in line)
    code = [line for line in lines[lines.index("import argparse") :] if line.strip()]
    assert len(code) < 100


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ({"Secret": "00" * 32}, "fair-secret"),
        ({"Commitment": "00" * 32}, "fair-secret"),
        ({"Share2": "00" * 32}, "fair-draw"),
        ({"Secret": "0g" * 32}, "fair-bytes"),
        ({"ChanceNumbers": "0-3"}, "fair-count"),
        ({"ChanceNumbers": "0-999999999"}, "fair-numbers"),
        ({"ChanceNumbers": "3-1"}, "fair-numbers"),
        ({"ChanceNumbers": "0-3 2-9"}, "fair-numbers"),
        ({"ChanceNumbers": "all"}, "fair-numbers"),
        ({"ChanceNumbers": "1-52"}, "fair-setup"),
        ({"Drawn": "many"}, "fair-tag"),
        ({"Drawn": "51"}, "fair-repeated"),
        ({"TakenBack": "soon"}, "fair-line"),
        ({"TakenBack": "999: 1r"}, "fair-line"),
        ({"TakenBack": "0: +r"}, "fair-takeback"),
        ({"Winner": "1 2"}, "wrong-winner"),
    ],
)
def test_verify_detects_changed_tags(tags: dict[str, str], code: str) -> None:
    record = fair_game("patterns")
    assert fair.verify(record) == fair.Verified(52, 0, "")
    with pytest.raises(InvalidRecord) as raised:
        fair.verify(replace(record, tags={**record.tags, **tags}))
    assert raised.value.code == code


@pytest.mark.parametrize("tag", ["Secret", "Commitment", "ChanceNumbers"])
def test_verify_requires_all_proof_tags(tag: str) -> None:
    record = fair_game("patterns")
    tags = {name: value for name, value in record.tags.items() if name != tag}
    with pytest.raises(InvalidRecord) as raised:
        fair.verify(replace(record, tags=tags))
    assert raised.value.code == "tag-missing"


def test_the_key_depends_on_the_seats_of_shares() -> None:
    assert fair.key_of(SECRET, {1: SHARES[1]}) != fair.key_of(SECRET, {2: SHARES[1]})


def test_the_commitment_is_never_the_key() -> None:
    assert fair.key_of(SECRET, {}) != fair.commitment_of(SECRET)


def test_outcome_frequencies_match_the_weights() -> None:
    key, weights = fair.key_of(SECRET, {}), {"+r": 1, "+o": 2, "+y": 5}
    seen = Counter(fair.outcome(key, number, weights) for number in range(8_000))
    for move, weight in weights.items():
        assert abs(seen[move] - 1_000 * weight) < 120


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**64 - 1), st.integers(1, 2**64))
def test_numbers_follow_the_documented_protocol(key: bytes, number: int, limit: int) -> None:
    attempt = 0
    while True:
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:8], "big")
        if word < 2**64 - 2**64 % limit:
            break
        attempt += 1
    assert fair.number_below(key, number, limit) == word % limit


@settings(deadline=None)
@given(st.sets(st.integers(0, 300)))
def test_chance_numbers_round_trip(numbers: set[int]) -> None:
    rising = sorted(numbers)
    assert fair.parse_ranges(fair.format_ranges(rising), len(rising)) == rising


MOVES = [["A1r", "+g", "+v"], ["1r"], ["*k7", "!3", "Crr", "+k"]]


@given(st.lists(st.tuples(st.integers(0, 99_999), st.sampled_from(MOVES)), max_size=300))
def test_lines_taken_back_round_trip(made: list[tuple[int, list[str]]]) -> None:
    lines = [fair.TakenLine(plies, tuple(moves)) for plies, moves in made]
    text = fair.format_lines(lines)
    assert not set(text) & set('"\r\n')
    assert (fair.parse_lines(text) if text else []) == lines
