"""The names of seats are the same in narration, states, hints and replays."""

from __future__ import annotations

import pytest

from mandala.core.narration import narrate, steps_seen
from mandala.live import table as live
from mandala.live.events import Bot, Person, Sitter
from mandala.live.store import DELETED_NAME
from mandala.server import bot_service
from mandala.server.messages import Recipient, event_message, state_of
from mandala.server.names import make_distinct, names_of, sitter_name
from mandala.server.replays import replay_of
from mandala.text import catalogue
from tests.server.test_sentences import narration
from tests.tables import ADA, BEN, SECRET, Log, happened, played, seated, share

SKILLED, MASTER = Bot("search:3"), Bot("search:5")


def names_with(*sitters: Sitter, language: str = "en") -> list[str]:
    _, table = seated("flowers" if len(sitters) > 2 else "mandala", sitters)
    return names_of(table, language)


def test_people_have_their_names_and_bots_their_levels() -> None:
    assert names_with(ADA, SKILLED) == ["Ada", "Skilled"]
    assert names_with(ADA, SKILLED, language="de") == ["Ada", "Geübt"]
    assert names_with(Bot("greedy"), Bot("random")) == ["Magpie", "Dice"]


def test_equal_names_get_seat_numbers() -> None:
    other_ada = Person("other", "Ada")
    assert names_with(ADA, BEN, other_ada) == ["Ada 1", "Ben", "Ada 3"]
    assert names_with(ADA, SKILLED, SKILLED) == ["Ada", "Bot 2", "Bot 3"]
    assert names_with(Person("ben", "Skilled"), SKILLED) == ["Skilled", "Bot"]
    assert names_with(Person("ben", "Bot 3"), ADA, SKILLED, SKILLED) == [
        "Bot 3 1",
        "Ada",
        "Bot 3 3",
        "Bot 4",
    ]
    assert make_distinct(["", "Ada", ""]) == ["", "Ada", ""]


def test_names_on_a_shared_device_and_of_deleted_players() -> None:
    assert names_with(ADA, ADA) == ["Player 1", "Player 2"]
    assert names_with(ADA, ADA, BEN, language="de") == ["Person 1", "Person 2", "Ben"]
    assert names_with(Person("ada", DELETED_NAME), BEN) == ["Somebody", "Ben"]
    assert names_with(Person("ada", DELETED_NAME), BEN, language="de") == ["Jemand", "Ben"]


def test_states_and_lists_contain_the_names() -> None:
    opening = live.open_table("flowers", 4, SECRET)
    log: Log = [(opening, 0)]
    table = happened(log, live.sit(live.fold(log), 1, ADA, share(1), 0), 0)
    table = happened(log, live.sit(table, 3, SKILLED, b"", 0), 0)
    state = state_of("t", table, Recipient(None, "de"), now=0, moves=False)
    assert [(seat.name, seat.display_name) for seat in state.seats] == [
        ("Ada", "Ada"),
        ("", "Freier Platz"),
        ("search:3", "Geübt"),
        ("", "Freier Platz"),
    ]
    assert sitter_name("bot", "search:5", "en") == "Master"
    assert sitter_name("person", "search:5", "en") == "search:5"


@pytest.mark.parametrize("name", ["random", "search:3", "greedy", "Seat 1", "Platz 2", "{name}"])
@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_a_person_keeps_their_name_everywhere(name: str, language: str) -> None:
    """Even if it is the name of a bot, or looks like a seat."""
    log, table = seated("patterns", (MASTER, Person("ada", name)))
    table = played(log, table)
    state = state_of("t", table, Recipient(None, language), now=0, moves=False)
    assert state.seats[1].display_name == name
    texts = narration(log, None, language)
    verbs = ("gives", "opens") if language == "en" else ("gibt", "eröffnet")
    for verb in verbs:
        assert any(text.startswith(f"{name} {verb} ") for text in texts)
    master = catalogue.word("players", "search:5", language)
    assert any(text.startswith(f"{master} ") for text in texts)
    record = live.record(table, None)
    assert record is not None
    replay = replay_of(record, None, language, names_of(table, language))
    assert replay.names == [master, name]
    assert replay_of(record, None, language).names == ["search:5", name]
    about = [each for frame in replay.frames for each in frame.narration if each.seat == 2]
    assert about[0].text.startswith(f"{name} {verbs[0]} {master} ")


def test_a_hint_names_the_other_seat() -> None:
    _, table = seated("patterns", (SKILLED, Person("ben", "random")))
    shown = live.view_for_hint(table, 2)
    text = bot_service.describe_move(shown, shown.legal[0], names_of(table, "en"), "en")
    assert text.startswith("You give Skilled the ")


def test_narration_and_seats_use_the_same_names() -> None:
    log, table = seated("flowers", (ADA, SKILLED, SKILLED))
    played(log, table, decisions=6)
    event, at = log[-1]
    before, after = live.fold(log[:-1]), live.fold(log)
    news = event_message("t", before, event, after, Recipient(1, "en"), at=at, with_state=True)
    assert news.state is not None
    names = [seat.display_name for seat in news.state.seats]
    seen, shown = live.view(before, 1), live.view(after, 1)
    assert seen is not None
    assert shown is not None
    assert news.narration == narrate(steps_seen(seen, shown), 1, "en", names)
    assert any(f"Bot {sentence.seat}" in sentence.text for sentence in news.narration)
