"""The rules of Mandala, in the order of docs/rules/mandala.md."""

from __future__ import annotations

import pytest

import mandala
from mandala.core.position import Position
from tests.build import (
    Areas,
    draw_all,
    draws_after,
    letters,
    mandala_position,
    moves_with,
    play,
)

GAME = "mandala"

# The part of a game that the rules page explains move by move.
SETUP = "+gv +ro +yykrgo+vk +rroygv+gk"
EXAMPLE = f"{SETUP} A1g+oyr B1rr B1yyy A1o+kvg A1k+gyv Tg Tv To Tk+ry"

# Lacks only black; the fields are level.
LACKS_BLACK = Areas(centre="rro", fields=("gg", "yv"))


def hand(position: Position, seat: int) -> str:
    return letters(position.state.hand[seat - 1])


def river(position: Position, seat: int) -> str:
    """The colours of a river, from place 1 on."""
    places = position.state.river[seat - 1]
    by_place = {int(place): "roygvk"[colour] for colour, place in enumerate(places) if place}
    return "".join(by_place[place] for place in sorted(by_place))


def cup(position: Position, seat: int) -> str:
    """Cards that came into a cup from a centre."""
    return letters(position.state.cup[seat - 1])


def choosers(position: Position) -> list[int | None]:
    """The seats that choose, one after the other, until nobody takes a colour any more."""
    seats = []
    while position.legal and position.legal[0][0] == "T":
        seats.append(position.actor)
        position = position.play(position.legal[0])
    return seats


# Material and setup


def test_ruling_even_colour_split() -> None:
    start = mandala.new("mandala")
    assert letters(start.state.pile) == "".join(letter * 18 for letter in "roygvk")
    assert start.chance == {f"+{letter}": 18 / 108 for letter in "roygvk"}


def test_cards_are_drawn_by_their_number_in_the_pile() -> None:
    after = play(mandala.new("mandala"), "+rrk")
    assert after.chance["+r"] == 16 / 105
    assert after.chance["+k"] == 17 / 105
    assert after.chance["+g"] == 18 / 105


def test_setup_goes_to_the_centres_then_to_hand_and_cup_of_each_seat() -> None:
    position = play(mandala.new("mandala"), SETUP)
    assert [letters(row) for row in position.state.centre] == ["gv", "ro"]
    assert hand(position, 1) == letters([1, 1, 2, 1, 0, 1])
    assert letters(position.state.secret[0]) == "vk"
    assert hand(position, 2) == "rroygv"
    assert letters(position.state.secret[1]) == "gk"
    assert position.actor == 1


def test_both_cards_of_a_centre_may_have_the_same_colour() -> None:
    assert "+r" in play(mandala.new("mandala"), "+r").chance


def test_the_example_of_the_rules_page() -> None:
    position = play(mandala.new("mandala"), EXAMPLE)
    assert position.actor == 2
    assert river(position, 1) == "go"
    assert cup(position, 1) == "g"
    assert river(position, 2) == "vk"
    assert letters(position.state.centre[0]) == "ry"
    assert letters(position.state.discard) == "rryyy"
    assert position.scores == [1, 2]


# The golden rule


def test_check_golden_rule_example() -> None:
    position = mandala_position(
        Areas(centre="yv", fields=("or", "g")), Areas(), hands=("roygvk", "oo")
    )
    assert sorted(moves_with(position, "A1")) == ["A1k", "A1v", "A1y"]
    assert sorted(moves_with(position, "B1")) == ["B1k", "B1o", "B1r"]


def test_golden_rule_seen_from_seat_2() -> None:
    position = mandala_position(
        Areas(centre="yv", fields=("or", "g")), Areas(), hands=("rr", "roygvk"), turn=2
    )
    assert sorted(moves_with(position, "A1")) == ["A1k", "A1v", "A1y"]
    assert sorted(moves_with(position, "B1")) == ["B1g", "B1k"]


def test_golden_rule_looks_at_one_mandala_alone() -> None:
    position = mandala_position(
        Areas(centre="yv", fields=("or", "g")), Areas(), hands=("roygvk", "oo")
    )
    assert sorted(moves_with(position, "A2")) == [f"A2{letter}" for letter in "gkorvy"]
    assert sorted(moves_with(position, "B2")) == [f"B2{letter}" for letter in "gkorvy"]


def test_more_of_a_colour_may_be_added_where_it_is() -> None:
    position = mandala_position(Areas("y", ("o", "")), Areas(), hands=("yo", "rr"))
    position = play(position, "A1y +rrr")
    assert letters(position.state.centre[0]) == "yy"
    position = play(position, "Cr+k B1o")
    assert letters(position.state.field[0, 0]) == "oo"


# Action A


def test_action_a_puts_one_card_into_a_centre() -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=("rrk", "oo"))
    after = play(position, "A2r")
    assert [letters(row) for row in after.state.centre] == ["y", "rg"]
    assert hand(after, 1) == "rk"


@pytest.mark.parametrize(
    ("cards", "drawn"), [("r8", 1), ("r7", 2), ("r6", 3), ("r5", 3), ("r3", 3), ("r", 3)]
)
def test_check_draw_up_to_eight(cards: str, drawn: int) -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=(cards, "oo"))
    assert draws_after(position, "A1r") == drawn


def test_ruling_draw_not_optional() -> None:
    after = mandala_position(Areas("y"), Areas("g"), hands=("rrk", "oo")).play("A1r")
    for drawn in range(3):
        assert (after.actor, after.legal) == (0, []), f"after {drawn} cards"
        after = after.play("+v")
    assert hand(after, 1) == "rvvvk"
    assert after.actor == 2


# Action B


def test_action_b_puts_one_or_more_cards_into_the_own_field() -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=("rrrk", "oo"))
    assert moves_with(position, "B1r") == ["B1r", "B1rr", "B1rrr"]
    after = position.play("B1rr")
    assert letters(after.state.field[0, 0]) == "rr"
    assert letters(after.state.field[1, 0]) == ""
    assert hand(after, 1) == "rk"


def test_action_b_draws_nothing() -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=("rrrk", "oo"))
    assert position.play("B1r").actor == 2


def test_action_b_leaves_a_card_in_the_hand() -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=("rrr", "oo"))
    assert moves_with(position, "B2") == ["B2r", "B2rr"]
    only = mandala_position(Areas("y"), Areas("g"), hands=("r", "oo"))
    assert moves_with(only, "B") == []


# Action C


def test_action_c_discards_cards_of_one_colour_and_draws_as_many() -> None:
    position = mandala_position(Areas("y"), Areas("g"), hands=("rrrk", "oo"))
    after = play(position, "Crr+v")
    assert letters(after.state.discard) == "rr"
    assert after.actor == 0
    after = after.play("+g")
    assert hand(after, 1) == "rgvk"
    assert after.actor == 2


def test_action_c_knows_no_golden_rule_and_allows_the_whole_hand() -> None:
    position = mandala_position(Areas("r", ("o", "y")), Areas("r"), hands=("r8", "oo"))
    assert moves_with(position, "C") == ["C" + "r" * number for number in range(1, 9)]
    assert draws_after(position, "Crrrrrrrr") == 8


def test_action_c_never_completes_a_mandala() -> None:
    position = mandala_position(LACKS_BLACK, Areas("g"), hands=("kk", "oo"))
    assert play(position, "Ck+k").actor == 2
    assert sorted(moves_with(play(position, "Ck+k"), "T")) == []


# Completion: who chooses first


@pytest.mark.parametrize("last", [1, 2])
@pytest.mark.parametrize(("fields", "first"), [(("gggg", "yyv"), 1), (("ggg", "yyyv"), 2)])
def test_check_larger_field_chooses_first(fields: tuple[str, str], first: int, last: int) -> None:
    position = mandala_position(Areas("ro", fields), Areas("g"), hands=("kk", "kk"), turn=last)
    after, _ = draw_all(position.play("A1k"))
    assert after.actor == first
    assert sorted(after.legal) == ["Tk", "To", "Tr"]


@pytest.mark.parametrize("fields", [("gg", "yv"), ("", "")])
@pytest.mark.parametrize("last", [1, 2])
def test_tie_is_for_the_seat_that_did_not_play_the_last_card(
    fields: tuple[str, str], last: int
) -> None:
    centre = "ro" if fields[0] else "royygv"
    position = mandala_position(Areas(centre, fields), Areas("g"), hands=("kk", "kk"), turn=last)
    after, _ = draw_all(position.play("A1k"))
    assert after.legal[0][0] == "T"
    assert after.actor == 3 - last


@pytest.mark.parametrize("last", [1, 2])
def test_cards_just_played_to_a_field_count_for_choosing_first(last: int) -> None:
    fields = ("g", "yv") if last == 1 else ("yv", "g")
    position = mandala_position(Areas("ro", fields), Areas("g"), hands=("kkk", "kkk"), turn=last)
    assert position.play("B1k").actor == 3 - last  # two against two: a tie
    assert position.play("B1kk").actor == last  # three against two


def test_five_colours_are_not_complete() -> None:
    after = play(
        mandala_position(Areas("ro", ("g", "v")), Areas("g"), hands=("kk", "oo")), "A1k+rrr"
    )
    assert moves_with(after, "T") == []
    assert after.actor == 2


def test_colours_of_the_other_mandala_do_not_complete() -> None:
    after = play(mandala_position(Areas("roy"), Areas("gv"), hands=("kk", "oo")), "A1k+rrr")
    assert after.actor == 2
    assert moves_with(after, "T") == []


# Dissolving


def dissolving(**others: object) -> Position:
    """Mandala 1 dissolves: rro and black in the centre, seat 2 with the larger field begins."""
    position = mandala_position(
        Areas("rro", ("g", "yv")),
        Areas("g", ("v", "")),
        hands=("kk", "oo"),
        **others,  # type: ignore[arg-type]
    )
    return play(position, "A1k+vvv")


def test_seats_choose_in_turn_until_the_centre_is_empty() -> None:
    assert choosers(dissolving()) == [2, 1, 2]


def test_a_choice_takes_all_cards_of_one_colour() -> None:
    after = dissolving().play("Tr")
    assert letters(after.state.centre[0]) == "ok"
    assert sorted(after.legal) == ["Tk", "To"]


def test_a_new_colour_puts_one_card_on_the_first_free_place_and_the_rest_into_the_cup() -> None:
    after = dissolving(rivers=("", "g")).play("Tr")
    assert river(after, 2) == "gr"
    assert cup(after, 2) == "r"


def test_a_single_card_of_a_new_colour_goes_to_the_river_alone() -> None:
    after = dissolving().play("Tk")
    assert river(after, 2) == "k"
    assert cup(after, 2) == ""


def test_a_colour_already_in_the_river_goes_into_the_cup() -> None:
    after = dissolving(rivers=("", "gr")).play("Tr")
    assert river(after, 2) == "gr"
    assert cup(after, 2) == "rr"


def test_a_seat_without_a_field_card_chooses_in_turn_but_discards_what_it_takes() -> None:
    position = mandala_position(Areas("rrog", ("", "yv")), Areas("g"), hands=("kk", "oo"))
    after = play(position, "A1k+vvv To Tr")
    assert letters(after.state.discard) == "rr"
    assert river(after, 1) == ""
    assert cup(after, 1) == ""
    assert after.actor == 2


def test_the_field_of_the_other_mandala_does_not_help() -> None:
    position = mandala_position(Areas("rrog", ("", "yv")), Areas("g", ("o", "")), hands=("kk", "o"))
    after = play(position, "A1k+vvv To Tr")
    assert river(after, 1) == ""
    assert letters(after.state.discard) == "rr"


def test_fields_are_discarded_and_two_cards_open_the_centre_anew() -> None:
    after = play(dissolving(), "Tr To Tk")
    assert letters(after.state.discard) == "ygv"
    assert [letters(row) for row in after.state.field[:, 0]] == ["", ""]
    assert [letters(row) for row in after.state.field[:, 1]] == ["v", ""]
    assert after.actor == 0
    after = play(after, "+ry")
    assert letters(after.state.centre[0]) == "ry"
    assert letters(after.state.centre[1]) == "g"
    assert after.actor == 2


@pytest.mark.parametrize("last", [1, 2])
@pytest.mark.parametrize("fields", [("ggg", "yv"), ("g", "yv")])
def test_play_passes_to_the_opponent_of_the_seat_that_completed(
    fields: tuple[str, str], last: int
) -> None:
    position = mandala_position(Areas("ro", fields), Areas("g"), hands=("kk", "kk"), turn=last)
    after, _ = draw_all(position.play("A1k"))
    while after.legal[0][0] == "T":
        after, _ = draw_all(after.play(after.legal[0]))
    assert after.actor == 3 - last


def test_no_golden_rule_while_dissolving() -> None:
    assert dissolving().legal == [
        move for move in ["Tr", "To", "Ty", "Tg", "Tv", "Tk"] if move[1] in "rok"
    ]


# Draw pile empty: the last phase


def in_last_phase(position: Position) -> bool:
    """Whether the last phase is on."""
    return bool(position.state.last_phase)


def test_ruling_last_phase_without_shuffle() -> None:
    position = mandala_position(
        LACKS_BLACK, Areas("g"), hands=("oo", "kk"), pile="v", discard="", rest="cup"
    )
    after = play(position, "A2o+v")
    assert in_last_phase(after)
    assert letters(after.state.pile) == ""
    after = play(after, "A1k")
    while not after.is_over:
        after = after.play(after.legal[0])
    assert letters(after.state.centre[0]) == "", "no centre is opened any more"


def test_pile_of_more_cards_than_are_drawn_begins_no_last_phase() -> None:
    position = mandala_position(LACKS_BLACK, Areas("g"), hands=("oo", "kk"), pile="vvvv")
    assert not in_last_phase(play(position, "A2o+vvv"))


def test_ruling_the_moment_is_literal() -> None:
    areas = (Areas("rro", ("g", "yv")), Areas("g"))
    # The last card leaves and no other is missing: the phase begins and the piles are one.
    position = mandala_position(*areas, hands=("oo", "kk"), pile="vvv", discard="rr")
    after = play(position, "A2o+vvv")
    assert in_last_phase(after)
    assert (letters(after.state.pile), letters(after.state.discard)) == ("rr", "")
    # In the middle of a draw, which goes on from the new pile.
    position = mandala_position(*areas, hands=("oo", "kk"), pile="v", discard="rrk")
    after = play(position, "A2o+v")
    assert after.chance == {"+r": 2 / 3, "+k": 1 / 3}
    assert in_last_phase(after)
    assert hand(play(after, "+kr"), 1) == "rovk"
    # In action C the cards just discarded are part of the shuffle.
    position = mandala_position(*areas, hands=("ooy", "kk"), pile="v", discard="")
    after = play(position, "Coo+v")
    assert after.chance == {"+o": 1}
    assert hand(after.play("+o"), 1) == "oyv"
    # In the refill of a centre: the game goes on, and the fields just cleared are shuffled.
    position = mandala_position(*areas, hands=("kk", "ro"), pile="vvvv", discard="")
    after = play(position, "A1k+vvv Tr To Tk")
    assert not in_last_phase(after)
    after = after.play("+v")
    assert in_last_phase(after)
    assert set(after.chance) == {"+y", "+g", "+v"}
    assert after.play("+y").actor == 2
    assert letters(after.play("+y").state.centre[0]) == "yv"


def test_ruling_draw_before_completion() -> None:
    areas = (Areas("rro", ("g", "yv")), Areas("g"))
    ends = mandala_position(*areas, hands=("kk", "oo"), pile="vvv", discard="rr")
    assert play(ends, "A1k+vvv Tr To Tk").is_over
    goes_on = mandala_position(*areas, hands=("kk", "oo"), pile="vvvvv", discard="rr")
    assert not play(goes_on, "A1k+vvv Tr To Tk").is_over


def test_ruling_reshuffle_as_often_as_needed() -> None:
    areas = (LACKS_BLACK, Areas("g"))
    position = mandala_position(*areas, hands=("oo", "kkr"), pile="v", discard="y")
    # The pile empties, is shuffled, empties again; there is nothing to shuffle: two cards, not 3.
    after = play(position, "A2o+vy")
    assert hand(after, 1) == "oyv"
    assert after.actor == 2
    # What is discarded next is shuffled when the draw needs it.
    after = after.play("Ckk")
    assert after.chance == {"+k": 1}
    after = play(after, "+kk")
    assert (hand(after, 2), after.actor) == ("rkk", 1)
    # And again.
    assert after.play("Co").chance == {"+o": 1}


def test_ruling_only_card_not_to_centre() -> None:
    areas = (LACKS_BLACK, Areas("g"))
    position = mandala_position(*areas, hands=("k", "oo"), pile="", last_phase=True)
    assert position.legal == ["Ck"]
    after = position.play("Ck")
    assert after.chance == {"+k": 1}
    assert hand(after.play("+k"), 1) == "k"
    assert after.play("+k").actor == 2
    # With one card left to draw, or one to shuffle, it is legal.
    assert "A1k" in mandala_position(*areas, hands=("k", "oo"), pile="v").legal
    discard = mandala_position(*areas, hands=("k", "oo"), pile="", discard="v", last_phase=True)
    assert "A1k" in discard.legal
    # With two cards in the hand the other one stays.
    two = mandala_position(*areas, hands=("kr", "oo"), pile="", last_phase=True)
    assert "A1k" in two.legal


# Game end


def test_in_the_last_phase_the_next_mandala_dissolved_ends_the_game() -> None:
    position = mandala_position(LACKS_BLACK, Areas("g"), hands=("kk", "oo"), last_phase=True)
    after = play(position, "A1k+vvv Tr To")
    assert not after.is_over
    after = after.play("Tk")
    assert after.is_over
    assert (after.legal, after.chance, after.actor) == ([], {}, None)


def test_a_sixth_colour_in_a_river_ends_the_game_when_the_centre_is_shared_out() -> None:
    after = dissolving(rivers=("", "oygvk")).play("Tr")
    assert river(after, 2) == "oygvkr"
    assert not after.is_over, "the choosing is finished first"
    after = play(after, "To Tk")
    assert after.is_over
    assert letters(after.state.centre[0]) == "", "no centre is opened any more"


def test_a_fifth_colour_does_not_end_the_game() -> None:
    assert not play(dissolving(rivers=("", "gyv")), "Tr To Tk").is_over


def test_the_sixth_colour_of_seat_1_ends_the_game_too() -> None:
    assert play(dissolving(rivers=("oygvk", "")), "To Tr Tk").is_over


def test_fields_hands_and_the_other_mandala_count_for_nothing() -> None:
    over = play(dissolving(rivers=("oygvk", "")), "To Tr Tk")
    # Seat 1: one of the reds it took and its two starting reds, at place 6. Seat 2: its two
    # starting oranges at place 1. Hands, fields and the other centre hold more of these colours.
    assert over.scores == [3 * 6, 2 * 1]


# House rules


def dead(hands: tuple[str, str] = ("rr", "oo"), **others: object) -> Position:
    """No mandala has black, and all other blacks lie in cups and rivers."""
    blacks = "".join(hands).count("k")
    return mandala_position(
        Areas("r", ("o", "")),
        Areas("g"),
        hands=hands,
        cups=("k8", f"k{10 - blacks}"),
        **others,  # type: ignore[arg-type]
    )


def test_ruling_dead_position() -> None:
    # Looked at when a turn is over: after the draws of A and C, and at once after B.
    for text in ("B2r", "A1r +vvv", "Cr +v"):
        moves = text.split()
        after = dead().play(moves[0])
        for draw in moves[1][1:] if len(moves) > 1 else "":
            assert not after.is_over
            after = after.play(f"+{draw}")
        assert after.is_over, text
    # One black card in a hand, in the pile or on the discard pile keeps the game alive …
    assert not dead(hands=("rr", "ok")).play("B2r").is_over
    alive = mandala_position(Areas("r", ("o", "")), Areas("g"), cups=("k8", "k9"))
    assert not alive.play("B2r").is_over
    alive = mandala_position(Areas("r", ("o", "")), Areas("g"), cups=("k8", "k9"), discard="k")
    assert not alive.play("B2r").is_over
    # … and so does one that lies in a mandala where nothing else is used up.
    for areas in (Areas("gk"), Areas("g", ("k", "")), Areas("g", ("", "k"))):
        alive = mandala_position(Areas("r", ("o", "")), areas, cups=("k8", "k9"))
        assert not alive.play("B2r").is_over
    # The colours that two mandalas lack may differ.
    differ = mandala_position(
        Areas("rk", ("", "")), Areas("gv"), hands=("rr", "oo"), cups=("k9v9", "k8v8")
    )
    assert differ.play("B2r").is_over


def test_ruling_dead_position_waits_for_dissolving_and_refill() -> None:
    # The last black comes into a cup: from then on no mandala can be completed.
    position = mandala_position(
        Areas("rro", ("g", "yv")), Areas("g"), hands=("kr", "oo"), cups=("k8", "k9")
    )
    after = play(position, "A1k+vvv")
    for move in ("Tk", "To", "Tr", "+v"):
        after = after.play(move)
        assert not after.is_over, move
    assert after.play("+v").is_over


def test_cards_in_rivers_and_starting_cups_are_used_up_too() -> None:
    position = mandala_position(
        Areas("r", ("o", "")),
        Areas("g"),
        secrets=("kk", "kk"),
        rivers=("k", "k"),
        cups=("k6", "k6"),
    )
    assert position.play("B2r").is_over


def test_ruling_forty_discards() -> None:
    areas = (LACKS_BLACK, Areas("g"))
    position = mandala_position(*areas)
    for number in range(1, 41):
        assert not position.is_over, f"after {number - 1} discards"
        position = position.play(moves_with(position, "C")[0])
        assert not position.is_over, "looked at after the draws"
        position, _ = draw_all(position)
    assert position.is_over
    # Actions A and B begin the count again.
    for other in ("A2r+vvv", "B2r"):
        position = play(mandala_position(*areas, discards=39), f"{other} Co+v")
        assert not position.is_over
    assert play(mandala_position(*areas, discards=39), "Cr+v").is_over


# Scoring


def test_check_cup_scores_53() -> None:
    position = mandala_position(
        Areas("y"), Areas("g"), rivers=("roygvk", ""), secrets=("rr", "oo"), cups=("r2o5y6v3k", "")
    )
    assert position.scores[0] == 4 + 10 + 18 + 0 + 15 + 6 == 53


def test_colours_missing_in_the_river_and_river_cards_score_nothing() -> None:
    position = mandala_position(
        Areas("y"), Areas("g"), rivers=("", "gk"), secrets=("rr", "oo"), cups=("kkkk", "vvvv")
    )
    assert position.scores == [0, 0]


def ending(**others: object) -> Position:
    """The game ends after the fortieth discard in a row."""
    position = mandala_position(LACKS_BLACK, Areas("g"), discards=39, **others)  # type: ignore[arg-type]
    return play(position, "Cr+r")


def test_most_points_win() -> None:
    over = ending(rivers=("gr", "o"))
    assert (over.scores, over.winners) == ([4, 2], [1])
    over = ending(rivers=("r", "go"))
    assert (over.scores, over.winners) == ([2, 4], [2])


def test_nobody_has_won_while_the_game_is_on() -> None:
    assert mandala_position(LACKS_BLACK, Areas("g"), rivers=("r", "")).winners == []


@pytest.mark.parametrize(("cups", "winner"), [(("k", "kk"), 1), (("kk", "k"), 2)])
def test_tie_is_broken_by_fewer_cards_in_the_cup(cups: tuple[str, str], winner: int) -> None:
    over = ending(rivers=("r", "o"), cups=cups)
    assert (over.scores, over.winners) == ([2, 2], [winner])


def test_ruling_tie_break_counts_whole_cup() -> None:
    # Seat 1 has one card that scores and three that do not; seat 2 has two that score.
    over = ending(rivers=("ro", "o"), secrets=("ok", "oo"), cups=("yy", ""))
    assert (over.scores, over.winners) == ([2, 2], [2])


def test_ruling_full_tie_is_shared() -> None:
    over = ending(rivers=("r", "o"), cups=("k", "k"))
    assert (over.scores, over.winners) == ([2, 2], [1, 2])


# What a seat may know


def test_ruling_shown_stays_visible() -> None:
    after = play(dissolving(), "Tr To Tk+ry")
    for seat in (1, 2, None):
        view = after.view(seat).state
        assert letters(view.cup[1]) == "r", "both saw it come from the centre"
        assert letters(view.discard) == "ygv"
    assert letters(after.view(1).state.secret[1]) == "??"
    assert letters(after.view(2).state.secret[1]) == "oo"
    assert letters(after.view(None).state.secret[0]) == "??"
    # After a reshuffle everybody knows what the pile holds.
    position = mandala_position(
        LACKS_BLACK, Areas("g"), hands=("oo", "kk"), pile="vvv", discard="r"
    )
    shuffled = play(position, "A2o+vvv")
    for seat in (1, 2, None):
        assert letters(shuffled.view(seat).state.pile) == "r"


def test_hands_are_secret_but_not_their_size() -> None:
    position = mandala_position(LACKS_BLACK, Areas("g"), hands=("rrk", "oo"))
    assert letters(position.view(1).state.hand[0]) == "rrk"
    assert letters(position.view(2).state.hand[0]) == "???"
    assert letters(position.view(None).state.hand[1]) == "??"


def test_the_draw_pile_is_secret_but_not_its_size() -> None:
    position = mandala_position(LACKS_BLACK, Areas("g"), hands=("rrk", "oo"))
    size = len(letters(position.state.pile))
    for seat in (1, 2, None):
        assert letters(position.view(seat).state.pile) == "?" * size


def test_draws_into_hand_and_cup_are_seen_by_their_seat_alone() -> None:
    position = play(mandala.new("mandala"), EXAMPLE)
    seen = "".join(position.view(2).moves)
    assert seen == (
        "+g+v+r+o" + "+?" * 8 + "+r+r+o+y+g+v+g+kA1g+?+?+?B1rrB1yyyA1o+k+v+gA1k+?+?+?TgTvToTk+r+y"
    )
    spectator = "".join(position.view(None).moves)
    assert spectator == (
        "+g+v+r+o" + "+?" * 16 + "A1g+?+?+?B1rrB1yyyA1o+?+?+?A1k+?+?+?TgTvToTk+r+y"
    )
