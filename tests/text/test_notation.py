"""Move notation: every move has exactly one spelling."""

from __future__ import annotations

import re

import pytest

import mandala
from mandala.games import find_game, game_ids
from mandala.text.errors import InvalidMove, Place
from mandala.text.notation import join_moves, shorten, split_word, words
from tests.samples import expected_of

COLOUR = "[roygvk]"
TILE = f"{COLOUR}[23457x]"
SPACE = "(?:[c-f][18]|[b-g][27]|[a-h][3-6])"

# The notation of each game, as its rules page gives it; `r{n}` stands for one colour n times.
DECISIONS = {
    "mandala": rf"A[12]{COLOUR}|B[12]({COLOUR})\1{{0,6}}|C({COLOUR})\2{{0,7}}|T{COLOUR}",
    "patterns": rf"G{COLOUR}|[OFX]{SPACE}|E",
    "flowers": rf"[123]({COLOUR})\1{{0,14}}|T{TILE}|-",
}
CHANCE = {
    "mandala": r"\+[roygvk?]",
    "patterns": rf"\+{COLOUR}",
    "flowers": rf"\+[roygvk?]|\*{TILE}|![123]",
}
MOVE_COUNT = {
    "mandala": 2 * 6 + 2 * 6 * 7 + 6 * 8 + 6 + 7,
    "patterns": 6 + 3 * 52 + 1 + 6,
    "flowers": 3 * 6 * 15 + 36 + 1 + 7 + 36 + 3,
}


@pytest.mark.parametrize("game", game_ids())
def test_the_move_list_has_exactly_the_notation_of_the_rules_page(game: str) -> None:
    rules = find_game(game).plain_rules
    decisions, chance = rules.moves.texts[: rules.DECISIONS], rules.moves.texts[rules.DECISIONS :]
    decision, draw = expected_of(game, DECISIONS), expected_of(game, CHANCE)
    assert [text for text in decisions if not re.fullmatch(decision, text)] == []
    assert [text for text in chance if not re.fullmatch(draw, text)] == []
    assert len(set(rules.moves.texts)) == len(rules.moves.texts) == expected_of(game, MOVE_COUNT)


@pytest.mark.parametrize("game", game_ids())
def test_move_to_text_to_move(game: str) -> None:
    rules = find_game(game).plain_rules
    for number in range(len(rules.moves.texts)):
        assert find_game(game).row_of(rules.moves.texts[number]) == number


@pytest.mark.parametrize("game", game_ids())
def test_plain_and_compiled_rules_have_the_same_move_list(game: str) -> None:
    plain, compiled = find_game(game).plain_rules, find_game(game).compiled("rules")
    assert plain.moves.texts == compiled.moves.texts
    assert plain.moves.rows == compiled.moves.rows
    assert plain.DECISIONS == compiled.DECISIONS


@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("mandala", ["A1", "A3r", "A1rr", "a1r", "B1rg", "B1" + "r" * 8, "C", "C" + "r" * 9]),
        ("mandala", ["Trr", "+", "+rg", "+R", "*k7", "!1", "-", "E", "Od4", "", " A1r", "A1r "]),
        ("patterns", ["Oa1", "Od9", "Oi4", "O", "Fd", "Xdd", "e", "G", "Grr", "+?", "A1r"]),
        ("flowers", ["1", "4r", "1rg", "1" + "r" * 16, "Tk6", "Tk1", "Tk", "--", "!4", "!0"]),
        ("flowers", ["*k6", "*?", "*kx2", "pass", "Tr", "１r", "1r\n"]),
    ],
)
def test_a_text_that_is_not_a_move(game: str, texts: list[str]) -> None:
    position = mandala.new(game, seed=1)
    for text in texts:
        with pytest.raises(InvalidMove) as raised:
            position.play(text)
        assert raised.value.code == "no-move"
        assert raised.value.parts["game"] == game
        with pytest.raises(InvalidMove):
            position.why_not(text)


def test_a_long_or_strange_text_is_shortened_in_the_message() -> None:
    with pytest.raises(InvalidMove) as raised:
        mandala.new("mandala", seed=1).play("\x1b[31m" + "A" * 1000)
    message = str(raised.value)
    assert len(message) < 100
    assert message.isprintable()
    assert shorten("rot\n\t\x00") == "rot" + "\ufffd" * 3
    assert shorten("a" * 40) == "a" * 40
    assert shorten("a" * 41) == "a" * 40 + "…"


def test_each_letter_behind_a_plus_is_a_move() -> None:
    assert split_word("+rgk") == ["+r", "+g", "+k"]
    assert split_word("+??") == ["+?", "+?"]
    assert split_word("+r") == ["+r"]
    assert split_word("+") == ["+"]
    assert split_word("*k7") == ["*k7"]
    assert split_word("B1ggg") == ["B1ggg"]


def test_words_and_their_places() -> None:
    found = list(words("A1r+vg  *k7!2\tTk7", 3))
    assert found == [
        ("A1r", Place(3, 1)),
        ("+vg", Place(3, 4)),
        ("*k7", Place(3, 9)),
        ("!2", Place(3, 12)),
        ("Tk7", Place(3, 15)),
    ]


@pytest.mark.parametrize("line", ["A1r}", "}{", "+r}"])
def test_braces_outside_a_comment_are_refused(line: str) -> None:
    with pytest.raises(InvalidMove) as raised:
        list(words(line, 2))
    assert raised.value.code == "blank-missing"
    assert raised.value.place is not None
    assert raised.value.place.line == 2


@pytest.mark.parametrize(
    ("moves", "written"),
    [
        (["A1y", "+v", "+g", "+o", "B1gg"], "A1y+vgo B1gg"),
        (["*k7", "*g3", "+r", "+?"], "*k7*g3+r?"),
        (["!3", "Tg5", "!1", "!2", "Tr2"], "!3 Tg5!1!2 Tr2"),
        (["-", "-", "!1"], "- -!1"),
        ([], ""),
    ],
)
def test_draws_are_joined_to_what_they_follow(moves: list[str], written: str) -> None:
    assert join_moves(moves) == written


def test_lines_are_wrapped_at_a_width() -> None:
    text = join_moves(["A1r"] * 50, width=20)
    assert set(text.split()) == {"A1r"}
    assert len(text.split()) == 50
    assert max(map(len, text.splitlines())) == 19
