"""All text is drawn with the page's own fonts, whatever the machine has."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mandala.games import game_ids
from tests.browser.conftest import ARGUMENTS, Come
from tests.browser.test_games import start
from tests.server.harness import Server

# By fontconfig file: the fonts that it needs.
FONT_FILES = {
    "liberation-and-dejavu": ("LiberationSans-Regular.ttf", "DejaVuSans.ttf"),
    "dejavu": ("DejaVuSans.ttf",),
}
SCREENS = ["/", *(f"/{kind}/{game}" for kind in ("rules", "learn") for game in game_ids())]
SIZES = """() => [...document.querySelectorAll("body *")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return [each.tagName, x, y, width, height]
})"""
WITHOUT_OWN_FONTS = "<span style='font: 40px sans-serif'>How wide is this?</span>"

ELEMENTS = "body *:not(script, style, title, option, .unseen, .unseen *, svg, svg *)"


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


def require_fonts(configuration: str) -> None:
    """Skip a test, or with CI fail it, unless the fonts of a configuration are installed."""
    for file in FONT_FILES[configuration]:
        is_missing = not any(Path("/usr/share/fonts").rglob(file))
        if is_missing and not os.environ.get("CI"):
            pytest.skip(f"{file} is not installed: text is not measured")
        assert not is_missing, f"{file} is not installed"


def test_the_layout_does_not_depend_on_the_fonts_of_the_machine(
    browser: Browser, server: Server
) -> None:
    machine_texts, sizes = set[float](), list[dict[str, Any]]()
    for configuration in FONT_FILES:
        require_fonts(configuration)
        file = Path(__file__).parent / "fonts" / f"{configuration}.conf"
        with browser.browser_type.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
            args=ARGUMENTS,
            env={**os.environ, "FONTCONFIG_FILE": str(file)},
        ) as other:
            page = other.new_page(
                viewport={"width": 360, "height": 740}, locale="de-DE", reduced_motion="reduce"
            )
            page.set_content(WITHOUT_OWN_FONTS)
            machine_texts.add(page.locator("span").bounding_box()["width"])  # type: ignore[index]
            found = {}
            for screen in SCREENS:
                page.goto(server.url + screen)
                page.locator("main h1, main h2, section.board").first.wait_for()
                page.wait_for_load_state("networkidle")
                page.evaluate("document.fonts.ready")
                found[screen] = page.evaluate(SIZES)
            sizes.append(found)
    assert len(machine_texts) == 2, "the configurations have no effect"
    assert sizes[0] == sizes[1]
