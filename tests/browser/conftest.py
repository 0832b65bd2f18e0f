"""Fixtures: the built page, a server that serves it, and Chromium."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from mandala.server.limits import Limits
from tests.browser.people import Person
from tests.server.harness import Server

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# Tests send more requests than people do, and need not wait for bots.
LIMITS = Limits(
    requests_per_second=5_000,
    request_burst=5_000,
    page_requests_per_second=5_000,
    page_burst=5_000,
    new_guests_per_hour=10_000,
    new_guests_per_day=10_000,
    messages_per_second=500,
    bot_time_s=0.05,
    bot_delay_s=0.0,
)


def _is_built() -> bool:
    index = ROOT / "src/mandala/page/index.html"
    sources = [*WEB.glob("*.*"), *WEB.glob("src/**/*"), *WEB.glob("public/**/*")]
    newest = max(path.stat().st_mtime for path in sources)
    return index.exists() and index.stat().st_mtime >= newest


@pytest.fixture(scope="session")
def built() -> None:
    """Build the page if its sources have changed; return its folder."""
    # Two workers of one run must not build at once.
    with (WEB / "node_modules/.page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_built():
            if shutil.which("npx") is None and not os.environ.get("CI"):
                pytest.skip("Node is not installed: the page cannot be built")
            subprocess.run(["npx", "vite", "build"], cwd=WEB, check=True, capture_output=True)


@pytest.fixture(scope="session")
def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("browser")
    running = Server(f"sqlite+aiosqlite:///{folder}/tables.db", folder / "log", LIMITS)
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: the page is not tested in a browser")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield found
        found.close()


Come = Callable[..., Person]


@pytest.fixture
def come(browser: Browser, server: Server) -> Iterator[Come]:
    """Return a function that opens the page for a new person; fails on errors in any page."""
    people: list[Person] = []

    def arrive(path: str = "/", **more: Any) -> Person:
        person = Person(browser, server.url, **more)
        people.append(person)
        person.go(path)
        return person

    yield arrive
    for person in people:
        person.context.close()
        assert person.errors == []
