"""`mandala` alone: the server for oneself, in the browser."""

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
MORE_PORTS = 50


def at_home() -> None:
    """Serve on a port of this machine's own and open the browser, until stopped."""
    from mandala.live.store.upgrade import default_url
    from mandala.server.serve import Settings, address_of, serve

    language = user_language()
    listening = bind_near(PORT)
    url = address_of(listening)

    def show(address: str) -> None:
        if not (has_display() and webbrowser.open(address)):
            click.echo(texts.word("home", "no-browser", language))

    def begin() -> None:
        if url != f"http://{HOST}:{PORT}":
            click.echo(texts.fill("home", "other-port", {"port": PORT}, language))
        click.echo(texts.fill("home", "address", {"url": url}, language))
        show(url)

    try:
        is_well = serve(listening, Settings(default_url(), is_quiet=True), begin)
    except KeyboardInterrupt:
        is_well = True
    except Refused as error:
        holder = str(error.parts.get("holder"))
        if not holder.startswith("http"):
            raise
        click.echo(texts.fill("home", "already", {"url": holder}, language))
        show(holder)
        return
    if not is_well:
        raise SystemExit(1)
    click.echo("\n" + texts.word("home", "stopped", language))


def bind_near(port: int) -> socket.socket:
    """The socket on a port, or on the next one that is free. Raises Refused when none is."""
    from mandala.server.serve import bind

    for each in range(port, port + MORE_PORTS):
        try:
            return bind(HOST, each)
        except Refused as error:
            taken = error
    raise taken


def has_display() -> bool:
    """Whether a browser could show something; one for the terminal would only be in the way."""
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in names)
