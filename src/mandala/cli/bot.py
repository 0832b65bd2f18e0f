"""`mandala bot`: one of our players on a seat of a server elsewhere."""

from __future__ import annotations

import click

from mandala.cli.waiting import make_search_ready
from mandala.text.errors import Refused


@click.command()
@click.argument("link", metavar="[LINK]", required=False)
@click.option("--server", metavar="URL", help="The server, where there is no link.")
@click.option("--table", metavar="ID", help="The table, where there is no link.")
@click.option("--seat", type=click.IntRange(1, 4), help="The seat, where there is no link.")
@click.option("--token", required=True, envvar="MANDALA_TOKEN", help="Who the bot is there.")
@click.option("--player", default="search:5", show_default=True, help="Who thinks.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), help="For one move.")
def bot(
    link: str | None,
    server: str | None,
    table: str | None,
    seat: int | None,
    token: str,
    player: str,
    seconds: float | None,
) -> None:
    """Sit a player down on a seat of a server and play until the game is over.

    LINK is the link of a seat. The token is one of POST /api/me/tokens; MANDALA_TOKEN may hold it
    too. When the connection breaks, the bot comes back.
    """
    import secrets

    from mandala.bots.players import Budget, make_player
    from mandala.bots.remote import RemotePlayer, RemoteSeat, seat_of_link

    if link is not None:
        where = seat_of_link(link)
    elif server and table and seat:
        where = RemoteSeat(server, table, seat)
    else:
        raise Refused("bad-link")
    chosen = make_player(player, secrets.randbits(63))

    def say(line: str) -> None:
        click.echo(line, err=True)

    remote = RemotePlayer(where, token, chosen, Budget(seconds=seconds), say)
    game = remote.sit_down()
    if player.startswith("search:"):
        make_search_ready(game)
    state = remote.play()
    scores = "-".join(map(str, state["scores"] or []))
    click.echo(f"{state['ending']['how']} {scores}".strip())
