"""Replays of records for the page."""

from __future__ import annotations

import pytest

import mandala
from mandala import MandalaError, Position, View
from mandala.core.record import Record
from mandala.server.replays import MAX_PLIES, read_one, replay_of, why_not_at
from tests.cli.tools import random_game
from tests.core.test_narration import story
from tests.samples import MIDDLE_SEATS


@pytest.mark.parametrize(("game", "seats"), MIDDLE_SEATS)
@pytest.mark.parametrize("seat", [None, 2])
def test_every_ply_has_its_board_and_narration(game: str, seats: int, seat: int | None) -> None:
    position = random_game(game, 1, seats)
    record = position.record({"Seat1": "Ada"})
    replay = replay_of(read_one(str(record)), seat, "en")
    assert (replay.game, replay.seats, replay.view) == (game, seats, seat)
    assert replay.names == ["Ada", "Seat 2", "Seat 3"][:seats]
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
    texts = [sentence.text for frame in replay.frames for sentence in frame.narration]
    expected = story(position, seat, "en", replay.names)
    assert texts == expected if seat else len(texts) == len(expected)


@pytest.mark.parametrize(("game", "seats"), MIDDLE_SEATS)
@pytest.mark.parametrize("seat", [None, 1])
def test_the_gains_of_the_decisions_add_up_to_the_points(
    game: str, seats: int, seat: int | None
) -> None:
    """A decision's gains are the points of the position before the next one less those before."""
    replay = replay_of(random_game(game, 4, seats).record(), seat, "en")
    scores = [0] * seats
    for frame in replay.frames:
        if frame.actor is None:
            assert frame.gains == []
            continue
        assert replay.frames[frame.ply - 1].scores == scores
        scores = [points + gain for points, gain in zip(scores, frame.gains, strict=True)]
    assert scores == replay.frames[-1].scores
    assert max(scores) > 0


def test_the_names_of_a_record_stay_as_they_are() -> None:
    """Those of bots too, as a tag does not say whether a person is called so."""
    position = random_game("flowers", 1, 4)
    tags = {"Seat1": "search:3", "Seat2": "random", "Seat3": "random"}
    replay = replay_of(position.record(tags), None, "de")
    assert replay.names == ["search:3", "random 2", "random 3", "Platz 4"]
    texts = [sentence.text for frame in replay.frames for sentence in frame.narration]
    for name in replay.names:
        assert any(text.startswith(f"{name} legt ") for text in texts)


def test_a_seats_record_is_replayed_from_its_view() -> None:
    position = random_game("mandala", 3, plies=20)
    for seat in (1, 2):
        replay = replay_of(position.view(seat).record(), None, "de")
        assert (replay.view, replay.hidden) == (seat, True)
        assert replay.frames[-1].board == position.view(seat).board
        assert any(
            each.text.startswith("Du ziehst ") for f in replay.frames for each in f.narration
        )
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
        ('[Game "patterns"]\n\n' + "+r " * (MAX_PLIES + 1), "replay-too-long", None),
        ('[Game "patterns"]\n[Result "3-2"]\n\n+r', "wrong-result", 2),
    ],
)
def test_errors_in_a_record_have_a_place(text: str, code: str, line: int | None) -> None:
    with pytest.raises(MandalaError) as raised:
        replay_of(read_one(text), None, "en")
    place = raised.value.place
    assert (raised.value.code, place.line if place else None) == (code, line)


def test_why_works_at_every_ply_of_a_record() -> None:
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
