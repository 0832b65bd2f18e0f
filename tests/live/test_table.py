"""Live tables: seats, moves, clocks, takebacks, endings, and what each seat may see of them."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mandala
from mandala import IllegalMove, InvalidMove, InvalidRecord, Refused
from mandala.core.record import Record
from mandala.games import find_game
from mandala.live import fair
from mandala.live import table as live
from mandala.live.events import (
    Abandoned,
    Bot,
    Clock,
    Closed,
    Flagged,
    Moved,
    Opened,
    Person,
    Resumed,
    Seated,
    Started,
    TakebackAnswered,
    TakebackAsked,
    TakenBack,
    decoded,
    encoded,
)
from mandala.live.table import DAY, Ending, Table
from tests.samples import SEATINGS
from tests.tables import (
    ADA,
    BEN,
    CY,
    GREEDY,
    SECRET,
    Log,
    events_of,
    happened,
    log_of,
    played,
    seated,
    share,
)

SLOW = settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True, scope="module")
def _compiled_rules() -> None:
    for game in mandala.game_ids():
        find_game(game).make_ready()


def refused(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.code == code)


def first_legal(table: Table) -> str:
    assert table.position is not None
    return table.position.legal[0]


# Sitting down


def test_the_game_starts_when_the_last_seat_is_taken() -> None:
    log, table = seated("flowers", (ADA, GREEDY, BEN))
    assert [type(event).__name__ for event, _ in log] == ["Opened", *["Seated"] * 3, "Started"]
    assert table.number == 5
    assert table.position is not None
    assert table.actor == 1
    assert table.seats_of("ben") == [3]
    assert table.people() == [1, 3]


def test_one_person_may_hold_both_seats() -> None:
    _, table = seated("patterns", (ADA, ADA))
    assert table.seats_of("ada") == [1, 2]


def test_sitting_down_needs_an_open_seat_a_name_and_a_share() -> None:
    log: Log = [(live.open_table("mandala", 2, SECRET), 0)]
    table = live.fold(log)
    with refused("no-such-seat"):
        live.sit(table, 3, ADA, share(1), 0)
    with refused("bad-share"):
        live.sit(table, 1, ADA, b"short", 0)
    for name in ("", " Ada", 'A"da', "A\nda", "A" * 41):
        with refused("bad-name"):
            live.sit(table, 1, Person("ada", name), share(1), 0)
    table = happened(log, live.sit(table, 1, ADA, share(1), 0), 0)
    with refused("seat-taken"):
        live.sit(table, 1, BEN, share(2), 0)
    with refused("not-started"):
        live.move(table, 1, "A1r", 0)
    table = happened(log, live.leave(table, 1, 0), 0)
    assert table.sitters == (None, None)
    assert table.shares == {}


def test_nobody_sits_down_or_leaves_after_the_start() -> None:
    _, table = seated()
    with refused("has-started"):
        live.sit(table, 1, CY, share(3), 0)
    with refused("has-started"):
        live.leave(table, 1, 0)


@pytest.mark.parametrize("clock", [Clock("game", 1), Clock("move", 10**9), Clock("game", 60, -1)])
def test_a_clock_has_sensible_bounds(clock: Clock) -> None:
    with refused("bad-clock"):
        live.open_table("mandala", 2, SECRET, clock)


# Moving


def test_a_move_out_of_turn_or_against_the_rules_is_refused() -> None:
    _, table = seated()
    with refused("not-your-turn"):
        live.move(table, 2, first_legal(table), 0)
    with pytest.raises(InvalidMove):
        live.move(table, 1, "e4", 0)
    with pytest.raises(IllegalMove):
        live.move(table, 1, "Tr", 0)
    reason = live.why_not(table, 1, "Tr")
    assert reason is not None
    assert reason.code == "not-dissolving"
    with refused("not-your-turn"):
        live.why_not(table, 2, "Tr")


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_the_deal_of_a_finished_game_can_be_verified(game: str, seats: int) -> None:
    log, table = seated(game, (ADA, BEN, CY, GREEDY)[:seats])
    table = played(log, table)
    assert table.ending == Ending("over")
    record = live.record(table, None)
    assert record is not None
    (read,) = mandala.read_records(str(record).splitlines())
    assert fair.verify(read).draws == len(table.numbers)
    assert read.tags["Commitment"] == table.commitment
    assert read.tags["Seat1"] == "Ada"
    with refused("table-over"):
        live.move(table, 1, "A1r", 0)


@pytest.mark.parametrize(("game", "seats"), SEATINGS)
def test_folding_a_log_again_gives_the_same_table(game: str, seats: int) -> None:
    log, table = seated(game, (ADA, BEN, CY, GREEDY)[:seats])
    table = played(log, table, decisions=30)
    again = live.fold((decoded(encoded(event)), at) for event, at in log)
    assert again == table


def test_the_same_secret_and_shares_deal_the_same_cards_after_a_crash() -> None:
    log, table = seated()
    move = first_legal(table)
    again = live.move(live.fold(log), 1, move, 5)
    assert events_of(live.move(table, 1, move, 0)) == events_of(again)


# Clocks


def test_a_game_clock_counts_down_and_adds_the_increment() -> None:
    log, table = seated("patterns", clock=Clock("game", 60, 5), at=1_000)
    assert table.time_left == (60_000, 60_000)
    assert table.actor == 2
    table = happened(log, live.move(table, 2, first_legal(table), 11_000), 11_000)
    assert table.time_left == (60_000, 55_000)
    assert table.deadline == 71_000
    assert events_of(live.flag(table, 70_999)) == []
    assert events_of(live.flag(table, 71_000)) == [Flagged(1)]


def test_a_move_after_the_deadline_flags_the_seat() -> None:
    log, table = seated("patterns", clock=Clock("move", 60))
    table = happened(log, live.move(table, 2, first_legal(table), 60_000), 60_000)
    assert table.ending == Ending("time", 2)
    record = live.record(table, None)
    assert record is not None
    assert (record.tags["Termination"], record.tags["Winner"]) == ("time 2", "1")
    mandala.check(record)


def test_a_clock_per_move_restarts_with_each_move() -> None:
    log, table = seated("patterns", clock=Clock("move", 86_400))
    table = happened(log, live.move(table, 2, first_legal(table), DAY - 1), DAY - 1)
    assert table.deadline == 2 * DAY - 1


def test_without_a_clock_a_game_is_abandoned_after_two_weeks() -> None:
    log, table = seated()
    assert events_of(live.flag(table, 14 * DAY)) == [Abandoned(1)]
    table = happened(log, live.flag(table, 14 * DAY), 14 * DAY)
    assert table.ending == Ending("abandoned", 1)
    assert table.deadline is None


def test_a_table_with_open_seats_is_closed_after_a_week() -> None:
    log: Log = [(live.open_table("mandala", 2, SECRET), 0)]
    table = live.fold(log)
    assert events_of(live.flag(table, 7 * DAY)) == [Closed()]
    table = happened(log, live.flag(table, 7 * DAY), 7 * DAY)
    assert live.record(table, None) is None
    with refused("table-over"):
        live.move(table, 1, "A1r", 0)
    with refused("has-started"):
        live.sit(table, 1, ADA, share(1), 0)


HOUR = 3_600_000


def test_the_time_during_which_the_server_did_not_run_does_not_count() -> None:
    log, table = seated("patterns", clock=Clock("game", 60), at=1_000)
    stopped, now = 11_000, 11_000 + HOUR
    assert events_of(live.flag(table, now)) == [Flagged(2)]
    table = happened(log, live.resume(table, stopped, now), now)
    assert table.deadline == now + 50_000
    assert events_of(live.resume(table, stopped, now + 5)) == []
    table = happened(log, live.move(table, 2, first_legal(table), now + 10_000), now + 10_000)
    assert table.time_left == (60_000, 40_000)
    table = happened(log, live.ask_takeback(table, 2, now + 15_000), now + 15_000)
    assert table.deadline == now + 50_000


def test_a_clock_set_back_while_the_server_did_not_run_changes_no_time() -> None:
    log, table = seated("patterns", clock=Clock("move", 60), at=HOUR)
    stopped, now = HOUR + 20_000, 5_000
    table = happened(log, live.resume(table, stopped, now), now)
    assert table.deadline == now + 40_000


def test_a_turn_that_began_after_the_last_sign_of_life_begins_again() -> None:
    log, table = seated("patterns", clock=Clock("move", 60), at=10_000)
    table = happened(log, live.resume(table, 9_000, HOUR), HOUR)
    assert table.deadline == HOUR + 60_000


def test_without_a_clock_only_days_without_the_server_are_excluded() -> None:
    log, table = seated()
    assert events_of(live.resume(table, 0, HOUR)) == []
    assert events_of(live.resume(table, 0, 20 * DAY)) == [Resumed(0)]
    table = happened(log, live.resume(table, 5 * DAY, 20 * DAY), 20 * DAY)
    assert table.deadline == 29 * DAY
    table = happened(log, live.resign(table, 1, 0), 0)
    assert events_of(live.resume(table, 0, 20 * DAY)) == []


# Resigning


def test_resigning_loses_and_reveals_the_deal() -> None:
    log, table = seated("flowers", (ADA, BEN, CY))
    table = played(log, table, decisions=12)
    table = happened(log, live.resign(table, 2, 0), 0)
    assert table.ending == Ending("resigned", 2)
    record = live.record(table, 1)
    assert record is not None
    assert record.tags["Termination"] == "resigned 2"
    assert "2" not in record.tags["Winner"].split()
    assert fair.verify(record).draws == len(table.numbers)
    assert "+?" not in record.moves
    view = live.view(table, None)
    assert view is not None
    assert "+?" not in view.moves


# Taking back


def test_a_takeback_without_hidden_information_needs_no_consent() -> None:
    log, table = seated("patterns")
    table = played(log, table, decisions=3)
    mover = table.decisions[-1].seat
    assert events_of(live.ask_takeback(table, mover, 0)) == [
        TakenBack(mover, 2, clock_restored=True)
    ]
    table = happened(log, live.ask_takeback(table, mover, 0), 0)
    assert table.actor == mover
    assert table.takebacks == 1


def test_a_takeback_that_revealed_cards_needs_everyones_consent() -> None:
    log, table = seated("flowers", (ADA, BEN, CY))
    table = played(log, table, decisions=7)
    mover = table.decisions[-1].seat
    others = [seat for seat in (1, 2, 3) if seat != mover]
    assert events_of(live.ask_takeback(table, mover, 0)) == [TakebackAsked(mover)]
    table = happened(log, live.ask_takeback(table, mover, 0), 0)
    with refused("takeback-open"):
        live.ask_takeback(table, mover, 0)
    with refused("no-takeback-asked"):
        live.answer_takeback(table, mover, 0, agrees=True)
    no = happened(list(log), live.answer_takeback(table, others[0], 0, agrees=False), 0)
    assert no.asked is None
    table = happened(log, live.answer_takeback(table, others[0], 0, agrees=True), 0)
    applied = live.answer_takeback(table, others[1], 0, agrees=True)
    assert events_of(applied) == [TakebackAnswered(others[1], True), TakenBack(mover, 6, True)]
    table = happened(log, applied, 0)
    assert len(table.decisions) == 6
    assert table.actor == mover


def hidden_field_play(table: Table) -> str:
    """Return a legal move of Mandala into the seat's own field, after which nothing is drawn."""
    assert table.position is not None
    return next(text for text in table.position.legal if text[0] == "B")


def test_playing_from_a_hidden_hand_reveals_cards_even_without_a_draw() -> None:
    log, table = seated("mandala")
    table = happened(log, live.move(table, 1, hidden_field_play(table), 0), 0)
    assert not table.decisions[-1].chance
    assert events_of(live.ask_takeback(table, 1, 0)) == [TakebackAsked(1)]


def test_taking_back_a_public_choice_needs_no_consent() -> None:
    log, table = seated("mandala")
    for seed in range(100):
        table = played(log, table, seed=seed, decisions=1)
        last = log[-1][0]
        if isinstance(last, Moved) and last.move[0] == "T" and not last.chance:
            break
    else:
        pytest.fail("no mandala was dissolved")
    assert events_of(live.ask_takeback(table, last.seat, 0)) == [
        TakenBack(last.seat, len(table.decisions) - 1, clock_restored=True)
    ]


def test_against_bots_every_takeback_is_allowed_and_recorded() -> None:
    log, table = seated("mandala", (ADA, GREEDY))
    table = played(log, table, decisions=9)
    table = happened(log, live.ask_takeback(table, 1, 0), 0)
    assert table.actor == 1
    record = live.record(table, 1)
    assert record is not None
    assert record.tags["Takebacks"] == "1"


def test_chance_numbers_are_not_reused_after_a_takeback() -> None:
    log, table = seated("mandala", (ADA, GREEDY))
    start, drawn = table, table.drawn
    first = next(text for text in first_moves(table) if text[0] == "A")
    table = happened(log, live.move(table, 1, first, 0), 0)
    used = table.drawn
    assert used > drawn
    table = happened(log, live.ask_takeback(table, 1, 0), 0)
    assert table.position == start.position
    assert (table.drawn, table.numbers) == (used, start.numbers)
    table = happened(log, live.move(table, 1, first, 0), 0)
    assert table.numbers[drawn] == used
    table = played(log, table)
    record = live.record(table, None)
    assert record is not None
    assert fair.verify(record).draws == table.drawn


def first_moves(table: Table) -> list[str]:
    assert table.position is not None
    return table.position.legal


def test_a_takeback_restores_the_position_and_never_the_time() -> None:
    log, table = seated("patterns", clock=Clock("game", 60, 20))
    assert table.actor == 2
    table = happened(log, live.move(table, 2, first_legal(table), 5_000), 5_000)
    assert table.time_left == (60_000, 75_000)
    table = happened(log, live.ask_takeback(table, 2, 8_000), 8_000)
    assert table.deadline == 8_000 + 52_000
    table = happened(log, live.move(table, 2, first_legal(table), 10_000), 10_000)
    assert table.time_left == (60_000, 70_000)
    assert table.deadline == 10_000 + 60_000


def test_after_a_takeback_a_turn_has_what_was_left_of_its_time() -> None:
    log, table = seated("patterns", clock=Clock("move", 5))
    table = happened(log, live.move(table, 2, first_legal(table), 3_000), 3_000)
    table = happened(log, live.ask_takeback(table, 2, 4_000), 4_000)
    assert table.deadline == 5_000
    table = happened(log, live.move(table, 2, first_legal(table), 4_500), 4_500)
    with refused("no-time-to-take-back"):
        live.ask_takeback(table, 2, 5_000)


def test_free_takebacks_give_no_time() -> None:
    log, table = seated("mandala", (ADA, GREEDY), clock=Clock("game", 60, 20))
    for now in range(0, 50_000, 5_000):
        table = happened(log, live.move(table, 1, hidden_field_play(table), now + 4_000), now)
        table = happened(log, live.ask_takeback(table, 1, now + 5_000), now + 5_000)
        assert table.deadline == 60_000
    assert events_of(live.flag(table, 60_000)) == [Flagged(1)]


def test_a_takeback_in_an_older_log_begins_the_turn_anew() -> None:
    log, table = seated("patterns", clock=Clock("game", 60, 20))
    table = happened(log, live.move(table, 2, first_legal(table), 5_000), 5_000)
    body = b'{"type":"taken-back","seat":2,"decisions":0}'
    table = live.after(table, decoded(body), 8_000)
    assert (table.since, table.time_left) == (8_000, (57_000, 75_000))


def test_without_a_clock_a_takeback_counts_as_activity() -> None:
    log, table = seated("patterns")
    table = happened(log, live.move(table, 2, first_legal(table), DAY), DAY)
    table = happened(log, live.ask_takeback(table, 2, 3 * DAY), 3 * DAY)
    assert table.deadline == 17 * DAY


def test_a_refused_takeback_cannot_be_asked_for_again_in_the_same_turn() -> None:
    log, table = seated()
    table = happened(log, live.move(table, 1, hidden_field_play(table), 0), 0)
    table = happened(log, live.ask_takeback(table, 1, 0), 0)
    table = happened(log, live.answer_takeback(table, 2, 0, agrees=False), 0)
    with refused("takeback-refused"):
        live.ask_takeback(table, 1, 0)
    table = happened(log, live.move(table, 2, hidden_field_play(table), 0), 0)
    assert events_of(live.ask_takeback(table, 1, 0)) == [TakebackAsked(1)]


def test_takebacks_are_bounded_by_turn_and_by_table() -> None:
    _, table = seated("mandala", (ADA, GREEDY))
    for _ in range(live.MAX_TAKEBACKS // live.MAX_TAKEBACKS_PER_TURN):
        for _ in range(live.MAX_TAKEBACKS_PER_TURN):
            table = live.move(table, 1, first_legal(table), 0)[-1].table
            table = live.ask_takeback(table, 1, 0)[-1].table
        table = live.move(table, 1, first_legal(table), 0)[-1].table
        code = "too-many-takebacks"
        with refused(code if table.takebacks == live.MAX_TAKEBACKS else f"{code}-in-turn"):
            live.ask_takeback(table, 1, 0)
        while table.actor == 2:
            table = live.move(table, 2, first_legal(table), 0)[-1].table
    assert table.takebacks == live.MAX_TAKEBACKS
    assert table.number < 5 * live.MAX_TAKEBACKS
    assert table.ending is None


def test_seats_cannot_be_left_again_and_again() -> None:
    table = live.opened(live.open_table("mandala", 2, SECRET), 0)
    with refused("left-too-often"):
        while True:
            table = live.sit(table, 1, ADA, share(1), 0)[-1].table
            table = live.leave(table, 1, 0)[-1].table
    assert table.number <= live.MAX_EVENTS_BEFORE_START
    table = live.sit(table, 2, BEN, share(2), 0)[-1].table
    assert table.position is not None


def test_a_record_contains_the_lines_taken_back_only_after_the_end() -> None:
    log, table = seated("mandala", (ADA, GREEDY))
    table = played(log, table, decisions=9)
    table = happened(log, live.ask_takeback(table, 1, 0), 0)
    for seat in (None, 1, 2):
        running = live.record(table, seat)
        assert running is not None
        assert not running.tags.keys() & {"TakenBack", "Drawn", "ChanceNumbers", "Secret"}
    table = happened(log, live.resign(table, 1, 0), 0)
    record = live.record(table, None)
    assert record is not None
    assert fair.taken_back_lines(record) == list(table.taken_back)
    assert fair.verify(record) == fair.Verified(table.drawn, 1, "")


@SLOW
@given(st.sampled_from(SEATINGS), st.lists(st.tuples(st.integers(1, 5), st.integers(0, 99))))
def test_every_game_with_takebacks_is_verified(
    seating: tuple[str, int], plan: list[tuple[int, int]]
) -> None:
    game, seats = seating
    log, table = seated(game, (ADA, GREEDY, GREEDY, GREEDY)[:seats])
    for decisions, seed in plan:
        table = played(log, table, seed, decisions)
        if table.ending is None and any(each.seat == 1 for each in table.decisions):
            with contextlib.suppress(Refused):  # too many in one turn
                table = happened(log, live.ask_takeback(table, 1, 0), 0)
    if table.ending is None:
        table = happened(log, live.resign(table, 1, 0), 0)
    (record,) = mandala.read_records(str(live.record(table, None)))
    assert fair.verify(record) == fair.Verified(table.drawn, table.takebacks, "")


def test_a_seat_without_a_decision_cannot_take_back() -> None:
    _, table = seated()
    with refused("nothing-to-take-back"):
        live.ask_takeback(table, 1, 0)


# Playing again


def test_a_rematch_rotates_the_seats() -> None:
    log, table = seated("flowers", (ADA, GREEDY, BEN))
    with refused("not-over"):
        live.ask_rematch(table, 1, 0)
    table = happened(log, live.resign(table, 1, 0), 0)
    table = happened(log, live.ask_rematch(table, 1, 0), 0)
    assert events_of(live.ask_rematch(table, 1, 0)) == []
    assert not live.wants_rematch(table)
    table = happened(log, live.ask_rematch(table, 3, 0), 0)
    assert live.wants_rematch(table)
    opening = live.rematch(table, SECRET, "first")
    assert opening.reserved == (BEN, ADA, GREEDY)
    assert opening.rematch_of == "first"
    table = happened(log, live.announce_rematch(table, "second", 0), 0)
    assert not live.wants_rematch(table)
    following = live.opened(opening, 0)
    with refused("seat-taken"):
        live.sit(following, 1, ADA, share(1), 0)
    with refused("seat-taken"):
        live.sit(following, 3, Bot("random"), b"", 0)
    assert events_of(live.sit(following, 3, GREEDY, b"", 0)) == [Seated(3, GREEDY)]


# Hidden information


def messages_for(log: Log, seat: int | None) -> list[object]:
    """Return everything that is sent to a seat for a log."""
    messages: list[object] = []
    table: Table | None = None
    for event, at in log:
        if table is None:
            assert isinstance(event, Opened)
            table = live.opened(event, at)
        else:
            table = live.after(table, event, at)
        view, record = live.view(table, seat), live.record(table, seat)
        messages.append(live.plies_seen(view, event))
        messages.append(None if view is None else (view.text, view.legal, view.scores, str(view)))
        messages.append(str(record))
        messages.append((table.commitment, table.actor, table.deadline, table.number))
        if seat is not None:
            for text in ("A1r", "Tr", "1r", "Crr", "-"):
                try:
                    messages.append(live.why_not(table, seat, text))
                except mandala.MandalaError as error:
                    messages.append(str(error))
    return messages


@SLOW
@given(st.sampled_from(SEATINGS), st.integers(0, 2**32), st.integers(1, 40), st.integers(0, 2**32))
def test_hidden_cards_do_not_change_what_a_seat_receives(
    seating: tuple[str, int], seed: int, decisions: int, other: int
) -> None:
    game, seats = seating
    first, table = seated(game, (ADA, BEN, CY, GREEDY)[:seats])
    log = list(first)
    table = played(log, table, seed, decisions)
    if table.ending is not None or table.position is None:
        return
    before = first[:-1]
    assert isinstance(first[-1][0], Started)
    for seat in range(1, seats + 1):
        dealt = mandala.determinize(table.position.view(seat), np.random.default_rng(other))
        assert messages_for(log_of(dealt, before), seat) == messages_for(
            log_of(table.position, before), seat
        )


# What if


def test_a_table_can_continue_from_a_position_of_another_game() -> None:
    log, table = seated()
    table = played(log, table, seed=3)
    assert table.position is not None
    whole = table.position.moves
    for plies in (30, 31, 32, 33):
        line = tuple(whole[:plies])
        opening = live.open_table("mandala", 2, bytes(32), line=line)
        assert not opening.listed
        again: Log = [(opening, 0)]
        other = live.fold(again)
        for seat, sitter in ((1, ADA), (2, GREEDY)):
            own = share(seat) if sitter is ADA else b""
            other = happened(again, live.sit(other, seat, sitter, own, 0), 0)
        assert other.position is not None
        assert tuple(other.position.moves[:plies]) == line
        with pytest.raises(Refused, match="no decision of yours"):
            live.ask_takeback(other, 1, 0)
        other = played(again, other, seed=plies)
        record = live.record(other, None)
        assert record is not None
        assert record.moves[:plies] == line
        assert record.tags["Given"] == str(plies)
        dealt = fair.verify(record).draws
        assert dealt == len(other.numbers) > 0
        assert live.fold(again) == other
    assert record is not None
    # A wrong number of given plies does not match the chance numbers.
    for claimed, code in (("many", "fair-given"), ("999", "fair-given"), ("10", "fair-count")):
        with pytest.raises(InvalidRecord) as raised:
            fair.verify(Record({**record.tags, "Given": claimed}, record.moves))
        assert raised.value.code == code


def test_a_line_must_be_legal_without_hidden_cards_and_unfinished() -> None:
    log, table = seated("patterns")
    table = played(log, table)
    assert table.position is not None
    with pytest.raises(Refused, match="already over"):
        live.open_table("patterns", 2, bytes(32), line=tuple(table.position.moves))
    with pytest.raises(Refused, match="all cards"):
        live.open_table("mandala", 2, bytes(32), line=("+?",))
    with pytest.raises(IllegalMove, match="chance must move first"):
        live.open_table("mandala", 2, bytes(32), line=("A1r",))


def test_an_opening_event_without_a_line_still_loads() -> None:
    body = b'{"type":"opened","game":"mandala","seats":2,"secret":"00"}'
    assert decoded(body) == Opened("mandala", 2, "00")
