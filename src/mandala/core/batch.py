"""Many games at once, for reinforcement learning: positions as one array, a step as one call.

    >>> import numpy as np
    >>> from mandala import Batch
    >>> batch = Batch("flowers", 64, seats=3, seed=1)
    >>> batch.step(batch.legal.argmax(axis=1))  # the first legal move of each game
    >>> batch.legal.shape, int(batch.finished.sum())
    ((64, 307), 0)

Everything here runs compiled; importing this module loads Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mandala.engine import (
    CHANCE,
    NOBODY,
    apply,
    begin,
    chance,
    legal,
    njit,
    njit_inline,
    random_below,
    score,
    tie_break,
)
from mandala.games import require_seats
from mandala.text.errors import IllegalMove, InvalidArgument

MAX_ROWS = 512  # enough for every move list: checked when a batch is made


@njit_inline
def play_chance(state: Any, generator: Any, rows: Any, weights: Any) -> None:
    """Make chance moves until a seat must decide or the game is over."""
    while state.actor == CHANCE:
        found = chance(state, rows, weights)
        total = 0
        for place in range(found):
            total += weights[place]
            weights[place] = total
        drawn = random_below(generator, total)
        place = 0
        while weights[place] <= drawn:
            place += 1
        apply(state, rows[place])


@njit
def play_random_games(states: Any, seats: int, generator: Any, games: int) -> int:
    """Play whole games at random in the first record; return the number of decisions.

    The second record must be all zeros.
    """
    rows = np.empty(MAX_ROWS, np.int16)
    weights = np.empty(MAX_ROWS, np.int64)
    return play_games(states, seats, generator, games, rows, weights)


@njit_inline
def play_games(states: Any, seats: int, generator: Any, games: int, rows: Any, weights: Any) -> int:
    """The loop of `play_random_games`, with arrays for the moves and their weights."""
    state = states[0]
    decisions = 0
    for _ in range(games):
        states[0] = states[1]
        begin(state, seats)
        play_chance(state, generator, rows, weights)
        while state.actor != NOBODY:
            found = legal(state, rows)
            apply(state, rows[random_below(generator, found)])
            decisions += 1
            play_chance(state, generator, rows, weights)
    return decisions


@njit_inline
def restart(
    states: Any, game: int, blank: Any, seats: int, generator: Any, rows: Any, weights: Any
) -> None:
    """Start a game again, including the chance moves of the setup."""
    states[game] = blank[0]
    begin(states[game], seats)
    play_chance(states[game], generator, rows, weights)


@njit_inline
def fill_mask(state: Any, rows: Any, mask: Any) -> None:
    """Write the action mask of a position."""
    mask[:] = False
    for place in range(legal(state, rows)):
        mask[rows[place]] = True


@njit_inline
def write_result(state: Any, seats: int, points: Any, rewards: Any) -> None:
    """Write the points of a finished game and the reward of each seat: 1 divided by the winners."""
    best = 0
    for seat in range(seats):
        points[seat] = score(state, seat)
        best_is_beaten = points[seat] > points[best] or (
            points[seat] == points[best] and tie_break(state, seat) > tie_break(state, best)
        )
        if best_is_beaten:
            best = seat
    winners = 0
    for seat in range(seats):
        wins = points[seat] == points[best] and tie_break(state, seat) == tie_break(state, best)
        rewards[seat] = 1.0 if wins else 0.0
        winners += wins
    for seat in range(seats):
        rewards[seat] /= winners


@njit
def start_all(
    states: Any, blank: Any, seats: int, generators: Any, masks: Any, actors: Any
) -> None:
    """Start every game of a batch."""
    rows = np.empty(MAX_ROWS, np.int16)
    weights = np.empty(MAX_ROWS, np.int64)
    for game in range(len(states)):
        restart(states, game, blank, seats, generators[game], rows, weights)
        fill_mask(states[game], rows, masks[game])
        actors[game] = states[game].actor + 1


@njit
def step_all(
    states: Any,
    blank: Any,
    seats: int,
    moves: Any,
    generators: Any,
    masks: Any,
    actors: Any,
    finished: Any,
    points: Any,
    rewards: Any,
) -> None:
    """Make one legal move in every game, and the chance moves until the next decision."""
    rows = np.empty(MAX_ROWS, np.int16)
    weights = np.empty(MAX_ROWS, np.int64)
    for game in range(len(states)):
        apply(states[game], moves[game])
        play_chance(states[game], generators[game], rows, weights)
        finished[game] = states[game].actor == NOBODY
        if finished[game]:
            write_result(states[game], seats, points[game], rewards[game])
            restart(states, game, blank, seats, generators[game], rows, weights)
        fill_mask(states[game], rows, masks[game])
        actors[game] = states[game].actor + 1


class Batch:
    """A number of games that are played in lockstep.

    After creation and after every `step`, `legal` is the action mask, `legal[game, move]`, and
    `actor[game]` the seat (from 1) that decides. A game that ended in the last step has `finished`
    set, its `points` and its `reward` by seat (1 for the winner, 0.5 for each of two that share the
    win, 0 for the others), and has started again. `states` holds the positions, one record per
    game, including hidden cards.

    All arrays are read-only and overwritten by the next step: copy what must stay.
    """

    def __init__(self, game: str, count: int, *, seats: int = 2, seed: int) -> None:
        """Start `count` games. Raises UnknownGame or InvalidArgument."""
        rules = require_seats(game, seats).compiled("rules")
        assert len(rules.moves.texts) <= MAX_ROWS, f"{game} has more than {MAX_ROWS} moves"
        _require_integer("count", count, minimum=1)
        _require_integer("seed", seed, minimum=0)
        self.game = game
        self.seats = seats
        self.moves: tuple[str, ...] = tuple(rules.moves.texts[: rules.DECISIONS])
        self._states = np.zeros(count, rules.State.dtype)
        self._legal = np.zeros((count, rules.DECISIONS), np.bool_)
        self._actor = np.zeros(count, np.uint8)
        self._finished = np.zeros(count, np.bool_)
        self._points = np.zeros((count, seats), np.int16)
        self._reward = np.zeros((count, seats), np.float32)
        self._blank = np.zeros(1, rules.State.dtype)
        generator = np.random.default_rng(seed)
        self._generators = generator.integers(0, 2**64, (count, 1), dtype=np.uint64)
        start_all(self._states, self._blank, seats, self._generators, self._legal, self._actor)
        self.states, self.legal, self.actor = map(
            _read_only, (self._states, self._legal, self._actor)
        )
        self.finished, self.points, self.reward = map(
            _read_only, (self._finished, self._points, self._reward)
        )

    def step(self, moves: Any) -> None:
        """Make one move in each game: row numbers of `Batch.moves`, one per game.

        Raises InvalidArgument unless they are integers, one per game, and IllegalMove when any of
        them is not legal; in both cases no game changes.
        """
        chosen = np.asarray(moves)
        if chosen.dtype.kind not in "iu":
            raise InvalidArgument("bad-dtype", {"name": "moves", "found": str(chosen.dtype)})
        if chosen.shape != self._actor.shape:
            parts = {"name": "moves", "wanted": self._actor.shape, "found": chosen.shape}
            raise InvalidArgument("bad-shape", parts)
        in_list = (chosen >= 0) & (chosen < len(self.moves))
        rows = np.where(in_list, chosen, 0).astype(np.int16)
        allowed = in_list & self._legal[np.arange(len(rows)), rows]
        if not allowed.all():
            raise self._illegal_move(int(np.argmin(allowed)), chosen)
        step_all(
            self._states,
            self._blank,
            self.seats,
            rows,
            self._generators,
            self._legal,
            self._actor,
            self._finished,
            self._points,
            self._reward,
        )

    def _illegal_move(self, game: int, chosen: Any) -> IllegalMove:
        number = int(chosen[game])
        text = self.moves[number] if 0 <= number < len(self.moves) else str(number)
        legal = [self.moves[row] for row in np.flatnonzero(self._legal[game])]
        return IllegalMove("illegal-in-batch", {"move": text, "index": game}, legal=legal)


def _read_only(array: Any) -> Any:
    """A read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view


def _require_integer(name: str, value: object, *, minimum: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < minimum:
        raise InvalidArgument(
            "bad-integer", {"name": name, "minimum": minimum, "found": repr(value)}
        )
