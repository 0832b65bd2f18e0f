"""`mandala` without a command: serves the games on this machine and opens the browser."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser

import click

from mandala.cli.inputs import user_language
from mandala.text import catalogue as texts
from mandala.text.errors import Refused

HOST = "127.0.0.1"
PORT = 8080
MAX_PORTS_TRIED = 50


def serve_locally() -> None:
    """Serve on localhost and open the browser, until stopped."""
    from mandala.live.store.upgrade import default_url
    from mandala.server.serve import Settings, address_of, serve

    language = user_language()
    listening = bind_free_port(PORT)
    url = address_of(listening)

    def open_browser(address: str) -> None:
        if not (has_display() and webbrowser.open(address)):
            click.echo(texts.word("home", "no-browser", language))

    def on_ready() -> None:
        if url != f"http://{HOST}:{PORT}":
            click.echo(texts.fill("home", "other-port", {"port": PORT}, language))
        click.echo(texts.fill("home", "address", {"url": url}, language))
        open_browser(url)

    try:
        succeeded = serve(listening, Settings(default_url(), is_quiet=True), on_ready)
    except KeyboardInterrupt:
        succeeded = True
    except Refused as error:
        holder = str(error.parts.get("holder"))
        if not holder.startswith("http"):
            raise
        click.echo(texts.fill("home", "already", {"url": holder}, language))
        open_browser(holder)
        return
    if not succeeded:
        raise SystemExit(1)
    click.echo("\n" + texts.word("home", "stopped", language))


def bind_free_port(port: int) -> socket.socket:
    """Return a socket on a port or on the next free one. Raises Refused if none is free."""
    from mandala.server.serve import bind

    for each in range(port, port + MAX_PORTS_TRIED):
        try:
            return bind(HOST, each)
        except Refused as error:
            taken = error
    raise taken


def has_display() -> bool:
    """Whether a graphical browser can be opened; text browsers would take over the terminal."""
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in names)
