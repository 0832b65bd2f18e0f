"""`mandala serve`: runs a server for live tables."""

from __future__ import annotations

from pathlib import Path

import click

from mandala.cli.backup import DATABASE
from mandala.cli.inputs import InputError
from mandala.text import catalogue as texts

TEXT = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True,
    help="Port to listen on; 0 picks a free one.",
)  # fmt: skip
@DATABASE
@click.option("--origin", metavar="URL", multiple=True, help="Another origin allowed to connect.")
@click.option("--secure", is_flag=True, help="Mark cookies as Secure; for HTTPS only.")
@click.option("--redis", metavar="URL", help="Redis that connects several server processes.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Number of worker processes.",
)  # fmt: skip
@click.option(
    "--proxy", metavar="ADDRESS", multiple=True,
    help="Proxy whose X-Forwarded-For header is trusted; * trusts all.",
)  # fmt: skip
@click.option(
    "--limits", type=TEXT, metavar="FILE", help="TOML file with limits; see docs/operating.md."
)
@click.option("--imprint", type=TEXT, metavar="FILE", help="Text with the imprint.")
@click.option("--privacy", type=TEXT, metavar="FILE", help="Text with the privacy policy.")
@click.option("--quiet", is_flag=True, help="Log only warnings and errors.")
def serve(
    host: str,
    port: int,
    database: str | None,
    origin: tuple[str, ...],
    secure: bool,
    redis: str | None,
    workers: int,
    proxy: tuple[str, ...],
    limits: Path | None,
    imprint: Path | None,
    privacy: Path | None,
    quiet: bool,
) -> None:
    """Serve live tables until stopped.

    The API is described at /docs and /openapi.json. Logs are lines of JSON on stderr.
    """
    from mandala.live.store.upgrade import default_url
    from mandala.server.limits import Limits, read_limits
    from mandala.server.messages import About
    from mandala.server.serve import Settings, address_of, bind
    from mandala.server.serve import serve as run

    settings = Settings(
        database or default_url(),
        read_limits(limits) if limits else Limits(),
        origins=origin,
        is_secure=secure,
        is_quiet=quiet,
        redis=redis,
        workers=workers,
        proxies=proxy,
        about=About(imprint=_read(imprint), privacy=_read(privacy)),
    )
    settings.require_valid()
    with bind(host, port) as listening:
        if not run(listening, settings, lambda: click.echo(address_of(listening))):
            raise SystemExit(1)


def _read(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file}: {texts.say('not-utf8', {})}") from None
