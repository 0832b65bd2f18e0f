"""Tables with unknown rules, read from the log and the stored record.

Older versions are simulated by writing logs and records while a game's version is "0".
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from mandala import UnknownGame
from mandala.core.record import read_records
from mandala.core.replay import check
from mandala.games import find_game, game_ids
from mandala.live import archive
from mandala.live import table as live
from mandala.live.events import (
    Clock,
    Closed,
    Flagged,
    Opened,
    RematchAsked,
    Resigned,
    TakenBack,
    decoded,
    encoded,
)
from mandala.live.table import Applied, Ending, Table
from tests.tables import ADA, BEN, CY, SECRET, Log, happened, played, rules_version, seated, share


def unknown_rules() -> pytest.RaisesExc[UnknownGame]:
    return pytest.RaisesExc(UnknownGame, check=lambda error: error.code == "unknown-rules")


def old_game(game: str, decisions: int = 10_000) -> tuple[Log, Table]:
    """Return a game under older rules at its end, or after a number of decisions."""
    with rules_version(game, "0"):
        log, table = seated(game)
        return log, played(log, table, decisions=decisions)


def record_text(table: Table, version: str = "0") -> str:
    with rules_version(table.opening.game, version):
        return str(live.record(table, None))


# The version of a table


@pytest.mark.parametrize("game", game_ids())
def test_an_opening_contains_the_rules_version(game: str) -> None:
    assert live.open_table(game, 2, SECRET).rules == find_game(game).rules_version
    with rules_version(game, "7"):
        opening = live.open_table(game, 2, SECRET)
        assert opening.rules == "7"
        assert decoded(encoded(opening)) == opening
        log, table = seated(game)
        table = happened(log, live.resign(table, 1, 0), 0)
        assert live.rematch(table, SECRET, "before").rules == "7"
        record = live.record(table, None)
        assert record is not None
        assert record.tags["Rules"] == "7"


def test_a_log_without_a_version_has_version_1() -> None:
    body = msgspec.json.decode(encoded(live.open_table("mandala", 2, SECRET)))
    del body["rules"]
    opening = decoded(msgspec.json.encode(body))
    assert isinstance(opening, Opened)
    assert opening.rules == "1"
    with rules_version("mandala", "1"):
        assert live.fold([(opening, 0)]).number == 1
    with rules_version("mandala", "2"), unknown_rules():
        live.fold([(opening, 0)])


@pytest.mark.parametrize("game", game_ids())
def test_a_log_is_not_folded_under_other_rules(game: str) -> None:
    log, _ = old_game(game, decisions=3)
    with unknown_rules():
        live.fold(log)
    with unknown_rules():
        live.opened(Opened(game, 2, SECRET.hex(), rules="0"), 0)
    table = archive.read_table(log, None)
    assert table.number == len(log)
    assert table.position is None
    assert live.view(table, 1) is None


# A game that was over


@pytest.mark.parametrize("game", game_ids())
def test_a_finished_game_is_read_from_its_stored_record(game: str) -> None:
    log, over = old_game(game)
    stored = record_text(over)
    table = archive.read_table(log, stored)
    assert (table.number, table.sitters) == (over.number, (ADA, BEN))
    assert table.ending == Ending("over")
    assert over.position is not None
    assert archive.scores(table) == over.position.scores
    assert live.winners(table) == live.winners(over)
    assert str(live.record(table, None)) == str(live.record(table, 1)) == stored
    assert '[Rules "0"]' in stored
    assert archive.close(table, 0) == []
    assert table.deadline is None


@pytest.mark.parametrize("how", ["resigned", "time"])
def test_how_a_finished_game_ended_is_known(how: str) -> None:
    with rules_version("mandala", "0"):
        log, table = seated("mandala", clock=Clock("game", 60))
        table = played(log, table, decisions=4)
        loser = table.actor or 0
        event = Resigned(loser) if how == "resigned" else Flagged(loser)
        log.append((event, 9))
        table = live.fold(log)
    found = archive.read_table(log, record_text(table))
    assert found.ending == table.ending
    assert live.winners(found) == live.winners(table) == [3 - loser]


# A game that was running


@pytest.mark.parametrize("game", game_ids())
def test_a_running_game_is_closed_without_a_result(game: str) -> None:
    log, running = old_game(game, decisions=5)
    assert running.position is not None
    table = archive.read_table(log, None)
    ((event, closed),) = archive.close(table, 7)
    assert event == Closed("unknown-rules")
    assert closed.ending == Ending("closed")
    assert closed.number == running.number + 1
    assert live.winners(closed) == []
    assert archive.scores(closed) is None
    record = live.record(closed, None)
    assert record is not None
    assert record.moves == tuple(running.position.moves)
    assert (record.tags["Rules"], record.tags["Result"]) == ("0", "*")
    assert (record.tags["Seat1"], record.tags["Seat2"]) == ("Ada", "Ben")
    log.append((event, 7))
    again = archive.read_table(log, str(record))
    assert again == closed
    assert archive.close(again, 8) == []


def test_the_record_of_a_closed_game_leaves_out_moves_taken_back() -> None:
    with rules_version("patterns", "0"):
        log, table = seated("patterns", (ADA, ADA))
        table = played(log, table, decisions=5)
        log.append((TakenBack(1, 2), 0))
        table = played(log, live.fold(log), seed=9, decisions=2)
    record = archive.read_table(log, None).stored
    assert record is not None
    assert table.position is not None
    assert record.moves == tuple(table.position.moves)
    assert record.tags["Takebacks"] == "1"
    with rules_version("patterns", "0"):
        check(record)


def test_the_record_of_a_closed_game_begins_with_its_line() -> None:
    _, dealt = old_game("patterns", decisions=3)
    assert dealt.position is not None
    line = tuple(dealt.position.moves)
    with rules_version("patterns", "0"):
        log: Log = [(live.open_table("patterns", 2, SECRET, line=line), 0)]
        table = live.fold(log)
        table = happened(log, live.sit(table, 1, ADA, share(1), 0), 0)
        table = happened(log, live.sit(table, 2, BEN, share(2), 0), 0)
    record = archive.read_table(log, None).stored
    assert record is not None
    assert record.moves[: len(line)] == line
    assert record.tags["Given"] == str(len(line))


def test_a_table_with_open_seats_is_closed_without_a_record() -> None:
    with rules_version("mandala", "0"):
        log: Log = [(live.open_table("mandala", 2, SECRET), 0)]
    ((_, closed),) = archive.close(archive.read_table(log, None), 7)
    assert closed.ending == Ending("closed")
    assert live.record(closed, None) is None


def test_a_game_closed_for_its_rules_has_no_winner_under_these_rules_either() -> None:
    log, table = seated("mandala")
    table = played(log, table, decisions=3)
    log.append((Closed("unknown-rules"), 0))
    table = live.fold(log)
    assert live.winners(table) == []
    record = live.record(table, None)
    assert record is not None
    assert record.tags["Result"] == "*"
    check(record)


# Refused commands

COMMANDS: dict[str, Callable[[Table], object]] = {
    "sit": lambda table: live.sit(table, 1, CY, share(3), 0),
    "leave": lambda table: live.leave(table, 1, 0),
    "move": lambda table: live.move(table, 1, "A1r", 0),
    "why": lambda table: live.why_not(table, 1, "A1r"),
    "hint": lambda table: live.view_for_hint(table, 1),
    "resign": lambda table: live.resign(table, 1, 0),
    "takeback": lambda table: live.ask_takeback(table, 1, 0),
    "answer": lambda table: live.answer_takeback(table, 1, 0, agrees=True),
    "ask for a rematch": lambda table: live.ask_rematch(table, 1, 0),
    "rematch": lambda table: live.rematch(table, SECRET, "t"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("is_over", [True, False])
def test_commands_are_refused_with_the_reason(command: str, is_over: bool) -> None:
    log, table = old_game("mandala", 10_000 if is_over else 3)
    table = archive.read_table(log, record_text(table) if is_over else None)
    with unknown_rules() as caught:
        COMMANDS[command](table)
    assert "version '0' of the rules" in caught.value.say("en")
    assert "Fassung »0«" in caught.value.say("de")


def test_a_requested_rematch_is_not_opened() -> None:
    log, table = old_game("mandala")
    log += [(RematchAsked(1), 0), (RematchAsked(2), 0)]
    with rules_version("mandala", "0"):
        assert live.wants_rematch(live.fold(log))
    found = archive.read_table(log, record_text(table))
    assert not live.wants_rematch(found)
    assert live.announce_rematch(found, "next", 0) == []


def test_names_come_from_the_log() -> None:
    log, table = old_game("mandala")
    stored = record_text(table).replace('"Ada"', '"Old name"')
    (record,) = read_records(str(archive.read_table(log, stored).stored))
    assert record.tags["Seat1"] == "Ada"


def test_an_event_of_another_process_is_applied() -> None:
    log, table = old_game("mandala")
    found = archive.read_table(log, record_text(table))
    after: list[Applied] = []
    with rules_version("mandala", "0"):
        after = live.ask_rematch(table, 1, 0)
    assert live.after(found, after[0].event, 0).rematch == {1}
