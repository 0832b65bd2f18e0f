"""The players: reproducible, fair, and of the expected strength."""

import subprocess
import sys

import numpy as np
import pytest

import mandala
from mandala import Position, UnknownPlayer
from mandala.bots.levels import STRONGEST
from mandala.bots.players import Budget, make_player, player_names
from mandala.engine import modules
from mandala.games import find_game
from mandala.text.catalogue import LANGUAGES
from tests.samples import SEATINGS

KINDS = ("random", "greedy", "search:1", STRONGEST)  # the levels between differ in numbers only
ANY = Budget(simulations=30)  # the players that search would take their time


def play(game: str, names: list[str], seed: int) -> Position:
    """A whole game between players named by seat."""
    generator = np.random.default_rng(seed)
    players = [make_player(name, seed * 10 + seat) for seat, name in enumerate(names)]
    position = mandala.new(game, seats=len(names), seed=seed)
    while actor := position.actor:
        move = players[actor - 1].choose(position.view(actor), ANY)
        position = position.play(move, generator)
    return position


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use plain Python rules, even if they are compiled."""
    monkeypatch.setattr(modules, "ready_rules", {})


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_greedy_on_one_seat_beats_random_on_all_others(game: str, seats: int) -> None:
    find_game(game).make_ready()
    games, share = 50, 0.0
    for seed in range(games):
        own = seed % seats
        names = ["greedy" if seat == own else "random" for seat in range(seats)]
        winners = play(game, names, seed).winners
        share += (own + 1 in winners) / len(winners)
    assert share / games >= 0.85


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_the_same_seed_plays_the_same_game(game: str, seats: int, name: str) -> None:
    find_game(game).make_ready()
    first, second = play(game, [name] * seats, 3), play(game, [name] * seats, 3)
    assert first.moves == second.moves


def test_another_seed_plays_another_game() -> None:
    view = mandala.new("flowers", seats=4, seed=1).view(1)
    chosen = {make_player("random", seed).choose(view, ANY) for seed in range(50)}
    assert len(chosen) > 5


def test_random_chooses_every_legal_move_equally_often() -> None:
    view = mandala.new("mandala", seed=1).view(1)
    player, legal = make_player("random", 1), view.legal
    times = dict.fromkeys(legal, 0)
    for _ in range(200 * len(legal)):
        times[player.choose(view, ANY)] += 1
    # The standard deviation is about 14: five of them on either side.
    assert all(130 < each < 270 for each in times.values()), times


def test_greedy_breaks_ties_at_random() -> None:
    position = mandala.new("patterns", seed=7)
    heuristic = find_game("patterns").current("heuristic")
    rows, values = np.empty(400, np.int16), np.empty(400)
    generator = np.random.default_rng(1)
    while actor := position.actor:
        view = position.view(actor)
        found = heuristic.score_moves(view.state, actor - 1, rows, heuristic.WEIGHTS, values)
        best = {
            view.rules.moves.texts[row]
            for row, value in zip(rows[:found], values[:found], strict=True)
            if value == values[:found].max()
        }
        if len(best) > 1:
            chosen = {make_player("greedy", seed).choose(view, ANY) for seed in range(40)}
            assert chosen <= best
            assert len(chosen) > 1
            return
        position = position.play(best.pop(), generator)
    pytest.fail("no two moves were ever equal; choose another seed")


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
@pytest.mark.parametrize("name", KINDS)
def test_the_choice_depends_on_the_view_alone(name: str, game: str, seats: int) -> None:
    find_game(game).make_ready()
    generator = np.random.default_rng(5)
    player = make_player("random", 5)
    position = mandala.new(game, seats=seats, seed=5)
    differed = 0
    while actor := position.actor:
        view = position.view(actor)
        other = mandala.determinize(view, generator)
        differed += other.text != position.text
        assert other.view(actor).text == view.text
        first = make_player(name, 1).choose(view, ANY)
        assert make_player(name, 1).choose(other.view(actor), ANY) == first
        position = position.play(player.choose(view, ANY), generator)
    assert differed > 10 or not find_game(game).has_hidden_information


@pytest.mark.usefixtures("plain")
def test_players_play_before_anything_is_compiled() -> None:
    for game in mandala.game_ids():
        assert play(game, ["greedy", "random"], 2).is_over


def test_an_unknown_player_is_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownPlayer) as caught:
        make_player("grandmaster", 1)
    assert caught.value.code == "unknown-player"
    for language in LANGUAGES:
        said = caught.value.say(language)
        assert "grandmaster" in said
        assert all(name in said for name in player_names())


def test_a_player_has_the_name_it_was_made_with() -> None:
    assert [make_player(name, 1).name for name in player_names()] == list(player_names())


def test_making_players_loads_no_compiler() -> None:
    program = (
        "import sys; from mandala.bots.players import make_player; make_player('greedy', 1);"
        "make_player('random', 1); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
