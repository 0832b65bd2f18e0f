"""The compiled rules and the independently written oracle play the same games.

Besides random play there are unusual policies that reach the rare endings: forty discards, dead
positions, passes, tiles running out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

import mandala
from mandala.core.position import Position
from mandala.games import find_game
from tests import oracle
from tests.oracle.base import Game
from tests.samples import SEATINGS, expected_of

# Chooses one of the legal moves of a game.
Policy = Callable[[Game, list[str], Random], str]


def any_move(game: Game, legal: list[str], random: Random) -> str:
    return random.choice(legal)


def discard_only(game: Game, legal: list[str], random: Random) -> str:
    return random.choice([move for move in legal if move[0] == "C"] or legal)


def hoard_two_colours(game: Game, legal: list[str], random: Random) -> str:
    """All cards of one colour into mandala 1 and of another into 2: neither can be completed."""
    assert isinstance(game, oracle.Mandala)
    centres = [set(game.centres[1]), set(game.centres[2])]
    first = next((c for c in oracle.COLOURS if c not in centres[1]), "r")
    second = next((c for c in oracle.COLOURS if c not in centres[0] and c != first), "k")
    wanted = [move for move in legal if move[:3] in _hoards(first, second)]
    rest = [move for move in legal if move[0] == "C" and move[1] not in (first, second)]
    return random.choice(wanted or rest or legal)


def _hoards(first: str, second: str) -> set[str]:
    return {f"{action}1{first}" for action in "AB"} | {f"{action}2{second}" for action in "AB"}


def most_cards(game: Game, legal: list[str], random: Random) -> str:
    """As many cards at once as possible: hands and piles run out."""
    longest = max(map(len, legal))
    return random.choice([move for move in legal if len(move) == longest])


def one_card(game: Game, legal: list[str], random: Random) -> str:
    """One card at a time: hands stay full and piles run out."""
    shortest = min(map(len, legal))
    return random.choice([move for move in legal if len(move) == shortest])


def one_colour_first(game: Game, legal: list[str], random: Random) -> str:
    """Prefer the last letters: mandalas fill up with few colours."""
    return max(legal) if random.random() < 0.7 else random.choice(legal)


def avoid_flowers(game: Game, legal: list[str], random: Random) -> str:
    """Claim tiles of colours that the seat does not have: games last until the tiles run out."""
    assert isinstance(game, oracle.Flowers)
    assert game.actor is not None
    own = {str(tile)[0] for tile in game.single_tiles[game.actor]}
    claims = [move for move in legal if move[0] == "T" and move[1] not in own]
    return random.choice(claims or legal)


def stop_early(game: Game, legal: list[str], random: Random) -> str:
    return "E" if "E" in legal and random.random() < 0.5 else random.choice(legal)


POLICIES: dict[str, list[Policy]] = {
    "mandala": [any_move, discard_only, hoard_two_colours, most_cards, one_card, one_colour_first],
    "patterns": [any_move, stop_early, one_colour_first],
    "flowers": [any_move, most_cards, one_card, one_colour_first, avoid_flowers],
}
ENDINGS = {
    "mandala": {"usual", "forty discards", "dead"},
    "patterns": {"usual", "stopped"},
    "flowers": {"usual", "all passed"},
}


def play_together(game: str, seats: int, policy: Policy, random: Random) -> tuple[int, Position]:
    """Play one game on both and compare at every ply; return the number of positions."""
    theirs, ours = oracle.new(game, seats), mandala.new(game, seats=seats)
    positions = 0
    while True:
        positions += 1
        assert ours.actor == theirs.actor
        assert ours.scores == theirs.scores()
        if ours.actor is None:
            assert ours.winners == theirs.winners()
            return positions, ours
        if ours.actor == 0:
            chances = theirs.chance()
            assert ours.chance == pytest.approx({move: float(p) for move, p in chances.items()})
            moves, weights = list(chances), [float(each) for each in chances.values()]
            move = random.choices(moves, weights)[0]
        else:
            assert sorted(ours.legal) == theirs.legal()
            move = policy(theirs, theirs.legal(), random)
        ours = ours.play(move)
        theirs.play(move)


def how_it_ended(game: Position) -> str:
    """The name of a rare ending, or `usual`."""
    state = game.state
    if game.game == "mandala":
        if state.discards == 40:
            return "forty discards"
        return "usual" if state.last_phase or (state.river > 0).all(axis=1).any() else "dead"
    if game.game == "flowers":
        if state.passes == game.seats:
            return "all passed"
        return "usual" if (state.flowers >= 3).any() else "tiles ran out"
    return "stopped" if game.moves[-1] == "E" else "usual"


def compare(game: str, seats: int, wanted: int, seed: int) -> Counter[str]:
    """Play games of every policy until enough positions are compared; count the endings."""
    find_game(game).make_ready()
    random, positions, endings = Random(seed), 0, Counter[str]()
    while positions < wanted:
        for policy in expected_of(game, POLICIES):
            compared, last = play_together(game, seats, policy, random)
            positions += compared
            endings[how_it_ended(last)] += 1
    return endings


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_oracle_agrees(game: str, seats: int) -> None:
    compare(game, seats, 4_000, seed=1)


def test_oracle_agrees_when_the_tiles_run_out() -> None:
    """Rare even when avoiding flowers: about one game in a hundred, such as these seeds."""
    find_game("flowers").make_ready()
    for seed in (31, 115, 166):
        _, last = play_together("flowers", 4, avoid_flowers, Random(seed))
        assert how_it_ended(last) == "tiles ran out"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_oracle_agrees_on_100_000_positions(game: str, seats: int) -> None:
    endings = compare(game, seats, 100_000, seed=2)
    assert expected_of(game, ENDINGS) <= set(endings), endings
