"""Takes the screenshots in the docs: `python -m tests.browser.pictures FOLDER`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, LIMITS
from tests.browser.people import Person
from tests.browser.test_games import play
from tests.server.harness import Server

# By game: the number of decisions before the screenshot.
MOMENTS = {"mandala": 9, "patterns": 6, "flowers": 12}


def take(browser: Browser, url: str, folder: Path, *, small: bool, theme: str) -> None:
    """Take a screenshot of the first page and one of each game."""
    size = "small" if small else "large"
    home = Person(browser, url, small=small)
    home.go()
    home.page.locator("[data-card]").first.wait_for()
    home.page.wait_for_timeout(500)
    photograph(home, folder / f"home-{size}.png")
    home.context.close()
    for game, decisions in MOMENTS.items():
        person = Person(browser, url, small=small)
        person.go()
        person.page.evaluate("theme => localStorage.setItem('mandala-prefs', theme)", theme)
        person.page.reload()
        if game == "flowers":
            person.page.locator("[data-card=flowers] input[value='3']").check(force=True)
        person.do(f"[data-card={game}] .play")
        person.wait_for_board()
        for _ in range(decisions):
            wait_for_turn(person)
            person.move()
        wait_for_turn(person)
        person.page.wait_for_timeout(1500)
        photograph(person, folder / f"{game}-{size}.png")
        if game == "mandala" and small:
            play(person)
            person.page.locator("[data-moments]").wait_for()
            photograph(person, folder / "end-small.png")
        person.context.close()


def photograph(person: Person, path: Path) -> None:
    """Save a person's screen as a small file."""
    person.page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


def wait_for_turn(person: Person) -> None:
    """Wait until it is a person's turn."""
    person.wait(lambda: person.is_on, "the turn")


def main() -> None:
    """Take all screenshots."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        server = Server(f"sqlite+aiosqlite:///{kept}/tables.db", Path(kept) / "log", LIMITS)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        take(browser, server.url, folder, small=True, theme='{"theme": "light"}')
        take(browser, server.url, folder, small=False, theme='{"theme": "dark"}')
        browser.close()
        server.close()


if __name__ == "__main__":
    main()
