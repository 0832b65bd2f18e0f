"""`mandala` without a command: the local server, and the browser if there is one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from mandala.cli.home import HOST, bind_free_port, has_display
from mandala.games import game_ids
from mandala.live.store.lockfile import hold_lock
from mandala.server.serve import bind

COMMAND = [sys.executable, "-c", "from mandala.cli import main; main()"]
TIMEOUT_S = 20  # the machine may be busy


def environment(folder: Path, browser: str) -> dict[str, str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "XDG_DATA_HOME": str(folder), "BROWSER": browser, "LANG": "C.UTF-8"}


@pytest.mark.parametrize("has_browser", [True, False])
def test_it_serves_opens_the_browser_and_stops_cleanly(tmp_path: Path, has_browser: bool) -> None:
    opened = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    script.chmod(0o755)
    given = environment(tmp_path, f"{script} %s" if has_browser else "")
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdout=pipe, stderr=pipe, text=True, env=given) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        while not (found := re.search(r"mandala is at (http://\S+)", first)):
            assert first.startswith("Port 8080 is taken")
            first = process.stdout.readline()
        url = found[1]
        until = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until:
            try:
                games = httpx.get(f"{url}/api/games").json()
                break
            except httpx.TransportError:
                time.sleep(0.05)
        assert [each["id"] for each in games] == list(game_ids())
        assert "<!doctype html>" in httpx.get(f"{url}/").text
        if has_browser:
            while not opened.exists() or not opened.read_text():
                assert time.monotonic() < until
                time.sleep(0.05)
            assert opened.read_text().strip() == url
        else:
            assert process.stdout.readline().startswith("No browser can be opened here")
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=TIMEOUT_S)
    assert rest.strip() == "Stopped. All games are saved."
    assert errors == ""
    assert process.returncode == 0
    assert (tmp_path / "mandala" / "mandala.db").exists()


def test_if_already_running_only_the_browser_is_opened(tmp_path: Path) -> None:
    given = environment(tmp_path, "")
    with hold_lock(tmp_path / "mandala" / "mandala.db", "http://127.0.0.1:1"):
        done = subprocess.run(COMMAND, capture_output=True, text=True, env=given, check=True)
    assert done.stdout.splitlines() == [
        "mandala already runs at http://127.0.0.1:1.",
        "No browser can be opened here: open the address yourself.",
    ]
    assert done.stderr == ""


def test_if_a_port_is_taken_the_next_one_is_used() -> None:
    with bind(HOST, 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with bind_free_port(port) as other:
            assert other.getsockname()[1] > port


def test_a_browser_requires_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()
