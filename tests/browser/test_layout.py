"""Where things are: the stage of a large screen, names in the header, and lessons on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect

from mandala.games import game_ids
from tests.browser.conftest import Come
from tests.browser.people import LARGE, SMALL, Person
from tests.browser.test_games import start
from tests.server.harness import Client, Server

LONG_NAME = "Kupfermarderfreundin"
# By game: what is measured on the stage of 1280 by 800, and its least width or height.
SIZES = {
    "mandala": (".medallion", "width", 360),
    "patterns": ("[data-space]", "width", 68),
    "flowers": (".mandala .tile", "height", 96),
}


def box(person: Person, selector: str) -> FloatRect:
    """Return the place of the first element that matches."""
    found = person.page.locator(selector).first
    found.wait_for()
    place = found.bounding_box()
    assert place is not None
    return place


@pytest.mark.parametrize("game", game_ids())
def test_on_a_large_screen_the_board_is_a_stage_beside_the_log(come: Come, game: str) -> None:
    person = come(small=False)
    start(person, game, 3)
    person.page.locator("aside button").click()
    person.wait_for_turn()
    selector, side, least = SIZES[game]
    measured = box(person, selector)
    assert (measured["width"] if side == "width" else measured["height"]) >= least
    stage, log = box(person, ".stage"), box(person, "[data-log]")
    assert stage["width"] >= 0.6 * LARGE["width"]
    assert stage["x"] + stage["width"] <= log["x"]
    lowest = box(person, "section.board div.hand, section.board .self")
    assert lowest["y"] + lowest["height"] <= LARGE["height"]
    middle = lowest["x"] + lowest["width"] / 2
    assert abs(middle - (stage["x"] + stage["width"] / 2)) < 20, "the hand is in the centre"


@pytest.mark.parametrize("language", ["en", "de"])
def test_names_of_twenty_letters_are_whole_on_a_phone_with_clocks(
    come: Come, server: Server, language: str
) -> None:
    host, guest = Client(server, LONG_NAME), Client(server, LONG_NAME[::-1].capitalize())
    clock = {"kind": "game", "seconds": 3_600, "increment": 10}
    table = host.open("mandala", "me", "open", listed=True, clock=clock)["state"]["id"]
    assert guest.sit(table, 2).status_code < 300
    person = come(f"/t/{table}", language=language)
    names = person.page.locator("li[data-seat] .name")
    names.first.wait_for()
    assert names.count() == 2
    for name in names.all():
        assert len(name.inner_text()) == len(LONG_NAME) == 20
        assert name.evaluate("each => each.scrollWidth <= each.clientWidth")
        assert name.evaluate("each => each.getClientRects().length") == 1
        place = name.bounding_box()
        assert place is not None
        assert place["height"] < 30, "in one line"
    assert person.page.locator("li[data-seat] [role=timer]").count() == 2


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", game_ids())
def test_on_a_phone_a_lesson_shows_its_button_and_what_is_needed(
    come: Come, game: str, language: str
) -> None:
    person = come(language=language)
    person.go(f"/learn/{game}")
    bubble, button = box(person, ".bubble"), box(person, ".bubble .primary")
    assert button["y"] + button["height"] <= bubble["y"] + bubble["height"]
    if game != "patterns":
        hand = box(person, "[data-stack]")
        assert hand["y"] >= bubble["y"] + bubble["height"]
        assert hand["y"] + hand["height"] <= SMALL["height"]


def test_letters_on_cards_are_a_setting(come: Come) -> None:
    person = come()
    start(person, "mandala")
    stack = person.page.locator("[data-stack] .card").first
    stack.wait_for()
    assert stack.locator(".letter").count() == 0
    assert stack.locator("svg path").count() == 1
    person.page.evaluate("""localStorage.setItem('mandala-prefs', '{"letters": true}')""")
    person.page.reload()
    stack.wait_for()
    assert stack.locator(".letter").inner_text() in "roygvk"
