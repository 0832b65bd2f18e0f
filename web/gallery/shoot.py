"""Take screenshots of fixtures on their boards.

npx vite --config gallery/vite.config.ts --port 5180 &
python gallery/shoot.py http://localhost:5180 FOLDER [TEXT IN NAME] [theme=dark …]
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 800)}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]


def main(address: str, folder: str, part: str = "", *options: str) -> None:
    """Take a screenshot of every fixture whose name contains a text."""
    names = [
        each["name"] for each in json.loads(Path(__file__).with_name("fixtures.json").read_text())
    ]
    query = dict(option.split("=") for option in options)
    sizes = query.pop("sizes", "phone,desk").split(",")
    keys = query.pop("keys", "")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        for size in sizes:
            width, height = SIZES[size]
            page = browser.new_page(viewport={"width": width, "height": height})
            page.on("console", lambda message: message.type == "error" and print(message.text))
            page.on("pageerror", lambda error: print(error))
            for name in (each for each in names if part in each):
                page.goto(f"{address}/?{urlencode({'name': name, **query})}")
                page.wait_for_selector("main button")
                for key in keys:
                    page.keyboard.press(key)
                tall, wide = page.evaluate(
                    "() => [document.querySelector('main').offsetHeight - 56,"
                    " document.documentElement.scrollWidth]"
                )
                label = "-".join(
                    [name.replace(" ", "_"), size, *query.values(), *([keys] if keys else [])]
                )
                page.screenshot(path=f"{folder}/{label}.png")
                print(label, f"board {tall} px tall, page {wide} px wide")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
