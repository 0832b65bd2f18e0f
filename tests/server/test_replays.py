"""Records played through for the page."""

from __future__ import annotations

import pytest

import mandala
from mandala import MandalaError, Position, View
from mandala.core.record import Record
from mandala.server.replays import MOST_PLIES, read_one, replay_of, why_not_at
from tests.cli.tools import random_game
from tests.core.test_narration import story

GAMES = [("mandala", 2), ("patterns", 2), ("flowers", 3)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
@pytest.mark.parametrize("seat", [None, 2])
def test_every_ply_has_its_board_and_the_story_is_whole(
    game: str, seats: int, seat: int | None
) -> None:
    position = random_game(game, 1, seats)
    record = position.record({"Seat1": "Ada"})
    replay = replay_of(read_one(str(record)), seat, "en")
    assert (replay.game, replay.seats, replay.view) == (game, seats, seat)
    assert replay.names == ["Ada", *[""] * (seats - 1)]
    assert replay.winners == position.winners
    assert len(replay.frames) == len(position.moves) + 1
    current = mandala.new(game, seats=seats)
    for frame, move in zip(replay.frames[1:], position.moves, strict=True):
        assert frame.actor == (current.actor or None)
        current = current.play(move)
        shown: Position | View = current if seat is None else current.view(seat)
        assert frame.move == shown.moves[-1]
        assert frame.board == shown.board
        assert frame.scores == shown.scores
    told = [sentence for frame in replay.frames for sentence in frame.told]
    assert told == story(position, seat) if seat else len(told) == len(story(position, seat))


def test_the_record_of_a_seat_is_shown_as_the_seat_saw_it() -> None:
    position = random_game("mandala", 3, plies=20)
    for seat in (1, 2):
        replay = replay_of(position.view(seat).record(), None, "de")
        assert (replay.view, replay.hidden) == (seat, True)
        assert replay.frames[-1].board == position.view(seat).board
        assert any(line.startswith("Du ziehst ") for f in replay.frames for line in f.told)
    watched = replay_of(position.view(None).record(), None, "de")
    assert (watched.view, watched.hidden) == (None, True)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "no-record", None),
        ("hello", "no-tags", 1),
        ('[Game "chess"]\n', "unknown-game", 1),
        ('[Game "patterns"]\n\n+r +r\n+rrrrrrr', "cannot-be-drawn", 4),
        ('[Game "patterns"]\n\nOd4', "chance-moves", 3),
        ('[Game "patterns"]\n\n+r\n[Game "patterns"]\n\n+r', "several-records", None),
        ('[Game "patterns"]\n\n' + "+r " * (MOST_PLIES + 1), "replay-too-long", None),
        ('[Game "patterns"]\n[Result "3-2"]\n\n+r', "wrong-result", 2),
    ],
)
def test_faults_are_told_with_their_place(text: str, code: str, line: int | None) -> None:
    with pytest.raises(MandalaError) as raised:
        replay_of(read_one(text), None, "en")
    place = raised.value.place
    assert (raised.value.code, place.line if place else None) == (code, line)


def test_why_can_be_asked_at_every_ply_of_a_record() -> None:
    record = mandala.new("patterns", seed=7).play("Gk").play("Od4").record()
    ply = len(record.moves)
    assert why_not_at(record, None, "Od4", "en").code == "back-side"
    assert why_not_at(record, ply - 1, "Od4", "en").code is None
    assert why_not_at(record, ply - 2, "Od4", "de").text == (
        "zuerst muss ein Startplättchen vergeben werden"
    )
    assert why_not_at(record, 0, "Od4", "en").code == "chance-moves"
    with pytest.raises(MandalaError, match="there is no ply"):
        why_not_at(record, ply + 1, "Od4", "en")
    with pytest.raises(MandalaError, match="no move of patterns"):
        why_not_at(record, 0, "e4", "en")
    with pytest.raises(MandalaError, match="no seat 3"):
        replay_of(Record(record.tags, record.moves), 3, "en")
