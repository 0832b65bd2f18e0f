"""One search from one view: what it is told, how long it goes on, and what it found."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mandala import kernel
from mandala.appraisal.weights import EVALUATION
from mandala.story import NEVER_PLAYED, Story, tell
from mandala.view import View

CHUNK = 256  # simulations between two looks at the clock
FIRST_CHUNK = 32
MOST_NODES = 1 << 21  # about 80 MB, when all are used
NODES_A_SIMULATION = 24
DEFAULT_SIMULATIONS = 10_000


@dataclass(frozen=True)
class Settings:
    """How a search thinks."""

    horizon: int = 200  # decisions that it looks ahead in the tree
    plies: int = 4  # decisions played at random before a position is appraised
    # How far the heuristic's favourites are preferred: small means strongly, 0 not at all.
    temperature: float = 2.0
    exploration: float = 0.8
    caution: float = 0.1  # how much worse than its parent a move never tried is thought to be
    is_naive: bool = False  # only points count when a position is appraised


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
    simulations: int
    seconds: float


Watch = Callable[[Found], bool]  # sees what is found so far; False stops the search


def search(
    view: View,
    settings: Settings,
    *,
    seed: int,
    simulations: int | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
) -> Found:
    """Think about the move of a view's seat, by simulations, by time, or until told to stop.

    The same view, settings, seed and number of simulations find the same move. A search stops
    before its time when no other move can overtake any more. Raises ValueError for a view whose
    seat does not decide or that does not know the moves before it.
    """
    return _Search(view, settings, seed).run(simulations, seconds, watch)


def is_warm(game: str) -> bool:
    """Whether the search for a game was compiled before on this machine."""
    folder = kernel.cache_folder()
    itemsize = kernel.interpreted(game).State.dtype.itemsize
    return folder is not None and (folder / f"search-{game}-{itemsize}").exists()


def warm_up(game: str) -> None:
    """Compile the search for a game, or load it from the cache, so that no move waits."""
    from mandala.search import tree

    rules = kernel.make_ready(game)
    states = np.zeros(3, rules.State.dtype)
    rules.begin(states[0], rules.SEATS[0])
    story = Story(*_empty_story(), plies=())
    _grow(tree, game, states, rules.SEATS[0], story, _room(tree, 1), Settings(), 0, _generator(0))
    folder = kernel.cache_folder()
    if folder is not None:
        (folder / f"search-{game}-{rules.State.dtype.itemsize}").touch()


def _empty_story() -> tuple[Any, Any, Any, Any]:
    none = np.zeros(0, np.int64)
    return np.zeros((0, 3), np.int64), np.zeros((1, 6), np.int64), none, none


def _generator(seed: int) -> Any:
    return np.array([seed % 2**64], np.uint64)


def _room(tree: Any, nodes: int) -> tuple[Any, Any]:
    """Nodes with a root, and how many are used."""
    room = np.empty(nodes, tree.NODE)
    room[:1] = np.zeros(1, tree.NODE)
    return room, np.array([1, 0], np.int64)


def _grow(
    tree: Any,
    game: str,
    states: Any,
    seats: int,
    story: Story,
    room: tuple[Any, Any],
    settings: Settings,
    simulations: int,
    generator: Any,
) -> None:
    hidden = np.zeros(tree.PLACES, np.int64)
    owners = np.where(story.owner == NEVER_PLAYED, tree.CUP_PLACE, story.owner)
    np.add.at(hidden, owners, 1)
    np.subtract.at(hidden, story.demands[:, 0], 1)
    pool = story.piles[0].copy()
    np.subtract.at(pool, story.demands[:, 1], 1)
    evaluation = EVALUATION[game]
    if settings.is_naive:
        evaluation = np.zeros_like(evaluation)
        evaluation[[0, len(evaluation) // 2]] = NAIVE_POINT  # a seat's points come first
    tree.grow(
        states,
        seats,
        story.demands,
        story.piles,
        story.owner,
        story.pile_of,
        pool,
        hidden,
        *room,
        kernel.compiled_heuristic(game).WEIGHTS,
        evaluation,
        generator,
        simulations,
        min(settings.horizon, tree.DEEPEST),
        settings.plies,
        settings.temperature,
        settings.exploration,
        settings.caution,
    )


NAIVE_POINT = 0.15  # what a point is worth to one who looks at nothing else


class _Search:
    """The tree and the clock."""

    def __init__(self, view: View, settings: Settings, seed: int) -> None:
        if view.seat is None or view.actor != view.seat:
            raise ValueError("a search needs the view of the seat that decides")
        self.view, self.settings, self.seat = view, settings, view.seat - 1
        self.legal = view.legal_rows()
        self.generator = _generator(seed)
        self.done = 0
        self.start = time.perf_counter()

    def run(self, simulations: int | None, seconds: float | None, watch: Watch | None) -> Found:
        """Simulate until the budget is used up, the matter is decided, or the watch says stop."""
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        if len(self.legal) == 1:
            return self._forced()
        self._prepare(simulations)
        limit = 2**62 if simulations is None else simulations
        while self.done < limit and not self._is_late(seconds):
            count = min(FIRST_CHUNK if self.done == 0 else CHUNK, limit - self.done)
            self._simulate(count)
            if self._is_decided(limit, seconds):
                break
            if watch is not None and not watch(self.found()):
                break
        return self.found()

    def _prepare(self, simulations: int | None) -> None:
        from mandala.search import tree

        self.tree = tree
        game, view = self.view.game, self.view
        rules = kernel.compiled(game)
        self.states = np.zeros(3, rules.State.dtype)
        self.states[:1] = view.copy_states()
        if game == "patterns":
            self.story = Story(*_empty_story(), plies=())
        elif view.history is None:
            raise ValueError("a search needs a view that knows the moves before it")
        else:
            self.story = tell(view.rules, view)
        nodes = MOST_NODES
        if simulations is not None:
            nodes = min(nodes, 1000 + NODES_A_SIMULATION * simulations)
        self.room = _room(tree, nodes)

    def _simulate(self, count: int) -> None:
        _grow(
            self.tree,
            self.view.game,
            self.states,
            self.view.seats,
            self.story,
            self.room,
            self.settings,
            count,
            self.generator,
        )
        self.done += count

    def _is_late(self, seconds: float | None) -> bool:
        return seconds is not None and self.done > 0 and self._seconds() >= seconds

    def _seconds(self) -> float:
        return time.perf_counter() - self.start

    def _is_decided(self, limit: int, seconds: float | None) -> bool:
        """Whether the move most tried stays so, whatever is still found."""
        left = float(limit - self.done)
        if seconds is not None and self.done > FIRST_CHUNK:
            spent = max(self._seconds(), 1e-6)
            left = min(left, (seconds - spent) * self.done / spent)
        visits = sorted((line[1] for line in self._children()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > left

    def _children(self) -> list[tuple[int, int, float]]:
        """Row, visits and value of each legal move that was looked at."""
        nodes = self.room[0]
        found, child = [], int(nodes["first"][0])
        while child:
            node = nodes[child]
            visits = int(node["visits"])
            value = float(node["total"][self.seat]) / visits if visits else 0.0
            found.append((int(node["move"]), visits, value))
            child = int(node["next"])
        return found

    def found(self) -> Found:
        """What is found so far."""
        texts = self.view.rules.moves.texts
        ranked = sorted(self._children(), key=lambda each: (-each[1], -each[2], each[0]))
        lines = tuple(Line(texts[row], visits, value) for row, visits, value in ranked)
        return Found(lines[0].move, lines, lines[0].value, self.done, self._seconds())

    def _forced(self) -> Found:
        move: str = self.view.rules.moves.texts[self.legal[0]]
        return Found(move, (Line(move, 0, 0.5),), 0.5, 0, self._seconds())
