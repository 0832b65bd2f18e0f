"""Whole games in real browsers, as people play them."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Come
from tests.browser.people import Person
from tests.browser.truth import check_frames
from tests.server.harness import Server

MOST_MOVES = 400


def play(*people: Person, stop: int = MOST_MOVES) -> int:
    """Play until the end, or for so many moves; how many there were."""
    moves = 0
    for _ in range(20 * MOST_MOVES):
        if all(person.is_over for person in people) or moves >= stop:
            return moves
        for person in people:
            if person.is_on:
                person.move()
                moves += 1
            else:
                person.page.wait_for_timeout(10)
    raise AssertionError("the game does not end")


def start(person: Person, game: str, seats: int = 2) -> None:
    """One tap on the first screen."""
    if game == "flowers":
        person.page.locator("[data-card='flowers'] .pick label").nth(seats - 2).click()
    person.do(f"[data-card='{game}'] .play")
    person.wait_for_board()


def check_end(server: Server, person: Person, own: set[int]) -> None:
    """The result is there, and nothing was sent that the person may not know."""
    result = person.page.locator("[data-result]")
    result.wait_for()
    lines = [int(each) for each in result.locator(".line > b").all_inner_texts()]
    assert sum(lines) == sum(person.state["scores"]), "how the points came about"
    for points in person.state["scores"]:
        assert str(points) in result.locator("strong").all_inner_texts()
    assert check_frames(server.database, person.state["id"], person.frames, own) > 10


@pytest.mark.parametrize(
    ("game", "seats", "small", "language", "keys"),
    [
        ("mandala", 2, True, "en", False),
        ("patterns", 2, False, "de", True),
        ("flowers", 4, True, "de", False),
        pytest.param("mandala", 2, False, "de", True, marks=pytest.mark.slow),
        pytest.param("patterns", 2, True, "en", False, marks=pytest.mark.slow),
        pytest.param("flowers", 2, False, "en", True, marks=pytest.mark.slow),
        pytest.param("flowers", 3, True, "en", True, marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_against_bots(
    come: Come, server: Server, game: str, seats: int, small: bool, language: str, keys: bool
) -> None:
    person = come(small=small, language=language, keys=keys)
    start(person, game, seats)
    play(person)
    check_end(server, person, {1})


def invited(come: Come, host: Person, game: str, **more: object) -> Person:
    """Somebody who follows the link that the host sees, and sits down with one tap."""
    host.page.locator(f"[data-card='{game}'] .ways button").first.click()
    link = host.page.locator("[data-waiting] input").input_value()
    guest = come(link, **more)
    guest.page.locator(".sit").click()
    for person in (host, guest):
        person.wait_for_board()
    return guest


@pytest.mark.parametrize(
    ("game", "small"),
    [
        ("patterns", True),
        pytest.param("mandala", False, marks=pytest.mark.slow),
        pytest.param("flowers", True, marks=pytest.mark.slow),
    ],
)
def test_a_game_between_two_browsers_with_a_reload_and_a_lost_network(
    come: Come, server: Server, game: str, small: bool
) -> None:
    host = come(small=small, language="en")
    guest = invited(come, host, game, small=not small, language="de")
    play(host, guest, stop=4)

    guest.wait(lambda: guest.state["number"] == host.state["number"], "the last move")
    guest.page.reload()
    guest.page.locator(f"[data-number='{host.state['number']}']").wait_for()
    play(host, guest, stop=4)

    host.context.set_offline(True)
    host.page.locator(".banner").wait_for()
    if guest.is_on:
        guest.move()
    host.context.set_offline(False)
    host.wait(lambda: host.state["number"] == guest.state["number"], "what was missed")

    play(host, guest)
    check_end(server, host, {1})
    check_end(server, guest, {2})


def pass_on(person: Person) -> bool:
    """Hand the device over, as far as it has to be; whether there was anything to do."""
    page = person.page
    if page.locator("[data-curtain]").count():
        assert not page.locator("[data-stack], .board").count(), "nothing lies behind the curtain"
        person.do("[data-curtain] button")
        page.locator("section.board").first.wait_for()
        return True
    if page.locator(".bottom .wide").count():
        person.do(".bottom .wide")
        page.locator("[data-curtain]").wait_for()
        return True
    return False


@pytest.mark.parametrize(
    ("game", "keys", "moves"),
    [
        ("mandala", False, 12),
        ("patterns", False, 12),
        pytest.param("mandala", True, MOST_MOVES, marks=pytest.mark.slow),
        pytest.param("flowers", False, MOST_MOVES, marks=pytest.mark.slow),
    ],
)
def test_a_game_on_one_device(
    come: Come, server: Server, game: str, keys: bool, moves: int
) -> None:
    person = come(keys=keys)
    person.page.locator(f"[data-card='{game}'] .ways button").last.click()
    person.page.locator("[data-curtain], section.board").first.wait_for()
    made: list[int | None] = []
    for _ in range(20 * MOST_MOVES):
        if len(made) >= moves or person.is_over:
            break
        if not pass_on(person):
            if person.is_on and person.page.locator("section.board").count():
                made.append(person.seat)
                person.move()
            person.page.wait_for_timeout(20)
    assert {1, 2} <= set(made)
    assert check_frames(server.database, person.state["id"], person.frames, {1, 2}) >= len(made)


def test_a_device_that_is_passed_on_gets_a_rematch(come: Come) -> None:
    person = come()
    person.page.locator("[data-card='mandala'] .ways button").last.click()
    person.page.locator("[data-curtain]").wait_for()
    pass_on(person)
    person.wait_for_board()
    first = person.state["id"]
    person.page.locator(".screen > header button").last.click()
    person.page.locator("dialog .warn").click()
    person.page.locator("dialog .warn").click()
    person.page.locator("[data-result] .primary").click()
    person.page.locator("[data-curtain]").wait_for()
    assert first not in person.page.url
