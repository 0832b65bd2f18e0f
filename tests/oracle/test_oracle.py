"""Tests of the oracles: random play, the worked checks of the pages, edge cases."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.samples import SEATINGS

from . import COLOURS, Flowers, Game, Mandala, Patterns, new
from .base import show
from .flowers import Area, flower_points, tile_points
from .patterns import MARKED_SPACES, SPACES, neighbours

GAMES_OF_EACH = 100


def chance_move(game: Game, random: Random) -> str:
    """One chance move, drawn by its probability."""
    chances = game.chance()
    assert sum(chances.values()) == 1
    assert all(probability > 0 for probability in chances.values())
    weights = [float(probability) for probability in chances.values()]
    return random.choices(list(chances), weights)[0]


def step(game: Game, random: Random) -> str:
    """Make one random move or chance move, and check the legal ones."""
    if game.actor == 0:
        assert game.legal() == []
        move = chance_move(game, random)
    else:
        moves = game.legal()
        assert moves, "the actor always has a move"
        assert moves == sorted(set(moves))
        assert game.chance() == {}
        move = random.choice(moves)
    game.play(move)
    return move


def finish_draws(game: Game, random: Random) -> str:
    """Make chance moves until a seat is to decide; return the colours drawn."""
    drawn = ""
    while game.actor == 0:
        drawn += step(game, random)[1:]
    return drawn


def play_all(game: Game, record: str) -> None:
    """Play moves separated by blanks; a `+` move may name several cards."""
    for text in record.split():
        if text[0] == "+":
            for colour in text[1:]:
                game.play("+" + colour)
        else:
            game.play(text)


# Random play


def check_mandala(game: Mandala, cards_of_a_colour: int = 18) -> None:
    piles = [game.draw_pile, game.discard_pile, *game.centres.values(), *game.fields.values()]
    piles += [*game.hands.values(), *game.cups.values()]
    for colour in COLOURS:
        in_rivers = sum(river.count(colour) for river in game.rivers.values())
        assert sum(pile[colour] for pile in piles) + in_rivers == cards_of_a_colour
    for pile in piles:
        assert all(count >= 0 for count in pile.values())
    for mandala in (1, 2):
        areas = [game.centres[mandala], game.fields[mandala, 1], game.fields[mandala, 2]]
        for colour in COLOURS:
            assert sum(area[colour] > 0 for area in areas) <= 1
    for seat in (1, 2):
        assert game.hands[seat].total() <= 8
        assert len(set(game.rivers[seat])) == len(game.rivers[seat])
        if game.stage == "turn":
            assert game.hands[seat].total() >= 1


def check_patterns(game: Patterns) -> None:
    if game.stage == "setup":
        return
    tiles = Counter(game.tiles.values())
    tiles.update(game.bowls.values())
    tiles.update(game.put_aside)
    assert all(tiles[colour] == 9 for colour in COLOURS)
    assert len(game.tiles) == 52
    for seat in (1, 2):
        for colour in game.rivers[seat]:
            group = game.group(seat, colour)
            reached = {group[0]}
            edge = [group[0]]
            while edge:
                for neighbour in neighbours(edge.pop()):
                    assert neighbour not in game.group(3 - seat, colour)
                    if neighbour in group and neighbour not in reached:
                        reached.add(neighbour)
                        edge.append(neighbour)
            assert reached == set(group)
            assert sum(space in game.markers for space in group) == 1


def check_flowers(game: Flowers, cards_of_a_colour: int = 15) -> None:
    piles = [game.draw_pile, game.discard_pile, *game.hands.values()]
    tiles = game.dark_stack + game.light_stack + game.unclaimed_tiles
    for area in game.mandalas.values():
        piles += [*area.face_up.values(), *area.face_down.values()]
        tiles += area.tiles
        holds_face_up = any(cards.total() > 0 for cards in area.face_up.values())
        if game.stage == "play":
            assert (area.marker > 0) == holds_face_up
            assert len(area.tiles) == 2
    for singles in game.single_tiles.values():
        tiles += singles
        assert len({tile[0] for tile in singles}) == len(singles)
    for flowers in game.flowers.values():
        for one, two in flowers:
            assert one[0] == two[0]
            tiles += [one, two]
    assert sorted(tiles) == sorted(colour + value for colour in COLOURS for value in "23457x")
    for colour in COLOURS:
        assert sum(pile[colour] for pile in piles) == cards_of_a_colour
    for pile in piles:
        assert all(count >= 0 for count in pile.values())
    if game.stage == "play":
        assert all(hand.total() >= 1 for hand in game.hands.values())


def check(game: Game) -> None:
    if isinstance(game, Mandala):
        check_mandala(game)
    elif isinstance(game, Patterns):
        check_patterns(game)
    elif isinstance(game, Flowers):
        check_flowers(game)
    else:
        raise AssertionError(f"there is no check of {type(game).__name__}")


@pytest.mark.parametrize(("name", "seats"), SEATINGS)
def test_random_games(name: str, seats: int) -> None:
    for seed in range(GAMES_OF_EACH):
        random = Random(seed)
        game = new(name, seats)
        moves = 0
        while game.actor is not None:
            assert game.winners() == []
            step(game, random)
            check(game)
            assert len(game.scores()) == seats
            moves += 1
            assert moves < 20_000, "games end"
        assert game.legal() == []
        assert game.chance() == {}
        assert game.winners()
        assert set(game.winners()) <= set(range(1, seats + 1))
        assert game.describe()["stage"] == "over"
        with pytest.raises(ValueError, match="not a legal move"):
            game.play("-")


@pytest.mark.parametrize("cards_of_a_colour", [4, 5, 6])
def test_mandala_with_few_cards(cards_of_a_colour: int) -> None:
    """Piles run empty often."""
    for seed in range(GAMES_OF_EACH):
        random = Random(seed)
        game = Mandala()
        game.draw_pile = Counter(dict.fromkeys(COLOURS, cards_of_a_colour))
        while game.actor is not None:
            step(game, random)
            check_mandala(game, cards_of_a_colour)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_flowers_with_few_cards(seats: int) -> None:
    """Piles run empty often, and seats have to pass."""
    for seed in range(GAMES_OF_EACH):
        random = Random(seed)
        game = Flowers(seats)
        game.draw_pile = Counter(dict.fromkeys(COLOURS, seats + 1))
        while game.actor is not None:
            step(game, random)
            check_flowers(game, seats + 1)


def test_new_refuses() -> None:
    for name, seats in [("mandala", 3), ("patterns", 1), ("flowers", 5), ("chess", 2)]:
        with pytest.raises(ValueError, match=r"seats|game"):
            new(name, seats)


# Mandala


def mandala_turn(**piles: str) -> Mandala:
    """A position with seat 1 to act; all piles not given are empty.

    Names: draw, discard, hand1, hand2, cup1, cup2, river1, river2, centre1, centre2, and field11
    for the field of seat 1 in mandala 1 (the mandala comes first).
    """
    game = Mandala()
    game.stage = "turn"
    game.draws = []
    game.draw_pile = Counter(piles.pop("draw", ""))
    game.discard_pile = Counter(piles.pop("discard", ""))
    for name, cards in piles.items():
        kind = name.rstrip("12")
        if kind == "hand":
            game.hands[int(name[-1])] = Counter(cards)
        elif kind == "cup":
            game.cups[int(name[-1])] = Counter(cards)
        elif kind == "river":
            game.rivers[int(name[-1])] = list(cards)
        elif kind == "centre":
            game.centres[int(name[-1])] = Counter(cards)
        else:
            game.fields[int(name[-2]), int(name[-1])] = Counter(cards)
    return game


def test_mandala_setup_and_record() -> None:
    game = Mandala()
    assert game.chance()["+r"] == Fraction(1, 6)
    game.play("+r")
    assert game.chance()["+r"] == Fraction(17, 107)
    play_all(game, "+k +go +rrgvyk+oy".replace("+oy", " +oy"))
    assert game.actor == 0
    play_all(game, "+ggkvoo +rr")
    assert game.actor == 1
    assert show(game.centres[1]) == "rk"
    assert show(game.centres[2]) == "og"
    assert show(game.hands[1]) == "rrygvk"
    assert show(game.cups[1]) == "oy"
    assert show(game.hands[2]) == "ooggvk"
    assert show(game.cups[2]) == "rr"
    play_all(game, "A1y +vgo")
    assert game.actor == 2
    play_all(game, "B1gg A2v +r Coo")
    assert game.actor == 0
    with pytest.raises(ValueError, match="chance"):
        game.play("Cr")


def test_mandala_scoring_53() -> None:
    game = mandala_turn(
        river1="royvgk", cup1="r" * 4 + "o" * 5 + "y" * 6 + "g" * 3 + "k", river2="r", cup2="rgg"
    )
    assert game.scores() == [53, 1]


def test_mandala_golden_rule() -> None:
    game = mandala_turn(
        hand1="royggvk",
        hand2="r",
        centre1="yv",
        field11="or",
        field12="g",
        centre2="r",
        draw="rrrr",
    )
    moves = game.legal()
    assert [m for m in moves if m.startswith("A1")] == ["A1k", "A1v", "A1y"]
    assert [m for m in moves if m.startswith("B1")] == ["B1k", "B1o", "B1r"]
    assert "B2gg" in moves
    assert "B2r" not in moves
    assert [m for m in moves if m[0] == "C"] == ["Cg", "Cgg", "Ck", "Co", "Cr", "Cv", "Cy"]


@pytest.mark.parametrize(("hand", "drawn"), [(8, 1), (7, 2), (6, 3), (3, 3), (1, 3)])
def test_mandala_action_a_draws(hand: int, drawn: int) -> None:
    game = mandala_turn(hand1="r" * hand, hand2="g", centre1="y", centre2="y", draw="royvgk" * 3)
    game.play("A1r")
    assert len(finish_draws(game, Random(1))) == drawn
    assert game.hands[1].total() == hand - 1 + drawn
    assert game.actor == 2


def test_mandala_first_to_choose() -> None:
    position = {"hand1": "kg", "hand2": "g", "centre1": "yv", "centre2": "y", "draw": "royvgk" * 3}
    game = mandala_turn(**position, field11="rooo", field12="ggg")
    game.play("B1k")
    assert game.actor == 1
    game = mandala_turn(**position, field11="ro", field12="ggg")
    game.play("B1k")
    assert game.actor == 2, "tie: the seat that did not play the last card"
    game = mandala_turn(**position, field11="r", field12="ooogg")
    game.play("A1k")
    finish_draws(game, Random(1))
    assert game.actor == 2


def test_mandala_dissolve_river_cup_and_next_seat() -> None:
    game = mandala_turn(
        hand1="kg",
        hand2="g",
        centre1="yyvvv",
        centre2="y",
        draw="royvgk",
        field11="roo",
        field12="ggg",
        river1="y",
    )
    game.play("B1k")
    assert game.legal() == ["Tv", "Ty"]
    game.play("Ty")
    assert game.rivers[1] == ["y"]
    assert show(game.cups[1]) == "yy"
    game.play("Tv")
    assert game.rivers[2] == ["v"]
    assert show(game.cups[2]) == "vv"
    assert show(game.discard_pile) == "roogggk"
    play_all(game, "+ro")
    assert show(game.centres[1]) == "ro"
    assert game.actor == 2
    assert not game.last_phase


def test_mandala_no_card_in_field() -> None:
    game = mandala_turn(
        hand1="kg", hand2="g", centre1="yyvv", centre2="y", draw="royvgk", field12="rog"
    )
    game.play("A1k")
    play_all(game, "+roy")
    assert game.actor == 2
    play_all(game, "Tk Ty")
    assert show(game.discard_pile) == "yy"
    assert game.rivers[1] == []
    play_all(game, "Tv")
    assert game.rivers[2] == ["k", "v"]
    assert show(game.discard_pile) == "royyg"


def test_mandala_pile_empties_in_a_draw_and_completing_action() -> None:
    game = mandala_turn(
        hand1="kg", hand2="g", centre1="yyvv", centre2="y", draw="r", discard="ggg", field12="rog"
    )
    game.play("A1k")
    assert game.chance() == {"+r": 1}
    game.play("+r")
    assert game.last_phase
    assert game.discard_pile.total() == 0
    assert game.chance() == {"+g": 1}
    play_all(game, "+gg")
    assert show(game.draw_pile) == "g"
    play_all(game, "Tk Ty Tv")
    assert game.actor is None
    assert game.winners() == [2]


def test_mandala_last_card_drawn_exactly() -> None:
    game = mandala_turn(hand1="kkkkkkkk", hand2="g", centre1="yv", centre2="y", draw="r")
    game.discard_pile = Counter("oooggv")
    game.play("A1k")
    game.play("+r")
    assert game.last_phase
    assert show(game.draw_pile) == "oooggv"
    assert game.actor == 2


def test_mandala_nothing_to_shuffle() -> None:
    game = mandala_turn(hand1="kk", hand2="royg", centre1="yv", centre2="y", draw="r")
    game.play("A1k")
    game.play("+r")
    assert game.last_phase
    assert game.actor == 2
    assert game.hands[1].total() == 2
    game.play("A1r")
    assert game.actor == 1, "a draw takes what there is"


def test_mandala_action_c_shuffles_its_own_discard() -> None:
    game = mandala_turn(hand1="kkk", hand2="royg", centre1="yv", centre2="y", draw="r")
    game.play("Ckkk")
    game.play("+r")
    assert game.last_phase
    assert game.chance() == {"+k": 1}
    play_all(game, "+kk")
    assert show(game.hands[1]) == "rkk"
    assert show(game.draw_pile) == "k"
    assert game.actor == 2


def test_mandala_both_piles_empty() -> None:
    game = mandala_turn(hand1="k", hand2="r", centre1="yv", centre2="yog", field11="", field12="ro")
    game.last_phase = True
    game.centres[1] = Counter("yvg")
    assert game.legal() == ["Ck"], "not even to complete the last mandala"
    game.play("Ck")
    assert game.chance() == {"+k": 1}
    game.play("+k")
    assert show(game.hands[1]) == "k"
    assert game.actor == 2
    game = mandala_turn(
        hand1="k", hand2="r", centre1="yvg", centre2="yog", field12="ro", discard="r"
    )
    assert game.legal() == ["A1k", "A2k", "Ck"]
    game.play("A1k")
    assert game.chance() == {"+r": 1}, "cards on the discard pile are shuffled when needed"


def test_mandala_refill_empties_the_pile() -> None:
    game = mandala_turn(
        hand1="kg", hand2="gkyr", centre1="y", centre2="y", draw="r", field11="rov", field12="gg"
    )
    game.play("B1k")
    assert game.actor == 1
    game.play("Ty")
    assert not game.last_phase
    game.play("+r")
    assert game.last_phase
    assert game.chance() == {
        "+r": Fraction(1, 6),
        "+o": Fraction(1, 6),
        "+v": Fraction(1, 6),
        "+g": Fraction(2, 6),
        "+k": Fraction(1, 6),
    }
    game.play("+k")
    assert game.actor == 2
    assert show(game.draw_pile) == "roggv"


def test_mandala_river_full_ends_after_the_whole_centre() -> None:
    game = mandala_turn(
        hand1="kg",
        hand2="g",
        centre1="yyvvv",
        centre2="y",
        draw="royvgk",
        field11="roo",
        field12="ggg",
        river1="roygk",
    )
    play_all(game, "B1k Tv")
    assert game.actor == 2
    assert len(game.rivers[1]) == 6
    game.play("Ty")
    assert game.actor is None
    assert game.scores() == [12, 1 * 1]
    assert game.winners() == [1]


def test_mandala_dead_position() -> None:
    game = mandala_turn(hand1="gg", hand2="g", centre1="yv", centre2="k", draw="rrrrooo")
    game.play("Cg")
    game.play("+r")
    assert game.actor is None, "mandala 1 lacks k, mandala 2 lacks y and v"
    game = mandala_turn(hand1="gg", hand2="g", centre1="yv", centre2="kyv", draw="rrrrooo")
    game.play("Cg")
    game.play("+r")
    assert game.actor == 2, "mandala 2 can still be completed"


def test_mandala_dead_position_only_when_the_turn_is_over() -> None:
    game = mandala_turn(
        hand1="kg", hand2="g", centre1="yv", centre2="y", draw="rrrr", field12="rog"
    )
    game.play("A1k")
    play_all(game, "+rrr")
    assert game.actor == 2, "the dissolving comes first"
    play_all(game, "Tk Ty Tv")
    assert game.actor == 0, "and the refill too"


def test_mandala_forty_discards() -> None:
    game = mandala_turn(hand1="rg", hand2="rg", centre1="yv", centre2="yv", draw="royvgk" * 5)
    random = Random(3)
    for count in range(1, 41):
        assert game.actor in (1, 2)
        game.play(next(move for move in game.legal() if move[0] == "C"))
        assert game.actor == 0
        finish_draws(game, random)
        assert game.discards_in_a_row == count
    assert game.actor is None


def test_mandala_forty_discards_are_in_a_row() -> None:
    game = mandala_turn(hand1="rgg", hand2="rg", centre1="yv", centre2="yv", draw="royvgk" * 5)
    game.discards_in_a_row = 39
    game.play("B1g")
    assert game.discards_in_a_row == 0
    assert game.actor == 2


def test_mandala_ties() -> None:
    game = mandala_turn(river1="ro", cup1="rr", river2="ro", cup2="o")
    game.stage = "over"
    assert game.winners() == [2]
    game.cups[2]["k"] += 1
    assert game.winners() == [1, 2]
    game.cups[2]["k"] += 1
    assert game.winners() == [1]


# Patterns


def patterns_turn(tiles: dict[str, str], bowls: str, other_tiles: str = "k") -> Patterns:
    """A position with seat 1 to act, all tiles front side up."""
    game = Patterns()
    game.spaces_to_fill = []
    game.put_aside = Counter()
    game.tiles = {space: tiles.get(space, other_tiles) for space in SPACES}
    game.bowls = {1: bowls[0], 2: bowls[1]}
    game.stage = "turn"
    game.seat = 1
    return game


def test_patterns_board() -> None:
    assert len(SPACES) == 52
    assert SPACES[:5] == ["c8", "d8", "e8", "f8", "b7"]
    assert SPACES[-1] == "f1"
    assert sorted(neighbours("b7")) == ["b6", "c7"]
    assert sorted(neighbours("a3")) == ["a4", "b3"]
    assert sorted(neighbours("d5")) == ["c5", "d4", "d6", "e5"]


def test_patterns_setup() -> None:
    game = Patterns()
    random = Random(5)
    assert game.chance() == {"+" + colour: Fraction(1, 6) for colour in COLOURS}
    game.play("+r")
    assert game.tiles == {"c8": "r"}
    assert game.chance()["+r"] == Fraction(7, 47)
    assert game.chance()["+o"] == Fraction(8, 47)
    while len(game.tiles) < 48:
        step(game, random)
    assert not set(MARKED_SPACES) & set(game.tiles)
    assert game.chance() == {"+" + colour: Fraction(1, 6) for colour in COLOURS}
    game.play("+g")
    assert game.tiles["d5"] == "g"
    assert game.chance() == {"+" + colour: Fraction(1, 5) for colour in "royvk"}
    play_all(game, "+k +r +o")
    assert game.tiles["e4"] == "o"
    assert game.actor == 2
    assert game.legal() == ["Gv", "Gy"]
    game.play("Gy")
    assert game.bowls == {1: "y", 2: "v"}
    assert game.actor == 1
    assert len(game.legal()) == 52


def test_patterns_actions_and_scoring() -> None:
    game = patterns_turn({"d4": "r", "e4": "g", "f4": "r"}, "rg")
    play_all(game, "Od4 Oa3")
    assert game.bowls == {1: "r", 2: "k"}, "the taken tile may have the same colour"
    assert game.rivers == {1: ["r"], 2: ["g"]}
    assert game.legal() == ["Xc4", "Xd3", "Xd5", "Xe4"]
    game.play("Xe4")
    assert game.bowls[1] == "g"
    play_all(game, "Oh6")
    assert "Ff4" in game.legal()
    assert "Xf4" not in game.legal()
    game.play("Ff4")
    assert game.scores() == [2, 0]
    assert game.group(1, "r") == ["d4", "e4", "f4"]


def test_patterns_same_colour_is_flipped_not_swapped() -> None:
    game = patterns_turn({"d4": "r", "e4": "r"}, "rg")
    play_all(game, "Od4 Oa3")
    assert "Fe4" in game.legal()
    assert "Xe4" not in game.legal()


def test_patterns_groups_of_one_colour_never_touch() -> None:
    game = patterns_turn({"b7": "r", "c6": "g", "b6": "r"}, "rr")
    game.play("Ob7")
    assert game.bowls[1] == "r"
    opens = game.legal()
    assert "Ob6" not in opens
    assert "Oc7" not in opens
    assert "Oc6" in opens, "diagonal contact is fine"
    game.play("Oc6")
    assert game.actor is None, "seat 1 has no action at all, seat 2 no flip"
    assert game.group(1, "r") == ["b7"]
    game.stage = "turn"
    game.seat = 1
    assert game.legal() == [], "b6 may not be flipped, c7 not be swapped"
    game.seat = 2
    game.bowls[2] = "r"
    assert game.legal() == ["Xc5", "Xd6"], "nor by the opponent"


def end_phase(flips: dict[str, str]) -> Patterns:
    """Seat 2 is about to make the last action."""
    game = patterns_turn({"h3": "y"} | flips, "rv", other_tiles="k")
    game.seat = 2
    game.tiles["b7"] = "r"
    game.owners["b7"] = 1
    game.rivers[1] = ["r"]
    game.tiles["c6"] = "r"
    game.owners["c6"] = 2
    game.rivers[2] = ["r"]
    return game


def test_patterns_last_flips() -> None:
    game = end_phase({"d6": "r", "e6": "r"})
    game.play("Oh3")
    assert game.stage == "last flips"
    assert game.actor == 2
    assert game.legal() == ["E", "Fd6"]
    game.play("Fd6")
    assert game.legal() == ["E", "Fe6"]
    game.play("Fe6")
    assert game.actor is None, "without E"
    assert game.scores() == [0, 2]
    assert game.winners() == [2]


def test_patterns_stop_flipping() -> None:
    game = end_phase({"d6": "r", "e6": "r"})
    play_all(game, "Oh3 E")
    assert game.actor is None
    assert game.winners() == [1, 2]


def test_patterns_over_without_e() -> None:
    game = end_phase({})
    game.play("Oh3")
    assert game.actor is None


# Flowers


def area(seats: int, tiles: str, up: dict[int, str], down: dict[int, str], marker: int) -> Area:
    """A mandala with tiles and cards."""
    made = Area(seats)
    made.tiles = tiles.split()
    made.marker = marker
    for seat, cards in up.items():
        made.face_up[seat] = Counter(cards)
    for seat, cards in down.items():
        made.face_down[seat] = Counter(cards)
    return made


def flowers_turn(seats: int, hands: list[str], draw: str = "royvgk" * 5) -> Flowers:
    """A position with seat 1 to act and three mandalas without cards."""
    game = Flowers(seats)
    game.stage = "play"
    game.tile_draws = []
    game.card_draws = []
    game.draw_pile = Counter(draw)
    for seat, cards in enumerate(hands, start=1):
        game.hands[seat] = Counter(cards)
    for number, tiles in {1: "k7 g2", 2: "v3 o4", 3: "r5 yx"}.items():
        game.mandalas[number] = area(seats, tiles, {}, {}, 0)
    used = ["k7", "g2", "v3", "o4", "r5", "yx"]
    game.dark_stack = [tile for tile in game.dark_stack if tile not in used]
    game.light_stack = [tile for tile in game.light_stack if tile not in used]
    return game


def test_flowers_setup() -> None:
    game = Flowers(4)
    chances = game.chance()
    assert len(chances) == 18
    assert set(chances.values()) == {Fraction(1, 18)}
    assert {move[1] for move in chances} == set("kvr")
    game.play("*k7")
    assert {move[1] for move in game.chance()} == set("goy")
    play_all(game, "*gx *k2")
    assert len(game.chance()) == 17
    play_all(game, "*y3 *r5 *o4")
    assert game.mandalas[1].tiles == ["k7", "gx"]
    assert game.mandalas[3].tiles == ["r5", "o4"]
    assert game.chance() == {"+" + colour: Fraction(1, 6) for colour in COLOURS}
    play_all(game, "+rrrrr +oooooo +yyyyyyy")
    assert game.chance()["+r"] == Fraction(10, 72)
    play_all(game, "+ggggggg")
    assert game.actor == 0
    game.play("+g")
    assert game.actor == 1
    assert [game.hands[seat].total() for seat in (1, 2, 3, 4)] == [5, 6, 7, 8]


def test_flowers_scoring_table() -> None:
    table = {"23": 7, "24": 8, "25": 9, "27": 11, "34": 10, "35": 11, "37": 13, "45": 13}
    table |= {"47": 15, "57": 17, "x2": 6, "x3": 9, "x4": 12, "x5": 15, "x7": 21}
    for values, points in table.items():
        one, two = values[0], values[1]
        assert flower_points("r" + one, "r" + two) == points
        assert flower_points("r" + two, "r" + one) == points
    assert [tile_points("r" + value) for value in "23457x"] == [2, 3, 4, 5, 7, 0]


@pytest.mark.parametrize(
    ("hand", "played", "drawn"),
    [(7, 1, 2), (8, 1, 1), (9, 1, 0), (12, 1, 0), (5, 1, 4), (1, 1, 4), (5, 2, 0), (3, 2, 0)],
)
def test_flowers_draw(hand: int, played: int, drawn: int) -> None:
    game = flowers_turn(2, ["r" * hand, "g"])
    game.play("1" + "r" * played)
    assert len(finish_draws(game, Random(2))) == drawn
    assert game.actor == 2


def test_flowers_face_up_and_face_down() -> None:
    game = flowers_turn(2, ["krrg", "rrkk"])
    game.play("1rr")
    assert show(game.mandalas[1].face_up[1]) == "rr"
    game.play("1rr")
    assert show(game.mandalas[1].face_down[2]) == "rr"
    game.play("1k")
    assert show(game.mandalas[1].face_down[1]) == "k"


def test_flowers_marker_example() -> None:
    game = flowers_turn(3, ["ryyyyyyyyy", "oovvvvv", "vyyyyyyyyy"])
    game.mandalas[1] = area(3, "k7 g2", {}, {3: "kkk"}, 0)
    game.play("1r")
    assert game.mandalas[1].marker == 1
    game.play("1oo")
    assert game.mandalas[1].marker == 2
    game.play("1v")
    assert game.mandalas[1].marker == 3


def test_flowers_marker_stays_on_a_tie_and_ignores_face_down_seats() -> None:
    game = flowers_turn(2, ["oo" + "y" * 9, "y" * 9])
    game.mandalas[1] = area(2, "k7 g2", {2: "rr"}, {}, 2)
    game.play("1oo")
    assert game.mandalas[1].marker == 2
    game = flowers_turn(2, ["kk" + "y" * 9, "y" * 9])
    game.mandalas[1] = area(2, "k7 g2", {}, {}, 0)
    game.play("1kk")
    assert game.mandalas[1].marker == 0, "all face down"


def test_flowers_empty_hand_is_forbidden() -> None:
    game = flowers_turn(2, ["rr", "g"])
    assert game.legal() == ["1r", "2r", "3r"]
    game = flowers_turn(2, ["r", "g"])
    assert game.legal() == ["1r", "2r", "3r"]
    game = flowers_turn(2, ["r", "g"], draw="")
    assert game.legal() == ["-"]
    game.discard_pile = Counter("k")
    assert game.legal() == ["1r", "2r", "3r"]
    game.play("1r")
    assert game.chance() == {"+k": 1}
    game.play("+k")
    assert game.actor == 2, "draw what there is"


def test_flowers_shuffle_only_when_needed() -> None:
    game = flowers_turn(2, ["r" * 8, "g" * 7], draw="o")
    game.discard_pile = Counter("vvv")
    play_all(game, "1r +o")
    assert game.draw_pile.total() == 0
    assert show(game.discard_pile) == "vvv"
    game.play("2g")
    assert game.discard_pile.total() == 0
    assert game.chance() == {"+v": 1}


def test_flowers_all_pass() -> None:
    game = flowers_turn(3, ["r", "rr", "g"], draw="")
    assert game.legal() == ["-"]
    game.play("-")
    game.play("1r")
    assert game.passes_in_a_row == 0
    play_all(game, "- -")
    assert game.actor == 2
    game.play("-")
    assert game.actor == 0
    assert game.chance() == {f"!{number}": Fraction(1, 3) for number in (1, 2, 3)}
    game.play("!2")
    assert game.chance() == {"!1": Fraction(1, 2), "!3": Fraction(1, 2)}
    game.play("!1")
    assert game.actor == 2
    assert game.legal() == ["Tg2", "Tk7"], "also when the holder gets both"
    game.play("Tk7")
    assert game.chance() == {"!3": 1}
    game.play("!3")
    assert game.actor is None
    assert game.scores() == [0, 9, 0]
    assert game.winners() == [2]


def dissolve(seats: int, up: dict[int, str], down: dict[int, str], marker: int) -> Flowers:
    """Mandala 1, just completed by seat 1 with a violet card, before the claim."""
    game = flowers_turn(seats, ["v" + "y" * 9, "y" * 9, "y" * 9, "y" * 9][:seats])
    game.mandalas[1] = area(seats, "k7 g2", up, down, marker)
    game.play("1v")
    assert game.stage == "claim"
    return game


def test_flowers_second_seat() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    assert game.actor == 2, "the holder claims, also when it is not its turn"
    game.play("Tg2")
    assert game.single_tiles == {1: [], 2: ["g2", "k7"], 3: []}, "1 and 3 tie: 2 gets both"
    assert show(game.hands[1]) == "y" * 9 + "v"
    assert show(game.hands[3]) == "y" * 10
    assert show(game.discard_pile) == "rrrooo"
    assert {move[1] for move in game.chance()} == set("kvr")
    play_all(game, "*k2 *g3")
    assert game.actor == 2
    assert game.mandalas[1].tiles == ["k2", "g3"]
    assert game.mandalas[1].marker == 0


def test_flowers_second_seat_tie_by_face_up() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "yy"}, {1: "k"}, 2)
    game.play("Tg2")
    assert game.single_tiles == {1: [], 2: ["g2"], 3: ["k7"]}
    assert show(game.hands[1]) == "y" * 9 + "vk"


def test_flowers_second_needs_a_face_up_card() -> None:
    game = dissolve(3, {2: "rrroooy"}, {3: "kkk"}, 2)
    game.play("Tg2")
    assert game.single_tiles == {1: ["k7"], 2: ["g2"], 3: []}


def test_flowers_level_with_the_holder_is_second() -> None:
    game = dissolve(3, {2: "royy"}, {1: "kkk"}, 2)
    assert game.mandalas[1].marker == 2
    game.play("Tk7")
    assert game.single_tiles == {1: ["g2"], 2: ["k7"], 3: []}


@pytest.mark.parametrize(("holder", "both"), [("royyyy", False), ("royyyyy", True)])
def test_flowers_two_seats_half(holder: str, both: bool) -> None:
    game = dissolve(2, {2: holder}, {1: "kk"}, 2)
    game.play("Tk7")
    assert game.single_tiles[1] == ([] if both else ["g2"])
    assert show(game.hands[1]) == "y" * 9 + ("vkk" if both else "")


def test_flowers_pairing() -> None:
    game = dissolve(2, {2: "royyyy"}, {1: "kk"}, 2)
    game.single_tiles[2] = ["kx", "g3"]
    game.play("Tk7")
    assert game.flowers[2] == [("kx", "k7")]
    assert game.single_tiles[2] == ["g3"]
    assert game.scores() == [2, 24]


def test_flowers_third_flower_plays_the_round_out() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    game.flowers[2] = [("v2", "v4"), ("o2", "o3")]
    game.single_tiles[2] = ["kx"]
    game.play("Tk7")
    assert len(game.flowers[2]) == 3
    assert sorted(game.mandalas) == [2, 3], "not replaced"
    assert game.actor == 2
    game.play("2y")
    assert game.actor == 3
    assert all(move[0] in "23" for move in game.legal())
    game.play("2y")
    assert game.chance() == {"!2": Fraction(1, 2), "!3": Fraction(1, 2)}


def test_flowers_no_mandala_left() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    del game.mandalas[2], game.mandalas[3]
    game.flowers[2] = [("v2", "v4"), ("o2", "o3")]
    game.single_tiles[2] = ["kx"]
    play_all(game, "Tk7 -")
    assert game.actor == 3
    game.play("-")
    assert game.actor is None


def test_flowers_tiles_run_out() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    game.dark_stack = []
    game.light_stack = []
    game.play("Tk7")
    assert game.chance() == {"!2": Fraction(1, 2), "!3": Fraction(1, 2)}, "at once"


def test_flowers_last_two_tiles_do_not_end_the_game() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    game.dark_stack = ["r2"]
    game.light_stack = ["o2"]
    play_all(game, "Tk7 *r2 *o2")
    assert game.actor == 2


def test_flowers_third_flower_with_empty_stacks() -> None:
    game = dissolve(3, {2: "rrrooo", 3: "y"}, {}, 2)
    game.dark_stack = []
    game.light_stack = []
    game.flowers[2] = [("v2", "v4"), ("o2", "o3")]
    game.single_tiles[2] = ["kx"]
    game.play("Tk7")
    assert game.actor == 2, "the round is played out"


def test_flowers_nobody_holds_the_marker_at_the_end() -> None:
    game = flowers_turn(2, ["r", "g"], draw="")
    game.mandalas[1] = area(2, "k7 g2", {}, {1: "kk", 2: "g"}, 0)
    play_all(game, "- - !1")
    assert show(game.hands[1]) == "rkk"
    assert show(game.hands[2]) == "gg"
    play_all(game, "!3 !2")
    assert game.actor is None
    assert game.scores() == [0, 0]
    assert game.winners() == [1], "more hand cards"


def test_flowers_tie_only_among_the_best() -> None:
    game = flowers_turn(3, ["rrrrrr", "g", "g"])
    game.stage = "over"
    game.single_tiles = {1: ["r2"], 2: ["r3"], 3: ["g3"]}
    assert game.winners() == [2, 3]
    game.hands[3]["r"] += 1
    assert game.winners() == [3]
