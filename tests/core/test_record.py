"""Game records: reading, writing, and the errors with their places."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest

import mandala
from mandala.core.position import Position
from mandala.core.record import MAX_MOVES, Record, read_records
from mandala.core.replay import boards, check, decisions, replay
from mandala.core.view import View
from mandala.text.errors import (
    IllegalMove,
    InvalidMove,
    InvalidRecord,
    MandalaError,
    Place,
    UnknownGame,
)
from tests.samples import (
    FLOWERS_DEALT,
    FLOWERS_TILES,
    HIDDEN_SEATINGS,
    MANDALA_MOVES,
    MANDALA_SEAT_2,
    MANDALA_SETUP,
    MANDALA_SPECTATOR,
    PATTERNS_DRAWN,
    PATTERNS_END,
    PATTERNS_SETUP,
    PATTERNS_WON,
    SEATINGS,
    text_of,
)


def records_of(text: str | bytes) -> Iterator[Record]:
    if isinstance(text, bytes):
        return read_records(io.BytesIO(text))
    return read_records(io.StringIO(text))


def read(text: str | bytes) -> list[Record]:
    return list(records_of(text))


def read_one(text: str | bytes) -> Record:
    (record,) = read(text)
    return record


def first_error(text: str | bytes) -> MandalaError:
    """The first error when every record of a text is checked."""
    with pytest.raises(MandalaError) as raised:
        list(map(check, records_of(text)))
    return raised.value


def place_in(text: str, part: str, record: int = 0) -> Place:
    """The place of a part in a text."""
    before = text[: text.index(part)]
    return Place(before.count("\n") + 1, len(before) - before.rfind("\n"), record)


UNFINISHED = text_of("mandala", MANDALA_MOVES, Result="*")


# Moves and chance moves


def test_joined_and_separate_chance_moves_are_the_same() -> None:
    separate = " ".join(f"+{letter}" for letter in "gvro") + " " + MANDALA_SETUP.split(" ", 2)[2]
    assert read_one(text_of("mandala", separate)) == read_one(text_of("mandala", MANDALA_SETUP))
    joined = read_one(text_of("mandala", f"{MANDALA_SETUP} A1g+oyr"))
    assert joined.moves[-4:] == ("A1g", "+o", "+y", "+r")
    for written in ("A1g +oyr", "A1g +o+y+r", "A1g+o +y +r", "A1g\n+oy\n\t+r", "A1g   +oyr"):
        assert read_one(text_of("mandala", f"{MANDALA_SETUP} {written}")) == joined


def test_blanks_may_be_left_out_before_plus_star_and_exclamation_mark() -> None:
    record = read_one(text_of("flowers", FLOWERS_DEALT.replace(" ", ""), Seats="3"))
    assert record.moves == read_one(text_of("flowers", FLOWERS_DEALT, Seats="3")).moves
    assert read_one(text_of("flowers", "*k7!2Tg5!1")).moves == ("*k7", "!2Tg5", "!1")


@pytest.mark.parametrize(
    ("joined", "word"), [("A1gB1rr", "A1gB1rr"), ("A1g+oyrB1rr", "+B"), ("A1g-", "A1g-")]
)
def test_blanks_may_be_left_out_nowhere_else(joined: str, word: str) -> None:
    error = first_error(text_of("mandala", f"{MANDALA_SETUP} {joined}"))
    assert isinstance(error, InvalidMove)
    assert (error.code, error.parts["text"]) == ("no-move", word)


def test_a_blank_behind_a_plus_is_an_error() -> None:
    text = text_of("mandala", "+ gv")
    assert (first_error(text).code, first_error(text).place) == ("no-move", place_in(text, "+ gv"))


# Comments


@pytest.mark.parametrize(
    "moves",
    [
        "{before} " + MANDALA_SETUP,
        MANDALA_SETUP.replace(" +ro", "{between}+ro"),
        MANDALA_SETUP.replace(" +ro", "{instead of a blank} +ro {and} {another}"),
        MANDALA_SETUP + " {does not { nest }",
        MANDALA_SETUP.replace(" +ro", ' {over\n[Seats "3"]\n lines} +ro'),
        MANDALA_SETUP + "\n{}\n{\n}\n",
    ],
)
def test_comments_are_not_moves(moves: str) -> None:
    assert (
        read_one(text_of("mandala", moves)).moves
        == read_one(text_of("mandala", MANDALA_SETUP)).moves
    )


def test_comments_may_stand_before_and_between_tags() -> None:
    text = text_of("mandala", MANDALA_SETUP)
    commented = "{one}\n" + text.replace("[Seats", '{two\n[Game "flowers"]}\n[Seats')
    assert read_one(commented) == read_one(text)


def test_there_are_no_comments_inside_tag_values() -> None:
    record = read_one(text_of("mandala", MANDALA_SETUP, Seat1="Ada {the first}", Note="{"))
    assert record.tags["Seat1"] == "Ada {the first}"
    assert record.tags["Note"] == "{"


def test_comments_do_not_nest() -> None:
    text = text_of("mandala", "{a {b} c} " + MANDALA_SETUP)
    error = first_error(text)
    assert isinstance(error, InvalidMove)
    assert error.code == "blank-missing"
    assert error.place == place_in(text, "} +gv")


def test_a_comment_that_is_never_closed() -> None:
    text = UNFINISHED + "\n  {open\nto the end"
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("comment-open", place_in(text, "{open"))


# Tags and files


def test_unknown_tags_are_kept_and_written_again() -> None:
    record = read_one(text_of("mandala", MANDALA_SETUP, Event="a café, x=[1]", Result="*"))
    assert record.tags["Event"] == "a café, x=[1]"
    assert read_one(str(record)) == record


def test_a_file_may_hold_many_records() -> None:
    first, second = text_of("mandala", MANDALA_SETUP), text_of("patterns", PATTERNS_SETUP)
    records = read(first + second + first)
    assert [record.tags["Game"] for record in records] == ["mandala", "patterns", "mandala"]
    assert records[0] == records[2]
    # A tag line after moves begins the next record, with or without a blank line.
    assert len(read(first.rstrip("\n") + "\n" + second)) == 2


def test_a_record_may_have_no_moves() -> None:
    assert read_one('[Game "mandala"]').moves == ()
    assert isinstance(check(read_one('[Game "mandala"]')), Position)


@pytest.mark.parametrize(
    "nothing", ["", "\n", " \n\t\n", "{only a comment}\n", b"", b"\xef\xbb\xbf"]
)
def test_a_file_without_a_record(nothing: str | bytes) -> None:
    error = first_error(nothing)
    assert isinstance(error, InvalidRecord)
    assert error.code == "no-record"


def test_moves_before_any_tag() -> None:
    error = first_error("\n  A1g B1r")
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("no-tags", Place(2, 3, 0))


def test_a_duplicate_tag() -> None:
    text = UNFINISHED + text_of("patterns", "+r") + '[Seats "2"]\n[Rules "1"]\n  [Seats "2"]\n'
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.parts) == ("tag-twice", {"tag": "Seats"})
    assert error.place == Place(text.count("\n"), 3, 2)


@pytest.mark.parametrize(
    "line",
    [
        '[Game "mandala"',
        "[Game mandala]",
        '[Game  "mandala"]',
        '[Ga me "m"]',
        "[]",
        "[",
        '[Game "man"dala"]',
        '[Game "mandala"] A1g',
        '[1 "x"]',
    ],
)
def test_an_invalid_tag_line(line: str) -> None:
    error = first_error(f"{line}\n\n{MANDALA_SETUP}\n")
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("bad-tag", Place(1, 1, 0))


@pytest.mark.parametrize("value", ['a "quoted" name', "two\nlines", "two\rlines"])
def test_a_tag_that_could_not_be_read_back_is_refused(value: str) -> None:
    with pytest.raises(InvalidRecord) as raised:
        mandala.new("mandala").record({"Seat1": value})
    assert raised.value.code == "bad-tag"


def test_a_record_with_too_many_moves() -> None:
    text = '[Game "mandala"]\n\n' + ("+" + "r" * 999 + "\n") * (MAX_MOVES // 999 + 1)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.parts) == ("too-long", {"most": MAX_MOVES})


# Letters and line ends


def test_all_line_ends_and_a_byte_order_mark() -> None:
    record = read_one(UNFINISHED)
    windows = UNFINISHED.replace("\n", "\r\n").encode()
    assert read_one(windows) == record
    assert read_one(b"\xef\xbb\xbf" + windows) == record
    assert read_one("\ufeff" + UNFINISHED) == record
    assert read_one(b"\xef\xbb\xbf" + windows).places == record.places
    assert read_one(UNFINISHED.rstrip("\n")) == record


def test_text_that_is_not_utf8() -> None:
    first = UNFINISHED.encode()
    text = first + '[Game "mandala"]\n[Seat1 "Zoë '.encode() + b'\xff"]\n'
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert error.code == "not-utf8"
    assert error.place == Place(first.count(b"\n") + 2, 13, 1)
    error = first_error(b"\xef\xbb\xbf\xff")
    assert (error.code, error.place) == ("not-utf8", Place(1, 1, 0))


# The start


def test_a_record_needs_a_game() -> None:
    error = first_error('[Seats "2"]\n\n+g')
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.parts) == ("tag-missing", {"tag": "Game"})
    assert error.place == Place(1, 1, 0)


def test_an_unknown_game() -> None:
    text = UNFINISHED + text_of("chess", "e4")
    error = first_error(text)
    assert isinstance(error, UnknownGame)
    assert error.code == "unknown-game"
    assert error.place == place_in(text, '[Game "chess"]', 1)


def test_an_unknown_version_of_the_rules_is_refused() -> None:
    text = UNFINISHED.replace('[Rules "1"]', '[Rules "2"]')
    error = first_error(text)
    assert isinstance(error, UnknownGame)
    assert (error.code, error.parts) == ("unknown-rules", {"version": "2", "known": "1"})
    assert error.place == place_in(text, "[Rules")


@pytest.mark.parametrize("seats", ["", "two", "0", "-2", "2.0", "222", "²"])
def test_seats_must_be_a_number(seats: str) -> None:
    text = text_of("mandala", MANDALA_SETUP, Seats=seats)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("bad-seats", place_in(text, "[Seats"))


def test_an_unsupported_number_of_seats() -> None:
    error = first_error(text_of("mandala", MANDALA_SETUP, Seats="3"))
    assert isinstance(error, UnknownGame)
    assert (error.code, error.parts["wanted"], error.parts["found"]) == ("wrong-seats", "2", 3)


# Illegal moves


def test_a_text_that_is_not_a_move_of_the_game() -> None:
    text = UNFINISHED + text_of("mandala", f"{MANDALA_SETUP}\n  Od4")
    error = first_error(text)
    assert isinstance(error, InvalidMove)
    assert (error.code, error.parts) == ("no-move", {"text": "Od4", "game": "mandala"})
    assert error.place == place_in(text, "Od4", 1)


def test_a_move_that_is_not_legal_comes_with_the_legal_ones() -> None:
    text = UNFINISHED + text_of("mandala", f"{MANDALA_SETUP}\nA1g+oyr B1gg")
    error = first_error(text)
    assert isinstance(error, IllegalMove)
    assert error.code == "too-few-in-hand"
    assert error.parts == {"colour": "g", "held": 1, "count": 2}
    assert error.place == place_in(text, "B1gg", 1)
    assert "B1rr" in error.legal


def test_a_chance_move_that_is_not_possible() -> None:
    text = text_of("patterns", "+rrrrrrrrr")
    error = first_error(text)
    assert isinstance(error, IllegalMove)
    assert (error.code, error.parts) == ("cannot-be-drawn", {"move": "+r"})
    start = place_in(text, "+rrr")
    assert error.place == Place(start.line, start.column + len("+rrrrrrrr"), 0), "the ninth letter"
    assert "+r" not in error.legal
    assert "+k" in error.legal


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (f"{MANDALA_SETUP} +r", "seat-moves"),
        ("A1r", "chance-moves"),
        (f"{MANDALA_SETUP} A1g B1rr", "chance-moves"),
    ],
)
def test_a_move_out_of_turn(moves: str, code: str) -> None:
    assert first_error(text_of("mandala", moves)).code == code


def test_no_move_after_the_end() -> None:
    text = text_of("patterns", f"{PATTERNS_WON} E")
    assert (first_error(text).code, first_error(text).place) == ("game-over", place_in(text, "E\n"))


# Result and winner


@pytest.mark.parametrize(
    ("moves", "result", "winner"),
    [(PATTERNS_WON, "2-0", "1"), (PATTERNS_DRAWN, "0-0", "1 2")],
    ids=["won", "drawn"],
)
def test_result_and_winner_of_a_finished_game(moves: str, result: str, winner: str) -> None:
    board = check(read_one(text_of("patterns", moves, Result=result, Winner=winner)))
    assert isinstance(board, Position)
    assert board.record().tags["Result"] == result
    assert board.record().tags["Winner"] == winner
    check(read_one(text_of("patterns", moves)))  # both tags may be left out


@pytest.mark.parametrize(
    ("moves", "tags", "code", "right"),
    [
        (PATTERNS_WON, {"Result": "2-1", "Winner": "1"}, "wrong-result", "2-0"),
        (PATTERNS_WON, {"Result": "*"}, "wrong-result", "2-0"),
        (PATTERNS_WON, {"Result": "2-0", "Winner": "2"}, "wrong-winner", "1"),
        (PATTERNS_WON, {"Result": "2-0", "Winner": "1 2"}, "wrong-winner", "1"),
        (PATTERNS_DRAWN, {"Result": "0-0", "Winner": "1"}, "wrong-winner", "1 2"),
        (PATTERNS_DRAWN, {"Result": "0-0", "Winner": "2 1"}, "wrong-winner", "1 2"),
        (PATTERNS_END, {"Result": "0-0", "Winner": "1 2"}, "wrong-result", "*"),
        (PATTERNS_END, {"Result": "*", "Winner": "1"}, "wrong-winner", "*"),
    ],
)
def test_wrong_result_or_winner(moves: str, tags: dict[str, str], code: str, right: str) -> None:
    text = text_of("patterns", moves, **tags)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.parts["right"]) == (code, right)
    assert error.place == place_in(text, "[Result" if code == "wrong-result" else "[Winner")


def test_a_finished_record_with_a_result_names_its_winner() -> None:
    text = text_of("patterns", PATTERNS_WON, Result="2-0")
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.parts) == ("tag-missing", {"tag": "Winner"})
    assert error.place == place_in(text, "[Result")


# Games that ended by resignation, time or abandonment


@pytest.mark.parametrize("reason", ["resigned", "time", "abandoned"])
def test_a_game_can_end_by_termination(reason: str) -> None:
    tags = {"Result": "1-2", "Winner": "1", "Termination": f"{reason} 2"}
    check(read_one(text_of("mandala", MANDALA_MOVES, **tags)))
    tags = {"Result": "1-2", "Winner": "2", "Termination": f"{reason} 1"}
    check(read_one(text_of("mandala", MANDALA_MOVES, **tags)))


@pytest.mark.parametrize(("loser", "winner"), [(1, "3"), (2, "3"), (3, "2")])
def test_with_more_than_two_seats_the_best_of_the_others_wins(loser: int, winner: str) -> None:
    # Nobody has a point yet: more hand cards break the tie.
    tags = {"Seats": "3", "Result": "0-0-0", "Termination": f"time {loser}"}
    check(read_one(text_of("flowers", FLOWERS_DEALT, **tags, Winner=winner)))
    assert (
        first_error(text_of("flowers", FLOWERS_DEALT, **tags, Winner="1 2 3")).code
        == "wrong-winner"
    )


@pytest.mark.parametrize(
    "value", ["", "resigned", "resigned two", "checkmate 2", "time 0", "time 22"]
)
def test_an_invalid_termination(value: str) -> None:
    text = text_of("mandala", MANDALA_MOVES, Result="1-2", Winner="1", Termination=value)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("bad-termination", place_in(text, "[Termination"))


def test_a_termination_by_a_seat_that_does_not_exist() -> None:
    text = text_of("mandala", MANDALA_MOVES, Termination="resigned 3")
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("termination-seat", place_in(text, "[Termination"))


@pytest.mark.parametrize(
    ("game", "moves"),
    [("patterns", PATTERNS_WON), ("mandala", f"{MANDALA_SETUP} A1g+oy"), ("mandala", "")],
    ids=["the game is over", "chance is to draw", "nothing is dealt"],
)
def test_a_termination_while_no_seat_is_to_act(game: str, moves: str) -> None:
    text = text_of(game, moves, Termination="resigned 2")
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("termination-too-late", place_in(text, "[Termination"))


def test_points_so_far_are_the_result_of_a_terminated_game() -> None:
    tags = {"Winner": "1", "Termination": "resigned 2"}
    assert first_error(text_of("mandala", MANDALA_MOVES, Result="*", **tags)).code == "wrong-result"
    assert (
        first_error(text_of("mandala", MANDALA_MOVES, Result="2-1", **tags)).code == "wrong-result"
    )
    tags["Winner"] = "2"
    assert (
        first_error(text_of("mandala", MANDALA_MOVES, Result="1-2", **tags)).code == "wrong-winner"
    )


# A seat's record


@pytest.mark.parametrize(
    ("moves", "seat"), [(MANDALA_SEAT_2, 2), (MANDALA_SPECTATOR, None)], ids=["seat", "spectator"]
)
def test_a_seats_record_gives_its_view(moves: str, seat: int | None) -> None:
    whole = replay(read_one(text_of("mandala", MANDALA_MOVES)))
    assert isinstance(whole, Position)
    view = check(read_one(text_of("mandala", moves, Result="*")))
    assert isinstance(view, View)
    assert view.seat == seat
    assert view == whole.view(seat)
    assert view.moves == whole.view(seat).moves


def test_a_view_writes_the_record_of_its_seat() -> None:
    whole = replay(read_one(text_of("mandala", MANDALA_MOVES)))
    assert isinstance(whole, Position)
    record = whole.view(2).record()
    assert record.moves == read_one(text_of("mandala", MANDALA_SEAT_2)).moves
    assert record.tags["Result"] == "*"
    assert replay(read_one(str(record))) == whole.view(2)


@pytest.mark.parametrize(("game", "seats"), HIDDEN_SEATINGS)
def test_views_of_a_whole_game_are_those_of_the_seats_record(game: str, seats: int) -> None:
    generator = np.random.default_rng(4)
    position = mandala.new(game, seats=seats, seed=4)
    for ply in range(60):
        for seat in (*range(1, seats + 1), None) if ply % 15 == 0 else ():
            view = position.view(seat)
            assert replay(view.record()) == view, (ply, seat)
        position = position.play(str(generator.choice(position.legal)), generator)


@pytest.mark.parametrize(
    "stop", ["+gv", "+gv +ro +??", "+gv +ro +??????+??", "+gv +ro +??????+?? +rroy"]
)
def test_a_seats_record_may_stop_at_any_time(stop: str) -> None:
    check(read_one(text_of("mandala", stop, Result="*")))


def test_a_seats_record_may_stop_before_all_hands_are_dealt() -> None:
    for moves in ("+???", "+????? +kvvo", "+????? +?????? +rg", "+????? +??????"):
        check(read_one(text_of("flowers", f"{FLOWERS_TILES} {moves}", Seats="3")))


def test_decisions_of_a_seats_record() -> None:
    hidden = list(decisions(read_one(text_of("mandala", MANDALA_SEAT_2))))
    whole = list(decisions(read_one(text_of("mandala", MANDALA_MOVES))))
    assert [each[:2] for each in hidden] == [each[:2] for each in whole]
    for (_, actor, might), (_, _, legal) in zip(hidden, whole, strict=True):
        assert set(legal) <= set(might)
        assert actor == 1 or legal == might


@pytest.mark.parametrize(
    ("moves", "code", "part"),
    [
        ("+gv +ro +?r", "mixed-hidden", "r\n"),
        ("+gv +ro +r?", "mixed-hidden", "?"),
        (MANDALA_SEAT_2.replace("A1g+???", "A1g+??o"), "mixed-hidden", "o B1rr"),
        ("+g? +ro", "hidden-in-the-open", "?"),
        (MANDALA_SEAT_2.replace("Tk+ry", "Tk+?y"), "hidden-in-the-open", "+?y"),
    ],
)
def test_impossible_hidden_cards(moves: str, code: str, part: str) -> None:
    text = text_of("mandala", moves)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert error.code == code
    assert error.place == place_in(text, part)


def test_more_known_cards_of_a_colour_than_there_are() -> None:
    seen = "+kk +kk +??????+?? +kkkkkk+kk A1k+??? Ckkkk+kkkk"
    check(read_one(text_of("mandala", f"{seen} Ck+?")))  # the eighteenth black card
    text = text_of("mandala", f"{seen} Ckk+??")
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("too-many-cards", place_in(text, "Ckk+"))


def test_hidden_cards_of_some_seats_only() -> None:
    text = text_of("flowers", f"{FLOWERS_TILES} +rrgoy +kvvoyg +???????", Seats="3")
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert error.code == "hidden-seats"
    assert error.place is not None
    assert (error.place.line, error.place.record) == (5, 0)


@pytest.mark.parametrize("tags", [{"Result": "1-2"}, {"Result": "*", "Winner": "1"}])
def test_a_record_with_hidden_cards_has_no_result(tags: dict[str, str]) -> None:
    text = text_of("mandala", MANDALA_SEAT_2, **tags)
    error = first_error(text)
    assert isinstance(error, InvalidRecord)
    assert (error.code, error.place) == ("hidden-result", place_in(text, "[Result"))


def test_termination_is_checked_with_hidden_cards_too() -> None:
    text = text_of("mandala", MANDALA_SEAT_2, Termination="resigned 3")
    assert first_error(text).code == "termination-seat"


def test_nothing_is_hidden_in_patterns() -> None:
    text = text_of("patterns", "+ro +?")
    error = first_error(text)
    assert isinstance(error, InvalidMove)
    assert (error.code, error.place) == ("no-move", place_in(text, "+?"))


# Writing


def test_tags_are_written_in_their_order_and_a_blank_line_before_the_moves() -> None:
    position = replay(read_one(text_of("mandala", MANDALA_SETUP)))
    assert isinstance(position, Position)
    record = position.record({"Event": "a test", "Date": "2026-11-20", "Seat1": "Ada"})
    assert str(record) == (
        f'[Game "mandala"]\n[Rules "{position.spec.rules_version}"]\n[Seats "2"]\n'
        '[Seat1 "Ada"]\n[Date "2026-11-20"]\n'
        '[Event "a test"]\n[Result "*"]\n\n+gvroyykrgovkrroygvgk\n'
    )


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_what_is_written_is_read_again(game: str, seats: int) -> None:
    generator = np.random.default_rng(seats)
    position = mandala.new(game, seats=seats, seed=7)
    while not position.is_over:
        position = position.play(str(generator.choice(position.legal)), generator)
    record = position.record({"Seat1": "Ada", "Event": "x"})
    text = str(record)
    assert max(map(len, text.splitlines())) <= 96 + 4
    again = read_one(text)
    assert again == record
    assert str(again) == text
    assert check(again) == position
    assert read(text + "\n" + text) == [record, record]
    assert [board.actor for board in boards(again)][-1] is None


def test_places_of_moves() -> None:
    record = read_one(text_of("mandala", "+gv {x} +ro\n  +y"))
    assert [(place.line, place.column) for place in record.places] == [
        *((5, 1), (5, 3), (5, 9), (5, 11), (6, 3))
    ]


def test_the_place_is_part_of_the_message() -> None:
    text = UNFINISHED + text_of("mandala", f"{MANDALA_SETUP}\nTr")
    assert str(first_error(text)).startswith(
        "record 1, line 12, column 1: no mandala is being dissolved"
    )


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_whole_text_is_read_like_its_lines(as_bytes: bool) -> None:
    text = text_of("mandala", MANDALA_MOVES) + "\n" + text_of("patterns", PATTERNS_WON)
    whole = text.encode() if as_bytes else text
    assert list(mandala.read_records(whole)) == list(mandala.read_records(text.splitlines()))
    assert [record.tags["Game"] for record in mandala.read_records(whole)] == [
        "mandala",
        "patterns",
    ]
    with pytest.raises(InvalidRecord):
        list(mandala.read_records(""))


def test_places_in_a_whole_text_count_its_lines() -> None:
    with pytest.raises(InvalidRecord) as caught:
        list(mandala.read_records('[Game "mandala"]\n[Game "mandala"]\n'))
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (2, 1)
