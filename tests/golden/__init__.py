"""Golden games and perft counts: the behaviour of the rules, recorded.

They only change when the rules change. To write them again:

    ./run python -m tests.golden

Games are stored with their chance moves, so they do not depend on a random generator. `Final` is
the last position as text, `Legal` a hash over the legal moves at every decision.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

import mandala
from mandala.bots.players import Budget, make_player
from mandala.core.position import Position
from mandala.core.record import Record
from mandala.games import find_game
from tests.samples import SEATINGS

HOME = Path(__file__).parent
PERFT = HOME / "perft.json"
DEPTH = 3  # of perft, in plies


def path(game: str, seats: int) -> Path:
    """The file with the golden games of a game and number of seats."""
    return HOME / f"{game}-{seats}.txt"


def golden_records(game: str, seats: int) -> list[Record]:
    """The golden games as stored."""
    with path(game, seats).open("rb") as lines:
        return list(mandala.read_records(lines))


def legal_hash(record: Record) -> str:
    """A hash over ply, actor and legal moves of every decision of a game."""
    digest = hashlib.sha256()
    for ply, board in enumerate(mandala.boards(record)):
        if board.actor:
            digest.update(f"{ply} {board.actor} {' '.join(sorted(board.legal))}\n".encode())
    return digest.hexdigest()[:16]


def with_answers(record: Record) -> Record:
    """The record with tags for the final position and the hash of its legal moves."""
    final = mandala.check(record).text
    return Record({**record.tags, "Final": final, "Legal": legal_hash(record)}, record.moves)


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of a given length in plies, chance moves included."""
    if depth == 0 or position.is_over:
        return 1
    rows = position.possible_rows()
    if depth == 1:
        return len(rows)
    return sum(perft(position.play_row(row), depth - 1) for row in rows)


def perft_places(record: Record) -> list[int]:
    """The plies of a game at which perft starts: early, in the middle, and late."""
    decisions = [ply for ply, board in enumerate(mandala.boards(record)) if board.actor]
    return [decisions[0], decisions[len(decisions) // 2], decisions[-4]]


def perft_counts(record: Record) -> dict[str, int]:
    """The perft count at each of the places, by ply."""
    positions = list(mandala.boards(record))
    counts = {}
    for ply in perft_places(record):
        position = positions[ply]
        assert isinstance(position, Position)
        counts[str(ply)] = perft(position, DEPTH)
    return counts


def play_golden(game: str, seats: int, players: list[str], seed: int) -> Record:
    """Play a new game between players, dealt from a seed."""
    generator = np.random.default_rng(seed)
    seated = [make_player(name, seed=seed + seat) for seat, name in enumerate(players)]
    position = mandala.new(game, seats=seats, seed=seed)
    while position.actor:
        view = position.view(position.actor)
        position = position.play(seated[position.actor - 1].choose(view, Budget()), generator)
    return position.record({f"Seat{seat + 1}": name for seat, name in enumerate(players)})


def write() -> None:
    """Play and write all golden games and perft counts."""
    counts = {}
    for game, seats in SEATINGS:
        find_game(game).make_ready()
        records = [
            play_golden(game, seats, ["random"] * seats, seed=1),
            play_golden(game, seats, ["random"] * seats, seed=2),
            play_golden(game, seats, ["greedy"] * seats, seed=3),
        ]
        answered = [with_answers(record) for record in records]
        path(game, seats).write_text("\n".join(map(str, answered)), encoding="utf-8")
        counts[f"{game}-{seats}"] = [perft_counts(record) for record in answered]
    PERFT.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
