"""`mandala bot`: plays a bot on a seat of a remote server."""

from __future__ import annotations

import click

from mandala.bots.levels import STRONGEST
from mandala.cli.progress import make_search_ready
from mandala.text.errors import Refused


@click.command()
@click.argument("link", metavar="[LINK]", required=False)
@click.option("--server", metavar="URL", help="Server, if no link is given.")
@click.option("--table", metavar="ID", help="Table, if no link is given.")
@click.option("--seat", type=click.IntRange(1, 4), help="Seat, if no link is given.")
@click.option("--token", required=True, envvar="MANDALA_TOKEN", help="Bearer token on the server.")
@click.option("--player", default=STRONGEST, show_default=True, help="Player that moves.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), help="Time limit per move.")
def bot(
    link: str | None,
    server: str | None,
    table: str | None,
    seat: int | None,
    token: str,
    player: str,
    seconds: float | None,
) -> None:
    """Play a bot on a seat of a server until the game is over.

    LINK is a seat's invitation link. Get the token from POST /api/me/tokens; it can also be set in
    MANDALA_TOKEN. The bot reconnects when the connection breaks. PLAYER can be a program that
    speaks the bot protocol (see docs/protocol.md): --player "cmd:python3 mybot.py". If it fails, it
    resigns the game.
    """
    import secrets

    from mandala.bots.external import make_local_player, start_bots
    from mandala.bots.players import Budget
    from mandala.bots.remote import RemotePlayer, RemoteSeat, seat_of_link

    if link is not None:
        remote_seat = seat_of_link(link)
    elif server and table and seat:
        remote_seat = RemoteSeat(server, table, seat)
    else:
        raise Refused("bad-link")
    chosen = make_local_player(player, secrets.randbits(63))

    def report(line: str) -> None:
        click.echo(line, err=True)

    remote = RemotePlayer(remote_seat, token, chosen, Budget(seconds=seconds), report)
    game = remote.sit_down()
    if player.startswith("search:"):
        make_search_ready(game)
    start_bots([player], game)
    state = remote.play()
    scores = "-".join(map(str, state["scores"] or []))
    click.echo(f"{state['ending']['how']} {scores}".strip())
