"""The board of Patterns on a phone: coordinates, and marks for what a sentence names."""

from __future__ import annotations

import re

from tests.browser.conftest import Come
from tests.browser.people import Person
from tests.browser.test_games import play, start

SPACE = re.compile(r"\b[a-h][1-8]\b")
# The coordinates that are hidden, out of the screen, or on a space.
BAD_COORDINATES = """() => {
  const spaces = [...document.querySelectorAll('[data-space]')]
    .map((each) => each.getBoundingClientRect())
  return [...document.querySelectorAll('.coordinate')].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    const isOn = (space) => left + 2 < space.right - 2 && right - 2 > space.left + 2
      && top + 2 < space.bottom - 2 && bottom - 2 > space.top + 2
    return !each.checkVisibility() || left < 0 || right > innerWidth || spaces.some(isOn)
  }).map((each) => each.textContent)
}"""


def marked(person: Person) -> set[str]:
    """Return the spaces that are marked on the board."""
    marks = person.page.locator("[data-marked]")
    return {str(mark.get_attribute("data-marked")) for mark in marks.all()}


def test_a_phone_shows_the_coordinates_beside_the_board(come: Come) -> None:
    person = come()
    start(person, "patterns")
    labels = person.page.locator(".coordinate")
    labels.first.wait_for()
    assert sorted(labels.all_inner_texts()) == sorted("12345678abcdefgh")
    assert person.page.evaluate(BAD_COORDINATES) == []


def test_what_an_entry_of_the_log_or_a_hint_names_is_marked(come: Come) -> None:
    person = come()
    start(person, "patterns")
    play(person, stop=2)
    person.wait_for_turn()
    person.page.keyboard.press("l")
    entry = person.page.locator("[data-log] li", has_text=SPACE).first
    entry.focus()
    person.wait(lambda: marked(person), "a mark")
    assert marked(person) == set(SPACE.findall(entry.inner_text()))
    person.page.keyboard.press("l")
    person.wait(lambda: not marked(person), "the mark to go")
    person.page.keyboard.press("h")
    hint = person.page.locator("[data-toast]")
    hint.wait_for(timeout=60_000)
    assert marked(person) == set(SPACE.findall(hint.inner_text()))
    assert marked(person)


def test_what_a_lesson_names_is_marked(come: Come) -> None:
    person = come(language="de")
    person.go("/learn/patterns")
    person.page.locator("[data-space]").first.wait_for()
    person.page.locator(".ways .next").click()
    text = person.page.locator("[data-learn] .story").inner_text()
    task = person.page.locator("[data-learn] .task").inner_text()
    assert marked(person) == set(SPACE.findall(text + task))
    assert marked(person)
