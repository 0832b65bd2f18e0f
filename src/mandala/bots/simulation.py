"""Games between players, one after the other, and their statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from mandala.core.position import Position
from mandala.core.record import Record
from mandala.core.state import Ply
from mandala.core.view import View, visible_states
from mandala.engine import CHANCE, NOBODY
from mandala.games import find_game, require_seats
from mandala.text.errors import IllegalMove

from .players import Budget, Player

UNLIMITED = Budget()
Z_95 = 1.959963984540054  # the normal distribution's 97.5 % point


def play_games(game: str, seats: int, players: Sequence[Player], seed: int) -> Iterator[Position]:
    """Play games endlessly, player i on seat i, and yield each when it is over.

    The same seed and players give the same games.
    """
    require_seats(game, seats)
    for index in range(2**63):
        yield GameLoop(game, seats, players, np.random.default_rng([seed, index])).play()


class GameLoop:
    """One game being played on one record."""

    def __init__(
        self,
        game: str,
        seats: int,
        players: Sequence[Player],
        generator: np.random.Generator,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.game, self.seats, self.players = game, seats, players
        self.generator, self.budget = generator, budget
        self.spec = find_game(game)
        self.rules: ModuleType = self.spec.rules
        self.states: Any = np.zeros(1, self.rules.State.dtype)
        self.state: Any = self.states[0]
        self.rows = np.zeros(len(self.rules.moves.texts), np.int16)
        self.weights = np.zeros(len(self.rules.moves.texts), np.int64)
        self.history: list[Ply] = []
        # The history as each seat sees it.
        self.seen: list[list[Ply]] = [[] for _ in range(seats)]
        self.unknown = self.rules.moves.number.get("+?")

    def play(self) -> Position:
        """Play the game to its end."""
        rules, state, actor = self.rules, self.state, self.states["actor"]
        rules.begin(state, self.seats)
        while (who := int(actor[0])) != NOBODY:
            if who == CHANCE:
                drawer = int(rules.drawer(state))
                row = self.draw()
            else:
                drawer = NOBODY
                row = self.decide(who)
            self.add_to_history(row, drawer)
            rules.apply(state, row)
        return self.position()

    def position(self) -> Position:
        """The current position."""
        return Position(self.game, self.seats, self.states.copy(), tuple(self.history))

    def draw(self) -> int:
        """A random chance move, as a row."""
        found = self.rules.chance(self.state, self.rows, self.weights)
        weights = self.weights[:found].tolist()
        left = int(self.generator.integers(sum(weights)))
        place = 0
        while left >= weights[place]:
            left -= weights[place]
            place += 1
        return int(self.rows[place])

    def decide(self, who: int) -> int:
        """The move that a player chooses from its view, as a row. Raises IllegalMove."""
        states = visible_states(self.spec, self.states, who + 1)
        view = View(self.game, self.seats, states, who + 1, tuple(self.seen[who]))
        move = self.players[who].choose(view, self.budget)
        row = self.rules.moves.number.get(move)
        if row not in self.rows[: self.rules.legal(self.state, self.rows)].tolist():
            raise IllegalMove("player-error", {"name": self.players[who].name, "move": move})
        return int(row)

    def add_to_history(self, row: int, drawer: int) -> None:
        """Add a move to the history and to the history that each seat sees."""
        self.history.append((row, drawer))
        for seat, seen in enumerate(self.seen):
            seen.append((row if drawer in (NOBODY, seat) else self.unknown, drawer))


def record_of(position: Position, names: Sequence[str]) -> Record:
    """The record of a game with the names of its players."""
    return position.record({f"Seat{seat}": name for seat, name in enumerate(names, start=1)})


@dataclass
class Tally:
    """Statistics of a number of games by seat. A win shared by n seats counts as 1/n for each."""

    seats: int
    games: int = 0
    shared: int = 0
    wins: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)  # decisions of each game

    def __post_init__(self) -> None:
        self.wins = self.wins or [0.0] * self.seats
        self.points = self.points or [0] * self.seats

    def add(self, position: Position) -> None:
        """Add a finished game."""
        self.games += 1
        self.shared += len(position.winners) > 1
        for seat in position.winners:
            self.wins[seat - 1] += 1 / len(position.winners)
        for seat, points in enumerate(position.scores):
            self.points[seat] += points
        self.lengths.append(sum(move[0] not in "+*!" for move in position.moves))


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a win rate."""
    rate, square = wins / games, Z_95 * Z_95
    middle = rate + square / (2 * games)
    half = Z_95 * math.sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    return (middle - half) / (1 + square / games), (middle + half) / (1 + square / games)
