"""Positions for the gallery and the tests of the boards, picked from games between bots.

    PYTHONPATH=src python web/gallery/fixtures.py

writes `web/gallery/fixtures.json`: each entry is what a board is given, with the board before the
last decision, so that the way from one to the other can be shown too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from mandala.server.boards import board_of

import mandala
from mandala.bots.players import Budget, make_player
from mandala.core.position import Position

SEATINGS = [("mandala", 2), ("flowers", 2), ("flowers", 3), ("flowers", 4)]
NAMES = ("Ada", "Benjamin", "Cy", "Dörte")
EARLY, MIDDLE, LATE = 2, 21, 60
Fixture = dict[str, Any]


def fixtures() -> list[Fixture]:
    """One position of each kind from each seating."""
    return [each for game, seats in SEATINGS for each in of_seating(game, seats)]


def of_seating(game: str, seats: int) -> list[Fixture]:
    """The first position of each kind in a few games."""
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
    position, story = mandala.new(game, seats=seats, seed=seed), []
    while position.actor:
        seat = position.actor
        move = players[seat - 1].choose(position.view(seat), Budget())
        after = position.play(move).deal(generator)
        story.append((after, position, seat))
        position = after
    return story


def kinds(position: Position, before: Position) -> list[str]:
    """What a position is an example of; nothing for most."""
    made, number = (
        board_of(position),
        len([move for move in position.moves if move[0] not in "+*!"]),
    )
    at = {EARLY: "early", MIDDLE: "middle", LATE: "late"}.get(number)
    names = [at] if at else []
    was = board_of(before)
    if made.phase != was.phase:
        names.append(f"from {was.phase} to {made.phase}")
    elif made.phase in ("dissolve", "claim"):
        names.append(f"amid {made.phase}")
    if getattr(made, "last_phase", False) or getattr(made, "last_round", False):
        names.append(f"last {made.phase}")
    if position.legal == ["-"]:
        names.append("pass")
    if getattr(made, "discards", 0) == 31:
        names.append("many discards")
    return names


def fixture(name: str, position: Position, before: Position, seat: int) -> Fixture:
    """What the boards of a few seats and of a spectator are given."""
    count = len(position.moves) - len(before.moves)
    shown = []
    for viewer in (*sorted({position.actor or 1, seat}), None):
        view = position.view(viewer)
        shown.append(
            {
                "viewer": viewer,
                "board": board_of(view),
                "before": board_of(before.view(viewer)),
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
        "views": shown,
    }


if __name__ == "__main__":
    path = Path(__file__).with_name("fixtures.json")
    lines = b",\n".join(msgspec.json.encode(each) for each in fixtures())
    path.write_bytes(b"[\n" + lines + b"\n]\n")
