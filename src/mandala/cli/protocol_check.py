"""`mandala protocol-check`: tells the author of a bot what is wrong with it."""

from __future__ import annotations

import click


@click.command("protocol-check")
@click.argument("player", metavar="cmd:COMMAND")
@click.option(
    "--seconds", type=click.FloatRange(0.05, 600), default=1.0, show_default=True,
    help="Time limit per move.",
)  # fmt: skip
def protocol_check(player: str, seconds: float) -> None:
    """Try out a bot that speaks the protocol, and print what is right and wrong.

    For example: mandala protocol-check "cmd:python3 mybot.py"
    """
    from mandala.bots.external import PREFIX
    from mandala.bots.protocol_check import check_bot

    is_right = True
    for finding in check_bot(player.removeprefix(PREFIX).strip(), seconds):
        click.echo(f"{'ok  ' if finding.error is None else 'FAIL'} {finding.title}")
        if finding.error is not None:
            is_right = False
            click.echo(f"     {finding.error}")
    if not is_right:
        raise click.exceptions.Exit(1)
