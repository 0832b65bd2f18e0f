"""Positions for the gallery and the tests of the boards, taken from games between bots.

    ./run python web/gallery/fixtures.py

writes `web/gallery/fixtures.json`: positions of all games, each with the board before the last
decision, so that the change from one to the other can be shown too; and
`web/src/boards/patterns/positions.json`: whole games of Patterns, in a compact form.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import mandala
from mandala.bots.players import Budget, make_player
from mandala.core.position import Position
from mandala.games import all_games
from mandala.games.patterns.board import PatternsBoard

PATTERNS_GAMES = [("greedy", 1), ("greedy", 2), ("random", 3), ("random", 8)]
NAMES = ("Ada", "Benjamin", "Cy", "Dörte")
EARLY, MIDDLE, LATE = 2, 21, 60
WEB = Path(__file__).parents[1]
Fixture = dict[str, Any]


def fixtures() -> list[Fixture]:
    """One position of each kind for each game and number of seats."""
    return [
        each for game in all_games() for seats in game.seats for each in fixtures_of(game.id, seats)
    ]


def fixtures_of(game: str, seats: int) -> list[Fixture]:
    """The first position of each kind in six games."""
    found: dict[str, Fixture] = {}
    for seed in range(1, 7):
        for position, before, seat in decisions(game, seats, seed):
            for kind in kinds(position, before)[:1]:
                if kind not in found:
                    found[kind] = fixture(f"{game} {seats} {kind}", position, before, seat)
    return list(found.values())


def decisions(game: str, seats: int, seed: int) -> list[tuple[Position, Position, int]]:
    """The positions of a game, each with the one before and the seat that decided."""
    generator = np.random.default_rng(seed)
    players = [make_player("greedy" if seed < 5 else "random", each) for each in range(seats)]
    position, played = mandala.new(game, seats=seats, seed=seed), []
    while position.actor:
        seat = position.actor
        move = players[seat - 1].choose(position.view(seat), Budget())
        after = position.play(move).deal(generator)
        played.append((after, position, seat))
        position = after
    return played


def kinds(position: Position, before: Position) -> list[str]:
    """What a position is an example of; empty for most."""
    board, board_before = position.board, before.board
    number = len([move for move in position.moves if move[0] not in "+*!"])
    names = [
        name for at, name in ((EARLY, "early"), (MIDDLE, "middle"), (LATE, "late")) if at == number
    ]
    if board.phase != board_before.phase:
        names.append(f"from {board_before.phase} to {board.phase}")
    elif board.phase in ("dissolve", "claim"):
        names.append(f"amid {board.phase}")
    if getattr(board, "last_phase", False) or getattr(board, "last_round", False):
        names.append(f"last {board.phase}")
    if position.legal == ["-"]:
        names.append("pass")
    if getattr(board, "discards", 0) == 31:
        names.append("many discards")
    return names


def fixture(name: str, position: Position, before: Position, seat: int) -> Fixture:
    """What a board is given for the seat to move, the seat that moved, and a spectator."""
    count = len(position.moves) - len(before.moves)
    views = []
    for viewer in (*sorted({position.actor or 1, seat}), None):
        view = position.view(viewer)
        views.append(
            {
                "viewer": viewer,
                "board": view.board,
                "before": before.view(viewer).board,
                "legal": view.legal,
                "last": view.moves[-count:],
            }
        )
    return {
        "name": name,
        "game": position.game,
        "names": NAMES[: position.seats],
        "actor": position.actor,
        "lastSeat": seat,
        "views": views,
    }


def patterns_game(player: str, seed: int) -> list[Fixture]:
    """All positions of a game of Patterns in which a seat decides, and the last one."""
    players = [make_player(player, seed=seed + seat) for seat in range(2)]
    generator = np.random.default_rng(seed)
    position, positions = mandala.new("patterns", seed=seed), []
    last, last_seat = "", None
    while True:
        positions.append(compact(position, last, last_seat))
        if position.actor is None:
            return positions
        last_seat = position.actor
        last = players[last_seat - 1].choose(position.view(last_seat), Budget())
        position = position.play(last, generator)


def compact(position: Position, last: str, last_seat: int | None) -> Fixture:
    """A position of Patterns with three characters for each space: colour, seat, marker."""
    board = position.board
    assert isinstance(board, PatternsBoard)
    return {
        "phase": board.phase,
        "starting": board.starting,
        "spaces": "".join(f"{each.colour}{each.seat}{each.marker}" for each in board.spaces),
        "seats": [msgspec.to_builtins(seat) for seat in board.seats],
        "actor": position.actor,
        "legal": " ".join(position.legal),
        "last": last,
        "lastSeat": last_seat,
    }


if __name__ == "__main__":
    lines = b",\n".join(msgspec.json.encode(each) for each in fixtures())
    (WEB / "gallery/fixtures.json").write_bytes(b"[\n" + lines + b"\n]\n")
    games = [patterns_game(player, seed) for player, seed in PATTERNS_GAMES]
    text = json.dumps(games, separators=(",", ":")) + "\n"
    (WEB / "src/boards/patterns/positions.json").write_text(text)
