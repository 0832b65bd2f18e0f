"""One search from one view: its settings, its time control, and its result."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from mandala import engine
from mandala.core.view import View
from mandala.engine import buffers
from mandala.games import find_game
from mandala.hidden.constraints import NEVER_PLAYED, Constraints, constraints_of

from .network import network_of, points_only_network_of

CHUNK = 256  # simulations between two checks of the clock
FIRST_CHUNK = 32
MAX_NODES = 1 << 21  # about 80 MB
NODES_PER_SIMULATION = 24
DEFAULT_SIMULATIONS = 10_000


@dataclass(frozen=True)
class Settings:
    """The settings of a search."""

    horizon: int = 200  # maximum depth of the tree, in decisions
    plies: int = 0  # length of the random rollout before the evaluation, in decisions
    # Of the softmax over heuristic values that gives the priors: lower follows the heuristic more
    # closely, 0 means equal priors.
    temperature: float = 4.0
    exploration: float = 0.8
    points_only: bool = False  # whether the evaluation counts only points
    solves: bool = True  # whether endgames are solved, in a game with a solver


@dataclass(frozen=True)
class MoveStats:
    """The statistics of one move in a search."""

    move: str
    visits: int
    value: float  # the expected win share


@dataclass(frozen=True)
class SearchResult:
    """The result of a search: the chosen move, and all moves by visit count."""

    move: str
    moves: tuple[MoveStats, ...]
    value: float
    simulations: int  # or positions visited by the solver; 0 for a forced move
    seconds: float


# Called regularly with the result so far; returning False stops the search.
Watch = Callable[[SearchResult], bool]


def search(
    view: View,
    settings: Settings,
    *,
    seed: int,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    watch: Watch | None = None,
) -> SearchResult:
    """Search for the move of a view's seat, by simulations, by time, or until stopped.

    With one thread, the same view, settings, seed and number of simulations give the same result. A
    search stops early when no other move can overtake the best one. Each thread builds a tree of
    its own, and their visit counts and values are added up. Raises ValueError for a view whose seat
    does not decide or that does not know the moves before it.
    """
    return _Search(view, settings, seed, threads).run(simulations, seconds, watch)


def is_warm(game: str) -> bool:
    """Whether the search for a game was compiled before on this machine."""
    folder = engine.cache_folder()
    return folder is not None and (folder / f"search-{game}").exists()


@functools.cache
def warm_up(game: str) -> None:
    """Compile the search for a game, or load it from the cache."""
    spec = find_game(game)
    rules = spec.make_ready()

    from mandala.core.batch import MAX_ROWS

    from . import tree

    assert len(rules.moves.texts) <= MAX_ROWS, f"{game} has more than {MAX_ROWS} moves"
    states, nodes = np.zeros(1, rules.State.dtype), np.zeros(1, tree.NODE)
    rules.begin(states[0], spec.seats[0])
    _Tree(game, spec.seats[0], states, _no_constraints(), Settings(), 0, nodes).simulate(0)
    if spec.has_solver:
        spec.module("solver").warm_up(states)
    folder = engine.cache_folder()
    if folder is not None:
        (folder / f"search-{game}").touch()


def _no_constraints() -> Constraints:
    none = np.zeros(0, np.int64)
    return Constraints(
        np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none, none, draw_plies=()
    )


class _Tree:
    """A search tree with its buffers and its random generator."""

    def __init__(
        self,
        game: str,
        seats: int,
        states: Any,
        constraints: Constraints,
        settings: Settings,
        seed: int,
        nodes: Any,
    ) -> None:
        from mandala.core.batch import MAX_ROWS

        from . import tree

        self.done = 0
        self._run_simulations, self._list_root_moves = tree.run_simulations, tree.list_root_moves
        self._moves, self._found = np.empty(MAX_ROWS, np.int64), np.empty((MAX_ROWS, 2))
        self.states = np.zeros(3, states.dtype)
        self.states[:1] = states
        self.nodes = nodes
        self.nodes[:1] = np.zeros(1, tree.NODE)
        hidden = np.zeros(tree.PLACES, np.int64)
        places = np.where(
            constraints.drawn_by == NEVER_PLAYED, tree.CUP_PLACE, constraints.drawn_by
        )
        np.add.at(hidden, places, 1)
        np.subtract.at(hidden, constraints.plays[:, 0], 1)
        pool = constraints.piles[0].copy()
        np.subtract.at(pool, constraints.plays[:, 1], 1)
        self._fixed = (
            self.states,
            seats,
            constraints.plays,
            constraints.piles,
            constraints.drawn_by,
            constraints.pile_of,
            pool,
            hidden,
            self.nodes,
            np.array([1, 0], np.int64),
            find_game(game).compiled("heuristic").WEIGHTS,
            points_only_network_of(game) if settings.points_only else network_of(game),
            np.array([seed % 2**64], np.uint64),
        )
        self._settings = (
            min(settings.horizon, tree.MAX_DEPTH),
            settings.plies,
            settings.temperature,
            settings.exploration,
        )

    def simulate(self, count: int) -> None:
        """Run a number of simulations."""
        self._run_simulations(*self._fixed, count, *self._settings)
        self.done += count

    def add_to(self, totals: dict[int, tuple[int, float]], seat: int) -> None:
        """Add the visit count and the summed values of each root move to the totals."""
        count = self._list_root_moves(self.nodes, seat, self._moves, self._found)
        for move, (visits, found) in zip(
            self._moves[:count].tolist(), self._found[:count].tolist(), strict=True
        ):
            before, total = totals.get(move, (0, 0.0))
            totals[move] = before + int(visits), total + found


class _Search:
    """A search: its trees and its time control."""

    def __init__(self, view: View, settings: Settings, seed: int, threads: int) -> None:
        if view.seat is None or view.actor != view.seat:
            raise ValueError("a search needs the view of the seat that decides")
        self.view, self.settings, self.seat = view, settings, view.seat - 1
        self.legal = view.legal_rows()
        self.seed, self.threads = seed, threads
        self.trees: list[_Tree] = []
        self.is_over = threading.Event()
        self.start = time.perf_counter()

    def run(
        self, simulations: int | None, seconds: float | None, watch: Watch | None
    ) -> SearchResult:
        """Run until the budget is used up, the best move is certain, or `watch` returns False."""
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        if len(self.legal) == 1:
            return self._single_move_result(self.legal[0], 0.5, 0)
        warm_up(self.view.game)
        if (solved := self._solved(simulations, seconds)) is not None:
            return solved
        with ExitStack() as borrowed:
            self._make_trees(simulations, borrowed)
            return self._search(simulations, seconds, watch)

    def _search(
        self, simulations: int | None, seconds: float | None, watch: Watch | None
    ) -> SearchResult:
        own, *others = self.trees
        limit = 2**62 if simulations is None else simulations // self.threads
        with ThreadPoolExecutor(self.threads) as pool:
            helpers = [pool.submit(self._run_helper, tree, limit) for tree in others]
            try:
                self._run_main(own, limit, seconds, watch)
            finally:
                if own.done < limit:
                    self.is_over.set()
            for helper in helpers:
                helper.result()
        return self.result()

    def _run_main(self, own: _Tree, limit: int, seconds: float | None, watch: Watch | None) -> None:
        """The work of the first thread: run simulations, and decide when to stop."""
        while own.done < limit and not self._is_late(seconds):
            own.simulate(min(FIRST_CHUNK if own.done == 0 else CHUNK, limit - own.done))
            if self._is_decided(limit * self.threads, seconds):
                self.is_over.set()
                return
            if watch is not None and not watch(self.result()):
                self.is_over.set()
                return

    def _run_helper(self, tree: _Tree, limit: int) -> None:
        """The loop of every other thread."""
        while tree.done < limit and not self.is_over.is_set():
            tree.simulate(min(CHUNK, limit - tree.done))

    def _make_trees(self, simulations: int | None, borrowed: ExitStack) -> None:
        """Make the trees, in node pools that are returned when the stack is closed."""
        from . import tree

        view, nodes = self.view, MAX_NODES
        constraints = _no_constraints()
        if view.spec.has_hidden_information:
            if view.history is None:
                raise ValueError("a search needs a view that knows the moves before it")
            constraints = constraints_of(view)
        if simulations is not None:
            nodes = min(nodes, 1000 + NODES_PER_SIMULATION * simulations // self.threads)
        states, game = view.copy_states(), view.game
        for number in range(self.threads):
            pool = borrowed.enter_context(buffers.borrow(tree.NODE, nodes, MAX_NODES))
            fixed = (game, view.seats, states, constraints, self.settings)
            self.trees.append(_Tree(*fixed, self.seed + number, pool))

    def _solved(self, simulations: int | None, seconds: float | None) -> SearchResult | None:
        """The result of the game's solver, or None if it cannot solve the position in time."""
        spec = self.view.spec
        if not (spec.has_solver and self.settings.solves):
            return None
        states = self.view.copy_states()
        found = spec.module("solver").solve_position(states, self.seat, simulations, seconds)
        return (
            None
            if found is None
            else self._single_move_result(found.row, found.value, found.positions)
        )

    def _is_late(self, seconds: float | None) -> bool:
        return seconds is not None and self.trees[0].done > 0 and self._seconds() >= seconds

    def _seconds(self) -> float:
        return time.perf_counter() - self.start

    def _is_decided(self, limit: int, seconds: float | None) -> bool:
        """Whether no other move can reach the visit count of the best one any more."""
        done = sum(tree.done for tree in self.trees)
        left = float(limit - done)
        if seconds is not None and done > FIRST_CHUNK:
            spent = max(self._seconds(), 1e-6)
            left = min(left, (seconds - spent) * done / spent)
        visits = sorted((each[0] for each in self._totals().values()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > left

    def _totals(self) -> dict[int, tuple[int, float]]:
        """By row: the visit count of each move, and its summed values."""
        totals: dict[int, tuple[int, float]] = {}
        for tree in self.trees:
            tree.add_to(totals, self.seat)
        return totals

    def result(self) -> SearchResult:
        """The result so far."""
        texts = self.view.rules.moves.texts
        moves = [
            (-visits, -total / visits if visits else 0.0, row)
            for row, (visits, total) in self._totals().items()
        ]
        stats = tuple(
            MoveStats(texts[row], -visits, -value) for visits, value, row in sorted(moves)
        )
        done = sum(tree.done for tree in self.trees)
        return SearchResult(stats[0].move, stats, stats[0].value, done, self._seconds())

    def _single_move_result(self, row: int, value: float, tried: int) -> SearchResult:
        move: str = self.view.rules.moves.texts[row]
        return SearchResult(move, (MoveStats(move, tried, value),), value, tried, self._seconds())
