"""Replays, lessons, rules and verification of deals in the browser."""

from __future__ import annotations

import json
import re

import httpx
import numpy as np
import pytest

from mandala.core.lesson import lesson
from mandala.core.position import new
from mandala.games import game_ids
from tests.browser.conftest import Come
from tests.browser.people import Person
from tests.browser.test_games import play, start
from tests.browser.test_screens import problems
from tests.server.harness import Server


def record_of(game: str, moves: int) -> str:
    """Return a record of the first moves of a random game."""
    generator = np.random.default_rng(4)
    position = new(game, seed=4)
    for _ in range(moves):
        position = position.play(str(generator.choice(position.legal)), generator)
    return str(position.record({"Seat1": "Ada", "Seat2": "greedy"}))


def resign(person: Person) -> None:
    person.page.locator(".actions > button").last.click()
    person.page.locator("dialog .warn").click()
    person.page.locator("dialog .warn").click()
    person.page.locator("[data-result]").wait_for()


def look_at(person: Person, record: str) -> None:
    person.go("/replay")
    person.page.locator("textarea").fill(record)
    person.page.locator("form .primary").click()
    person.page.locator("[data-replay] section.board button, [data-replay] ol").first.wait_for()


def ply_of(person: Person) -> int:
    return int(person.page.locator("[data-replay] input[type=range]").input_value())


@pytest.mark.parametrize(("language", "dark", "small"), [("en", False, True), ("de", True, False)])
def test_all_reading_screens_are_accessible(
    come: Come, language: str, dark: bool, small: bool
) -> None:
    person = come(language=language, small=small)
    page, wrong = person.page, dict[str, list[str]]()

    def check(screen: str) -> None:
        if found := problems(person):
            wrong[screen] = found

    page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    for game in game_ids():
        person.go(f"/rules/{game}")
        page.locator("[data-rules] h2").first.wait_for()
        check(f"rules of {game}")
        person.go(f"/learn/{game}")
        page.locator("[data-learn] section.board button").first.wait_for()
        check(f"learning {game}")
        look_at(person, record_of(game, 12))
        check(f"replay of {game}")
    person.go("/replay")
    page.locator("textarea").fill("[Game")
    page.locator("form .primary").click()
    page.locator("[role=alert] strong").wait_for()
    check("import")
    person.go("/")
    start(person, "mandala")
    resign(person)
    page.locator("[data-result] .row button").last.click()
    page.locator("[data-fair]").wait_for()
    check("proof")
    assert not wrong, json.dumps(wrong, indent=1)


def test_a_record_is_stepped_through_by_keys_and_buttons(come: Come) -> None:
    person = come()
    look_at(person, record_of("mandala", 12))
    page = person.page
    before_first = ply_of(person)
    assert before_first > 12, "it begins where the table is laid"
    page.keyboard.press("ArrowRight")
    assert ply_of(person) > before_first
    page.keyboard.press("ArrowLeft")
    assert ply_of(person) == before_first
    page.keyboard.press("ArrowLeft")
    assert ply_of(person) == 0
    page.keyboard.press("ArrowRight")
    assert ply_of(person) == before_first, "the draws of the setup are one step"
    page.keyboard.press("End")
    last = ply_of(person)
    page.locator("[data-replay] [role=switch]").check()
    page.get_by_role("button", name="One step back").click()
    assert ply_of(person) == last - 1
    page.get_by_role("button", name="To the beginning").click()
    assert ply_of(person) == 0
    page.locator("select[aria-label=Speed]").select_option("4")
    page.get_by_role("button", name="Play", exact=True).click()
    person.wait(lambda: ply_of(person) > 3, "the game to play")
    page.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize("game", game_ids())
def test_on_a_phone_nothing_covers_the_board_of_a_replay(come: Come, game: str) -> None:
    person = come()
    look_at(person, record_of(game, 24))
    page = person.page
    for key in ("ArrowRight", "End"):
        page.keyboard.press(key)
        board = page.locator("[data-replay] section.board").first.bounding_box()
        controls = page.locator(".controls").bounding_box()
        assert board is not None
        assert controls is not None
        assert board["y"] + board["height"] <= controls["y"]
        assert controls["y"] + controls["height"] <= 740


def test_an_error_in_a_record_is_shown_with_its_place(come: Come) -> None:
    person = come()
    person.go("/replay")
    person.page.locator("textarea").fill('[Game "patterns"]\n\n+rr Zz')
    person.page.locator("form .primary").click()
    fault = person.page.locator("[role=alert]")
    fault.locator("strong").wait_for()
    assert "Line 3" in fault.inner_text()
    assert "Zz" in fault.inner_text()


def test_a_finished_game_is_replayed_by_seat_and_continued_as_what_if(come: Come) -> None:
    person = come()
    start(person, "mandala")
    play(person, stop=3)
    table = person.state["id"]
    resign(person)
    page = person.page
    page.locator(f"a[href='/t/{table}/replay']").click()
    page.locator("[data-replay] .hands").wait_for()
    page.locator("[data-replay] header select").select_option("2")
    page.locator("[data-replay] .hands").wait_for(state="detached")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    ply = ply_of(person)
    page.wait_for_url(re.compile(rf"ply={ply}&view=2"))
    page.reload()
    page.locator("[data-replay]").wait_for()
    assert ply_of(person) == ply
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: "/replay" not in url and table not in url)
    person.wait(lambda: person.is_on and person.state["id"] != table, "their turn")


def test_the_browser_verifies_the_deal(come: Come, server: Server) -> None:
    person = come()
    start(person, "flowers")
    table = person.state["id"]
    resign(person)
    person.page.locator("[data-result] .row button").last.click()
    assert person.page.locator("[data-fair]").get_attribute("data-fair") == "true"
    assert person.page.locator(".findings .right").count() == 5
    # A server that leaves out the draws.
    proof = httpx.get(f"{server.url}/api/tables/{table}/proof").json()
    draw = next(each for each in proof["draws"] if len(each["outcomes"]) > 1)
    draw["move"] = next(each for each in draw["outcomes"] if each != draw["move"])
    person.page.route("**/proof*", lambda route: route.fulfill(json=proof))
    person.page.reload()
    person.page.locator("[data-result] .row button").last.click()
    assert person.page.locator("[data-fair]").get_attribute("data-fair") == "false"


@pytest.mark.parametrize("game", game_ids())
def test_a_lesson_leads_to_the_first_game(come: Come, server: Server, game: str) -> None:
    person = come()
    person.go(f"/learn/{game}")
    page = person.page
    lesson_steps = httpx.get(f"{server.url}/api/lessons/{game}").json()["steps"]
    for index, step in enumerate(lesson(game).steps):
        person.state = {"game": game, "number": 0, **lesson_steps[index]}
        page.locator(f"[data-step='{index}'] .task").wait_for()
        if index == 0:
            wrong = next(each for each in lesson_steps[0]["legal"] if each not in step.accept)
            person.make(wrong)
            answer = page.locator(".answer:not(.right)")
            answer.wait_for()
            assert answer.inner_text().strip() == step.texts["en"]["other"]
        person.make(step.accept[-1])
        page.locator(".answer.right").wait_for()
        page.locator(".ways .primary").click()
    page.locator("[data-learn] .bubble .primary").click()
    person.wait(lambda: person.state.get("your_seat") is not None, "the first game")


def test_on_a_phone_the_text_of_a_lesson_does_not_cover_the_board(come: Come) -> None:
    person = come()
    person.go("/learn/mandala")
    page = person.page
    page.locator(".fold").click()
    assert page.locator(".task").is_visible()
    page.locator(".story").wait_for(state="hidden")
    hand = page.locator("[data-stack]").first.bounding_box()
    assert hand is not None
    assert hand["y"] + hand["height"] <= 740
    page.locator(".unfold").click()
    page.locator(".story").wait_for()


def test_the_result_links_to_the_most_valuable_moves(come: Come) -> None:
    person = come()
    look = person.page
    start(person, "patterns")
    play(person)
    moment = look.locator("[data-moments] li a").last
    gain = moment.locator("b").inner_text()
    moment.click()
    look.locator("[data-replay]").wait_for()
    shown = ply_of(person)
    assert f"ply={shown}" in look.url
    frames = httpx.get(person.url + f"/api/tables/{person.state['id']}/replay").json()["frames"]
    before, after = frames[shown - 1]["scores"], frames[shown]["scores"]
    assert gain == f"+{sum(after) - sum(before)}"


def test_the_rules_link_to_their_sections(come: Come) -> None:
    person = come(language="de")
    person.go("/rules/flowers")
    person.page.locator("nav a").nth(3).click()
    person.page.wait_for_url(re.compile("#part-4$"))
    is_shown = "document.querySelector('#part-4').getBoundingClientRect().top < innerHeight"
    person.wait(lambda: person.page.evaluate(is_shown), "the part")
