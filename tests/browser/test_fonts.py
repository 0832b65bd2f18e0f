"""All text is drawn with the page's own fonts, whatever the machine has."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from mandala.games import game_ids
from tests.browser.conftest import Come
from tests.browser.test_games import start

ELEMENTS = "body *:not(script, style, title, option, .unseen, .unseen *, kbd, svg, svg *)"


def fonts_of(page: Page) -> tuple[int, set[str]]:
    """Return how many letters the page's own fonts draw, and the fonts of the machine in use."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
    nodes = devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": ELEMENTS})
    drawn = [
        font
        for node in nodes["nodeIds"]
        for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    ]
    own = sum(int(font["glyphCount"]) for font in drawn if font["isCustomFont"])
    return own, {font["familyName"] for font in drawn if not font["isCustomFont"]}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_uses_only_its_own_fonts(come: Come, language: str) -> None:
    person = come(language=language)
    page = person.page
    page.locator("[data-card] .play").first.wait_for()
    own, other = fonts_of(page)
    assert own > 300
    assert not other
    for game in game_ids():
        person.go("/")
        start(person, game)
        page.locator("section.board button").first.wait_for()
        own, other = fonts_of(page)
        assert own > 50
        assert not other
