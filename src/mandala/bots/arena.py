"""Matches between players on the same deals, and the strength that they show.

Every pair of players plays. A deal is played once for each seat: the first of the pair has that
seat, the other one all other seats, so with two seats the same deal is replayed with seats swapped.
The record file is the log of a match: games that it contains are not played again.
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
from mandala.core.state import leading_seats
from mandala.games import find_game, require_seats
from mandala.text.errors import InvalidRecord

from .external import ExternalPlayer
from .players import Budget, Player, make_player
from .simulation import UNLIMITED, GameLoop, record_of, wilson_interval

PlayerFactory = Callable[[str, int], Player]

# The early stop tests for no difference against this many Elo, with this error rate.
SPRT_ELO = 50.0
SPRT_ERROR = 0.05
MATCH_TAG = "Match"


@dataclass(frozen=True)
class Match:
    """The settings of a match: game, players, number of games, seed and budget."""

    game: str
    seats: int
    players: tuple[str, ...]
    games: int  # per pair, rounded up to whole deals
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
        """All games: every pair plays each deal before the next, so a stopped match is balanced."""
        deals = math.ceil(self.games / self.seats)
        return [
            Task(pair, deal, seat)
            for deal in range(deals)
            for pair in range(len(self.pairs))
            for seat in range(self.seats)
        ]

    @property
    def tag(self) -> str:
        """The tag that identifies the match in its records; it leaves out the number of games."""
        limits = [
            f"{each} {unit}"
            for each, unit in (
                (self.budget.seconds, "seconds"),
                (self.budget.simulations, "simulations"),
            )
            if each is not None
        ]
        players = " ".join(map(in_tag, self.players))
        return ", ".join([players, f"seed {self.seed}", *limits])

    def names(self, task: Task) -> list[str]:
        """The player on each seat: the first of the pair on one seat, the second on all others."""
        first, second = self.pairs[task.pair]
        return [first if seat == task.seat else second for seat in range(self.seats)]


@dataclass(frozen=True)
class Task:
    """One game of a match: the index of its pair and deal, and the first player's seat, from 0."""

    pair: int
    deal: int
    seat: int


@dataclass(frozen=True)
class Outcome:
    """The outcome of a game: the first player's win share, the record, and a player's error."""

    task: Task
    win_share: float
    record: Record
    error: str | None = None


def play(match: Match, task: Task, factory: PlayerFactory = make_player) -> Outcome:
    """Play one game. A player that raises, or chooses an illegal move, loses it."""
    names = match.names(task)
    seeds = np.random.SeedSequence([match.seed, task.pair, task.deal, task.seat])
    own_seeds = seeds.generate_state(match.seats, np.uint64).tolist()
    seated = [factory(name, seed) for name, seed in zip(names, own_seeds, strict=True)]
    # The deal depends on its index alone: it is the same for every seating.
    chance = np.random.default_rng([match.seed, task.deal])
    loop = GameLoop(match.game, match.seats, seated, chance, match.budget)
    message: str | None = None
    tags = {MATCH_TAG: match.tag, "Pair": str(task.pair + 1), "Deal": str(task.deal + 1)}
    try:
        position = loop.play()
        winners = position.winners
    except Exception as error:
        position, actor = loop.position(), int(loop.state.actor)
        message = f"{names[actor]} on seat {actor + 1}: {type(error).__name__}: {error}"
        winners = leading_seats(
            position, [seat + 1 for seat in range(match.seats) if seat != actor]
        )
        tags["Termination"] = f"abandoned {actor + 1}"
        tags["Result"] = "-".join(map(str, position.scores))
        tags["Winner"] = " ".join(map(str, winners))
    for player in seated:
        if isinstance(player, ExternalPlayer):
            player.end_game(position.scores, winners, message or "")
    record = record_of(position, [in_tag(name) for name in names])
    record = Record({**record.tags, **tags}, record.moves)
    return Outcome(task, win_share_of(task, winners), record, message)


def in_tag(name: str) -> str:
    """Return the name of a player as written in records: a command may contain quotation marks."""
    return name.replace('"', "'")


def win_share_of(task: Task, winners: Sequence[int]) -> float:
    """The win share of the first player of a pair: 1 divided by the number of winners, or 0."""
    return (task.seat + 1 in winners) / len(winners)


def play_all(
    match: Match, tasks: Iterable[Task], *, jobs: int = 1, factory: PlayerFactory = make_player
) -> Iterator[Outcome]:
    """Play games, several at a time, and yield each when it is over.

    With more than one job the games run in processes of their own; `factory` must then be a
    module-level function. The order may differ from run to run, the games do not.
    """
    if jobs == 1:
        find_game(match.game).make_ready()
        for task in tasks:
            yield play(match, task, factory)
        return
    context = multiprocessing.get_context("spawn")
    waiting = iter(tasks)
    with ProcessPoolExecutor(jobs, context, _start_process, (match.game,)) as pool:
        running: set[Future[Outcome]] = set()
        try:
            while True:
                # Queue more games than processes, so that none has to wait for the next game.
                for task in islice(waiting, 2 * jobs - len(running)):
                    running.add(pool.submit(play, match, task, factory))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start_process(game: str) -> None:
    """Ignore Ctrl-C, which the main process handles: running games are played to their end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    find_game(game).make_ready()


# The record file as the log of a match


def resume(match: Match, path: Path) -> tuple[dict[Task, float], int]:
    """The games that a record file contains, and the length of its complete records in bytes.

    A record that was cut off while it was written is left out. Raises InvalidRecord for a file of
    something else, and UnknownGame for games by rules that this program does not have.
    """
    text = path.read_bytes() if path.exists() else b""
    whole, game = _complete_length(text), find_game(match.game)
    done: dict[Task, float] = {}
    if text[:whole].strip():
        for record in read_records(text[:whole].splitlines(keepends=True)):
            if record.tags.get(MATCH_TAG) != match.tag or record.tags["Game"] != match.game:
                raise InvalidRecord("other-match", {"file": str(path), "match": match.tag})
            game.require_rules(record.tags.get("Rules", "1"))
            task = _task_of(match, record)
            winners = [int(seat) for seat in record.tags["Winner"].split()]
            done[task] = win_share_of(task, winners)
    return done, whole


def _complete_length(text: bytes) -> int:
    """The length of a file's complete records: each ends with an empty line after its moves."""
    whole, start = 0, 0
    while (tags := text.find(b"\n\n", start)) >= 0 and (end := text.find(b"\n\n", tags + 2)) >= 0:
        whole = start = end + 2
    return whole


def _task_of(match: Match, record: Record) -> Task:
    pair, deal = int(record.tags["Pair"]) - 1, int(record.tags["Deal"]) - 1
    first, second = map(in_tag, match.pairs[pair])
    names = [record.tags[f"Seat{seat + 1}"] for seat in range(match.seats)]
    seat = names.index(first)
    assert names == [first if each == seat else second for each in range(match.seats)]
    return Task(pair, deal, seat)


# Strength


@dataclass(frozen=True)
class Strength:
    """The strength of a player: its mean win share with a 95 % interval, and its Elo."""

    games: int
    win_share: float
    low: float
    high: float
    elo: float
    elo_error: float  # half of the 95 % interval


def pair_results(match: Match, done: dict[Task, float]) -> dict[int, tuple[float, int]]:
    """By index of the pair: the sum of the first player's win shares, and the number of games."""
    results: dict[int, tuple[float, int]] = {}
    for task, win_share in done.items():
        points, games = results.get(task.pair, (0.0, 0))
        results[task.pair] = points + win_share, games + 1
    return results


def strengths(match: Match, done: dict[Task, float]) -> dict[str, Strength]:
    """The strength of each player, strongest first.

    The Elo model: a seat wins with a probability proportional to 10 ** (Elo / 400). The mean of all
    players is 0, and half a win is added to each side of a pair, so that it stays finite.
    """
    results = pair_results(match, done)
    elo, errors = _fit_elo(match, results)
    found = {}
    for name in match.players:
        points, games = 0.0, 0
        for number, (own, count) in results.items():
            if name in match.pairs[number]:
                is_first = match.pairs[number][0] == name
                points += own if is_first else (count - own) / (match.seats - 1)
                games += count
        if games:
            low, high = wilson_interval(points, games)
            place = match.players.index(name)
            found[name] = Strength(
                games, points / games, low, high, float(elo[place]), float(errors[place])
            )
    return dict(sorted(found.items(), key=lambda each: -each[1].elo))


def _fit_elo(match: Match, results: dict[int, tuple[float, int]]) -> tuple[Any, Any]:
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
    """Whether a match of two players can stop: a sequential probability ratio test (SPRT).

    The hypotheses are that both players are equal, and that the first is SPRT_ELO better or worse.
    All games of a deal are one sample, since they are not independent.
    """
    deals: dict[int, list[float]] = {}
    for task, win_share in done.items():
        deals.setdefault(task.deal, []).append(win_share)
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
    """The result as JSON data."""
    return {
        "players": {
            name: {
                "share": round(each.win_share, 4),
                "low": round(each.low, 4),
                "high": round(each.high, 4),
                "elo": round(each.elo, 1),
            }
            for name, each in strengths(match, done).items()
        }
    }
