"""Reasons for illegal moves and all other errors: the right code, and a sentence in both languages.

Codes are collected from the sources and from the catalogue. Each must be produced by an example
below, so a new code without a sentence, a translation or an example fails.
"""

from __future__ import annotations

import ast
import io
import string
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import mandala
from mandala.bots.players import Budget
from mandala.bots.remote import seat_of_link
from mandala.bots.simulation import play_games
from mandala.core.position import Position
from mandala.core.record import MAX_MOVES, read_records
from mandala.core.replay import check
from mandala.core.view import View
from mandala.games import find_game
from mandala.games.reasons import why_not
from mandala.live import fair
from mandala.live import table as live
from mandala.live.events import Clock, Seated
from mandala.live.store.upgrade import sqlite_path
from mandala.live.table import Table
from mandala.text import catalogue as texts
from mandala.text.errors import IllegalMove, MandalaError
from tests.build import Areas, Bed, flowers_position, mandala_position, patterns_position, play
from tests.samples import (
    FLOWERS_TILES,
    MANDALA_MOVES,
    MANDALA_SEAT_2,
    PATTERNS_END,
    PATTERNS_SETUP,
    PATTERNS_WON,
    SEATINGS,
    text_of,
)
from tests.tables import ADA, BEN, SECRET, happened, played, seated, share

HOME = Path(mandala.__file__).parent


# Rules and reasons agree


def random_game(
    game: str, seats: int, seed: int, preference: Callable[[str], int]
) -> Iterator[Position]:
    """The positions of a random game in which preferred moves are likely."""
    generator = np.random.default_rng(seed)
    position = mandala.new(game, seats=seats)
    while not position.is_over:
        yield position
        moves = list(position.chance) or position.legal
        best = max(map(preference, moves))
        if position.actor and generator.random() < 0.8:
            moves = [move for move in moves if preference(move) == best]
        position = position.play(moves[int(generator.integers(len(moves)))])
    yield position


PREFERENCES: dict[str, Callable[[str], int]] = {
    "any": lambda move: 0,
    "many cards": len,
    "one card": lambda move: -len(move),
    "discards": lambda move: move[0] == "C",
}


@pytest.mark.parametrize("preference", PREFERENCES)
@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_move_has_no_reason_against_it_exactly_when_it_is_legal(
    game: str, seats: int, preference: str
) -> None:
    rules = find_game(game).plain_rules
    for ply, position in enumerate(random_game(game, seats, seats, PREFERENCES[preference])):
        if ply % 7 and not position.is_over:
            continue
        possible = set(position.possible_rows())
        for row in range(len(rules.moves.texts)):
            reason = why_not(find_game(game), position.state, row)
            assert (reason is None) == (row in possible), (position, rules.moves.texts[row])


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_a_seat_gets_the_same_reasons_from_its_own_view(game: str, seats: int) -> None:
    rules = find_game(game).plain_rules
    for ply, position in enumerate(random_game(game, seats, 10 + seats, PREFERENCES["any"])):
        if ply % 20 or not position.actor:
            continue
        view = position.view(position.actor)
        assert view.legal == position.legal
        for text in rules.moves.texts[: rules.DECISIONS]:
            assert view.why_not(text) == position.why_not(text)


# A reason of each kind


def dealt() -> Position:
    """Seat 1 holds rrk; mandala 1 has red in the centre, green and yellow in the fields."""
    areas = (Areas("r", ("g", "y")), Areas("o"))
    return mandala_position(*areas, hands=("rrkgy", "oo"))


def dissolving() -> Position:
    position = mandala_position(Areas("ro", ("g", "yv")), Areas("o"), hands=("kk", "oo"))
    return play(position, "A1k+vvv")


def nothing_left() -> Position:
    return mandala_position(Areas("r"), Areas("o"), hands=("k", "oo"), pile="", last_phase=True)


def laid_out() -> Position:
    """Seat 1 has red on d5 and red in its bowl; seat 2 has red on d7."""
    return patterns_position(groups=(("r d5",), ("r d7",)), bowls="rk", fronts=("r c5", "k d6"))


def set_up() -> Position:
    return play(mandala.new("patterns"), PATTERNS_SETUP)


def ended() -> Position:
    return play(mandala.new("patterns"), PATTERNS_END)


def in_bloom() -> Position:
    return flowers_position(None, hands=("rrk", "oo"))


def claiming() -> Position:
    bed = Bed("k7 g3", up=("ro", "y"), holder=1)
    return flowers_position(bed, hands=("v9", "oo")).play("1v")


def start() -> Position:
    return mandala.new("mandala")


REASONS: list[tuple[str, Callable[[], Position], str, str]] = [
    ("game-over", lambda: ended().play("E"), "E", "the game is over"),
    ("chance-moves", start, "A1r", "chance must move first"),
    ("seat-moves", dealt, "+r", "it is seat 1's turn to decide, not chance's"),
    ("cannot-be-drawn", lambda: mandala.new("flowers"), "*g3", "*g3 cannot be drawn now"),
    ("none-in-hand", dealt, "A2v", "there is no violet card in the hand"),
    ("too-few-in-hand", dealt, "Crrr", "the hand holds only 2 red, not 3"),
    ("in-centre", dealt, "B1rr", "red already lies in the centre of mandala 1"),
    ("in-own-field", dealt, "A1g", "green already lies in the own field of mandala 1"),
    ("in-other-field", dealt, "A1y", "yellow already lies in the other seat's field of mandala 1"),
    ("in-other-field", dealt, "B1y", "yellow already lies in the other seat's field of mandala 1"),
    ("keep-one-card", lambda: play(dealt(), "B2g"), "B1oo", "at least one card must stay in the"
     " hand"),
    ("keep-one-card", lambda: flowers_position(hands=("rr", "oo")), "1rr", "at least one card must"
     " stay in the hand"),
    ("nothing-to-draw", nothing_left, "A1k", "this is the only card in the hand, and there is"
     " nothing left to draw"),
    ("nothing-to-draw", lambda: flowers_position(hands=("r", "oo"), pile="", rest="hand"), "1r",
     "this is the only card in the hand, and there is nothing left to draw"),
    ("take-a-colour", dissolving, "A1r", "mandala 1 is being dissolved: take a colour from its"
     " centre"),
    ("not-in-centre", dissolving, "Ty", "there is no yellow in the centre of mandala 1"),
    ("not-dissolving", dealt, "Tr", "no mandala is being dissolved"),
    ("not-dissolving", in_bloom, "Tr2", "no mandala is being dissolved"),
    ("give-first", set_up, "Od4", "first a starting tile must be given"),
    ("no-starting-tile", set_up, "Go", "orange is not one of the two starting tiles"),
    ("given-already", laid_out, "Gr", "the starting tiles are already given"),
    ("not-ended", laid_out, "E", "the game cannot be stopped while an action is possible"),
    ("only-flips", ended, "Od4", "the game has ended: only flips are possible now"),
    ("back-side", laid_out, "Fd5", "the tile on d5 already shows its back"),
    ("already-open", laid_out, "Oa3", "the red group is already open; each colour can be opened"
     " once"),
    ("no-group", laid_out, "Fd6", "there is no own black group yet"),
    ("flip-instead", laid_out, "Xc5", "the tile on c5 is red itself: flip it instead"),
    ("not-next-to-group", laid_out, "Xh3", "h3 is not next to the own red group"),
    ("groups-touch", laid_out, "Xd6", "on d6 the red group would touch the other seat's red group"),
    ("claim-a-tile", claiming, "1v", "mandala 1 is being dissolved: claim one of its tiles"),
    ("tile-not-here", claiming, "Tk2", "tile k2 does not lie in mandala 1"),
    ("can-play", in_bloom, "-", "passing is only allowed when no card can be played"),
    ("no-mandala", in_bloom, "1r", "there is no mandala 1 any more"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "position", "move", "sentence"), REASONS)
def test_reasons(code: str, position: Callable[[], Position], move: str, sentence: str) -> None:
    reason = position().why_not(move)
    assert reason is not None
    assert (reason.code, reason.say()) == (code, sentence)
    assert reason.say("de") not in ("", sentence)
    with pytest.raises(IllegalMove) as raised:
        position().play(move)
    assert raised.value.code == code
    assert raised.value.parts == reason.parts
    assert raised.value.legal == (position().legal or list(position().chance))


# All other errors


def check_records(text: str) -> None:
    for record in read_records(io.StringIO(text)):
        check(record)


def read_too_long_line() -> None:
    from mandala.cli.inputs import MAX_LINE_BYTES, lines_of

    list(lines_of(io.BytesIO(b"x" * (MAX_LINE_BYTES + 1))))


class Cheat:
    """A player that chooses an illegal move."""

    name = "cheat"

    def choose(self, view: View, budget: Budget) -> str:
        return "Castle"


def batch_error(moves: object, count: object = 2) -> Callable[[], object]:
    """A batch with an invalid argument."""
    return lambda: mandala.Batch("mandala", count, seed=1).step(moves)  # type: ignore[arg-type]


def deal_error(**tags: str) -> Callable[[], object]:
    """A record whose proof of the deal was changed."""
    return noted_deal_error(None, None, **tags)


def noted_deal_error(
    commitment: bytes | None = None, share: bytes | None = None, **tags: str
) -> Callable[[], object]:
    """A record whose proof of the deal was changed, or differs from a player's notes."""

    def cause_error() -> object:
        proof = {"Secret": "00" * 32, "ChanceNumbers": "0-51", **tags}
        proof.setdefault("Commitment", fair.commitment_of(bytes(32)).hex())
        (record,) = read_records(io.StringIO(text_of("patterns", PATTERNS_WON, **proof)))
        return fair.verify(record, commitment=commitment, share=share)

    return cause_error


def table_error(
    command: Callable[[Table], object], *, resigned: bool = False
) -> Callable[[], object]:
    """A command that a table of two people refuses."""

    def cause_error() -> object:
        log, table = seated()
        return command(happened(log, live.resign(table, 1, 0), 0) if resigned else table)

    return cause_error


def open_table_error(command: Callable[[Table], object]) -> Callable[[], object]:
    """A command that a table with open seats refuses."""
    return lambda: command(live.opened(live.open_table("mandala", 2, SECRET), 0))


def ask_takeback_twice() -> None:
    log, table = seated()
    table = played(log, table, decisions=1)
    live.ask_takeback(happened(log, live.ask_takeback(table, 1, 0), 0), 1, 0)


def with_takeback_refused() -> Table:
    log, table = seated()
    table = played(log, table, decisions=1)
    table = happened(log, live.ask_takeback(table, 1, 0), 0)
    return happened(log, live.answer_takeback(table, 2, 0, agrees=False), 0)


def take_back_repeatedly(clock: Clock | None = None, at: int = 0, takebacks: int = 0) -> None:
    """Move and take back as often as a turn allows, and once more."""
    log, table = seated("patterns", clock=clock)
    table = replace(table, takebacks=takebacks)
    for _ in range(live.MAX_TAKEBACKS_PER_TURN + 1):
        table = played(log, table, decisions=1)
        table = live.ask_takeback(table, table.decisions[-1].seat, at)[-1].table


MANDALA_TEXT = mandala.new("mandala", seed=1).text

ERROR_EXAMPLES: dict[str, Callable[[], object]] = {
    "no-move": lambda: mandala.new("mandala", seed=1).play("e4"),
    "blank-missing": lambda: check_records(text_of("mandala", "+r}")),
    "illegal-in-batch": batch_error([-1, -1]),
    "bad-dtype": batch_error([0.0, 0.0]),
    "bad-shape": batch_error([0]),
    "bad-integer": batch_error([0, 0], count=0),
    "empty-position": lambda: Position.from_text("  "),
    "bad-position": lambda: Position.from_text(MANDALA_TEXT.replace("/", "#").replace("#", "/", 1)),
    "position-length": lambda: Position.from_text("mandala/2 1 2 3"),
    "impossible-position": lambda: Position.from_text(mandala.new("mandala", seed=1).view(1).text),
    "unknown-game": lambda: mandala.new("chess"),
    "wrong-seats": lambda: mandala.new("mandala", seats=3),
    "bad-tag": lambda: check_records("[Game mandala]"),
    "tag-twice": lambda: check_records('[Game "mandala"]\n[Game "mandala"]'),
    "tag-missing": lambda: check_records('[Seats "2"]'),
    "no-tags": lambda: check_records("A1r"),
    "no-record": lambda: check_records(""),
    "comment-open": lambda: check_records("{"),
    "not-utf8": lambda: list(read_records([b"\xff"])),
    "too-long": lambda: check_records(text_of("mandala", "+" + "r" * (MAX_MOVES + 1))),
    "unknown-rules": lambda: check_records(text_of("mandala", "", Rules="9")),
    "bad-seats": lambda: check_records(text_of("mandala", "", Seats="two")),
    "wrong-result": lambda: check_records(text_of("patterns", PATTERNS_WON, Result="0-2")),
    "wrong-winner": lambda: check_records(text_of("patterns", PATTERNS_WON, Winner="2")),
    "bad-termination": lambda: check_records(text_of("mandala", MANDALA_MOVES, Termination="mate")),
    "termination-seat": lambda: check_records(
        text_of("mandala", MANDALA_MOVES, Termination="time 4")
    ),
    "termination-too-late": lambda: check_records(text_of("mandala", "", Termination="time 1")),
    "mixed-hidden": lambda: check_records(text_of("mandala", "+gv +ro +?r")),
    "too-many-cards": lambda: check_records(
        text_of("mandala", "+kk +kk +??????+?? +kkkkkk+kk A1k+??? Ckkkk+kkkk Ckk+??")
    ),
    "hidden-seats": lambda: check_records(
        text_of("flowers", f"{FLOWERS_TILES} +rrgoy +kvvoyg +?", Seats="3")
    ),
    "hidden-result": lambda: check_records(text_of("mandala", MANDALA_SEAT_2, Result="1-2")),
    "hidden-in-the-open": lambda: check_records(text_of("mandala", "+?")),
    "fair-bytes": deal_error(Secret="secret"),
    "fair-secret": deal_error(Commitment="00" * 32),
    "fair-numbers": deal_error(ChanceNumbers="one"),
    "fair-count": deal_error(ChanceNumbers="0-9"),
    "fair-draw": deal_error(),
    "fair-tag": deal_error(Drawn="many"),
    "fair-line": deal_error(TakenBack="soon"),
    "fair-lines": deal_error(Drawn="52", Takebacks="1"),
    "fair-takeback": deal_error(TakenBack="0: +r"),
    "fair-setup": deal_error(ChanceNumbers="1-52"),
    "fair-skipped": deal_error(Drawn="53"),
    "fair-repeated": deal_error(Drawn="51"),
    "fair-noted-commitment": noted_deal_error(commitment=bytes(32)),
    "fair-noted-share": noted_deal_error(share=bytes(32)),
    "fair-given": deal_error(Given="many"),
    "no-such-seat": open_table_error(lambda table: live.sit(table, 9, ADA, share(1), 0)),
    "seat-taken": lambda: live.sit(
        live.after(live.opened(live.open_table("mandala", 2, SECRET), 0), Seated(1, ADA), 0),
        1,
        BEN,
        share(2),
        0,
    ),
    "has-started": table_error(lambda table: live.sit(table, 1, ADA, share(1), 0)),
    "not-started": open_table_error(lambda table: live.move(table, 1, "A1r", 0)),
    "table-over": table_error(lambda table: live.move(table, 1, "A1r", 0), resigned=True),
    "not-over": table_error(lambda table: live.ask_rematch(table, 1, 0)),
    "not-your-turn": table_error(lambda table: live.move(table, 2, "A1r", 0)),
    "bad-share": open_table_error(lambda table: live.sit(table, 1, ADA, b"", 0)),
    "bad-clock": lambda: live.open_table("mandala", 2, SECRET, Clock("game", 1)),
    "bad-name": lambda: live.require_name(""),
    "nothing-to-take-back": table_error(lambda table: live.ask_takeback(table, 1, 0)),
    "takeback-open": ask_takeback_twice,
    "takeback-refused": lambda: live.ask_takeback(with_takeback_refused(), 1, 0),
    "too-many-takebacks": lambda: take_back_repeatedly(takebacks=live.MAX_TAKEBACKS),
    "too-many-takebacks-in-turn": lambda: take_back_repeatedly(),
    "no-time-to-take-back": lambda: take_back_repeatedly(Clock("move", 5), at=5_000),
    "left-too-often": open_table_error(
        lambda table: live.leave(replace(table, number=live.MAX_EVENTS_BEFORE_START), 1, 0)
    ),
    "no-takeback-asked": table_error(lambda table: live.answer_takeback(table, 1, 0, agrees=True)),
    "bad-database": lambda: sqlite_path("mysql://"),
    "bad-link": lambda: seat_of_link("https://games.example/"),
    "line-too-long": read_too_long_line,
    "player-error": lambda: next(play_games("mandala", 2, [Cheat(), Cheat()], 1)),
}


@pytest.mark.parametrize("code", ERROR_EXAMPLES)
def test_errors(code: str) -> None:
    with pytest.raises(MandalaError) as raised:
        ERROR_EXAMPLES[code]()
    error = raised.value
    assert error.code == code
    english, german = error.say("en"), error.say("de")
    assert english != german
    assert english in str(error)
    for sentence in (english, german):
        assert "{" not in sentence
        assert "\n" not in sentence


# The catalogue


# Sentences that contain others, and those of commands, which have their own tests.
FRAMES = {"legal-are", "illegal-move"}
COMMANDS: dict[str, dict[str, object]] = {
    "no-such-ply": {"ply": 9, "plies": 3},
    "no-such-record": {"record": 5, "records": 2},
    "other-match": {"file": "games.txt", "match": "greedy random, seed 1"},
    "unknown-player": {"player": "greedi", "players": "random, greedy"},
    "bot-no-command": {"command": "cmd:"},
    "bot-bad-command": {"command": "python3 'bot.py", "why": "No closing quotation"},
    "bot-not-started": {"command": "bot", "why": "No such file or directory"},
    "bot-start-late": {"command": "bot", "seconds": 120.0},
    "bot-other-protocol": {"command": "bot", "version": 2, "ours": 1},
    "bot-other-games": {"command": "bot", "game": "flowers", "games": "chess"},
    "bot-nonsense": {"command": "bot", "line": "Hello"},
    "bot-floods": {"command": "bot", "most": 1000},
    "bot-ended": {"command": "bot", "exit_code": 1},
    "bot-late": {"command": "bot", "seconds": 0.2},
    "bot-illegal": {"command": "bot", "move": "Z9"},
    "bot-runs-on": {"command": "bot", "seconds": 2.0},
    "bot-log": {"log": "bots/bot.log"},
    "too-many-tags": {"most": 200},
    "newer-database": {"version": "0999"},
    "closed-database": {"database": "sqlite:///x.db", "why": "file is not a database"},
    "database-in-use": {"holder": "http://127.0.0.1:8080"},
    "no-storage": {},
    "no-copy": {"file": "a.db", "target": "b.db", "why": "disk is full"},
    "bad-backup": {"file": "notes.txt"},
    "no-file": {},
    "who-are-you": {},
    "not-your-seat": {"seat": 2},
    "only-watching": {},
    "no-such-table": {},
    "no-record-yet": {},
    "not-found": {},
    "bad-request": {"what": "name"},
    "bad-message": {"what": "JSON"},
    "bad-key": {},
    "wrong-origin": {},
    "too-late": {"number": 17},
    "too-fast": {},
    "too-many-tables": {"most": 50},
    "too-many-listed": {"most": 10},
    "too-many-guests": {},
    "too-many-tokens": {"most": 20},
    "too-many-sockets": {"most": 200},
    "no-such-token": {},
    "bad-limits": {"file": "limits.toml", "why": "unknown field"},
    "line-running": {},
    "invisible-name": {},
    "reserved-name": {"name": "Bot"},
    "damaged-database": {"database": "mandala.db", "why": "a page"},
    "damaged-table": {},
    "server-stops": {},
    "bad-host": {"host": "1.2.3.4", "why": "Cannot assign requested address"},
    "port-taken": {"port": 8765},
    "internal": {},
    "no-hints": {},
    "hint-open": {},
    "several-records": {"records": 3},
    "replay-too-long": {"most": 3000},
    "line-game": {"game": "mandala"},
    "line-hidden": {},
    "line-over": {},
    "no-such-step": {"step": 99, "steps": 10},
    "proof-later": {},
    "workers-need-postgresql": {},
    "workers-need-redis": {},
    "bad-redis": {},
    "no-redis-driver": {},
    "no-mandala-server": {"url": "https://games.example"},
    "server-refuses": {"code": "seat-taken", "text": "seat 2 is taken"},
}


def sources() -> Iterator[ast.Module]:
    for path in HOME.rglob("*.py"):
        yield ast.parse(path.read_text(encoding="utf-8"))


ERRORS = {"MandalaError", *(each.__name__ for each in MandalaError.__subclasses__())}


def codes_in_sources() -> set[str]:
    """The codes of reasons and errors that are string literals in the sources."""
    codes = set()
    for tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            code = node.args[0]
            if name in {"Reason", "_fail", *ERRORS} and isinstance(code, ast.Constant):
                codes.add(str(code.value))
    return codes


def strings_in_sources() -> set[str]:
    return {
        node.value
        for tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def test_every_code_has_a_sentence() -> None:
    assert len(codes_in_sources()) > 40
    assert codes_in_sources() - texts.sentences("en")["say"].keys() == set()


def test_every_sentence_is_used() -> None:
    assert texts.sentences("en")["say"].keys() - strings_in_sources() == set()


def test_every_code_has_an_example_here() -> None:
    examples = {code for code, *_ in REASONS} | ERROR_EXAMPLES.keys() | FRAMES | COMMANDS.keys()
    assert texts.sentences("en")["say"].keys() - examples == set()
    assert examples - texts.sentences("en")["say"].keys() == set()


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_other_sentences_render(language: str) -> None:
    many = [f"A1{letter}" for letter in "roygvk" * 5]
    sentence = texts.say("legal-are", {"moves": many}, language)
    assert sentence.endswith(f"… ({len(many)})")
    assert texts.say("legal-are", {"moves": ["A1r", "-"]}, language).endswith(": A1r -")
    reason = texts.say("in-centre", {"colour": "g", "mandala": 2}, language)
    assert reason in texts.say("illegal-move", {"move": "B2g", "reason": reason}, language)
    for code, parts in COMMANDS.items():
        sentence = texts.say(code, parts, language)
        assert all(str(part) in sentence for part in parts.values())


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="en, de"):
        texts.sentences("fr")


def test_sentences_need_no_more_than_their_parts() -> None:
    """The parts of each reason are enough to format its sentence in both languages."""
    for _, position, move, _ in REASONS:
        reason = position().why_not(move)
        assert reason is not None
        for language in texts.LANGUAGES:
            wanted = placeholders(texts.sentences(language)["say"][reason.code])
            assert wanted <= reason.parts.keys()
