"""Positions of Patterns from whole games, for the board's tests and its gallery.

    python web/gallery-patterns/fixtures.py > web/src/boards/patterns/positions.json

A position's spaces are written as three signs each: colour, seat, marker.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from mandala.server.boards import PatternsBoard, board_of

from mandala.bots.players import Budget, make_player
from mandala.core.position import Position, new

GAMES = (("greedy", 1), ("greedy", 2), ("random", 3), ("random", 8))


def positions(player: str, seed: int) -> list[dict[str, object]]:
    """All positions of a game in which a seat decides, and the last one."""
    players = [make_player(player, seed=seed + seat) for seat in range(2)]
    generator = np.random.default_rng(seed)
    position, found = new("patterns", seed=seed), []
    last, by = "", None
    while True:
        found.append(_written(position, last, by))
        if position.actor is None:
            return found
        by = position.actor
        last = players[by - 1].choose(position.view(by), Budget())
        position = position.play(last, generator)


def _written(position: Position, last: str, by: int | None) -> dict[str, object]:
    board = board_of(position)
    assert isinstance(board, PatternsBoard)
    return {
        "phase": board.phase,
        "starting": board.starting,
        "spaces": "".join(f"{each.colour}{each.seat}{each.marker}" for each in board.spaces),
        "seats": [
            {"bowl": seat.bowl, "groups": [[g.colour, g.size] for g in seat.groups]}
            for seat in board.seats
        ],
        "actor": position.actor,
        "legal": " ".join(position.legal),
        "last": last,
        "lastSeat": by,
    }


if __name__ == "__main__":
    games = [positions(player, seed) for player, seed in GAMES]
    json.dump(games, sys.stdout, separators=(",", ":"))
    print()
