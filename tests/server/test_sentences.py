"""The narration of events for each seat and language."""

from __future__ import annotations

from typing import get_args

from mandala.live import table as live
from mandala.live.events import Event, Moved, Opened
from mandala.server.messages import Recipient, event_message
from mandala.text import catalogue as texts
from tests.tables import ADA, BEN, GREEDY, SECRET, Log, happened, played, seated, share


def narration(log: Log, seat: int | None, language: str = "en") -> list[str]:
    """Return all sentences that a client receives for a log."""
    (opening, at), *rest = log
    assert isinstance(opening, Opened)
    table, story = live.opened(opening, at), list[str]()
    for event, at in rest:
        before, table = table, live.after(table, event, at)
        to = Recipient(seat, language)
        news = event_message("t", before, event, table, to, at=at, with_state=False)
        story += [sentence.text for sentence in news.narration]
    return story


def test_the_narration_of_a_start_names_players_and_only_own_cards() -> None:
    log, _ = seated()
    mine, other, watching = narration(log, 1), narration(log, 2), narration(log, None)
    assert mine[:3] == [
        "You sit down on seat 1.",
        "Ben sits down on seat 2.",
        "The game begins. You decide first.",
    ]
    assert "The game begins. Ada decides first." in other
    assert other[0] == "Ada sits down on seat 1."
    assert "Ben draws 6 cards." in mine
    assert "Ada draws 6 cards." in other
    assert {"Ada draws 6 cards.", "Ben draws 6 cards."} <= set(watching)
    assert "Ada puts 2 cards face down into their cup." in watching
    assert sum(sentence.startswith("You draw") for sentence in mine) == 1
    assert sum(sentence.startswith("Face down into your cup:") for sentence in mine) == 1
    assert sum(sentence.startswith("New in the centre of mandala") for sentence in mine) == 2
    assert narration(log, 1, "de")[0] == "Du setzt dich auf Platz 1."


def test_a_takeback_is_narrated_to_both_seats() -> None:
    log, table = seated("patterns", (ADA, BEN))
    table = played(log, table, decisions=4)
    table = happened(log, live.ask_takeback(table, 2, 0), 0)
    table = happened(log, live.answer_takeback(table, 1, 0, agrees=False), 0)
    assert narration(log, 1)[-2:] == [
        "Ben asks to take back their last decision.",
        "You do not agree to the takeback.",
    ]
    table = played(log, table, decisions=2)
    table = happened(log, live.ask_takeback(table, 2, 0), 0)
    happened(log, live.answer_takeback(table, 1, 0, agrees=True), 0)
    assert narration(log, 1)[-3:] == [
        "Ben asks to take back their last decision.",
        "You agree to the takeback.",
        "Ben takes back their decision and decides again.",
    ]
    assert narration(log, None, "de")[-1] == (
        "Ben nimmt die eigene Entscheidung zurück und entscheidet neu."
    )


def test_the_narration_of_an_ending_names_the_winner() -> None:
    log, table = seated("patterns", (ADA, GREEDY))
    table = happened(log, live.resign(table, 1, 0), 0)
    assert narration(log, 1)[-2:] == ["You resign.", "Magpie wins with 0 points."]
    happened(log, live.ask_rematch(table, 1, 0), 0)
    assert narration(log, None, "de")[-1] == "Ada möchte noch einmal spielen."
    log, table = seated("flowers", (ADA, BEN))
    table = played(log, table)
    (winner,) = live.winners(table)
    assert narration(log, winner)[-1].startswith("You win with ")
    assert narration(log, 3 - winner)[-1].startswith(f"{(ADA, BEN)[winner - 1].name} wins with ")


def test_the_narration_of_leaving_names_the_player() -> None:
    log: Log = [(live.open_table("mandala", 2, SECRET), 0)]
    table = happened(log, live.sit(live.fold(log), 1, ADA, share(1), 0), 0)
    happened(log, live.leave(table, 1, 0), 0)
    assert narration(log, None) == ["Ada sits down on seat 1.", "Ada leaves seat 1."]


def test_every_event_has_sentences() -> None:
    keys = set(texts.sentences("en")["event"])
    for key in keys:
        if key.endswith("-you"):
            assert f"{key.removesuffix('-you')}-name" in keys
    kinds = {str(each.__struct_config__.tag) for each in get_args(Event)}
    kinds -= {"opened", "moved", "takeback-answered"}
    assert issubclass(Moved, get_args(Event))
    for kind in kinds:
        assert {kind, f"{kind}-you"} & keys, kind
