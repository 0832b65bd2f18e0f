"""`mandala serve`: live tables for people and bots."""

from __future__ import annotations

from pathlib import Path

import click

from mandala.cli.inputs import Fault
from mandala.text import catalogue as texts

TEXT = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option("--database", metavar="URL", help="Not the one in the user's data folder.")
@click.option("--origin", multiple=True, help="Another page that may use this server.")
@click.option("--secure", is_flag=True, help="People come by HTTPS alone: cookies too.")
@click.option("--redis", metavar="URL", help="Tell other processes by this Redis what happens.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, help="So many processes.")
@click.option("--proxy", multiple=True, help="A proxy in front, believed about who asks; * is all.")
@click.option("--imprint", type=TEXT, metavar="FILE", help="Who runs this server, as text.")
@click.option("--privacy", type=TEXT, metavar="FILE", help="What happens to data here, as text.")
@click.option("--quiet", is_flag=True, help="Log only what goes wrong.")
def serve(
    host: str,
    port: int,
    database: str | None,
    origin: tuple[str, ...],
    secure: bool,
    redis: str | None,
    workers: int,
    proxy: tuple[str, ...],
    imprint: Path | None,
    privacy: Path | None,
    quiet: bool,
) -> None:
    """Serve live tables until stopped.

    The API is told at /docs and /openapi.json. Logs are lines of JSON on stderr.
    """
    from mandala.live.store.upgrade import default_url
    from mandala.server.messages import About
    from mandala.server.serve import Settings, address_of, bind
    from mandala.server.serve import serve as run

    settings = Settings(
        database or default_url(),
        origins=origin,
        is_secure=secure,
        is_quiet=quiet,
        redis=redis,
        workers=workers,
        proxies=proxy,
        about=About(imprint=_read(imprint), privacy=_read(privacy)),
    )
    settings.check()
    listening = bind(host, port)
    if not run(listening, settings, lambda: click.echo(address_of(listening))):
        raise SystemExit(1)


def _read(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Fault(f"{file}: {texts.say('not-utf8', {})}") from None
