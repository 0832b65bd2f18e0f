"""Benchmark of the page: smoothness of animations, and time to the first button.

`python -m tests.browser.frames [REPEATS]` opens the page without a cache and prints when its first
button can be pressed. Then it plays moves of each game with their animations, at both sizes, and
prints the times between frames during animations. It fails if the button takes more than a second,
or if fewer than 95 % of the frames take less than 20 ms.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import msgspec
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from mandala.games import game_ids
from tests.browser.conftest import ARGUMENTS, LIMITS
from tests.browser.people import Person
from tests.server.harness import Server

MAX_FRAME_MS = 20.0
SHARE = 0.95
MAX_START_MS = 1000.0
MOVES = 14  # enough to complete something
LIMITS_WITH_DELAY = msgspec.structs.replace(LIMITS, bot_delay_s=0.4)  # the default
# Records each frame with a running animation, and the animated properties.
WATCH = """() => {
  window.frames_ = { gaps: [], animated: [] }
  let before = null
  const look = (now) => {
    const moving = document.getAnimations().filter((each) => each.playState === 'running')
    if (before !== null && moving.length) frames_.gaps.push(now - before)
    before = moving.length ? now : null
    for (const { effect } of moving) {
      for (const frame of effect.getKeyframes()) frames_.animated.push(...Object.keys(frame))
    }
    frames_.animated = [...new Set(frames_.animated)]
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""
# Records when the first button is on the screen.
FIRST_BUTTON = """
  const look = () => {
    const button = document.querySelector('[data-card] .play:enabled')
    if (button?.checkVisibility()) requestAnimationFrame(() => (window.usable_ = performance.now()))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
"""
NO_PROPERTY = {"offset", "computedOffset", "easing", "composite"}


def play(person: Person, game: str, moves: int) -> tuple[list[float], set[str]]:
    """Make moves with animations; return the times between frames and the animated properties."""
    page = person.page
    person.do(f"[data-card='{game}'] .play")
    person.wait_for_board()
    page.locator("section.board button").first.wait_for()
    page.evaluate(WATCH)
    for _ in range(moves):
        person.wait_for_turn()
        if person.is_over:
            break
        person.move()
        page.wait_for_timeout(900)
    noted = page.evaluate("window.frames_")
    return noted["gaps"], set(noted["animated"]) - NO_PROPERTY


def measure_frames(browser: Browser, url: str, repeats: int) -> bool:
    """Print the times between frames by game and size; return whether they are short enough."""
    is_smooth = True
    for game in game_ids():
        for small in (True, False):
            gaps: list[float] = []
            for _ in range(repeats):
                person = Person(browser, url, small=small, still=False)
                person.go()
                gaps += play(person, game, MOVES)[0]
                person.context.close()
            share = float(np.mean(np.array(gaps) < MAX_FRAME_MS))
            p50, p95, worst = np.percentile(gaps, [50, 95, 100])
            size = "360x740" if small else "1280x800"
            print(
                f"{game:9} {size:9} {len(gaps):5} frames, p50 {p50:5.1f} ms, p95 {p95:5.1f} ms,"
                f" longest {worst:5.1f} ms, {share:6.1%} under {MAX_FRAME_MS:.0f} ms",
                flush=True,
            )
            is_smooth &= share >= SHARE
    return is_smooth


def measure_start(browser: Browser, url: str, repeats: int = 10) -> bool:
    """Print the time to the first button without a cache; return whether it is short enough."""
    times = []
    for _ in range(repeats):
        person = Person(browser, url)
        person.page.add_init_script(FIRST_BUTTON)
        person.go()
        person.wait(lambda: person.page.evaluate("window.usable_"), "the first button")  # noqa: B023
        times.append(float(person.page.evaluate("window.usable_")))
        person.context.close()
    print(
        f"first button after {min(times):.0f} to {max(times):.0f} ms,"
        f" median {np.median(times):.0f} ms, {repeats} times"
    )
    return max(times) <= MAX_START_MS


def main() -> None:
    """Run both measurements."""
    repeats = int(sys.argv[1]) if sys.argv[1:] else 3
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        server = Server(
            f"sqlite+aiosqlite:///{kept}/tables.db", Path(kept) / "log", LIMITS_WITH_DELAY
        )
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        is_soon = measure_start(browser, server.url)
        is_smooth = measure_frames(browser, server.url, repeats)
        browser.close()
        server.close()
    sys.exit(0 if is_soon and is_smooth else 1)


if __name__ == "__main__":
    main()
