"""Players against players: matches on the same deals, and how strong they show each to be.

Each pair of players meets. A deal is played once for each seat: the first of the pair sits there,
the other on all other seats, so with two seats the same deal is replayed with seats swapped. A
record file is the log of a match: every game in it need not be played again.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np

from mandala.core.record import Record, read_records
from mandala.core.state import leaders
from mandala.games import find_game, require_seats
from mandala.text.errors import InvalidRecord

from .players import Budget, Player, make_player
from .simulation import UNLIMITED, Table, record_of, wilson

Maker = Callable[[str, int], Player]

# What the early stop decides between: no difference, or this many Elo; wrong once in twenty.
SPRT_ELO = 50.0
SPRT_ERROR = 0.05
MATCH_TAG = "Match"


@dataclass(frozen=True)
class Match:
    """Who plays what, how often, and from which seed."""

    game: str
    seats: int
    players: tuple[str, ...]
    games: int  # for each pair, made up to whole deals
    seed: int
    budget: Budget = UNLIMITED

    def __post_init__(self) -> None:
        require_seats(self.game, self.seats)
        if len(set(self.players)) < 2 or len(set(self.players)) < len(self.players):
            raise ValueError("a match needs two or more different players")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of players."""
        return list(combinations(self.players, 2))

    @property
    def tasks(self) -> list[Task]:
        """All games: pair after pair for each deal, so that a stopped match is an even one."""
        deals = math.ceil(self.games / self.seats)
        return [
            Task(pair, deal, seat)
            for deal in range(deals)
            for pair in range(len(self.pairs))
            for seat in range(self.seats)
        ]

    @property
    def tag(self) -> str:
        """What the records of this match say of it; another number of games is the same match."""
        limits = [
            f"{each} {unit}"
            for each, unit in (
                (self.budget.seconds, "seconds"),
                (self.budget.simulations, "simulations"),
            )
            if each is not None
        ]
        return ", ".join([" ".join(self.players), f"seed {self.seed}", *limits])

    def names(self, task: Task) -> list[str]:
        """Who sits where: the first of the pair on one seat, the second on all others."""
        first, second = self.pairs[task.pair]
        return [first if seat == task.seat else second for seat in range(self.seats)]


@dataclass(frozen=True)
class Task:
    """One game of a match: the number of its pair and deal, and the first one's seat, from 0."""

    pair: int
    deal: int
    seat: int


@dataclass(frozen=True)
class Outcome:
    """What came of a game: the first one's share of the win, and what went wrong, if anything."""

    task: Task
    share: float
    record: Record
    fault: str | None = None


def play(match: Match, task: Task, maker: Maker = make_player) -> Outcome:
    """Play one game. A player that throws, or chooses what is not legal, loses it."""
    names = match.names(task)
    seeds = np.random.SeedSequence([match.seed, task.pair, task.deal, task.seat])
    own_seeds = seeds.generate_state(match.seats, np.uint64).tolist()
    seated = [maker(name, seed) for name, seed in zip(names, own_seeds, strict=True)]
    # Only the deal counts here: the same cards lie there whoever sits where.
    chance = np.random.default_rng([match.seed, task.deal])
    table = Table(match.game, match.seats, seated, chance, match.budget)
    fault: str | None = None
    tags = {MATCH_TAG: match.tag, "Pair": str(task.pair + 1), "Deal": str(task.deal + 1)}
    try:
        position = table.play()
        winners = position.winners
    except Exception as error:
        position, actor = table.position(), int(table.state.actor)
        fault = f"{names[actor]} on seat {actor + 1}: {type(error).__name__}: {error}"
        winners = leaders(position, [seat + 1 for seat in range(match.seats) if seat != actor])
        tags["Termination"] = f"abandoned {actor + 1}"
        tags["Result"] = "-".join(map(str, position.scores))
        tags["Winner"] = " ".join(map(str, winners))
    record = record_of(position, names)
    record = Record({**record.tags, **tags}, record.moves)
    return Outcome(task, share_of(task, winners), record, fault)


def share_of(task: Task, winners: Sequence[int]) -> float:
    """The share of the win of the first of a pair."""
    return (task.seat + 1 in winners) / len(winners)


def play_all(
    match: Match, tasks: Iterable[Task], *, jobs: int = 1, maker: Maker = make_player
) -> Iterator[Outcome]:
    """Play games, several at a time, and yield each when it is over.

    With more than one job they run in processes of their own; `maker` must then be a function of
    a module. The order may differ from run to run, the games do not.
    """
    if jobs == 1:
        find_game(match.game).make_ready()
        for task in tasks:
            yield play(match, task, maker)
        return
    context = multiprocessing.get_context("spawn")
    waiting = iter(tasks)
    with ProcessPoolExecutor(jobs, context, _start_process, (match.game,)) as pool:
        running: set[Future[Outcome]] = set()
        try:
            while True:
                # A little more than is running, so that no process waits for the next game.
                for task in islice(waiting, 2 * jobs - len(running)):
                    running.add(pool.submit(play, match, task, maker))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start_process(game: str) -> None:
    """Ctrl-C is for the one who started the match; games under way are played to their end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    find_game(game).make_ready()


# The record file as the log of a match


def resume(match: Match, path: Path) -> tuple[dict[Task, float], int]:
    """The games that a record file already holds, and how many of its bytes are whole records.

    A record that was cut off while it was written is left out. Raises InvalidRecord for a file of
    something else, and UnknownGame for games by rules that this program does not have.
    """
    text = path.read_bytes() if path.exists() else b""
    whole, game = _whole_records(text), find_game(match.game)
    done: dict[Task, float] = {}
    if text[:whole].strip():
        for record in read_records(text[:whole].splitlines(keepends=True)):
            if record.tags.get(MATCH_TAG) != match.tag or record.tags["Game"] != match.game:
                raise InvalidRecord("other-match", {"file": str(path), "match": match.tag})
            game.require_rules(record.tags.get("Rules", "1"))
            task = _task_of(match, record)
            winners = [int(seat) for seat in record.tags["Winner"].split()]
            done[task] = share_of(task, winners)
    return done, whole


def _whole_records(text: bytes) -> int:
    """Up to where a file holds whole records: each ends with an empty line behind its moves."""
    whole, start = 0, 0
    while (tags := text.find(b"\n\n", start)) >= 0 and (end := text.find(b"\n\n", tags + 2)) >= 0:
        whole = start = end + 2
    return whole


def _task_of(match: Match, record: Record) -> Task:
    pair, deal = int(record.tags["Pair"]) - 1, int(record.tags["Deal"]) - 1
    first, second = match.pairs[pair]
    names = [record.tags[f"Seat{seat + 1}"] for seat in range(match.seats)]
    seat = names.index(first)
    assert names == [first if each == seat else second for each in range(match.seats)]
    return Task(pair, deal, seat)


# How strong


@dataclass(frozen=True)
class Strength:
    """How a player did: its share of the points with its 95 % interval, and its Elo."""

    games: int
    share: float
    low: float
    high: float
    elo: float
    elo_error: float  # half of the 95 % interval


def pair_results(match: Match, done: dict[Task, float]) -> dict[int, tuple[float, int]]:
    """By the number of a pair: the first one's points, and the games."""
    results: dict[int, tuple[float, int]] = {}
    for task, share in done.items():
        points, games = results.get(task.pair, (0.0, 0))
        results[task.pair] = points + share, games + 1
    return results


def strengths(match: Match, done: dict[Task, float]) -> dict[str, Strength]:
    """How strong each player is, strongest first.

    Elo is by the model that a seat wins with a chance in proportion to 10 ** (Elo / 400); the mean
    of all players is 0, and half a win is added to each side of a pair, so that it stays finite.
    """
    results = pair_results(match, done)
    elo, errors = _rate(match, results)
    found = {}
    for name in match.players:
        points, games = 0.0, 0
        for number, (own, count) in results.items():
            if name in match.pairs[number]:
                is_first = match.pairs[number][0] == name
                points += own if is_first else (count - own) / (match.seats - 1)
                games += count
        if games:
            low, high = wilson(points, games)
            place = match.players.index(name)
            found[name] = Strength(
                games, points / games, low, high, float(elo[place]), float(errors[place])
            )
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))


def _rate(match: Match, results: dict[int, tuple[float, int]]) -> tuple[Any, Any]:
    """Elo and half its 95 % interval for each player, by Newton's method."""
    unit, others = math.log(10) / 400, match.seats - 1
    elo = np.zeros(len(match.players))
    places = {
        number: [match.players.index(each) for each in match.pairs[number]] for number in results
    }
    information = np.zeros((len(elo), len(elo)))
    for _ in range(60):
        slope = np.zeros(len(elo))
        information = np.zeros((len(elo), len(elo)))
        for number, (points, games) in results.items():
            first, second = places[number]
            expected = 1 / (1 + others * math.exp(unit * (elo[second] - elo[first])))
            gap = unit * (points + 0.5 - (games + 1) * expected)
            weight = unit * unit * (games + 1) * expected * (1 - expected)
            slope[[first, second]] += gap, -gap
            information[np.ix_([first, second], [first, second])] += weight * np.array(
                [[1, -1], [-1, 1]]
            )
        step = np.linalg.pinv(information, rcond=1e-9) @ slope
        elo += np.clip(step, -200, 200)
        elo -= elo.mean()
        if np.abs(step).max(initial=0.0) < 1e-6:
            break
    return elo, 1.96 * np.sqrt(np.maximum(np.diag(np.linalg.pinv(information, rcond=1e-9)), 0.0))


def is_decided(match: Match, done: dict[Task, float]) -> bool:
    """Whether a match of two players can stop: a sequential probability ratio test.

    The hypotheses are that both are equal, and that the first is SPRT_ELO better, or worse by as
    much. Deals count as one, since the same deal is played on each seat.
    """
    deals: dict[int, list[float]] = {}
    for task, share in done.items():
        deals.setdefault(task.deal, []).append(share)
    means = [sum(each) / match.seats for each in deals.values() if len(each) == match.seats]
    if len(means) < 10:
        return False
    mean = float(np.mean(means))
    variance = max(float(np.var(means)), 1e-3)
    equal = 1 / match.seats
    limit = math.log((1 - SPRT_ERROR) / SPRT_ERROR)
    ratios = []
    for elo in (SPRT_ELO, -SPRT_ELO):
        other = 1 / (1 + (match.seats - 1) * 10 ** (-elo / 400))
        ratios.append((other - equal) * (2 * mean - equal - other) * len(means) / (2 * variance))
    return max(ratios) >= limit or max(ratios) <= -limit


def report(match: Match, done: dict[Task, float]) -> dict[str, dict[str, dict[str, float]]]:
    """The result for other programs."""
    return {
        "players": {
            name: {
                "share": round(each.share, 4),
                "low": round(each.low, 4),
                "high": round(each.high, 4),
                "elo": round(each.elo, 1),
            }
            for name, each in strengths(match, done).items()
        }
    }
