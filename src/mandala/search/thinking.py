"""One search from one view: what it is told, how long it goes on, and what it found."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from mandala import kernel
from mandala.appraisal.weights import naive_network_of, network_of
from mandala.story import NEVER_PLAYED, Story, tell
from mandala.view import View

CHUNK = 256  # simulations between two looks at the clock
FIRST_CHUNK = 32
MOST_NODES = 1 << 21  # about 80 MB, when all are used
NODES_A_SIMULATION = 24
DEFAULT_SIMULATIONS = 10_000
# How long Patterns is tried to be solved before it is searched: positions looked at.
MOST_FRONTS_TO_SOLVE = 36
SOLVED_A_SIMULATION = 16  # about half of the time that a simulation takes
SOLVED_A_SECOND = 1_500_000
MOST_SOLVED = 1 << 22


@dataclass(frozen=True)
class Settings:
    """How a search thinks."""

    horizon: int = 200  # decisions that it looks ahead in the tree
    plies: int = 0  # decisions played at random before a position is appraised
    # How far the heuristic's favourites are preferred: small means strongly, 0 not at all.
    temperature: float = 4.0
    exploration: float = 0.8
    is_naive: bool = False  # only points count when a position is appraised
    solves: bool = True  # the end of Patterns is played without a fault, where it can be solved


@dataclass(frozen=True)
class Line:
    """What a search found about one move."""

    move: str
    visits: int
    value: float  # the share of the win that the seat can hope for


@dataclass(frozen=True)
class Found:
    """What a search found: its move, each move by how often it was tried, and how long it took."""

    move: str
    lines: tuple[Line, ...]
    value: float
    simulations: int  # or positions tried, where the game was solved; 0 for a forced move
    seconds: float


Watch = Callable[[Found], bool]  # sees what is found so far; False stops the search


def search(
    view: View,
    settings: Settings,
    *,
    seed: int,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    watch: Watch | None = None,
) -> Found:
    """Think about the move of a view's seat, by simulations, by time, or until told to stop.

    With one thread, the same view, settings, seed and number of simulations find the same. A search
    stops before its time when no other move can overtake any more. Each thread grows a tree of its
    own, and what they found is added up. Raises ValueError for a view whose seat does not decide or
    that does not know the moves before it.
    """
    return _Search(view, settings, seed, threads).run(simulations, seconds, watch)


def is_warm(game: str) -> bool:
    """Whether the search for a game was compiled before on this machine."""
    folder = kernel.cache_folder()
    return folder is not None and (folder / f"search-{game}").exists()


@functools.cache
def warm_up(game: str) -> None:
    """Compile the search for a game, or load it from the cache, so that no move waits."""
    rules = kernel.make_ready(game)

    from mandala.search import tree

    states, nodes = np.zeros(1, rules.State.dtype), np.zeros(1, tree.NODE)
    rules.begin(states[0], rules.SEATS[0])
    _Tree(game, rules.SEATS[0], states, _nothing_hidden(), Settings(), 0, nodes).simulate(0)
    if game == "patterns":
        _solve(states, 0)
    folder = kernel.cache_folder()
    if folder is not None:
        (folder / f"search-{game}").touch()


def _nothing_hidden() -> Story:
    none = np.zeros(0, np.int64)
    return Story(np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none, none, plies=())


_spare: dict[Any, list[Any]] = {}  # rooms that a thought has left, by what they have room for


@contextmanager
def _room(kind: Any, count: int, most: int) -> Iterator[Any]:
    """Room for so many things of a kind, with whatever the thought before has left in it.

    To give such rooms back to the system after each thought, and to take new ones, makes every
    process on a virtual machine stand still at times (ADR 10).
    """
    spare = _spare.setdefault(kind, [])
    try:
        room = spare.pop()
    except IndexError:
        room = np.empty(most, kind)
    try:
        yield room[:count]
    finally:
        spare.append(room)


def _solve(states: Any, budget: int) -> tuple[int, int, int] | None:
    """The result of Patterns with best play, a row that reaches it, and the positions looked at."""
    from mandala.search import ending

    room = np.zeros(ending.DEEPEST, states.dtype)
    room[:1] = states
    best = np.zeros(2, np.int64)
    with _room(ending.KNOWN, 1 << max(10, (budget - 1).bit_length()), MOST_SOLVED) as known:
        known.view(np.uint8).fill(0)
        result = ending.solve(room, known, budget, best)
    return None if result == ending.UNSOLVED else (result, int(best[0]), int(best[1]))


class _Tree:
    """A tree with its room to work, and its own generator."""

    def __init__(
        self,
        game: str,
        seats: int,
        states: Any,
        story: Story,
        settings: Settings,
        seed: int,
        nodes: Any,
    ) -> None:
        from mandala.batch import MOST_ROWS
        from mandala.search import tree

        self.done = 0
        self._grow, self._list_children = tree.grow, tree.list_children
        self._moves, self._found = np.empty(MOST_ROWS, np.int64), np.empty((MOST_ROWS, 2))
        self.states = np.zeros(3, states.dtype)
        self.states[:1] = states
        self.nodes = nodes
        self.nodes[:1] = np.zeros(1, tree.NODE)
        hidden = np.zeros(tree.PLACES, np.int64)
        owners = np.where(story.owner == NEVER_PLAYED, tree.CUP_PLACE, story.owner)
        np.add.at(hidden, owners, 1)
        np.subtract.at(hidden, story.demands[:, 0], 1)
        pool = story.piles[0].copy()
        np.subtract.at(pool, story.demands[:, 1], 1)
        self._fixed = (
            self.states,
            seats,
            story.demands,
            story.piles,
            story.owner,
            story.pile_of,
            pool,
            hidden,
            self.nodes,
            np.array([1, 0], np.int64),
            kernel.compiled_heuristic(game).WEIGHTS,
            naive_network_of(game) if settings.is_naive else network_of(game),
            np.array([seed % 2**64], np.uint64),
        )
        self._settings = (
            min(settings.horizon, tree.DEEPEST),
            settings.plies,
            settings.temperature,
            settings.exploration,
        )

    def simulate(self, count: int) -> None:
        """Run so many simulations."""
        self._grow(*self._fixed, count, *self._settings)
        self.done += count

    def add_to(self, totals: dict[int, tuple[int, float]], seat: int) -> None:
        """Add the visits of each move that was looked at, and the shares of the win found."""
        count = self._list_children(self.nodes, seat, self._moves, self._found)
        for move, (visits, found) in zip(
            self._moves[:count].tolist(), self._found[:count].tolist(), strict=True
        ):
            before, total = totals.get(move, (0, 0.0))
            totals[move] = before + int(visits), total + found


class _Search:
    """The trees and the clock."""

    def __init__(self, view: View, settings: Settings, seed: int, threads: int) -> None:
        if view.seat is None or view.actor != view.seat:
            raise ValueError("a search needs the view of the seat that decides")
        self.view, self.settings, self.seat = view, settings, view.seat - 1
        self.legal = view.legal_rows()
        self.seed, self.threads = seed, threads
        self.trees: list[_Tree] = []
        self.is_over = threading.Event()
        self.start = time.perf_counter()

    def run(self, simulations: int | None, seconds: float | None, watch: Watch | None) -> Found:
        """Simulate until the budget is used up, the matter is decided, or the watch says stop."""
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        if len(self.legal) == 1:
            return self._found_at_once(self.legal[0], 0.5, 0)
        warm_up(self.view.game)
        if (solved := self._solved(simulations, seconds)) is not None:
            return solved
        with ExitStack() as rooms:
            self.prepare(simulations, rooms)
            return self._search(simulations, seconds, watch)

    def _search(self, simulations: int | None, seconds: float | None, watch: Watch | None) -> Found:
        own, *others = self.trees
        limit = 2**62 if simulations is None else simulations // self.threads
        with ThreadPoolExecutor(self.threads) as pool:
            helpers = [pool.submit(self._help, tree, limit) for tree in others]
            try:
                self._think(own, limit, seconds, watch)
            finally:
                if own.done < limit:
                    self.is_over.set()
            for helper in helpers:
                helper.result()
        return self.found()

    def _think(self, own: _Tree, limit: int, seconds: float | None, watch: Watch | None) -> None:
        """What the first thread does: simulate, and see when to stop."""
        while own.done < limit and not self._is_late(seconds):
            own.simulate(min(FIRST_CHUNK if own.done == 0 else CHUNK, limit - own.done))
            if self._is_decided(limit * self.threads, seconds):
                self.is_over.set()
                return
            if watch is not None and not watch(self.found()):
                self.is_over.set()
                return

    def _help(self, tree: _Tree, limit: int) -> None:
        """What a further thread does."""
        while tree.done < limit and not self.is_over.is_set():
            tree.simulate(min(CHUNK, limit - tree.done))

    def prepare(self, simulations: int | None, rooms: ExitStack) -> None:
        """Plant the trees, in rooms that are free again when the stack is closed."""
        from mandala.search import tree

        view, nodes = self.view, MOST_NODES
        story = _nothing_hidden()
        if view.game != "patterns":
            if view.history is None:
                raise ValueError("a search needs a view that knows the moves before it")
            story = tell(view.rules, view)
        if simulations is not None:
            nodes = min(nodes, 1000 + NODES_A_SIMULATION * simulations // self.threads)
        states, game = view.copy_states(), view.game
        for number in range(self.threads):
            room = rooms.enter_context(_room(tree.NODE, nodes, MOST_NODES))
            seed = self.seed + number
            self.trees.append(_Tree(game, view.seats, states, story, self.settings, seed, room))

    def _solved(self, simulations: int | None, seconds: float | None) -> Found | None:
        """What is found where the game can be solved, unless it is lost with best play.

        A lost position is searched all the same: the other seat may not see it.
        """
        view = self.view
        if view.game != "patterns" or not self.settings.solves:
            return None
        if view.state.phase == view.rules.LAST_FLIPS:
            return self._flip_on()
        if view.state.phase != view.rules.ACTION:
            return None
        if int(view.rules.fronts(view.state)).bit_count() > MOST_FRONTS_TO_SOLVE:
            return None
        budgets = [MOST_SOLVED]
        if simulations is not None:
            budgets.append(SOLVED_A_SIMULATION * simulations)
        if seconds is not None:
            budgets.append(int(SOLVED_A_SECOND * seconds))
        solved = _solve(view.copy_states(), min(budgets))
        if solved is None or solved[0] < 0:
            return None
        result, row, tried = solved
        return self._found_at_once(row, 0.5 + 0.5 * result, tried)

    def _flip_on(self) -> Found:
        """After the end of Patterns every flip adds points, also where the winner is sure."""
        state, seat = self.view.state, self.seat
        left = kernel.heuristic("patterns").last_flips(state, seat)
        lead = self.view.rules.score(state, seat) + left - self.view.rules.score(state, 1 - seat)
        return self._found_at_once(self.legal[0], 0.5 + 0.5 * ((lead > 0) - (lead < 0)), 1)

    def _is_late(self, seconds: float | None) -> bool:
        return seconds is not None and self.trees[0].done > 0 and self._seconds() >= seconds

    def _seconds(self) -> float:
        return time.perf_counter() - self.start

    def _is_decided(self, limit: int, seconds: float | None) -> bool:
        """Whether the move most tried stays so, whatever is still found."""
        done = sum(tree.done for tree in self.trees)
        left = float(limit - done)
        if seconds is not None and done > FIRST_CHUNK:
            spent = max(self._seconds(), 1e-6)
            left = min(left, (seconds - spent) * done / spent)
        visits = sorted((each[0] for each in self._totals().values()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > left

    def _totals(self) -> dict[int, tuple[int, float]]:
        """By row: the visits of each move that was looked at, and the shares of the win found."""
        totals: dict[int, tuple[int, float]] = {}
        for tree in self.trees:
            tree.add_to(totals, self.seat)
        return totals

    def found(self) -> Found:
        """What is found so far."""
        texts = self.view.rules.moves.texts
        moves = [
            (-visits, -total / visits if visits else 0.0, row)
            for row, (visits, total) in self._totals().items()
        ]
        lines = tuple(Line(texts[row], -visits, -value) for visits, value, row in sorted(moves))
        done = sum(tree.done for tree in self.trees)
        return Found(lines[0].move, lines, lines[0].value, done, self._seconds())

    def _found_at_once(self, row: int, value: float, tried: int) -> Found:
        move: str = self.view.rules.moves.texts[row]
        return Found(move, (Line(move, tried, value),), value, tried, self._seconds())
