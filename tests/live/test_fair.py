"""Fair deals can be verified, and manipulated ones are detected."""

from __future__ import annotations

import hashlib
import hmac
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
from tests.cli.tools import run
from tests.samples import SEATINGS

SECRET = bytes(range(32))
SHARES = {1: bytes([0x11]) * 32, 2: bytes([0x22]) * 32}
EXAMPLE = Path(__file__).parents[2] / "examples" / "verify.py"


def fair_game(game: str, seed: int = 1, seats: int = 2, skip: int = 0) -> Record:
    """Return a random game with a fair deal; `skip` chance numbers are used up by a takeback."""
    choices, key = random.Random(seed), fair.key_of(SECRET, SHARES)
    position, numbers, number = mandala.new(game, seats=seats), [], 0
    while not position.is_over:
        if position.actor == 0:
            position = position.play(fair.outcome(key, number, position.chance_weights))
            numbers.append(number)
            number += 1
        else:
            position = position.play(choices.choice(position.legal))
            if skip and len(position.moves) > 60:
                number, skip = number + skip, 0
    return position.record(fair.tags_of(SECRET, SHARES, numbers))


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_fair_game_is_verified_by_the_command_and_by_the_example_program(
    game: str, seats: int, tmp_path: Path
) -> None:
    record = fair_game(game, seats=seats, skip=3)
    path = tmp_path / "game.txt"
    path.write_text(str(record), encoding="utf-8")
    draws = sum(move[0] in "+*!" for move in record.moves)
    assert run("verify", str(path)).output == f"ok 1 records, {draws} draws\n"
    listed = run("verify", "--draws", str(path)).output
    command = [sys.executable, str(EXAMPLE), str(path)]
    other = subprocess.run(command, input=listed, capture_output=True, text=True, check=False)
    assert (other.stdout, other.stderr) == (f"ok {draws} draws\n", "")
    changed = str(record).replace('Share1 "11', 'Share1 "10')
    path.write_text(changed, encoding="utf-8")
    ours = run("verify", str(path))
    other = subprocess.run(command, input=listed, capture_output=True, text=True, check=False)
    assert ours.exit_code == other.returncode == 1
    assert "but" in ours.output
    assert "but" in other.stderr


def test_the_example_program_is_short_and_does_not_import_mandala() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert not any("mandala" in line for line in lines if "import" in line)
    code = [line for line in lines[lines.index("import hashlib") :] if line.strip()]
    assert len(code) < 40


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
        ({"ChanceNumbers": "1-52"}, "fair-draw"),
        ({"Winner": "1 2"}, "wrong-winner"),
    ],
)
def test_verify_detects_changed_tags(tags: dict[str, str], code: str) -> None:
    record = fair_game("patterns")
    assert fair.verify(record) == 52
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
