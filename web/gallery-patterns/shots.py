"""Pictures of the gallery: python web/gallery-patterns/shots.py URL FOLDER [QUERY …]"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZES = {"phone": (360, 740), "desk": (1280, 800)}
ARGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
ARGS += "--disable-component-update --disable-sync"


def main(url: str, folder: str, *queries: str) -> None:
    """Take a picture of each query at both sizes, by day and by night."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGS.split()
        )
        for size, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            for query in queries:
                page.goto(f"{url}/gallery-patterns/?{query}")
                page.wait_for_selector(".plan")
                name = query.replace("&", "-").replace("=", "")
                page.screenshot(path=f"{folder}/{size}-{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
