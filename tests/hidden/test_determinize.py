"""Determinization: exact before a reshuffle, with a small error after one.

The exact distribution assumes players who play random cards from their hands. For a small case all
assignments of colours can be listed, weighted by the number of shuffles and the probability of the
plays. Before a reshuffle sampling must match that distribution; after one it chooses card by card,
and the distance is measured.
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
from tests.core.test_properties import random_game
from tests.samples import HIDDEN_SEATINGS, MIDDLE_SEATS

Probabilities = dict[tuple[int, ...], float]


class SmallCase:
    """Unseen draws and plays, few enough to list all assignments of colours."""

    def __init__(
        self,
        piles: list[list[int]],
        draws: list[tuple[int, int]],
        plays: list[tuple[int, int, int]],
    ) -> None:
        self.piles = piles  # cards of each colour that were not drawn openly
        self.draws = draws  # (seat, pile) by draw
        self.plays = plays  # (seat, colour, draws made before)

    def exact_probabilities(self) -> Probabilities:
        """The probability of each assignment, from a list of all."""
        weights: Probabilities = {}
        for colours in product(range(3), repeat=len(self.draws)):
            weight = self.shuffle_weight(colours) * self.play_weight(colours)
            if weight:
                weights[colours] = weight
        total = sum(weights.values())
        return {colours: weight / total for colours, weight in weights.items()}

    def shuffle_weight(self, colours: tuple[int, ...]) -> float:
        """The number of orders of the piles that give these cards, if all cards are distinct."""
        ways = 1.0
        for number, pile in enumerate(self.piles):
            drawn = Counter(c for c, (_, p) in zip(colours, self.draws, strict=True) if p == number)
            for colour in range(3):
                if drawn[colour] > pile[colour]:
                    return 0.0
                ways *= factorial(pile[colour]) / factorial(pile[colour] - drawn[colour])
        return ways

    def play_weight(self, colours: tuple[int, ...]) -> float:
        """The probability that random players make these plays, up to a constant."""
        ways, played = 1.0, Counter[tuple[int, int]]()
        for seat, colour, drawn in self.plays:
            held = sum(
                colours[draw] == colour and self.draws[draw][0] == seat for draw in range(drawn)
            )
            ways *= max(0, held - played[seat, colour])
            played[seat, colour] += 1
        return ways

    def sampled_frequencies(self, times: int, seed: int) -> Probabilities:
        """The relative frequency of each assignment."""
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
        return {assignment: number / times for assignment, number in found.items()}


def distance(one: Probabilities, other: Probabilities) -> float:
    """The total variation distance: the largest difference in the probability of any event."""
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2


def left_in_hand(case: SmallCase, chances: Probabilities) -> Probabilities:
    """The distribution of the cards that seat 0 still has, by colour."""
    result: Probabilities = {}
    for colours, chance in chances.items():
        hand = [0, 0, 0]
        for draw, (seat, _) in enumerate(case.draws):
            hand[colours[draw]] += seat == 0
        for seat, colour, _ in case.plays:
            hand[colour] -= seat == 0
        result[tuple(hand)] = result.get(tuple(hand), 0.0) + chance
    return result


ONE_PILE = [
    SmallCase([[3, 2, 1]], [(0, 0)] * 3, []),
    SmallCase([[2, 2, 2]], [(0, 0)] * 2 + [(1, 0)] * 2, []),
    SmallCase([[3, 2, 1]], [(0, 0)] * 3, [(0, 0, 2)]),
    SmallCase([[2, 2, 2]], [(0, 0), (1, 0), (0, 0), (-1, 0)], [(0, 1, 1), (1, 1, 3)]),
]


@pytest.mark.parametrize("case", ONE_PILE)
def test_without_a_reshuffle_sampling_is_exact(case: SmallCase) -> None:
    exact, sampled = case.exact_probabilities(), case.sampled_frequencies(6_000, seed=1)
    assert set(sampled) <= set(exact)
    hands = left_in_hand(case, exact), left_in_hand(case, sampled)
    assert distance(*hands) < 0.02
    assert distance(exact, sampled) < 0.05


def random_case(generator: np.random.Generator) -> SmallCase:
    """Two piles, the first drawn empty before the second was shuffled, and plays in between."""
    seats = int(generator.integers(1, 3))
    first = [1 + int(each) for each in generator.multinomial(3, [1 / 3] * 3)]
    draws = [(int(generator.integers(seats)), 0) for _ in range(sum(first))]
    second = [1 + int(each) for each in generator.multinomial(2, [1 / 3] * 3)]
    later = [(int(generator.integers(seats)), 1) for _ in range(int(generator.integers(1, 4)))]
    case = SmallCase([first, second], draws + later, [])
    # The true deal decides which plays are possible.
    truth = [*generator.permutation(np.repeat(range(3), first))]
    truth += [*generator.permutation(np.repeat(range(3), second))][: len(later)]
    for draw in generator.permutation(len(case.draws))[:3]:
        drawn = int(generator.integers(int(draw) + 1, len(case.draws) + 1))
        case.plays.append((case.draws[draw][0], int(truth[draw]), drawn))
    case.plays.sort(key=lambda play: play[2])
    return case


def reshuffle_error(cases: int, times: int, seed: int) -> list[float]:
    """The distances of random small cases with a reshuffle."""
    generator = np.random.default_rng(seed)
    errors = []
    for number in range(cases):
        case = random_case(generator)
        exact, sampled = case.exact_probabilities(), case.sampled_frequencies(times, seed=number)
        assert set(sampled) <= set(exact), "a assignment that cannot be"
        errors.append(distance(left_in_hand(case, exact), left_in_hand(case, sampled)))
    return errors


def test_after_a_reshuffle_the_sampling_error_is_small() -> None:
    errors = reshuffle_error(cases=12, times=600, seed=3)
    assert np.mean(errors) < 0.06
    assert max(errors) < 0.2


@pytest.mark.parametrize(
    ("game", "seats"), [each for each in MIDDLE_SEATS if each in HIDDEN_SEATINGS]
)
def test_unseen_cards_are_sampled_uniformly_before_a_reshuffle(game: str, seats: int) -> None:
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
    spread = np.sqrt(expected / times)  # slightly more than the hypergeometric deviation
    assert (abs(hand / times - expected) < 4 * spread).all()


def test_a_view_without_its_moves_cannot_be_determinized() -> None:
    position = mandala.new("mandala", seed=1)
    generator = np.random.default_rng(1)
    for view in (position.view(None), mandala.View.from_text(position.view(1).text)):
        with pytest.raises(ValueError, match="knows the moves"):
            mandala.determinize(view, generator)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), HIDDEN_SEATINGS)
def test_determinizations_late_in_the_game_contradict_nothing(game: str, seats: int) -> None:
    """After reshuffles, which Hypothesis seldom reaches, in normal and in unusual play."""
    find_game(game).make_ready()
    generator = np.random.default_rng(seats)
    late = 0
    for seed in range(12):
        for preference in ("any", "C", "long", "short"):
            positions = [
                each for each in random_game(game, seats, seed, preference) if not each.is_over
            ]
            shuffled = [each for each in positions if each.state.shuffles]
            for place in generator.integers(0, max(1, len(shuffled)), 4):
                if shuffled:
                    view = shuffled[place].view(int(generator.integers(seats)) + 1)
                    late += 1
                    assert not contradicts(view, mandala.determinize(view, generator))
                    assert not contradicts(view, shuffled[place])
    assert late > 50


def test_the_checker_finds_contradictions() -> None:
    """The other tests rely on `contradicts`: it must detect an impossible deal."""
    find_game("flowers").make_ready()
    generator, found = np.random.default_rng(8), 0
    for seed in range(6):
        positions = list(random_game("flowers", 2, seed, "short"))
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
