"""Hidden information does not change a byte of what the server sends to a seat."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mandala
from mandala import MandalaError
from mandala.games import find_game
from mandala.live import table as live
from mandala.live.events import Opened, Started
from mandala.server.logs import JsonLines
from mandala.server.messages import Recipient, error_message, event_message, state_of
from mandala.server.rooms import encode
from tests.samples import SEATINGS
from tests.tables import ADA, BEN, CY, GREEDY, Log, log_of, played, seated

SLOW = settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True, scope="module")
def _compiled_rules() -> None:
    for game in mandala.game_ids():
        find_game(game).make_ready()


def frames(log: Log, seat: int | None) -> list[bytes]:
    """Return everything that the server sends to a seat or a spectator during a game."""
    (opening, at), *rest = log
    assert isinstance(opening, Opened)
    table = live.opened(opening, at)
    sent: list[bytes] = []
    for event, at in rest:
        before, table = table, live.after(table, event, at)
        for with_state, language in ((True, "en"), (False, "de")):
            to = Recipient(seat, language)
            news = event_message("t", before, event, table, to, at=at, with_state=with_state)
            sent.append(encode(news))
        sent.append(encode(state_of("t", table, Recipient(seat, "en"), now=at, moves=True)))
        sent.append(str(live.record(table, seat)).encode())
        for text in ("A1r", "A2k", "B1gg", "Cvvv", "Tr", "1r", "2kk", "Od4", "E", "nonsense"):
            try:
                if seat is None or table.actor != seat:
                    continue
                sent.append(repr(live.why_not(table, seat, text)).encode())
                live.move(table, seat, text, at)
            except MandalaError as error:
                sent.append(encode(error_message(error, "de", "command")))
    return sent


@SLOW
@given(st.sampled_from(SEATINGS), st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 2**32))
def test_frames_do_not_depend_on_unseen_cards(
    seating: tuple[str, int], seed: int, decisions: int, other: int
) -> None:
    game, seats = seating
    first, table = seated(game, (ADA, BEN, CY, GREEDY)[:seats])
    table = played(list(first), table, seed, decisions)
    if table.ending is not None or table.position is None:
        return
    before = first[:-1]
    assert isinstance(first[-1][0], Started)
    truth = log_of(table.position, before)
    for seat in range(1, seats + 1):
        dealt = mandala.determinize(table.position.view(seat), np.random.default_rng(other))
        another = log_of(dealt, before)
        assert frames(another, seat) == frames(truth, seat)
    # A spectator knows less than any seat, so all deals that are equal for a seat are equal here.
    spectators = frames(another, None)
    assert spectators == frames(truth, None)


def test_the_secret_and_the_shares_are_not_sent_during_the_game() -> None:
    log, table = seated()
    played(log, table, decisions=20)
    for seat in (None, 1, 2):
        for frame in frames(log, seat):
            assert table.opening.secret.encode() not in frame
            assert table.shares[1].hex().encode() not in frame


def test_a_log_line_contains_only_the_event_and_its_place() -> None:
    record = logging.makeLogRecord({"msg": "committed", "levelname": "INFO", "created": 0.0})
    record.table, record.number = "t", 7
    line = JsonLines().format(record)
    assert line == (
        '{"at": "1970-01-01T00:00:00.000+00:00", "level": "info", "event": "committed", '
        '"table": "t", "number": 7}'
    )
