"""Dealing hidden cards anew: uniform where it must be, and how near where it cannot be.

The yardstick is a player who plays cards from the hand at random. For a small story every way to
fill it in can be listed, weighed by how many shuffles and how many choices of such a player lead
to it. Without a reshuffle determinization must hit these chances; after one it chooses card by
card, and the distance is measured.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial

import numpy as np
import pytest

import mandala
from mandala.games import find_game
from mandala.hidden.sampling import COLOUR_COUNT, sample_hidden
from tests.contradiction import contradicts
from tests.core.test_properties import walk

Chances = dict[tuple[int, ...], float]


class SmallStory:
    """Unseen draws and plays small enough to list every way to fill them in."""

    def __init__(
        self,
        piles: list[list[int]],
        draws: list[tuple[int, int]],
        plays: list[tuple[int, int, int]],
    ) -> None:
        self.piles = piles  # cards of each colour that were not drawn in the open
        self.draws = draws  # (seat, pile) by draw
        self.plays = plays  # (seat, colour, draws drawn by then)

    def exact(self) -> Chances:
        """The chance of each filling, by listing them all."""
        weights: Chances = {}
        for colours in product(range(3), repeat=len(self.draws)):
            weight = self.shuffles(colours) * self.choices(colours)
            if weight:
                weights[colours] = weight
        total = sum(weights.values())
        return {colours: weight / total for colours, weight in weights.items()}

    def shuffles(self, colours: tuple[int, ...]) -> float:
        """In how many orders the piles give just these cards, as if each card were marked."""
        ways = 1.0
        for number, pile in enumerate(self.piles):
            drawn = Counter(c for c, (_, p) in zip(colours, self.draws, strict=True) if p == number)
            for colour in range(3):
                if drawn[colour] > pile[colour]:
                    return 0.0
                ways *= factorial(pile[colour]) / factorial(pile[colour] - drawn[colour])
        return ways

    def choices(self, colours: tuple[int, ...]) -> float:
        """How likely a player who plays at random makes these plays, up to a constant."""
        ways, played = 1.0, Counter[tuple[int, int]]()
        for seat, colour, drawn in self.plays:
            held = sum(
                colours[draw] == colour and self.draws[draw][0] == seat for draw in range(drawn)
            )
            ways *= max(0, held - played[seat, colour])
            played[seat, colour] += 1
        return ways

    def sampled(self, times: int, seed: int) -> Chances:
        """How often each filling comes up."""
        generator = np.array([seed], np.uint64)
        drawn_by = np.array([seat for seat, _ in self.draws])
        pile_of = np.array([pile for _, pile in self.draws])
        plays = np.array(self.plays, np.int64).reshape(-1, 3)
        found: Counter[tuple[int, ...]] = Counter()
        colours = np.zeros(len(self.draws), np.int64)
        for _ in range(times):
            piles = np.zeros((len(self.piles), COLOUR_COUNT), np.int64)
            piles[:, :3] = self.piles
            sample_hidden(plays, piles, drawn_by, pile_of, colours, generator)
            found[tuple(map(int, colours))] += 1
        return {filling: number / times for filling, number in found.items()}


def distance(one: Chances, other: Chances) -> float:
    """Total variation: the largest difference in the chance of anything."""
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2


def left_in_hand(story: SmallStory, chances: Chances) -> Chances:
    """Chances of what matters: the cards that seat 0 still has, by colour."""
    result: Chances = {}
    for colours, chance in chances.items():
        hand = [0, 0, 0]
        for draw, (seat, _) in enumerate(story.draws):
            hand[colours[draw]] += seat == 0
        for seat, colour, _ in story.plays:
            hand[colour] -= seat == 0
        result[tuple(hand)] = result.get(tuple(hand), 0.0) + chance
    return result


ONE_PILE = [
    SmallStory([[3, 2, 1]], [(0, 0)] * 3, []),
    SmallStory([[2, 2, 2]], [(0, 0)] * 2 + [(1, 0)] * 2, []),
    SmallStory([[3, 2, 1]], [(0, 0)] * 3, [(0, 0, 2)]),
    SmallStory([[2, 2, 2]], [(0, 0), (1, 0), (0, 0), (-1, 0)], [(0, 1, 1), (1, 1, 3)]),
]


@pytest.mark.parametrize("story", ONE_PILE)
def test_without_a_reshuffle_every_deal_is_as_likely_as_it_should_be(story: SmallStory) -> None:
    exact, sampled = story.exact(), story.sampled(6_000, seed=1)
    assert set(sampled) <= set(exact)
    hands = left_in_hand(story, exact), left_in_hand(story, sampled)
    assert distance(*hands) < 0.02
    assert distance(exact, sampled) < 0.05


def random_story(generator: np.random.Generator) -> SmallStory:
    """Two piles, one drawn empty before the other was shuffled, and plays in between."""
    seats = int(generator.integers(1, 3))
    first = [1 + int(each) for each in generator.multinomial(3, [1 / 3] * 3)]
    draws = [(int(generator.integers(seats)), 0) for _ in range(sum(first))]
    second = [1 + int(each) for each in generator.multinomial(2, [1 / 3] * 3)]
    later = [(int(generator.integers(seats)), 1) for _ in range(int(generator.integers(1, 4)))]
    story = SmallStory([first, second], draws + later, [])
    # What really happened decides which plays are possible.
    truth = [*generator.permutation(np.repeat(range(3), first))]
    truth += [*generator.permutation(np.repeat(range(3), second))][: len(later)]
    for draw in generator.permutation(len(story.draws))[:3]:
        drawn = int(generator.integers(int(draw) + 1, len(story.draws) + 1))
        story.plays.append((story.draws[draw][0], int(truth[draw]), drawn))
    story.plays.sort(key=lambda play: play[2])
    return story


def reshuffle_error(stories: int, times: int, seed: int) -> list[float]:
    """The distances for random small stories with a reshuffle."""
    generator = np.random.default_rng(seed)
    errors = []
    for number in range(stories):
        story = random_story(generator)
        exact, sampled = story.exact(), story.sampled(times, seed=number)
        assert set(sampled) <= set(exact), "a filling that cannot be"
        errors.append(distance(left_in_hand(story, exact), left_in_hand(story, sampled)))
    return errors


def test_after_a_reshuffle_the_error_stays_as_small_as_measured() -> None:
    errors = reshuffle_error(stories=12, times=600, seed=3)
    assert np.mean(errors) < 0.06
    assert max(errors) < 0.2


@pytest.mark.parametrize(("game", "seats"), [("mandala", 2), ("flowers", 3)])
def test_early_in_a_game_unseen_cards_are_spread_evenly(game: str, seats: int) -> None:
    find_game(game).make_ready()
    rules = find_game(game).plain_rules
    position = mandala.new(game, seats=seats, seed=4)
    view = position.view(1)
    pool = np.zeros(COLOUR_COUNT + 1, np.int64)
    rules.count_unseen(view.state, pool)
    generator = np.random.default_rng(5)
    times, hand = 2_000, np.zeros(COLOUR_COUNT)
    for _ in range(times):
        hand += mandala.determinize(view, generator).state.hand[1, :COLOUR_COUNT]
    size = int(view.state.hand[1].sum())
    expected = size * pool[:COLOUR_COUNT] / pool.sum()
    spread = np.sqrt(expected / times)  # a little more than hypergeometric draws vary
    assert (abs(hand / times - expected) < 4 * spread).all()


def test_a_view_that_does_not_know_its_moves_cannot_be_dealt_anew() -> None:
    position = mandala.new("mandala", seed=1)
    generator = np.random.default_rng(1)
    for view in (position.view(None), mandala.View.from_text(position.view(1).text)):
        with pytest.raises(ValueError, match="knows the moves"):
            mandala.determinize(view, generator)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("mandala", 2), *[("flowers", n) for n in (2, 3, 4)]])
def test_redeals_late_in_the_game_contradict_nothing(game: str, seats: int) -> None:
    """After reshuffles, in plain and in odd play, where Hypothesis seldom comes."""
    find_game(game).make_ready()
    generator = np.random.default_rng(seats)
    late = 0
    for seed in range(12):
        for leaning in ("any", "C", "long", "short"):
            positions = [each for each in walk(game, seats, seed, leaning) if not each.is_over]
            shuffled = [each for each in positions if each.state.shuffles]
            for place in generator.integers(0, max(1, len(shuffled)), 4):
                if shuffled:
                    view = shuffled[place].view(int(generator.integers(seats)) + 1)
                    late += 1
                    assert not contradicts(view, mandala.determinize(view, generator))
                    assert not contradicts(view, shuffled[place])
    assert late > 50


def test_the_checker_finds_contradictions() -> None:
    """What the other tests rely on: a deal that cannot be is found out."""
    find_game("flowers").make_ready()
    generator, found = np.random.default_rng(8), 0
    for seed in range(6):
        positions = list(walk("flowers", 2, seed, "short"))
        late = [each for each in positions if not each.is_over and each.state.shuffles]
        for position in late[:: 1 + len(late) // 8]:
            view = position.view(1)
            dealt = mandala.determinize(view, generator)
            states = dealt.copy_states()
            hand, pile = states[0].hand[1], states[0].pile
            give = int(np.argmax(hand[:COLOUR_COUNT]))
            take = int(np.argmax(pile[:COLOUR_COUNT]))
            if give != take and pile[take]:
                hand[give], hand[take] = hand[give] - 1, hand[take] + 1
                pile[give], pile[take] = pile[give] + 1, pile[take] - 1
                found += contradicts(view, mandala.Position("flowers", 2, states, dealt.history))
    assert found > 0
