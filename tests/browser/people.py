"""A person at a browser: taps or presses keys, and records every received WebSocket frame."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, WebSocket

SMALL = {"width": 360, "height": 740}
LARGE = {"width": 1280, "height": 800}
TIMEOUT_MS = 30_000
CARDS = re.compile(r"([ABC][12]?|[123])([roygvk]+)$")


@dataclass(frozen=True)
class Frame:
    """A received WebSocket frame, and the seat in the URL of its socket."""

    address: str
    text: str


class Person:
    """A person with their own browser context."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        small: bool = True,
        language: str = "en",
        keys: bool = False,
        still: bool = True,
    ) -> None:
        self.url, self.keys, self.small = url, keys, small
        self.context = browser.new_context(
            viewport=SMALL if small else LARGE,  # type: ignore[arg-type]
            locale={"en": "en-GB", "de": "de-DE"}[language],
            has_touch=small,
            reduced_motion="reduce" if still else "no-preference",
        )
        self.frames: list[Frame] = []
        self.state: dict[str, Any] = {}
        self.errors: list[str] = []
        self.page = self._open()
        self.choices = random.Random(5)

    def _open(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def _listen(self, socket: WebSocket) -> None:
        def record(text: str | bytes) -> None:
            assert isinstance(text, str)
            self.frames.append(Frame(socket.url, text))
            message = json.loads(text)
            if message.get("state"):
                self.state = message["state"]

        socket.on("framereceived", record)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.url + path if path.startswith("/") else path)

    def wait(self, until: Callable[[], Any], what: str) -> None:
        """Wait until a condition holds."""
        for _ in range(TIMEOUT_MS // 20):
            if until():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"timed out waiting for {what}; state {self.state.get('number')}")

    def wait_for_board(self, other_than: str = "") -> None:
        """Wait until a game has begun, at another table than `other_than`."""
        self.wait(lambda: self.state.get("board") and self.state["id"] != other_than, "the board")

    def wait_for_turn(self) -> None:
        """Wait until the page shows that it is their turn or that the game is over."""
        self.wait(lambda: self.is_on or self.is_over, "their turn")
        self._wait_until_shown()

    def _wait_until_shown(self) -> None:
        self.page.locator(f"[data-number='{self.state['number']}']").wait_for()

    # Pressing things: by mouse or touch, or only by keyboard

    def do(self, selector: str) -> None:
        """Press an element of the page."""
        if self.keys:
            self.reach(selector)
            self.page.keyboard.press("Enter")
        else:
            self.page.locator(selector).first.click()

    def reach(self, selector: str) -> None:
        """Move the focus to an element with the Tab key."""
        self.page.locator(selector).first.wait_for(state="attached")
        for _ in range(150):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not get to {selector}")

    # Playing

    @property
    def seat(self) -> int | None:
        seat: int | None = self.state.get("your_seat")
        return seat

    @property
    def is_over(self) -> bool:
        return self.state.get("ending") is not None

    @property
    def is_on(self) -> bool:
        return not self.is_over and self.seat is not None and self.state["actor"] == self.seat

    def move(self) -> str:
        """Make a random legal move, if possible one that is not a discard or a stop."""
        before = self.state["number"]
        self._wait_until_shown()
        legal: list[str] = self.state["legal"]
        move = self.choices.choice([each for each in legal if each[0] not in "CE"] or legal)
        self.make(move)
        self.wait(lambda: self.state["number"] > before, f"the move {move}")
        return move

    def make(self, move: str) -> None:
        """Make a move on the board."""
        game = self.state["game"]
        if cards := CARDS.match(move):
            self._lay(cards[1], cards[2])
        elif game == "mandala":
            self.do(f"[data-take='{move[1]}']")
        elif game == "flowers":
            self.do("[data-pass]" if move == "-" else f"[data-claim='{move[1:]}']")
        elif game == "patterns":
            self._make_in_patterns(move)
        else:
            raise AssertionError(f"how is {move} made on the board of {game}?")

    def _make_in_patterns(self, move: str) -> None:
        if move == "E":
            self.do(".stop")
        elif move[0] == "G":
            given: list[str] = [each for each in self.state["legal"] if each[0] == "G"]
            self.do(f".gifts > :nth-child({sorted(given, key=self._starting).index(move) + 1})")
        else:
            self._mark(move[0], move[1:])

    def _starting(self, move: str) -> int:
        starting: str = self.state["board"]["starting"]
        return starting.index(move[1])

    def _lay(self, target: str, cards: str) -> None:
        self.do(f"[data-stack='{cards[0]}']")
        self.do(f"[data-target='{target}']")
        question, chosen = (
            self.page.locator(each)
            for each in ("[data-confirm]", "[data-stack][aria-pressed='true']")
        )
        self.wait(lambda: question.is_visible() or not chosen.count(), "a question")
        if not question.is_visible():
            return
        for _ in range(12):
            shown = int(self.page.locator(".stepper output").inner_text())
            if shown == len(cards):
                break
            self.do(f"[data-step='{'more' if shown < len(cards) else 'fewer'}']")
        self.do("[data-confirm]")

    def _mark(self, kind: str, space: str) -> None:
        if self.keys:
            self.reach("[data-space]")
            for _ in range(20):
                here = str(self.page.evaluate("document.activeElement.dataset.space"))
                if here == space:
                    break
                self.page.keyboard.press(_towards(here, space))
            self.page.keyboard.press(kind.lower())
            return
        self.page.locator(f"[data-space='{space}']").click()
        legal = [each[0] for each in self.state["legal"] if each[1:] == space]
        if len(legal) > 1:
            self.page.locator(".chooser button").nth(
                sorted(legal, key="FXO".index).index(kind)
            ).click()


def _towards(here: str, there: str) -> str:
    """Return the arrow key towards a space, along the wider row so that no space is missing."""
    column, row = ord(there[0]) - ord(here[0]), int(there[1]) - int(here[1])
    is_outward = abs(int(there[1]) - 4.5) > abs(int(here[1]) - 4.5)
    if row and not (is_outward and column):
        return "ArrowUp" if row > 0 else "ArrowDown"
    return "ArrowRight" if column > 0 else "ArrowLeft"
