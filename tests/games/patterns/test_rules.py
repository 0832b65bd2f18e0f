"""The rules of Patterns, in the order of docs/rules/patterns.md."""

from __future__ import annotations

import pytest

import mandala
from mandala.core.position import Position
from mandala.games import find_game
from mandala.text.errors import IllegalMove
from tests.build import letters, moves_with, patterns_position, play, space_name, space_number

GAME = "patterns"

# The beginning of a game that the rules page shows.
SETUP = "+rvvo +ovgkgg +yvvooykr +rkyvvy +rgyoyk +rkkgygrk +yovkgr +orog +okgv"
EXAMPLE = f"{SETUP} Gr Oa4 Oc5 Fa5 Fc4 Xa6 Xd5 Oh4"


def names(spaces: object) -> str:
    """The spaces of a set by name, in the order of the alphabet."""
    bits = int(spaces)  # type: ignore[call-overload]
    return " ".join(sorted(space_name(space) for space in range(64) if bits >> space & 1))


def group(position: Position, seat: int, colour: str) -> str:
    return names(position.state.group[seat - 1, "roygvk".index(colour)])


def tile_at(position: Position, space: str) -> str:
    """The colour of the tile on a space."""
    bit = space_number(space)
    return "".join(
        letter
        for letter, spaces in zip("roygvk", position.state.tile, strict=True)
        if int(spaces) >> bit & 1
    )


def bowl(position: Position, seat: int) -> str:
    return "roygvk"[position.state.bowl[seat - 1]]


def river(position: Position, seat: int) -> str:
    """The colours of a river, from place 1 on."""
    numbers = position.state.river[seat - 1]
    opened = {int(number): "roygvk"[colour] for colour, number in enumerate(numbers) if number}
    return "".join(opened[number] for number in sorted(opened))


def spaces_of(moves: list[str]) -> str:
    return " ".join(sorted(move[1:] for move in moves))


# The board


def neighbours(space: str) -> str:
    rules = find_game("patterns").rules
    return names(rules.neighbours(rules.ONE << type(rules.ONE)(space_number(space))))


def test_check_board_has_52_spaces() -> None:
    rules = find_game("patterns").rules
    by_rank = [
        [space_name(each) for each in rules.SPACES if each // 8 == rank] for rank in range(8)
    ]
    assert [len(rank) for rank in by_rank] == [4, 6, 8, 8, 8, 8, 6, 4]
    assert sum(map(len, by_rank)) == 52
    assert neighbours("b7") == "b6 c7"
    assert neighbours("c8") == "c7 d8"
    assert neighbours("a6") == "a5 b6"
    assert neighbours("d4") == "c4 d3 d5 e4"


def test_ruling_board_shape() -> None:
    rules = find_game("patterns").rules
    drawn = {space_name(each) for each in rules.SPACES}
    for rank, files in zip(
        "87654321", ("cf", "bg", "ah", "ah", "ah", "ah", "bg", "cf"), strict=True
    ):
        inside = "abcdefgh"["abcdefgh".index(files[0]) : "abcdefgh".index(files[1]) + 1]
        assert {space for space in drawn if space[1] == rank} == {file + rank for file in inside}
    assert [space_name(each) for each in rules.SETUP_ORDER[48:]] == ["d5", "e5", "d4", "e4"]


def test_files_do_not_run_into_one_another() -> None:
    assert neighbours("h5") == "g5 h4 h6"
    assert neighbours("a4") == "a3 a5 b4"
    assert neighbours("f1") == "e1 f2"


# Setup


def test_eight_tiles_of_each_colour_are_laid_in_reading_order() -> None:
    position = play(mandala.new("patterns"), SETUP)
    assert [tile_at(position, space) for space in ("c8", "f8", "b7", "a6", "h6", "f1")] == [
        *("r", "o", "o", "y", "r", "g")
    ]
    assert [tile_at(position, space) for space in ("d5", "e5", "d4", "e4")] == ["o", "k", "g", "v"]


def test_unmarked_spaces_are_drawn_by_what_is_left_of_eight_tiles() -> None:
    assert play(mandala.new("patterns"), "").chance == {f"+{each}": 1 / 6 for each in "roygvk"}
    after = play(mandala.new("patterns"), "+rrk")
    assert after.chance["+r"] == 6 / 45
    assert after.chance["+k"] == 7 / 45
    assert after.chance["+g"] == 8 / 45
    assert "+r" not in play(mandala.new("patterns"), "+rrrrrrrr").chance


def test_marked_spaces_are_drawn_equally_from_the_six_tiles_put_aside() -> None:
    laid = SETUP.rsplit(" ", 1)[0]
    position = play(mandala.new("patterns"), laid)
    assert position.chance == {f"+{each}": 1 / 6 for each in "roygvk"}
    assert position.play("+o").chance == {f"+{each}": 1 / 5 for each in "rygvk"}


def test_seat_2_gives_one_of_the_two_starting_tiles_to_seat_1() -> None:
    position = play(mandala.new("patterns"), SETUP)
    assert position.actor == 2
    assert sorted(position.legal) == ["Gr", "Gy"]
    for gift, kept in (("r", "y"), ("y", "r")):
        after = position.play(f"G{gift}")
        assert (bowl(after, 1), bowl(after, 2)) == (gift, kept)
        assert after.actor == 1
        assert letters(after.state.aside) == ""


def test_the_first_turn_can_only_open_and_anywhere() -> None:
    position = play(mandala.new("patterns"), SETUP + " Gr")
    assert len(position.legal) == 52
    assert {move[0] for move in position.legal} == {"O"}


def test_the_example_of_the_rules_page() -> None:
    position = play(mandala.new("patterns"), EXAMPLE)
    assert group(position, 1, "r") == "a4 a5 a6"
    assert group(position, 1, "y") == "h4"
    assert group(position, 2, "y") == "c4 c5 d5"
    assert (river(position, 1), river(position, 2)) == ("ry", "y")
    assert (bowl(position, 1), bowl(position, 2)) == ("k", "o")
    assert position.scores == [2, 2]
    before = play(mandala.new("patterns"), EXAMPLE.removesuffix(" Oh4"))
    assert "Oc6" not in before.legal
    assert "Oe4" in before.legal, "it meets d5 only diagonally"


# Open


def test_open_lays_the_exchange_tile_back_up_and_takes_the_tile() -> None:
    position = patterns_position(groups=((), ("g a3",)), bowls="rk", fronts=("v d6",))
    after = position.play("Od6")
    assert (tile_at(after, "d6"), bowl(after, 1)) == ("r", "v")
    assert group(after, 1, "r") == "d6"
    assert river(after, 1) == "r"
    assert after.actor == 2


def test_open_may_take_a_tile_of_the_same_colour() -> None:
    position = patterns_position(groups=((), ("g a3",)), bowls="rk", fronts=("r d6",))
    after = position.play("Od6")
    assert (tile_at(after, "d6"), bowl(after, 1)) == ("r", "r")


def test_open_uses_the_lowest_remaining_marker() -> None:
    position = patterns_position(groups=(("k a3", "g h3"), ("v d1",)), bowls="ry")
    after = position.play("Od6")
    assert river(after, 1) == "kgr"
    assert int(after.state.marker[0, 0]) == space_number("d6")


def test_open_is_for_any_front_side_tile() -> None:
    position = patterns_position(groups=(("k a3",), ("v d1 d2",)), bowls="ry")
    opened = spaces_of(moves_with(position, "O")).split()
    assert len(opened) == 52 - 3
    assert not {"a3", "d1", "d2"} & set(opened)


def test_open_only_in_a_colour_not_opened_yet() -> None:
    position = patterns_position(groups=(("r a3",), ("v d1",)), bowls="ry")
    assert moves_with(position, "O") == []
    # That the other seat has opened it does not matter.
    position = patterns_position(groups=(("k a3",), ("r d1",)), bowls="ry")
    assert len(moves_with(position, "O")) == 50 - len(neighbours("d1").split())


# Flip


def test_flip_turns_a_neighbour_of_the_group_and_of_its_colour() -> None:
    position = patterns_position(
        groups=(("r d5",), ("v d1",)), bowls="ky", fronts=("r d6 e5 f5 d7 e6", "g c5")
    )
    assert spaces_of(moves_with(position, "F")) == "d6 e5"
    after = position.play("Fd6")
    assert group(after, 1, "r") == "d5 d6"
    assert (bowl(after, 1), after.actor) == ("k", 2)
    assert tile_at(after, "d6") == "r"


def test_flip_needs_no_exchange_tile_of_that_colour() -> None:
    position = patterns_position(
        groups=(("r d5", "k a3"), ("v d1",)), bowls="gy", fronts=("r d6", "k a4")
    )
    assert spaces_of(moves_with(position, "F")) == "a4 d6"


def test_flip_joins_the_own_group_only() -> None:
    position = patterns_position(
        groups=(("k a3",), ("r d5",)), bowls="gy", fronts=("r d6",), turn=1
    )
    assert moves_with(position, "F") == []


# Swap


def test_swap_puts_the_exchange_tile_in_place_of_a_neighbour() -> None:
    position = patterns_position(
        groups=(("r d5",), ("v d1",)), bowls="ry", fronts=("k d6", "g c5 d4", "o e5")
    )
    assert spaces_of(moves_with(position, "X")) == "c5 d4 d6 e5"
    after = position.play("Xd6")
    assert (tile_at(after, "d6"), bowl(after, 1)) == ("r", "k")
    assert group(after, 1, "r") == "d5 d6"
    assert river(after, 1) == "r"
    assert after.actor == 2


def test_swap_needs_a_group_in_the_colour_of_the_exchange_tile() -> None:
    position = patterns_position(groups=(("r d5",), ("v d1",)), bowls="ky")
    assert moves_with(position, "X") == []


def test_swap_does_not_take_back_side_tiles() -> None:
    position = patterns_position(groups=(("r d5", "k d6"), ("v c5",)), bowls="ry")
    assert spaces_of(moves_with(position, "X")) == "d4 e5"


def test_ruling_same_colour_is_flip() -> None:
    position = patterns_position(groups=(("r d5",), ("v d1",)), bowls="ry", fronts=("r d6",))
    assert spaces_of(moves_with(position, "F")) == "d6"
    assert "d6" not in spaces_of(moves_with(position, "X")).split()
    with pytest.raises(IllegalMove) as raised:
        position.play("Xd6")
    assert raised.value.code == "flip-instead"


# Groups of one colour never touch


def test_open_may_not_touch_the_other_group_of_the_colour() -> None:
    position = patterns_position(groups=((), ("r d5 d6",)), bowls="rk")
    closed = {"c5", "c6", "d4", "d7", "e5", "e6"}
    assert not closed & set(spaces_of(moves_with(position, "O")).split())
    assert len(moves_with(position, "O")) == 52 - 2 - len(closed)


def test_flip_may_not_touch_the_other_group_of_the_colour() -> None:
    position = patterns_position(
        groups=(("r d5",), ("r d7",)), bowls="kk", fronts=("r d6 e5",), turn=1
    )
    assert spaces_of(moves_with(position, "F")) == "e5"


def test_swap_may_not_touch_the_other_group_of_the_colour() -> None:
    position = patterns_position(groups=(("r d5",), ("r d7",)), bowls="rk", turn=1)
    assert spaces_of(moves_with(position, "X")) == "c5 d4 e5"


def test_touching_diagonally_is_fine() -> None:
    position = patterns_position(
        groups=(("r d5",), ("r f6",)), bowls="rk", fronts=("r e5",), turn=1
    )
    assert "Fe5" in position.legal  # f6 is diagonal to e5
    assert "Oe5" in patterns_position(groups=((), ("r f6",)), bowls="rk").legal


def test_groups_of_different_colours_may_touch() -> None:
    position = patterns_position(
        groups=(("r d5",), ("g d7",)), bowls="rk", fronts=("r d6", "k e5"), turn=1
    )
    assert "Fd6" in position.legal
    assert "Xe5" in position.legal


def test_own_groups_may_touch() -> None:
    position = patterns_position(
        groups=(("r d5", "k d7"), ("g a3",)), bowls="vo", fronts=("r d6",), turn=1
    )
    assert "Fd6" in position.legal


def test_check_corner_block() -> None:
    position = patterns_position(
        groups=((), ("r b7",)), bowls="rr", fronts=("r c7", "k b6"), turn=2
    )
    assert spaces_of(position.legal) == "b6 c7"
    position = patterns_position(groups=((), ("r b7",)), bowls="rr", fronts=("k b6",), turn=1)
    after = position.play("Oc6")
    assert [move for move in after.legal if move[1:] in ("b6", "c7")] == []
    for seat in (1, 2):
        rules = find_game("patterns").rules
        spaces = rules.flip_spaces(after.state, seat - 1) | rules.swap_spaces(after.state, seat - 1)
        assert not {"b6", "c7"} & set(names(spaces).split())
    # Seat 2 has no other group and no other colour in its bowl: it is stopped for good.
    assert after.actor != 2


# Game end


def stopped(*fronts: str) -> Position:
    """Seat 1 to move: when it opens red on c6, seat 2 has no action any more."""
    return patterns_position(groups=((), ("r b7",)), bowls="rr", fronts=fronts)


def test_the_game_ends_when_the_seat_to_move_has_no_action() -> None:
    # Seat 1 has nothing to flip: the game is over without a word.
    position = stopped("k b6 c5 d6")
    assert not position.is_over
    after = position.play("Oc6")
    assert after.is_over
    assert after.legal == []


def test_the_other_seat_may_then_flip_as_often_as_it_likes() -> None:
    after = stopped("r c5 c4 d6").play("Oc6")
    assert after.actor == 1
    assert sorted(after.legal) == ["E", "Fc5", "Fd6"]
    after = after.play("Fc5")
    assert after.actor == 1
    assert sorted(after.legal) == ["E", "Fc4", "Fd6"]


def test_it_may_stop_with_e() -> None:
    after = stopped("r c5 c4").play("Oc6")
    over = play(after, "Fc5 E")
    assert over.is_over
    assert over.scores == [1, 0]
    assert after.play("E").scores == [0, 0]


def test_without_a_flip_left_the_game_is_over_without_e() -> None:
    over = play(stopped("r c5 c4", "k d6 b5 d5 b4 d4 c3"), "Oc6 Fc5 Fc4")
    assert over.is_over
    with pytest.raises(IllegalMove) as raised:
        over.play("E")
    assert raised.value.code == "game-over"


def test_after_the_end_there_is_no_open_and_no_swap() -> None:
    after = stopped("r c5 d6").play("Oc6")
    assert moves_with(after, "O") + moves_with(after, "X") == []


def test_flips_after_the_end_keep_the_groups_apart() -> None:
    position = patterns_position(groups=((), ("r b7",)), bowls="rr", fronts=("r b6 c5",))
    after = position.play("Oc6")
    assert sorted(after.legal) == ["E", "Fc5"]


def test_nobody_may_stop_while_an_action_is_possible() -> None:
    position = patterns_position(groups=(("r d5",), ("v d1",)), bowls="ry", fronts=("r d6",))
    assert "E" not in position.legal


@pytest.mark.parametrize(
    ("bowls", "fronts", "kind"),
    [("rk", "k a4", "O"), ("rr", "g a4", "F"), ("rg", "k a4", "X")],
    ids=["open", "flip", "swap"],
)
def test_one_action_of_any_kind_keeps_the_game_going(bowls: str, fronts: str, kind: str) -> None:
    position = patterns_position(groups=((), ("r b7", "g a3")), bowls=bowls, fronts=(fronts,))
    after = position.play("Oc6")
    assert after.actor == 2
    assert {move[0] for move in after.legal} == {kind}


# Scoring


def test_check_group_score() -> None:
    groups = ("r a3", "o h3", "y d4 d5 d6 e6 e5", "g c1", "v f1", "k f8")
    position = patterns_position(groups=(groups, ()), bowls="rr")
    assert position.scores == [3 * 4 + 6 * 0, 0]


def test_the_tile_under_each_marker_does_not_count() -> None:
    groups = ("r a3 a4", "o h3 h4 h5")
    position = patterns_position(groups=(groups, ("y d4 d5",)), bowls="rr")
    assert position.scores == [1 * 1 + 2 * 2, 1]


def test_most_points_win() -> None:
    over = play(stopped("r c5", "k d6 b5 d5 c4"), "Oc6 Fc5")
    assert (over.scores, over.winners) == ([1, 0], [1])
    position = patterns_position(groups=((), ("r b7", "g a3 a4")), bowls="rr")
    over = position.play("Oc6")
    assert (over.scores, over.winners) == ([0, 2], [2])


def test_ruling_level_points_is_a_draw() -> None:
    over = stopped("k b6 c5 d6").play("Oc6")
    assert (over.scores, over.winners) == ([0, 0], [1, 2])


# What a seat may know


def test_everything_is_public() -> None:
    position = play(mandala.new("patterns"), EXAMPLE)
    for seat in (1, 2, None):
        assert position.view(seat).state.tobytes() == position.state.tobytes()
        assert position.view(seat).moves == position.moves
