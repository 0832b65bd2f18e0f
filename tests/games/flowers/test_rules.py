"""The rules of Flowers, in the order of docs/rules/flowers.md."""

from __future__ import annotations

import pytest

import mandala
from mandala.core.position import Position
from mandala.text.errors import IllegalMove
from tests.build import (
    Bed,
    draw_all,
    draws_after,
    flowers_position,
    letters,
    moves_with,
    play,
    tile_name,
    tiles_of,
)

GAME = "flowers"

# The start of a game that the rules page explains move by move.
EXAMPLE = "*k7*g3 *r2*yx *v5*o4 +rrgoy +kvvoyg 1r+kgyo 1vv 1o+v 1y+rkgo Tk7*v2*o5 1v+k"  # for two

# Nine cards: after playing one of them there are eight left, and nothing is drawn.
REDS, ORANGES, YELLOWS, VIOLETS = "r9", "o9", "y9", "v9"


def hand(position: Position, seat: int) -> str:
    return letters(position.state.hand[seat - 1])


def face_up(position: Position, seat: int, place: int = 1) -> str:
    return letters(position.state.laid[seat - 1, place - 1, 0])


def face_down(position: Position, seat: int, place: int = 1) -> str:
    return letters(position.state.laid[seat - 1, place - 1, 1])


def holder(position: Position, place: int = 1) -> int:
    """The seat with the majority marker of a mandala; 0 for the middle."""
    return int(position.state.marker[place - 1])


def bed_tiles(position: Position, place: int) -> str:
    tiles = position.state.tile[place - 1]
    return " ".join(tile_name(int(tile) - 1) for tile in tiles if tile)


def discard(position: Position) -> str:
    return letters(position.state.discard)


# Material and setup


def test_ruling_backs_split_by_colour() -> None:
    start = mandala.new("flowers")
    assert start.chance == {f"*{colour}{value}": 1 / 18 for colour in "rvk" for value in "23457x"}
    light = start.play("*k7").chance
    assert light == {f"*{colour}{value}": 1 / 18 for colour in "ogy" for value in "23457x"}


def test_a_tile_is_drawn_once_and_equally_among_those_of_its_back() -> None:
    chance = play(mandala.new("flowers"), "*k7*g3").chance
    assert "*k7" not in chance
    assert set(chance.values()) == {1 / 17}


def test_fifteen_cards_of_each_colour() -> None:
    assert letters(mandala.new("flowers").state.pile) == "".join(each * 15 for each in "roygvk")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_of_five_six_seven_and_eight_cards(seats: int) -> None:
    position, _ = draw_all(mandala.new("flowers", seats=seats))
    assert [len(hand(position, seat)) for seat in range(1, 5)] == [
        *(5, 6, 7, 8)[:seats],
        *[0] * (4 - seats),
    ]
    assert position.actor == 1


def test_setup_lays_the_tiles_of_each_mandala_and_deals_the_hands_in_order() -> None:
    position = play(mandala.new("flowers"), "*k7*g3 *r2*yx *v5*o4 +rrgoy +kvvoyg")
    assert [bed_tiles(position, place) for place in (1, 2, 3)] == ["k7 g3", "r2 yx", "v5 o4"]
    assert (hand(position, 1), hand(position, 2)) == ("rroyg", "oygvvk")
    assert [holder(position, place) for place in (1, 2, 3)] == [0, 0, 0]


def test_cards_are_drawn_by_their_number_in_the_pile() -> None:
    chance = play(mandala.new("flowers"), "*k7*g3 *r2*yx *v5*o4 +rr").chance
    assert chance["+r"] == 13 / 88
    assert chance["+k"] == 15 / 88


def test_the_example_of_the_rules_page() -> None:
    position = play(mandala.new("flowers"), EXAMPLE)
    assert position.actor == 2
    assert (tiles_of(position, 1), tiles_of(position, 2)) == ("g3", "k7")
    assert bed_tiles(position, 1) == "v2 o5"
    assert face_down(position, 1) == "v"
    assert holder(position) == 0
    assert discard(position) == "royvv"


def test_seats_play_in_turn_and_begin_again_with_seat_1() -> None:
    position = flowers_position(hands=("rrr", "ooo", "yyy"))
    assert position.actor == 1
    position = play(position, "1rr 1oo")
    assert position.actor == 3
    assert play(position, "1yy").actor == 1


# Step 1: play


def test_play_any_number_of_one_colour_but_not_the_whole_hand() -> None:
    position = flowers_position(hands=("rrrk", "oo"))
    assert sorted(position.legal) == sorted(
        f"{place}{cards}" for place in "123" for cards in ("r", "rr", "rrr", "k")
    )
    assert moves_with(flowers_position(hands=("rrr", "oo")), "1") == ["1r", "1rr"]


def test_a_new_colour_lies_face_up_on_the_own_side() -> None:
    after = flowers_position(hands=("rrr", "oo")).play("1rr")
    assert (face_up(after, 1), face_down(after, 1)) == ("rr", "")
    assert (face_up(after, 2), face_up(after, 1, 2)) == ("", "")
    assert hand(after, 1) == "r"


@pytest.mark.parametrize("colour", ["k", "g"])
def test_a_colour_of_either_tile_lies_face_down(colour: str) -> None:
    after = flowers_position(Bed("k7 g3"), hands=(colour * 3, "oo")).play(f"1{colour * 2}")
    assert (face_up(after, 1), face_down(after, 1)) == ("", colour * 2)


@pytest.mark.parametrize("owner", [1, 2])
def test_a_colour_of_a_face_up_card_of_any_seat_lies_face_down(owner: int) -> None:
    up = ("r", "") if owner == 1 else ("", "r")
    after = flowers_position(Bed("k7 g3", up=up, holder=owner), hands=("rrr", "oo")).play("1rr")
    assert face_down(after, 1) == "rr"
    assert face_up(after, 1) == up[0]


def test_the_other_mandalas_do_not_matter() -> None:
    bed = Bed("k7 g3", up=("", "o"), holder=2)
    after = flowers_position(bed, Bed("r2 yx"), hands=("ooo", "oo")).play("2oo")
    assert face_up(after, 1, 2) == "oo"


# Step 2: draw


@pytest.mark.parametrize(
    ("left", "drawn"),
    [(0, 4), (1, 4), (3, 4), (4, 4), (5, 3), (6, 2), (7, 1), (8, 0), (9, 0), (12, 0)],
)
def test_after_one_card_draw_up_to_four_and_to_a_hand_of_eight(left: int, drawn: int) -> None:
    position = flowers_position(hands=(f"r{left + 1}", "oo"))
    assert draws_after(position, "1r") == drawn


def test_check_six_left_draws_two() -> None:
    position = flowers_position(hands=("r7", "oo"))
    after, drawn = draw_all(position.play("1r"))
    assert drawn == 2
    assert len(hand(after, 1)) == 8


@pytest.mark.parametrize("number", [2, 3])
def test_after_two_or_more_cards_nothing_is_drawn(number: int) -> None:
    position = flowers_position(hands=("rrrr", "oo"))
    assert position.play("1" + "r" * number).actor == 2


def test_ruling_draw_after_one_not_optional() -> None:
    after = flowers_position(hands=("rr", "oo")).play("1r")
    for number in range(4):
        assert (after.actor, after.legal) == (0, []), f"after {number} cards"
        after = after.play("+v")
    assert (hand(after, 1), after.actor) == ("rvvvv", 2)


def test_ruling_reshuffle_when_needed() -> None:
    position = flowers_position(hands=("rr", "oo"), pile="vvvv", discard="y", rest="hand")
    # The pile is empty, but no card is missing.
    after = play(position, "1r+vvvv")
    assert (letters(after.state.pile), discard(after)) == ("", "y")
    # In the middle of a draw one is missing.
    position = flowers_position(hands=("rr", "oo"), pile="v", discard="yk", rest="hand")
    after = play(position, "1r+v")
    assert after.chance == {"+y": 1 / 2, "+k": 1 / 2}
    assert discard(after) == ""
    assert hand(play(after, "+ky"), 1) == "ryvk"


def test_ruling_draw_what_there_is() -> None:
    position = flowers_position(hands=("rr", "oo"), pile="v", discard="y", rest="hand")
    after = play(position, "1r+vy")
    assert (hand(after, 1), after.actor) == ("ryv", 2)
    nothing = flowers_position(hands=("rr", "oo"), pile="", rest="hand").play("1r")
    assert (hand(nothing, 1), nothing.actor) == ("r", 2)


def test_ruling_only_card_needs_a_draw() -> None:
    nothing = flowers_position(hands=("r", "oo"), pile="", rest="hand")
    assert nothing.legal == ["-"]
    pile = flowers_position(hands=("r", "oo"), pile="v", rest="hand")
    assert pile.legal == ["1r", "2r", "3r"]
    discard_pile = flowers_position(hands=("r", "oo"), pile="", discard="v", rest="hand")
    assert discard_pile.legal == ["1r", "2r", "3r"]
    assert hand(play(discard_pile, "1r+v"), 1) == "v"


# Passing


def test_ruling_pass_without_a_play() -> None:
    position = flowers_position(hands=("r", "oo"), pile="", rest="hand")
    assert position.play("-").actor == 2
    # A seat that can play must play.
    can_play = flowers_position(hands=("rr", "oo"))
    assert "-" not in can_play.legal
    with pytest.raises(IllegalMove) as raised:
        can_play.play("-")
    assert raised.value.code == "can-play"
    # With no mandala left there is no play.
    assert flowers_position(None, None, None, hands=("rrr", "oo")).legal == ["-"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_all_pass_ends_the_game(seats: int) -> None:
    hands = ("r", *["oo"] * (seats - 1))
    for passes in range(seats):
        position = flowers_position(hands=hands, pile="", rest="hand", passes=passes)
        after = position.play("-")
        if passes == seats - 1:
            assert after.chance == {"!1": 1 / 3, "!2": 1 / 3, "!3": 1 / 3}
        else:
            assert after.actor == 2
    # Any play begins the count again.
    hands = (*hands[1:], "r")
    position = flowers_position(hands=hands, passes=seats - 1)
    assert int(position.play("1o").state.passes) == 0
    assert draw_all(position.play("1o"))[0].actor == 2


# Step 3: majority


def test_the_first_face_up_card_takes_the_marker() -> None:
    assert holder(flowers_position(hands=(REDS, "oo")).play("1r")) == 1


def test_face_down_cards_alone_take_no_marker() -> None:
    assert holder(flowers_position(Bed("k7 g3"), hands=("k9", "oo")).play("1kkk")) == 0
    bed = Bed("k7 g3", up=("", "r"), holder=2)
    assert holder(flowers_position(bed, hands=("k9", "oo")).play("1kkk")) == 2


def test_check_face_up_card_wakes_the_rest() -> None:
    bed = Bed("k7 g3", down=("", "", "ggg"))
    position = flowers_position(bed, hands=(REDS, VIOLETS, ORANGES))
    position = position.play("1r")
    assert holder(position) == 1
    position = position.play("1vv")
    assert holder(position) == 2
    position = position.play("1o")
    assert holder(position) == 3


@pytest.mark.parametrize(("number", "marker"), [(1, 2), (2, 2), (3, 1)])
def test_on_a_tie_the_marker_stays(number: int, marker: int) -> None:
    bed = Bed("k7 g3", up=("", "oo"), holder=2)
    position = flowers_position(bed, hands=(REDS, "oo"))
    assert holder(draw_all(position.play("1" + "r" * number))[0]) == marker


def test_more_cards_than_every_other_seat_are_needed() -> None:
    bed = Bed("k7 g3", up=("", "o", "vvv"), holder=3)
    position = flowers_position(bed, hands=(REDS, "oo", "oo"))
    assert holder(position.play("1rrr")) == 3
    assert holder(position.play("1rrrr")) == 1


def test_face_down_cards_count_beside_a_face_up_card() -> None:
    # Of the rival: one face up and two face down are three.
    bed = Bed("k7 g3", up=("", "o"), down=("", "gg"), holder=2)
    position = flowers_position(bed, hands=(REDS, "oo"))
    assert holder(position.play("1rrr")) == 2
    assert holder(position.play("1rrrr")) == 1
    # And of the seat that plays: its card may even lie face down itself.
    bed = Bed("k7 g3", up=("r", "oo"), down=("k", ""), holder=2)
    assert holder(flowers_position(bed, hands=("k9", "oo")).play("1k")) == 1


def test_a_seat_with_face_down_cards_only_is_left_out() -> None:
    bed = Bed("k7 g3", up=("", ""), down=("", "ggggg"))
    assert holder(flowers_position(bed, hands=(REDS, "oo")).play("1r")) == 1


def test_only_the_mandala_played_into_is_looked_at() -> None:
    bed = Bed("k7 g3", up=("rrr", "o"), holder=2)
    after = flowers_position(bed, hands=(REDS, "oo")).play("3rr")
    assert (holder(after, 1), holder(after, 3)) == (2, 1)


# Step 4: completion


def test_six_colours_of_tiles_and_face_up_cards_complete_a_mandala() -> None:
    bed = Bed("k7 g3", up=("ro", "y"), holder=1)
    position = flowers_position(bed, hands=(VIOLETS, "oo"))
    assert sorted(position.play("1v").legal) == ["Tg3", "Tk7"]
    assert position.play("2v").actor == 2


def test_face_down_cards_never_add_a_colour() -> None:
    bed = Bed("k7 g3", up=("ro", ""), down=("y", ""), holder=1)
    after = flowers_position(bed, hands=(VIOLETS, "oo")).play("1v")
    assert after.actor == 2
    assert moves_with(after, "T") == []


def test_a_mandala_is_dissolved_after_the_draw() -> None:
    bed = Bed("k7 g3", up=("ro", "y"), holder=1)
    after = flowers_position(bed, hands=("vv", "oo")).play("1v")
    for _ in range(4):
        assert after.actor == 0
        after = after.play("+k")
    assert sorted(after.legal) == ["Tg3", "Tk7"]


# Dissolving: who gets which tile


def completed(
    *,
    up: tuple[str, ...],
    down: tuple[str, ...] = (),
    holder: int = 1,
    turn: int = 1,
    **others: object,
) -> Position:
    """Mandala 1 with the tiles k7 and g3 when the last colour, violet, was played into it."""
    seats = len(up)
    hands = [f"{each}{each}" for each in "royg"[:seats]]
    hands[turn - 1] = VIOLETS
    bed = Bed("k7 g3", up=up, down=down, holder=holder)
    position = flowers_position(bed, hands=tuple(hands), turn=turn, **others)  # type: ignore[arg-type]
    return position.play("1v")


def test_the_holder_of_the_marker_claims_also_in_another_seats_turn() -> None:
    after = completed(up=("rroo", "y"), holder=1, turn=2)
    assert after.actor == 1
    assert sorted(after.legal) == ["Tg3", "Tk7"]


def test_the_holder_takes_the_tile_it_names_and_the_second_gets_the_other() -> None:
    position = completed(up=("ro", "yy", "r"))
    after = position.play("Tg3")
    assert (tiles_of(after, 1), tiles_of(after, 2), tiles_of(after, 3)) == ("g3", "k7", "")
    after = position.play("Tk7")
    assert (tiles_of(after, 1), tiles_of(after, 2), tiles_of(after, 3)) == ("k7", "g3", "")


def test_second_place_is_by_all_cards() -> None:
    # Seat 3 has fewer face-up cards, but more in all.
    after = completed(up=("roro", "yy", "r"), down=("", "", "kk")).play("Tk7")
    assert tiles_of(after, 3) == "g3"


def test_second_place_needs_a_face_up_card() -> None:
    after = completed(up=("roro", "y", ""), down=("", "", "kkk")).play("Tk7")
    assert (tiles_of(after, 2), tiles_of(after, 3)) == ("g3", "")


def test_a_tie_for_second_goes_to_more_face_up_cards() -> None:
    after = completed(up=("roro", "y", "rr"), down=("", "k", "")).play("Tk7")
    assert (tiles_of(after, 2), tiles_of(after, 3)) == ("", "g3")
    after = completed(up=("roro", "yr", "r"), down=("", "", "k")).play("Tk7")
    assert (tiles_of(after, 2), tiles_of(after, 3)) == ("g3", "")


def test_on_a_full_tie_for_second_the_holder_gets_both() -> None:
    after = completed(up=("roro", "y", "r")).play("Tk7")
    assert [tiles_of(after, seat) for seat in (1, 2, 3)] == ["g3 k7", "", ""]


def test_a_third_seat_ahead_of_two_tied_ones_is_second() -> None:
    after = completed(up=("roroo", "y", "r", "oo")).play("Tk7")
    assert tiles_of(after, 4) == "g3"
    after = completed(up=("roroo", "oo", "y", "r")).play("Tk7")
    assert tiles_of(after, 2) == "g3"
    after = completed(up=("roroo", "y", "r", "o")).play("Tk7")
    assert tiles_of(after, 1) == "g3 k7"


def test_without_a_second_the_holder_gets_both_and_still_names_one() -> None:
    position = completed(up=("royy", "", ""))
    assert sorted(position.legal) == ["Tg3", "Tk7"]
    assert tiles_of(position.play("Tg3"), 1) == "g3 k7"


def test_ruling_level_counts_as_second() -> None:
    # Seat 2 reaches the holder's three cards, seat 3 has fewer.
    after = completed(up=("rro", "yy", "r"), holder=1, turn=2)
    assert after.actor == 1, "on a tie the marker stays"
    after = after.play("Tk7")
    assert [tiles_of(after, seat) for seat in (1, 2, 3)] == ["k7", "g3", ""]
    # With two seats as well.
    after = completed(up=("roo", "yy"), holder=1, turn=2).play("Tk7")
    assert [tiles_of(after, seat) for seat in (1, 2)] == ["k7", "g3"]


@pytest.mark.parametrize(("others", "first", "second"), [(3, "k7", "g3"), (2, "g3 k7", "")])
def test_check_half_is_enough(others: int, first: str, second: str) -> None:
    # The other seat just played its violet; its other cards here lie face down.
    position = completed(up=("rroyo", ""), down=("", "k" * (others - 1)), holder=1, turn=2)
    assert (len(face_up(position, 1)), len(face_up(position, 2))) == (5, 1)
    after = position.play("Tk7")
    assert (tiles_of(after, 1), tiles_of(after, 2)) == (first, second)


def test_exactly_half_is_enough_with_two_seats() -> None:
    assert tiles_of(completed(up=("rroo", "y"), turn=2).play("Tk7"), 2) == "g3"


def test_with_two_seats_half_as_many_face_down_cards_are_not_enough() -> None:
    position = completed(up=("royo", ""), down=("", "kkkk"))
    assert tiles_of(position.play("Tk7"), 1) == "g3 k7"


def test_with_three_seats_one_card_is_enough_for_second() -> None:
    assert tiles_of(completed(up=("rrrooo", "y", "")).play("Tk7"), 2) == "g3"


# Dissolving: flowers


def test_two_single_tiles_of_one_colour_form_a_flower_at_once() -> None:
    after = completed(up=("ro", "yy"), owned=("k2 r3", "g4")).play("Tk7")
    assert tiles_of(after, 1) == "r3 k2+k7"
    assert tiles_of(after, 2) == "g3+g4"
    assert list(after.state.flowers[:2]) == [1, 1]


def test_a_flower_is_never_split() -> None:
    after = completed(up=("ro", "yy"), owned=("k2+k3", "")).play("Tk7")
    assert tiles_of(after, 1) == "k2+k3 k7"
    after = completed(up=("ro", "yy"), owned=("k2+k3 k4", "")).play("Tk7")
    assert tiles_of(after, 1) == "k2+k3 k4+k7"


def test_tiles_of_other_seats_and_colours_form_no_flower() -> None:
    after = completed(up=("ro", "yy"), owned=("g2 r3", "k4")).play("Tk7")
    assert (tiles_of(after, 1), tiles_of(after, 2)) == ("r3 g2 k7", "g3 k4")


def test_the_holder_of_both_tiles_may_form_two_flowers() -> None:
    after = completed(up=("royy", ""), owned=("k2 g2", "")).play("Tk7")
    assert tiles_of(after, 1) == "g2+g3 k2+k7"


# Dissolving: cards


def test_a_seat_that_got_a_tile_discards_its_cards_and_others_take_them_back() -> None:
    after = completed(up=("ro", "yy", "r"), down=("k", "", "g")).play("Tk7")
    assert discard(after) == "royyvk"
    assert hand(after, 1) == "v" * 8
    assert hand(after, 2) == "oo"
    assert hand(after, 3) == "ryyg"
    assert [face_up(after, seat) + face_down(after, seat) for seat in (1, 2, 3)] == ["", "", ""]


def test_the_hand_may_then_exceed_eight() -> None:
    bed = Bed("k7 g3", up=("royroo", ""), down=("", "kkk"), holder=1)
    position = flowers_position(bed, hands=(VIOLETS, "o8"))
    after = position.play("1v").play("Tk7")
    assert hand(after, 2) == "oooooooo" + "kkk"


def test_cards_in_other_mandalas_stay() -> None:
    beds = (Bed("k7 g3", up=("ro", "y"), holder=1), Bed("r2 yx", up=("v", "o"), holder=1))
    after = flowers_position(*beds, hands=(VIOLETS, "oo")).play("1v").play("Tk7")
    assert (face_up(after, 1, 2), face_up(after, 2, 2)) == ("v", "o")
    assert holder(after, 2) == 1
    assert bed_tiles(after, 2) == "r2 yx"


# Dissolving: a new mandala


def test_a_dark_and_a_light_tile_begin_a_new_mandala() -> None:
    after = completed(up=("ro", "yy")).play("Tk7")
    assert set(after.chance) == {f"*{colour}{value}" for colour in "rvk" for value in "23457x"} - {
        "*k7",
        "*r2",
        "*v5",
    }
    after = after.play("*r7")
    assert {move[1] for move in after.chance} == {"o", "y", "g"}
    after = after.play("*g4")
    assert bed_tiles(after, 1) == "r7 g4"
    assert holder(after) == 0
    assert after.actor == 2


def test_play_continues_after_the_seat_that_completed() -> None:
    after = play(completed(up=("rroo", "y", "r"), holder=1, turn=2), "Tk7 *r7*g4")
    assert after.actor == 3


def test_ruling_tiles_run_out_at_once() -> None:
    after = completed(up=("ro", "yy", "r"), stack="").play("Tk7")
    assert after.chance == {"!2": 1 / 2, "!3": 1 / 2}, "at once, in the middle of the round"
    # Laying out the last two does not end it.
    after = play(completed(up=("ro", "yy", "r"), stack="r7 g4"), "Tk7 *r7*g4")
    assert after.actor == 2


TWO_FLOWERS = "r3+r4 o2+o3"


def test_ruling_no_new_mandala_after_third_flower() -> None:
    third = completed(up=("ro", "yy", "r"), owned=(f"{TWO_FLOWERS} k2", "", ""))
    after = third.play("Tk7")
    assert int(after.state.flowers[0]) == 3
    assert bed_tiles(after, 1) == ""
    assert after.actor == 2, "the round is played out"
    assert moves_with(after, "1") == []
    assert moves_with(after, "2") + moves_with(after, "3") == after.legal
    # It ends with the round: the two remaining mandalas are dissolved.
    after = play(after, "2o")
    after, _ = draw_all(after)
    assert after.actor == 3
    after = after.play("2y")
    while "!2" not in after.chance:
        after = after.play(next(iter(after.chance)))
    assert after.chance == {"!2": 1 / 2, "!3": 1 / 2}
    # Two flowers do not suffice, and three of two seats together do not.
    after = completed(up=("ro", "yy", "r"), owned=("v3+v4 k2", TWO_FLOWERS, "")).play("Tk7")
    assert "*r7" in after.chance
    # Empty stacks then end nothing.
    after = completed(up=("ro", "yy", "r"), owned=(f"{TWO_FLOWERS} k2", "", ""), stack="")
    assert after.play("Tk7").actor == 2


def test_ruling_no_new_mandala_after_third_flower_of_the_second_seat() -> None:
    after = completed(up=("ro", "yy", "r"), owned=("", f"{TWO_FLOWERS} g2", "")).play("Tk7")
    assert int(after.state.flowers[1]) == 3
    assert (bed_tiles(after, 1), after.actor) == ("", 2)


def test_ruling_no_new_mandala_after_third_flower_in_the_rest_of_the_round() -> None:
    # Seat 1 has three flowers; seat 2 completes mandala 2, which is not replaced either.
    beds = (None, Bed("k7 g3", up=("ro", "yy", ""), holder=2), None)
    position = flowers_position(
        *beds, hands=("rr", VIOLETS, "oo"), owned=(f"{TWO_FLOWERS} y3+y4", "", ""), turn=2
    )
    after = play(position, "2v Tk7")
    assert after.actor == 3
    assert after.legal == ["-"], "with no mandala left, seats pass"
    assert after.play("-").is_over


def test_the_game_ends_at_once_when_the_last_seat_of_a_round_forms_the_third_flower() -> None:
    after = completed(up=("ro", "yy"), owned=("", f"{TWO_FLOWERS} k2"), holder=2, turn=2)
    after = after.play("Tk7")
    assert after.chance == {"!2": 1 / 2, "!3": 1 / 2}


# Game end


def last_turn(
    *beds: Bed | None,
    hands: tuple[str, ...] = ("rr", "r9"),
    owned: tuple[str, ...] = ("r3+r4 o2+o3 y3+y4", ""),
) -> Position:
    """The game ends after the play of the last seat: two reds into mandala 3."""
    position = flowers_position(*beds, hands=hands, owned=owned, turn=len(hands))
    return position.play("3rr")


def test_mandalas_left_are_dissolved_in_random_order() -> None:
    beds = (Bed("k7 g3"), Bed("r2 yx", up=("ooo", ""), holder=1), Bed("v5 o4"))
    after = last_turn(*beds)
    assert after.chance == {"!1": 1 / 3, "!2": 1 / 3, "!3": 1 / 3}
    after = after.play("!2")
    assert after.actor == 1
    after = after.play("Tr2")
    assert tiles_of(after, 1).split()[0] == "r2"
    assert after.chance == {"!1": 1 / 2, "!3": 1 / 2}, "no mandala is replaced"
    after = after.play("!1")
    assert after.chance == {"!3": 1}, "the last one is still written"
    after = after.play("!3")
    assert sorted(after.legal) == ["To4", "Tv5"]
    over = after.play("Tv5")
    assert over.is_over
    assert tiles_of(over, 2) == "o4 v5"
    assert over.legal == []


def test_flowers_still_form_in_the_final_dissolving() -> None:
    after = play(last_turn(owned=("r3+r4 o2+o3 y3+y4", "v2")), "!3 Tv5")
    assert tiles_of(after, 2) == "o4 v2+v5"


def test_second_place_counts_in_the_final_dissolving() -> None:
    bed = Bed("v5 o4", up=("yy", ""), holder=1)
    after = last_turn(Bed("k7 g3"), Bed("r2 yx"), bed)
    after = play(after, "!3 Tv5")
    assert tiles_of(after, 2) == "o4"


def test_ruling_unheld_marker_gives_no_tiles() -> None:
    beds = (Bed("k7 g3", down=("kk", "g")), Bed("r2 yx"), Bed("v5 o4"))
    before = last_turn(*beds)
    after = before.play("!1")
    assert after.chance == {"!2": 1 / 2, "!3": 1 / 2}, "nobody claims"
    assert (hand(after, 1), hand(after, 2)) == ("rrkk", "rrrrrrr" + "g")
    assert [tiles_of(after, seat) for seat in (1, 2)] == [tiles_of(before, 1), ""]
    assert discard(after) == ""


# Scoring


FLOWER_POINTS = {
    **{"23": 7, "24": 8, "25": 9, "27": 11, "34": 10, "35": 11, "37": 13, "45": 13, "47": 15},
    **{"57": 17, "2x": 6, "3x": 9, "4x": 12, "5x": 15, "7x": 21},
}


@pytest.mark.parametrize(("pair", "points"), FLOWER_POINTS.items())
def test_check_flower_points(pair: str, points: int) -> None:
    one, two = pair[0], pair[1]
    beds = (Bed("v2 o2"), Bed("v3 o3"), Bed("v4 o4"))
    for flower in (f"k{one}+k{two}", f"k{two}+k{one}"):
        assert flowers_position(*beds, hands=("rr", "oo"), owned=(flower, "")).scores == [points, 0]


@pytest.mark.parametrize(
    ("tile", "points"), [("r3", 3), ("r4", 4), ("r5", 5), ("r7", 7), ("k2", 2), ("rx", 0)]
)
def test_a_single_tile_scores_its_number_and_a_single_triple_nothing(
    tile: str, points: int
) -> None:
    assert flowers_position(hands=("rr", "oo"), owned=("", tile)).scores == [0, points]


def test_all_tiles_of_a_seat_count() -> None:
    owned = ("k2 g4+gx r7", "y5")
    assert flowers_position(hands=("rr", "oo"), owned=owned).scores == [2 + 12 + 7, 5]


def over(hands: tuple[str, ...], owned: tuple[str, ...]) -> Position:
    """A game without mandalas, which ends with a pass."""
    position = flowers_position(None, None, None, hands=hands, owned=owned, passes=len(hands) - 1)
    return position.play("-")


def test_most_points_win() -> None:
    assert over(("r", "oooo"), ("r5", "r4")).winners == [1]
    assert over(("rrrr", "o"), ("r4", "r5")).winners == [2]


def test_tie_is_for_more_hand_cards_among_those_level() -> None:
    assert over(("rr", "ooo", "y8"), ("r5", "k5", "k4")).winners == [2]
    assert over(("rrr", "oo", "y8"), ("r5", "k5", "k4")).winners == [1]


def test_still_tied_is_shared() -> None:
    assert over(("rr", "oo", "y"), ("r5", "k5", "v5")).winners == [1, 2]
    assert over(("rr", "oo", "yy"), ("r5", "k5", "v5")).winners == [1, 2, 3]


def test_ruling_tie_break_after_final_dissolving() -> None:
    # Before it, seat 2 has more hand cards; then six face-down cards of seat 1 come back.
    beds = (Bed("k7 g3", down=("kkkkkk", "")), None, Bed("v2 o4"))
    owned = ("r3+r4 o2+o3 y3+y4", "v3+v4 y2+y7")  # seat 2 will get v2 and o4
    position = flowers_position(*beds, hands=("rr", "rrrrr"), owned=owned, turn=2)
    after = play(position, "3rr !1 !3 Tv2")
    assert after.scores == [10 + 7 + 10, 10 + 11 + 2 + 4]
    assert (len(hand(after, 1)), len(hand(after, 2))) == (2 + 6, 3)
    assert after.winners == [1]


# What a seat may know


def test_ruling_flowers_stay_readable() -> None:
    position = flowers_position(hands=("rr", "oo", "yy"), owned=("k2 g4+gx", "", ""))
    for seat in (1, 2, 3, None):
        view = position.view(seat)
        assert view.state.owner.tolist() == position.state.owner.tolist()
        assert view.state.partner.tolist() == position.state.partner.tolist()
        assert view.scores == position.scores


def test_hands_are_secret_but_not_their_size() -> None:
    position = flowers_position(hands=("rrk", "oo", "y"))
    assert letters(position.view(1).state.hand[0]) == "rrk"
    assert letters(position.view(2).state.hand[0]) == "???"
    assert letters(position.view(None).state.hand[1]) == "??"


def test_face_down_cards_and_cards_taken_back_are_known_to_all() -> None:
    position = completed(up=("ro", "yy", "r"), down=("k", "", "g"))
    for seat in (1, 2, 3, None):
        view = position.view(seat).state
        assert (letters(view.laid[0, 0, 1]), letters(view.laid[2, 0, 1])) == ("k", "g")
    after = play(position, "Tk7 *r7*g4")
    assert letters(after.view(1).state.hand[2]) == "rg??"
    assert letters(after.view(None).state.hand[2]) == "rg??"
    # They stay known until they are played.
    after = play(after, "2o+kkkk 2g+kkkk")
    assert letters(after.view(1).state.hand[2]) == "r??????"


def test_the_pile_is_secret_until_it_was_shuffled() -> None:
    position = flowers_position(hands=("rr", "oo"), pile="v", discard="yyk", rest="hand")
    assert letters(position.view(1).state.pile) == "?"
    after = play(position, "1r+v")
    for seat in (1, 2, None):
        assert letters(after.view(seat).state.pile) == "yyk"


def test_draws_into_a_hand_are_seen_by_its_seat_alone() -> None:
    position = play(mandala.new("flowers"), EXAMPLE)
    tiles = "*k7*g3*r2*yx*v5*o4"
    assert "".join(position.view(1).moves) == (
        tiles + "+r+r+g+o+y" + "+?" * 6 + "1r+k+g+y+o1vv1o+v1y+?+?+?+?Tk7*v2*o51v+k"
    )
    assert "".join(position.view(None).moves) == (
        tiles + "+?" * 11 + "1r+?+?+?+?1vv1o+?1y+?+?+?+?Tk7*v2*o51v+?"
    )
