"""Whole games in real browsers."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from itertools import combinations

import pytest

from mandala.text.catalogue import LANGUAGES
from tests.browser.conftest import Come
from tests.browser.people import Person
from tests.browser.truth import check_frames
from tests.samples import SEATINGS
from tests.server.harness import Server

MAX_MOVES = 400


@dataclass(frozen=True)
class Case:
    """A way to play a game: table, opponents, input device, language, and disturbance."""

    table: tuple[str, int]  # the game and its seats
    way: str
    by: str
    size: str
    language: str
    mishap: str

    def __str__(self) -> str:
        game, seats = self.table
        return "-".join(
            [f"{game}{seats}", self.way, self.by, self.size, self.language, self.mishap]
        )


VALUES: dict[str, tuple[object, ...]] = {
    "table": tuple(SEATINGS),
    "way": ("bots", "link", "device"),
    "by": ("tap", "keys"),
    "size": ("small", "large"),
    "language": LANGUAGES,
    "mishap": ("none", "reload", "offline"),
}
# A whole game of each kind for every change, ...
FAST = [
    Case(("mandala", 2), "device", "tap", "small", "en", "none"),
    Case(("patterns", 2), "link", "tap", "small", "de", "reload"),
    Case(("flowers", 4), "bots", "tap", "small", "de", "offline"),
    Case(("mandala", 2), "bots", "keys", "large", "en", "none"),
    Case(("patterns", 2), "bots", "keys", "large", "de", "offline"),
]
# ... and with these every value together with every other.
SLOW = [
    Case(("flowers", 2), "link", "keys", "large", "en", "reload"),
    Case(("flowers", 3), "device", "tap", "large", "en", "offline"),
    Case(("flowers", 2), "device", "keys", "small", "de", "none"),
    Case(("flowers", 3), "bots", "keys", "small", "de", "reload"),
    Case(("flowers", 4), "link", "keys", "large", "en", "none"),
    Case(("mandala", 2), "link", "tap", "large", "de", "offline"),
    Case(("flowers", 2), "bots", "tap", "large", "en", "offline"),
    Case(("patterns", 2), "device", "tap", "small", "en", "none"),
    Case(("flowers", 4), "device", "tap", "large", "de", "reload"),
    Case(("flowers", 3), "link", "keys", "large", "en", "none"),
    Case(("mandala", 2), "bots", "keys", "large", "de", "reload"),
]


def test_the_cases_cover_all_pairs_of_values() -> None:
    assert list(VALUES) == [field.name for field in fields(Case)]
    wanted = {
        (one, a, other, b)
        for one, other in combinations(VALUES, 2)
        for a in VALUES[one]
        for b in VALUES[other]
    }
    played = {
        (one, a, other, b)
        for case in FAST + SLOW
        for (one, a), (other, b) in combinations(zip(VALUES, astuple(case), strict=True), 2)
    }
    assert played == wanted


def choose_seats(person: Person, seats: int) -> None:
    """Choose the number of seats of Flowers, which is two at first."""
    if person.keys:
        person.reach("[data-card='flowers'] .pick input")
        for _ in range(seats - 2):
            person.page.keyboard.press("ArrowRight")
    else:
        person.page.locator("[data-card='flowers'] .pick label").nth(seats - 2).click()


def start(person: Person, game: str, seats: int = 2) -> None:
    """Start a game on the first screen."""
    if game == "flowers":
        choose_seats(person, seats)
    person.do(f"[data-card='{game}'] .play")
    person.wait_for_board()


def check_end(server: Server, person: Person, own: set[int]) -> None:
    """Assert that the result is shown and that no hidden information was sent."""
    result = person.page.locator("[data-result]")
    result.wait_for()
    lines = [int(each) for each in result.locator(".line > b").all_inner_texts()]
    assert sum(lines) == sum(person.state["scores"]), "how the points came about"
    for points in person.state["scores"]:
        assert str(points) in result.locator("strong").all_inner_texts()
    assert check_frames(server.database, person.state["id"], person.frames, own) > 10


def invited(come: Come, host: Person, game: str, **more: object) -> Person:
    """Return a person who follows the host's invitation link and sits down."""
    (guest,) = all_invited(come, host, game, 2, **more)
    return guest


def all_invited(come: Come, host: Person, game: str, seats: int, **more: object) -> list[Person]:
    """Return a person for each of the host's invitation links."""
    if game == "flowers":
        choose_seats(host, seats)
    host.do(f"[data-card='{game}'] .ways button:first-child")
    fields = host.page.locator("[data-waiting] input")
    fields.first.wait_for()
    links = [field.input_value() for field in fields.all()]
    guests = [come(link, **more) for link in links]
    for guest in guests:
        guest.do(".sit")
        guest.wait(lambda: guest.seat is not None, "a seat")  # noqa: B023
    for person in (host, *guests):
        person.wait_for_board()
    return guests


def pass_on(person: Person) -> bool:
    """Press the button to hand over a shared device, if there is one; return whether there was."""
    page = person.page
    if page.locator("[data-curtain]").count():
        assert not page.locator("[data-stack], .board").count(), "nothing lies behind the curtain"
        person.do("[data-curtain] button")
        page.locator("section.board, [data-curtain]").first.wait_for()
        return True
    if page.locator(".bottom .wide").count():
        person.do(".bottom .wide")
        page.locator("[data-curtain]").wait_for()
        return True
    return False


def play(*people: Person, stop: int = MAX_MOVES, is_shared: bool = False) -> int:
    """Play until the end, or until `stop` moves are made; return the number of moves."""
    moves = 0
    for _ in range(20 * MAX_MOVES):
        if all(person.is_over for person in people) or moves >= stop:
            return moves
        for person in people:
            if is_shared and pass_on(person):
                continue
            if person.is_on and (not is_shared or person.page.locator("section.board").count()):
                person.move()
                moves += 1
            else:
                person.page.wait_for_timeout(10)
    raise AssertionError("the game does not end")


def disturb(person: Person, mishap: str) -> None:
    """Reload the page, or disconnect the network for a while."""
    page = person.page
    if mishap == "reload":
        page.reload()
        page.locator("[data-curtain], section.board").first.wait_for()
    elif mishap == "offline":
        page.locator("[data-number]").wait_for()
        person.context.set_offline(True)
        page.locator(".banner").wait_for()
        page.wait_for_timeout(500)
        person.context.set_offline(False)
        page.locator(".banner").wait_for(state="detached")


@pytest.mark.parametrize(
    "case", [*FAST, *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)], ids=str
)
def test_a_whole_game(come: Come, server: Server, case: Case) -> None:
    (game, seats), is_shared = case.table, case.way == "device"
    small, keys = case.size == "small", case.by == "keys"
    host = come(small=small, language=case.language, keys=keys)
    people = [host]
    if case.way == "bots":
        start(host, game, seats)
    elif case.way == "link":
        other = next(each for each in LANGUAGES if each != case.language)
        people += all_invited(come, host, game, seats, small=not small, language=other, keys=keys)
    else:
        share_device(host, game, seats)
    made = play(*people, stop=seats, is_shared=is_shared)  # a game may be over soon after that
    while is_shared and pass_on(host):
        pass
    disturb(host, case.mishap)
    made += play(*people, is_shared=is_shared)
    assert made > seats
    for person in people:
        own = set(range(1, seats + 1)) if is_shared else {person.seat or 0}
        check_end(server, person, own)


def share_device(person: Person, game: str, seats: int = 2) -> None:
    """Open a table with all seats on one device."""
    if game == "flowers":
        choose_seats(person, seats)
    person.do(f"[data-card='{game}'] .ways button:last-child")
    person.page.locator("[data-curtain], section.board").first.wait_for()


def test_a_rematch_on_a_shared_device(come: Come) -> None:
    person = come()
    person.page.locator("[data-card='mandala'] .ways button").last.click()
    person.page.locator("[data-curtain]").wait_for()
    pass_on(person)
    person.wait_for_board()
    first = person.state["id"]
    person.page.locator(".actions > button").last.click()
    person.page.locator("dialog .warn").click()
    person.page.locator("dialog .warn").click()
    person.page.locator("[data-result] .primary").click()
    person.page.locator("[data-curtain]").wait_for()
    assert first not in person.page.url
