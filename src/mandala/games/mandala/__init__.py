"""Mandala (2019): all that knows this game's rules."""

from mandala.games.spec import Game

GAME = Game(
    id="mandala",
    package=__name__,
    seats=(2,),
    has_hidden_information=True,
    rules_version="1",
)
